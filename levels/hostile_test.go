package levels

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// offsets32 and offsets64 are the bytes of list offsets.
func offsets32(offsets ...int32) (b []byte) {
	for _, o := range offsets {
		b = binary.LittleEndian.AppendUint32(b, uint32(o))
	}
	return b
}

func offsets64(offsets ...int64) (b []byte) {
	for _, o := range offsets {
		b = binary.LittleEndian.AppendUint64(b, uint64(o))
	}
	return b
}

// bitsOf is a bitmap, its bits written one after the other.
func bitsOf(s string) []byte {
	b := make([]byte, (len(s)+7)/8)
	for i, c := range s {
		b[i/8] |= byte(c-'0') << (i % 8)
	}
	return b
}

// raw is an array by its parts, of unknown null count.
func raw(dt arrow.DataType, n int, buffers [][]byte, children ...arrow.ArrayData) *array.Data {
	var bufs []*memory.Buffer
	for _, b := range buffers {
		if b == nil {
			bufs = append(bufs, nil)
			continue
		}
		bufs = append(bufs, memory.NewBufferBytes(b))
	}
	return array.NewData(dt, n, bufs, children, array.UnknownNullCount, 0)
}

// int64s is an array of n int64; valid is its bitmap, "" for none.
func int64s(n int, valid string) *array.Data {
	var bitmap []byte
	if valid != "" {
		bitmap = bitsOf(valid)
	}
	return raw(arrow.PrimitiveTypes.Int64, n, [][]byte{bitmap, make([]byte, 8*n)})
}

var (
	requiredList  = arrow.Field{Name: "list", Type: arrow.ListOfField(requiredField)}
	requiredLarge = arrow.Field{Name: "list", Type: arrow.LargeListOfField(requiredField)}
	twoInts       = arrow.StructOf(int64Field, requiredField)
	dictionary    = &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int16, ValueType: arrow.PrimitiveTypes.Int64}
	stringMap     = arrow.MapOf(arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Int64)
)

// entriesOf is the child of a map.
func entriesOf(n int, valid, keys string) *array.Data {
	var bitmap []byte
	if valid != "" {
		bitmap = bitsOf(valid)
	}
	return raw(stringMap.Elem(), n, [][]byte{bitmap}, int64s(n, keys), int64s(n, ""))
}

// withDictionary is an array of 3 keys to a dictionary of 2 entries.
func withDictionary(dt arrow.DataType, keys []byte, entries *array.Data) *array.Data {
	d := raw(dt, 3, [][]byte{nil, keys})
	d.SetDictionary(entries)
	return d
}

var (
	requiredView      = arrow.Field{Name: "view", Type: arrow.ListViewOfField(requiredField)}
	requiredLargeView = arrow.Field{Name: "view", Type: arrow.LargeListViewOfField(requiredField)}
	structDictionary  = &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int16, ValueType: twoInts}
)

func structs(n int) *array.Data {
	return raw(twoInts, n, [][]byte{nil}, int64s(n, ""), int64s(n, ""))
}

var (
	intRuns      = arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64)
	requiredRuns = arrow.Field{Name: "runs", Type: intRuns}
	listRuns     = arrow.Field{Name: "runs", Type: arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, requiredList.Type)}
)

// runs is an array of n slots, and its run ends.
func runs(dt *arrow.RunEndEncodedType, n int, ends []int32, values arrow.ArrayData) *array.Data {
	return raw(dt, n, [][]byte{nil}, raw(arrow.PrimitiveTypes.Int32, len(ends), [][]byte{nil, offsets32(ends...)}), values)
}

// manyLists are 5000 lists of one element, number at without one but with a wrong end.
func manyLists(at int, end int32) *array.Data {
	offsets := make([]int32, 5001)
	for i := range offsets {
		offsets[i] = int32(i)
	}
	offsets[at+1] = end
	return raw(requiredList.Type, 5000, [][]byte{nil, offsets32(offsets...)}, int64s(5000, ""))
}

