package encode

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"
)

// Bounds of floats leave NaNs out, count them, and have a zero of the sign that leaves no zero out.
func TestFloatBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	special := []uint64{
		0, 1 << 63, 1, 1<<63 | 1, 0x7ff0 << 48, 0xfff0 << 48, 0x7ff0<<48 | 1, 0xfff0<<48 | 1, math.MaxUint64, math.MaxInt64,
	}
	for range 20_000 {
		b := bounds64(orderFloat)
		lo, hi, some, nans := math.Inf(1), math.Inf(-1), false, int64(0)
		share := r.IntN(4)
		for range 1 + r.IntN(3) {
			block, times, again := make([]uint64, r.IntN(12)), []int(nil), 1+r.IntN(2)
			if r.IntN(2) == 0 {
				times = make([]int, len(block))
			}
			for i := range block {
				block[i] = r.Uint64()
				if r.IntN(4) < share {
					block[i] = special[r.IntN(len(special))]
				}
				k := again
				if times != nil {
					times[i] = 1 + r.IntN(3)
					k *= times[i]
				}
				if v := math.Float64frombits(block[i]); v != v {
					nans += int64(k)
				} else {
					lo, hi, some = min(lo, v), max(hi, v), true
				}
			}
			b.add(block, times, again)
		}
		got := b.take()
		if got.ok != some || got.nans != nans {
			t.Fatalf("bounds: %v, want %v; %d NaNs, want %d", got.ok, some, got.nans, nans)
		}
		if lo == 0 {
			lo = math.Copysign(0, -1)
		}
		if hi == 0 {
			hi = 0
		}
		want := [2]int64{int64(math.Float64bits(lo)), int64(math.Float64bits(hi))}
		if some && (!bytes.Equal(got.min, plain64(want[0])) || !bytes.Equal(got.max, plain64(want[1]))) {
			t.Fatalf("bounds %x and %x, want %x", got.min, got.max, want)
		}
		if b.take().ok {
			t.Fatal("bounds of nothing")
		}
	}
}

// The bounds of float are those of its values as double.
func TestFloat32Bounds(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	for range 20_000 {
		wide, narrow := bounds64(orderFloat), bounds32(orderFloat)
		values, doubles := make([]uint32, r.IntN(12)), []uint64(nil)
		for i := range values {
			values[i] = r.Uint32() & -uint32(r.IntN(2)) << (r.IntN(2) * 7)
			doubles = append(doubles, math.Float64bits(float64(math.Float32frombits(values[i]))))
		}
		wide.add(doubles, nil, 1)
		narrow.add(values, nil, 1)
		w, n := wide.take(), narrow.take()
		if w.ok != n.ok || w.nans != n.nans {
			t.Fatalf("%x: %v, %v; %d and %d NaNs", values, w.ok, n.ok, w.nans, n.nans)
		}
		if w.ok && (widened(n.min) != float64Of(w.min) || widened(n.max) != float64Of(w.max)) {
			t.Fatalf("%x: bounds %x and %x, of doubles %x and %x", values, n.min, n.max, w.min, w.max)
		}
	}
}

func float64Of(b []byte) float64 { return floatsOf[float64](b)[0] }
func widened(b []byte) float64   { return float64(floatsOf[float32](b)[0]) }
