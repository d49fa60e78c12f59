package encode

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/decimal256"
	"github.com/apache/arrow-go/v18/arrow/float16"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// dataset is a table of data as writers of Parquet are measured with: random, sparse, repeated, in runs, in lists.
type dataset struct {
	name string
	make func(n int) []arrow.Array
}

// table makes n records.
func (s *dataset) table(n int) arrow.RecordBatch {
	arrays := s.make(n)
	var fields []arrow.Field
	for i, a := range arrays {
		fields = append(fields, arrow.Field{Name: fmt.Sprintf("c%d", i), Type: a.DataType(), Nullable: true})
	}
	return array.NewRecordBatch(arrow.NewSchema(fields, nil), arrays, int64(arrays[0].Len()))
}

// columnTable makes a table of one column.
func columnTable(dt arrow.DataType, n int, value source) arrow.RecordBatch {
	s := dataset{make: func(n int) []arrow.Array { return []arrow.Array{slotsOf(dt, n, value)} }}
	return s.table(n)
}

// source makes values; a nil one is a null.
type source func(i int) any

// random is where the values of one array come from.
func random() *rand.Rand { return rand.New(rand.NewPCG(42, 0)) }

// randomArray makes n slots of which a share is null.
func randomArray(dt arrow.DataType, n int, nulls float64) arrow.Array {
	r := random()
	return slotsOf(dt, n, sparse(r, nulls, randomValue(r, dt)))
}

func sparse(r *rand.Rand, nulls float64, value source) source {
	return func(i int) any {
		if r.Float64() < nulls {
			return nil
		}
		return value(i)
	}
}

const alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

func randomText(r *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphanumeric[r.IntN(len(alphanumeric))]
	}
	return string(b)
}

// randomValue makes values of any bits; texts of up to 399 characters, those of views of four.
func randomValue(r *rand.Rand, dt arrow.DataType) source {
	switch dt := dt.(type) {
	case *arrow.BooleanType:
		return func(int) any { return r.Float64() < 0.75 }
	case *arrow.Float32Type:
		return func(int) any { return r.Float32() }
	case *arrow.Float64Type:
		return func(int) any { return r.Float64() }
	case *arrow.Date64Type:
		return func(int) any { return r.Int64N(36500) * 86_400_000 }
	case *arrow.StringType, *arrow.LargeStringType:
		return func(int) any { return randomText(r, r.IntN(400)) }
	case *arrow.StringViewType, *arrow.BinaryViewType:
		return func(int) any { return randomText(r, 4) }
	case *arrow.FixedSizeBinaryType:
		return func(int) any {
			b := make([]byte, dt.ByteWidth)
			for i := range b {
				b[i] = byte(r.Uint32())
			}
			return string(b)
		}
	case arrow.DecimalType:
		most := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(dt.GetPrecision())), nil)
		return func(int) any {
			v := new(big.Int)
			for v.BitLen() < most.BitLen()+64 {
				v.Lsh(v, 64).Add(v, new(big.Int).SetUint64(r.Uint64()))
			}
			return v.Mod(v, most)
		}
	}
	return func(int) any { return int64(r.Uint64()) }
}

// slotsOf makes n slots of a type without children.
func slotsOf(dt arrow.DataType, n int, value source) arrow.Array {
	b := array.NewBuilder(memory.DefaultAllocator, dt)
	defer b.Release()
	for i := range n {
		if v := value(i); v == nil {
			b.AppendNull()
		} else {
			appendSlot(b, v)
		}
	}
	return b.NewArray()
}