// The records of the arrays are number 100 and following.
var hostileArrays = []struct {
	name  string
	field arrow.Field
	data  arrow.ArrayData
	want  string // without "levels: field "
}{
	{"offset negative", requiredList, raw(requiredList.Type, 1, [][]byte{nil, offsets32(-1, 2)}, int64s(3, "")),
		`"list": record 100: offset -1 is negative`},
	{"end negative", requiredList, raw(requiredList.Type, 2, [][]byte{nil, offsets32(0, 1, -1)}, int64s(3, "")),
		`"list": record 101: offset -1 is negative`},
	{"offsets out of order", requiredList, raw(requiredList.Type, 3, [][]byte{nil, offsets32(0, 2, 1, 3)}, int64s(3, "")),
		`"list": record 101: offsets 2 and 1 are out of order`},
	{"offset beyond the child", requiredList, raw(requiredList.Type, 2, [][]byte{nil, offsets32(0, 1, 4)}, int64s(3, "")),
		`"list": record 101: offset 4 lies beyond the 3 elements`},
	{"offset beyond the child and back", requiredList, raw(requiredList.Type, 3, [][]byte{nil, offsets32(0, 1, 9, 2)}, int64s(3, "")),
		`"list": record 101: offset 9 lies beyond the 3 elements`},
	{"offset of a late list", requiredList, manyLists(4711, 1000), `"list": record 4811: offsets 4711 and 1000 are out of order`},
	{"end of a late list", requiredList, manyLists(4999, 5001), `"list": record 5099: offset 5001 lies beyond the 5000 elements`},
	{"offset of a list among nulls", listField, raw(listField.Type, 20, [][]byte{bitsOf("00000000000000000100"),
		offsets32(append(make([]int32, 18), 4, 4, 4)...)}, int64s(3, "")), `"list": record 117: offset 4 lies beyond the 3 elements`},
	{"large offset negative", requiredLarge, raw(requiredLarge.Type, 1, [][]byte{nil, offsets64(-1, 2)}, int64s(3, "")),
		`"list": record 100: offset -1 is negative`},
	{"large offset overflows", requiredLarge, raw(requiredLarge.Type, 3, [][]byte{nil, offsets64(1, math.MinInt64, 2, 3)}, int64s(3, "")),
		`"list": record 100: offset -9223372036854775808 is negative`},
	{"large offset overflows unseen by the next", requiredLarge, raw(requiredLarge.Type, 3, [][]byte{nil, offsets64(1, math.MinInt64, -1, 3)}, int64s(3, "")),
		`"list": record 100: offset -9223372036854775808 is negative`},
	{"large offset huge", requiredLarge, raw(requiredLarge.Type, 2, [][]byte{nil, offsets64(0, math.MaxInt64, 2)}, int64s(3, "")),
		`"list": record 100: offset 9223372036854775807 lies beyond the 3 elements`},
	{"offsets short", requiredList, raw(requiredList.Type, 3, [][]byte{nil, offsets32(0, 1, 1)}, int64s(3, "")),
		`"list": 3 offsets for 3 lists, need one more than lists`},
	{"offsets empty", requiredList, raw(requiredList.Type, 1, [][]byte{nil, {}}, int64s(3, "")),
		`"list": 0 offsets for 1 lists, need one more than lists`},
	{"offsets absent", requiredList, raw(requiredList.Type, 1, [][]byte{nil, nil}, int64s(3, "")), `"list": a list without offsets`},
	{"no buffers", requiredList, raw(requiredList.Type, 1, nil, int64s(3, "")), `"list": a list without offsets`},
	{"list without child", requiredList, raw(requiredList.Type, 1, [][]byte{nil, offsets32(0, 1)}), `"list": a list with 0 children, not one`},
	{"list of two children", requiredList, raw(requiredList.Type, 1, [][]byte{nil, offsets32(0, 1)}, int64s(1, ""), int64s(1, "")),
		`"list": a list with 2 children, not one`},
	{"list of a nil child", requiredList, raw(requiredList.Type, 1, [][]byte{nil, offsets32(0, 1)}, nil), `"list": child 0 is missing`},
	{"fixed-size list too short", columnOf(arrow.FixedSizeListOfField(2, requiredField)),
		raw(arrow.FixedSizeListOfField(2, requiredField), 3, [][]byte{nil}, int64s(5, "")), `"c": 5 elements for 3 fixed-size lists of 2`},
	{"bitmap short", int64Field, raw(int64Field.Type, 9, [][]byte{{255}, make([]byte, 72)}), `"int64": the validity bitmap has 8 bits for 9 slots`},
	{"bitmap of a struct short", columnOf(twoInts), raw(twoInts, 17, [][]byte{{255, 255}}, int64s(17, ""), int64s(17, "")),
		`"c": the validity bitmap has 16 bits for 17 slots`},
	{"bitmap of a list short", requiredList, raw(requiredList.Type, 9, [][]byte{{255}, make([]byte, 40)}, int64s(3, "")),
		`"list": the validity bitmap has 8 bits for 9 slots`},
	{"bitmap absent", int64Field, array.NewData(int64Field.Type, 3, []*memory.Buffer{nil, nil}, nil, 2, 0), `"int64": 2 nulls, but no validity bitmap`},
	{"offset of an array negative", int64Field, array.NewData(int64Field.Type, 3, []*memory.Buffer{nil, nil}, nil, 0, -3), `"int64": an array of 3 slots at offset -3`},
	{"struct without a child", columnOf(twoInts), raw(twoInts, 1, [][]byte{nil}, int64s(1, "")), `"c": the struct has 1 children, its type 2`},
	{"struct with a nil child", columnOf(twoInts), raw(twoInts, 1, [][]byte{nil}, int64s(1, ""), nil), `"c": child 1 is missing`},
	{"struct with a short child", columnOf(twoInts), raw(twoInts, 2, [][]byte{nil}, int64s(2, ""), int64s(1, "")), `"c": child 1 has 1 slots, the struct 2`},
	{"dictionary keys short", columnOf(dictionary), withDictionary(dictionary, make([]byte, 5), int64s(2, "10")), `"c": 2 dictionary keys for 3 slots`},
	{"dictionary bitmap short", columnOf(dictionary), withDictionary(dictionary, make([]byte, 6), int64s(9, "1")), `"c.dictionary": the validity bitmap has 8 bits for 9 slots`},
	{"null", requiredField, int64s(4, "1101"), `"int64": record 102: null, but the field is not nullable`},
	{"null entry of a dictionary", arrow.Field{Name: "d", Type: dictionary}, withDictionary(dictionary, []byte{0, 0, 1, 0, 0, 0}, int64s(2, "10")),
		`"d": record 101: null, but the field is not nullable`},
	{"null in a struct", columnOf(twoInts), raw(twoInts, 4, [][]byte{bitsOf("1011")}, int64s(4, ""), int64s(4, "1001")),
		`"c.int64": record 102: null, but the field is not nullable`},
	{"null in a list", requiredList, raw(requiredList.Type, 4, [][]byte{nil, offsets32(0, 2, 2, 3, 6)}, int64s(6, "111011")),
		`"list.int64": record 103: null, but the field is not nullable`},
	{"null key of a map", columnOf(stringMap), raw(stringMap, 3, [][]byte{nil, offsets32(0, 2, 2, 3)}, entriesOf(3, "", "110")),
		`"c.key_value.key": record 102: null, but the field is not nullable`},
	{"view beyond the child", requiredView, raw(requiredView.Type, 2, [][]byte{nil, offsets32(0, 1), offsets32(1, 3)}, int64s(3, "")),
		`"view": record 101: a list view of size 3 at offset 1 of 3 elements`},
	{"view at a negative offset", requiredView, raw(requiredView.Type, 2, [][]byte{nil, offsets32(0, -1), offsets32(1, 1)}, int64s(3, "")),
		`"view": record 101: a list view of size 1 at offset -1 of 3 elements`},
	{"view of a negative size", requiredView, raw(requiredView.Type, 2, [][]byte{nil, offsets32(0, 1), offsets32(1, -1)}, int64s(3, "")),
		`"view": record 101: a list view of size -1 at offset 1 of 3 elements`},
	{"views without sizes", requiredView, raw(requiredView.Type, 2, [][]byte{nil, offsets32(0, 1), nil}, int64s(3, "")),
		`"view": 2 offsets and 0 sizes for 2 list views`},
	{"views without offsets", requiredView, raw(requiredView.Type, 2, [][]byte{nil, nil, offsets32(0, 1)}, int64s(3, "")),
		`"view": 0 offsets and 2 sizes for 2 list views`},
	{"large view overflows", requiredLargeView, raw(requiredLargeView.Type, 2, [][]byte{nil, offsets64(0, math.MaxInt64),
		offsets64(1, math.MaxInt64)}, int64s(3, "")), `"view": record 101: a list view of size 9223372036854775807 at offset 9223372036854775807 of 3 elements`},
	{"large view of the most negative size", requiredLargeView, raw(requiredLargeView.Type, 1, [][]byte{nil, offsets64(2), offsets64(math.MinInt64)},
		int64s(3, "")), `"view": record 100: a list view of size -9223372036854775808 at offset 2 of 3 elements`},
	{"key of a nested dictionary beyond it", columnOf(structDictionary), withDictionary(structDictionary, []byte{1, 0, 0, 0, 2, 0}, structs(2)),
		`"c": record 102: dictionary key 2 is out of range: the dictionary has 2 entries`},
	{"key of a nested dictionary negative", columnOf(structDictionary), withDictionary(structDictionary, []byte{1, 0, 254, 255, 0, 0}, structs(2)),
		`"c": record 101: dictionary key -2 is out of range: the dictionary has 2 entries`},
	{"key of an empty nested dictionary", columnOf(structDictionary), withDictionary(structDictionary, make([]byte, 6), structs(0)),
		`"c": record 100: dictionary key 0 is out of range: the dictionary has 0 entries`},
	{"keys of a nested dictionary short", columnOf(structDictionary), withDictionary(structDictionary, make([]byte, 5), structs(2)), `"c": 2 dictionary keys for 3 slots`},
	{"nested dictionary absent", columnOf(structDictionary), raw(structDictionary, 3, [][]byte{nil, make([]byte, 6)}),
		`"c": a dictionary-encoded array without its dictionary`},
	{"null of type null", arrow.Field{Name: "n", Type: arrow.Null}, raw(arrow.Null, 3, [][]byte{nil}), `"n": record 100: null, but the field is not nullable`},
	{"run ends equal", requiredRuns, runs(intRuns, 9, []int32{3, 3, 9}, int64s(3, "")), `"runs": run 1 ends at 3 and the one before at 3: run ends must ascend`},
	{"run ends descend", requiredRuns, runs(intRuns, 9, []int32{3, 2, 9}, int64s(3, "")), `"runs": run 1 ends at 2 and the one before at 3: run ends must ascend`},
	{"run end zero", requiredRuns, runs(intRuns, 9, []int32{0, 9}, int64s(2, "")), `"runs": run 0 ends at 0 and the one before at 0: run ends must ascend`},
	{"run end negative", requiredRuns, runs(intRuns, 9, []int32{-4, 9}, int64s(2, "")), `"runs": run 0 ends at -4 and the one before at 0: run ends must ascend`},
	{"run ends too early", requiredRuns, runs(intRuns, 9, []int32{3, 8}, int64s(2, "")), `"runs": the runs end at 8, the array at 9`},
	{"no run ends", requiredRuns, runs(intRuns, 1, nil, int64s(2, "")), `"runs": the runs end at 0, the array at 1`},
	{"run without value", requiredRuns, runs(intRuns, 9, []int32{3, 9}, int64s(1, "")), `"runs": 1 values for 2 runs`},
	{"run ends short", requiredRuns, raw(intRuns, 9, [][]byte{nil}, raw(arrow.PrimitiveTypes.Int32, 3, [][]byte{nil, offsets32(3, 9)}), int64s(3, "")),
		`"runs": the run ends have room for 2, not for 3 from 0 on`},
	{"run ends absent", requiredRuns, raw(intRuns, 9, [][]byte{nil}, raw(arrow.PrimitiveTypes.Int32, 1, [][]byte{nil, nil}), int64s(3, "")),
		`"runs": the run ends have room for 0, not for 1 from 0 on`},
	{"run ends null", requiredRuns, raw(intRuns, 9, [][]byte{nil}, array.NewData(arrow.PrimitiveTypes.Int32, 1,
		[]*memory.Buffer{memory.NewBufferBytes([]byte{0}), memory.NewBufferBytes(offsets32(9))}, nil, 1, 0), int64s(1, "")), `"runs": 1 of the run ends are null`},
	{"runs without values", requiredRuns, raw(intRuns, 1, [][]byte{nil}, int64s(1, "")), `"runs": a run-end-encoded array with 1 children, not run ends and values`},
	{"runs with nil values", requiredRuns, raw(intRuns, 1, [][]byte{nil}, int64s(1, ""), nil), `"runs": a run-end-encoded array with 2 children, not run ends and values`},
	{"runs at a negative offset", requiredRuns, array.NewData(intRuns, 3, []*memory.Buffer{nil}, []arrow.ArrayData{
		int64s(1, ""), int64s(1, "")}, 0, -3), `"runs": an array of 3 slots at offset -3`},
	{"null in a run", requiredRuns, runs(intRuns, 9000, []int32{3, 8999, 9000}, int64s(3, "110")), `"runs": record 9099: null, but the field is not nullable`},
	{"null in a run of lists", listRuns, runs(listRuns.Type.(*arrow.RunEndEncodedType), 9, []int32{3, 9}, raw(requiredList.Type, 2, [][]byte{nil,
		offsets32(0, 1, 2)}, int64s(2, "10"))), `"runs.int64": record 103: null, but the field is not nullable`},
	{"offset in a run of lists", listRuns, runs(listRuns.Type.(*arrow.RunEndEncodedType), 90, []int32{3, 90}, raw(requiredList.Type, 2, [][]byte{nil,
		offsets32(0, 1, 4)}, int64s(2, ""))), `"runs": record 103: offset 4 lies beyond the 2 elements`},
	{"null entry of a map", columnOf(stringMap), raw(stringMap, 3, [][]byte{nil, offsets32(0, 2, 2, 3)}, entriesOf(3, "101", "")),
		`"c.key_value": record 100: null, but the field is not nullable`},
}

