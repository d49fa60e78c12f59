package encode

import (
	"encoding/binary"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestBigEndian128 converts decimals of every precision: the largest ones, those just beyond, and some between.
func TestBigEndian128(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	one := big.NewInt(1)
	for precision := int32(1); precision <= 38; precision++ {
		limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(precision)), nil)
		largest := new(big.Int).Sub(limit, one)
		inside := []*big.Int{big.NewInt(0), one, big.NewInt(-1), largest, new(big.Int).Neg(largest)}
		for range 20 {
			v := new(big.Int).SetUint64(r.Uint64())
			v.Lsh(v, 64).Add(v, new(big.Int).SetUint64(r.Uint64()))
			v.Rem(v, limit)
			inside = append(inside, v, new(big.Int).Neg(v))
		}
		width := decimalBytes(precision)
		convert := bigEndian128(precision)
		var src []byte
		for _, v := range inside {
			src = appendWords128(src, v)
		}
		dst := make([]byte, len(inside)*width, len(inside)*width+16)
		if bad, err := convert(dst, src, width); err != nil {
			t.Fatalf("precision %d: %v: %v", precision, inside[bad], err)
		}
		for i, want := range inside {
			got := new(big.Int).SetBytes(dst[i*width : (i+1)*width])
			if got.Bit(8*width-1) == 1 {
				got.Sub(got, new(big.Int).Lsh(one, uint(8*width)))
			}
			if got.Cmp(want) != 0 {
				t.Errorf("precision %d: %v became %v", precision, want, got)
			}
		}
		outside := []*big.Int{limit, new(big.Int).Neg(limit),
			new(big.Int).Neg(new(big.Int).Lsh(one, 127)), new(big.Int).Sub(new(big.Int).Lsh(one, 127), one)}
		for _, v := range outside {
			at := r.IntN(len(inside))
			src := appendWords128(append([]byte(nil), src[:16*at]...), v)
			src = appendWords128(src, limit)
			dst := make([]byte, len(src)/16*width, len(src)/16*width+16)
			if bad, err := convert(dst, src, width); err == nil || bad != at {
				t.Errorf("precision %d: %v at %d: value %d, error %v", precision, v, at, bad, err)
			}
		}
	}
}

// appendWords128 appends an integer as Arrow stores it.
func appendWords128(dst []byte, v *big.Int) []byte {
	mod := new(big.Int).Lsh(big.NewInt(1), 128)
	be := new(big.Int).Mod(v, mod).FillBytes(make([]byte, 16))
	dst = binary.LittleEndian.AppendUint64(dst, binary.BigEndian.Uint64(be[8:]))
	return binary.LittleEndian.AppendUint64(dst, binary.BigEndian.Uint64(be))
}