func appendSlot(b array.Builder, v any) {
	switch b := b.(type) {
	case *array.Int32Builder:
		b.Append(int32(v.(int64)))
	case *array.Int64Builder:
		b.Append(v.(int64))
	case *array.Uint32Builder:
		b.Append(uint32(v.(int64)))
	case *array.Uint64Builder:
		b.Append(uint64(v.(int64)))
	case *array.Date64Builder:
		b.Append(arrow.Date64(v.(int64)))
	case *array.Float16Builder:
		b.Append(float16.New(v.(float32)))
	case *array.Float32Builder:
		b.Append(v.(float32))
	case *array.Float64Builder:
		b.Append(v.(float64))
	case *array.BooleanBuilder:
		b.Append(v.(bool))
	case *array.FixedSizeBinaryBuilder:
		b.Append([]byte(v.(string)))
	case *array.BinaryBuilder:
		b.Append([]byte(v.(string)))
	case *array.BinaryViewBuilder:
		b.Append([]byte(v.(string)))
	case interface{ Append(string) }:
		b.Append(v.(string))
	case *array.Decimal32Builder:
		b.Append(decimal.Decimal32(v.(*big.Int).Int64()))
	case *array.Decimal64Builder:
		b.Append(decimal.Decimal64(v.(*big.Int).Int64()))
	case *array.Decimal128Builder:
		b.Append(decimal128.FromBigInt(v.(*big.Int)))
	case *array.Decimal256Builder:
		b.Append(decimal256.FromBigInt(v.(*big.Int)))
	default:
		panic(fmt.Sprintf("encode: no slots for %T", b))
	}
}

// pickedFrom makes n keys of a dictionary; key returns -1 for a null.
func pickedFrom(entries arrow.Array, n int, key func(i int) int) arrow.Array {
	keys := slotsOf(arrow.PrimitiveTypes.Int32, n, func(i int) any {
		if k := key(i); k >= 0 {
			return int64(k)
		}
		return nil
	})
	dt := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: entries.DataType()}
	return array.NewDictionaryArray(dt, keys, entries)
}

// listsBy makes n lists of as many of an array's elements as length says, -1 for a null; elements makes the array.
func listsBy(n int, length func(i int) int, elements func(n int) arrow.Array) arrow.Array {
	offsets, valid := binary.LittleEndian.AppendUint32(nil, 0), make([]byte, (n+7)/8)
	end, nulls := 0, 0
	for i := range n {
		if k := length(i); k >= 0 {
			end += k
			valid[i/8] |= 1 << (i % 8)
		} else {
			nulls++
		}
		offsets = binary.LittleEndian.AppendUint32(offsets, uint32(end))
	}
	children := elements(end)
	buffers := []*memory.Buffer{memory.NewBufferBytes(valid), memory.NewBufferBytes(offsets)}
	data := array.NewData(arrow.ListOf(children.DataType()), n, buffers, []arrow.ArrayData{children.Data()}, nulls, 0)
	return array.MakeFromData(data)
}

// upToFour are lengths of lists of which a share is null.
func upToFour(nulls float64) func(int) int {
	r := random()
	return func(int) int {
		if r.Float64() < nulls {
			return -1
		}
		return r.IntN(5)
	}
}

// structOf makes a struct of which a share is null.
func structOf(nulls float64, fields ...arrow.Array) arrow.Array {
	r := random()
	return structBy(func(int) bool { return r.Float64() < nulls }, fields...)
}

// structBy makes a struct whose slots are null where null says so.
func structBy(null func(i int) bool, fields ...arrow.Array) arrow.Array {
	n := fields[0].Len()
	valid, count := make([]byte, (n+7)/8), 0
	var types []arrow.Field
	var children []arrow.ArrayData
	for i, f := range fields {
		types = append(types, arrow.Field{Name: fmt.Sprintf("f%d", i), Type: f.DataType(), Nullable: true})
		children = append(children, f.Data())
	}
	for i := range n {
		if null(i) {
			count++
		} else {
			valid[i/8] |= 1 << (i % 8)
		}
	}
	buffers := []*memory.Buffer{memory.NewBufferBytes(valid)}
	return array.MakeFromData(array.NewData(arrow.StructOf(types...), n, buffers, children, count, 0))
}

// inRuns makes about n slots in runs of 8 to 32.
func inRuns(values func(n int) arrow.Array) func(n int) arrow.Array {
	return func(n int) arrow.Array {
		r := random()
		return runEndsOf(values(n/20), func(int) int { return 8 + r.IntN(25) })
	}
}

// counted makes texts of numbers that come again after as many.
func counted(format string, below int) source {
	return func(i int) any { return fmt.Sprintf(format, i%below) }
}

// cyclic makes numbers that come again after as many.
func cyclic(period int) source { return func(i int) any { return int64(i % period) } }

func halfNaN(r *rand.Rand, most float32) source {
	return func(int) any {
		if r.IntN(2) == 0 {
			return float32(math.NaN())
		}
		return r.Float32() * most
	}
}