func TestHostileArrays(t *testing.T) {
	for _, tc := range hostileArrays {
		t.Run(tc.name, func(t *testing.T) {
			tree, err := NewTree(tc.field)
			if err != nil {
				t.Fatal(err)
			}
			err = tree.Walk(tc.data, 0, tc.data.Len(), 100, newCollector(tree, tc.data, nil))
			if want := "levels: field " + tc.want; err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %v", err, want)
			}
		})
	}
}

// TestHiddenRubbish holds that what no record reaches is not looked at.
func TestHiddenRubbish(t *testing.T) {
	nested := arrow.StructOf(requiredList)
	list := raw(requiredList.Type, 3, [][]byte{nil, offsets32(0, 1, 1, 2)}, int64s(2, "10"))
	for name, tc := range map[string]struct {
		field   arrow.Field
		data    arrow.ArrayData
		from, n int
	}{
		"offsets of other records": {requiredList, raw(requiredList.Type, 4, [][]byte{nil, offsets32(7, 0, 1, 2, 1)}, int64s(2, "")), 1, 2},
		"null under a null struct": {columnOf(nested), raw(nested, 3, [][]byte{bitsOf("110")}, list), 0, 3},
		"null entry not referred to": {arrow.Field{Name: "d", Type: dictionary},
			withDictionary(dictionary, make([]byte, 6), int64s(2, "10")), 0, 3},
		"key out of range, which is for the page writer": {arrow.Field{Name: "d", Type: dictionary},
			withDictionary(dictionary, []byte{9, 0, 255, 255, 0, 128}, int64s(2, "10")), 0, 3},
		"run ends behind the last record":  {requiredRuns, runs(intRuns, 9, []int32{3, 9, 4, 4}, int64s(2, "")), 0, 9},
		"no records without run ends":      {requiredRuns, runs(intRuns, 0, nil, int64s(0, "")), 0, 0},
		"empty list array without offsets": {requiredList, raw(requiredList.Type, 0, [][]byte{nil, nil}, int64s(0, "")), 0, 0},
	} {
		tree, err := NewTree(tc.field)
		if err == nil {
			err = tree.Walk(tc.data, tc.from, tc.n, 0, newCollector(tree, tc.data, nil))
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNullsInRequiredFieldsAgainstOracle(t *testing.T) {
	found := 0
	for seed := range uint64(12_000) {
		r := rand.New(rand.NewPCG(seed, 8))
		tc := newTestCase(r, r.IntN(6), true)
		tree, err := NewTree(tc.field)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		first := map[string]bool{} // by text: the first null of each field
		seen := map[string]bool{}
		for _, n := range shred(tc.field, array.MakeFromData(tc.data), 0, tc.data.Len(), 50).nulls {
			if !seen[n.path] {
				seen[n.path] = !hasDictionary(tc.field.Type) // null keys are found before null entries
				first[path{n.path}.errorf("record %d: null, but the field is not nullable", n.record).Error()] = true
			}
		}
		err = tree.Walk(tc.data, 0, tc.data.Len(), 50, newCollector(tree, tc.data, nil))
		if len(first) == 0 {
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			continue
		}
		found++
		if err == nil || !first[err.Error()] {
			t.Fatalf("seed %d: got %v, want one of %v", seed, err, first)
		}
	}
	if found < 1000 {
		t.Errorf("only %d cases had a null in a required field", found)
	}
}

// hasDictionary reports whether there is a dictionary of anything but plain values in a type.
func hasDictionary(dt arrow.DataType) bool {
	switch dt := StorageType(dt).(type) {
	case *arrow.DictionaryType:
		return !plain(dt.ValueType)
	case *arrow.RunEndEncodedType:
		return hasDictionary(dt.Encoded())
	case arrow.NestedType:
		return slices.ContainsFunc(dt.Fields(), func(f arrow.Field) bool { return hasDictionary(f.Type) })
	}
	return false
}

// deep is a list of a list of a list …
func deep(n int) arrow.DataType {
	var dt arrow.DataType = arrow.PrimitiveTypes.Int64
	for range n {
		dt = arrow.ListOf(dt)
	}
	return dt
}

func TestTypesRefused(t *testing.T) {
	int64Type := arrow.PrimitiveTypes.Int64
	for _, tc := range []struct {
		dt   arrow.DataType
		want string // without "levels: field "
	}{
		{arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Uint16, int64Type), `"c": run ends of type uint16: they must be int16, int32 or int64`},
		{arrow.SparseUnionOf([]arrow.Field{int64Field}, []arrow.UnionTypeCode{0}), `"c": type sparse_union: Parquet has no unions: send a struct with a nullable field for each type`},
		{arrow.DenseUnionOf([]arrow.Field{int64Field}, []arrow.UnionTypeCode{0}), `"c": type dense_union: Parquet has no unions: send a struct with a nullable field for each type`},
		{&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.StructOf()},
			`"c": a struct without fields cannot be kept in Parquet: leave the field out or give it a field`},
		{&arrow.DictionaryType{IndexType: arrow.BinaryTypes.String, ValueType: int64Type},
			`"c": dictionary keys of type utf8: they must be integers`},
		{arrow.StructOf(), `"c": a struct without fields cannot be kept in Parquet: leave the field out or give it a field`},
		{arrow.ListOf(arrow.StructOf(arrow.Field{Name: "s", Type: arrow.StructOf()})),
			`"c.item.s": a struct without fields cannot be kept in Parquet: leave the field out or give it a field`},
		{fixedSizeListOf(-1, int64Field), `"c": a fixed-size list of -1 elements`},
		{deep(maxDepth), `"c.item.item": nested deeper than 100 fields`},
	} {
		_, err := NewTree(columnOf(tc.dt))
		if want := "levels: field " + tc.want; err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %v", err, want)
		}
	}
}

// TestDeepestType walks a list in 99 lists: levels up to 199 of 8 planes.
func TestDeepestType(t *testing.T) {
	f := columnOf(deep(maxDepth - 1))
	tree, err := NewTree(f)
	if err != nil {
		t.Fatal(err)
	}
	arr, _, err := array.FromJSON(memory.DefaultAllocator, f.Type,
		strings.NewReader(`[null, [], [[[]]], `+strings.Repeat("[", maxDepth-1)+"1, null, 2"+strings.Repeat("]", maxDepth-1)+`]`))
	if err != nil {
		t.Fatal(err)
	}
	if err := (testCase{f, arr.Data().(*array.Data)}).check(tree, 0, arr.Len(), nil); err != nil {
		t.Error(err)
	}
}

func TestRecordsOutsideTheArray(t *testing.T) {
	tree, err := NewTree(int64Field)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range [][2]int{{-1, 2}, {0, 4}, {3, 1}, {0, -1}, {2, math.MaxInt}} {
		if err := tree.Walk(int64s(3, ""), r[0], r[1], 0, newCollector(tree, int64s(3, ""), nil)); err == nil {
			t.Errorf("records from %d, %d of them: no error", r[0], r[1])
		}
	}
}

// failing is a sink that fails, at once or at the first span.
type failing struct{ bind, put error }

func (f failing) Bind(int, arrow.ArrayData) error { return f.bind }
func (f failing) Put(int, *Span) error            { return f.put }

func TestErrorsOfTheSinkEndTheWalk(t *testing.T) {
	bind, put := errors.New("bind"), errors.New("put")
	for _, f := range []arrow.Field{int64Field, columnOf(twoInts), listField, columnOf(arrow.ListOf(arrow.StructOf(listField)))} {
		data := (&batch{rand.New(rand.NewPCG(1, 2)), 25, 0, 4, 20}).array(f, 10_000, nil)
		tree, err := NewTree(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := tree.Walk(data, 0, data.Len(), 0, failing{bind: bind}); err != bind {
			t.Errorf("%v: got %v, want the error of Bind", f, err)
		}
		if err := tree.Walk(data, 0, data.Len(), 0, failing{put: put}); err != put {
			t.Errorf("%v: got %v, want the error of Put", f, err)
		}
		if err := (testCase{f, data}).check(tree, 0, data.Len(), nil); err != nil {
			t.Errorf("%v: after a walk that failed: %v", f, err)
		}
	}
}
