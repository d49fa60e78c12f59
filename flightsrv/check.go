package flightsrv

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// checkBatch says whether the buffers of a batch hold what its lengths promise: Arrow's reader takes that on trust, and
// code that reads the arrays may go past a buffer's end. Errors name the field. The cost is a pass over the validity
// bitmaps and offsets; dictionary keys, views, run ends and union types are left to those who read them anyway.
func checkBatch(batch arrow.RecordBatch) error {
	for i, column := range batch.Columns() {
		if err := checkArray(column.Data(), column.DataType()); err != nil {
			return fmt.Errorf("field %q: %w", batch.ColumnName(i), err)
		}
	}
	return nil
}

// checkSchema refuses, by path, what Arrow's reader would read wrong.
func checkSchema(schema *arrow.Schema) error {
	for _, f := range schema.Fields() {
		if err := checkField(f, f.Name); err != nil {
			return err
		}
	}
	return nil
}

func checkField(f arrow.Field, path string) error {
	dt := f.Type
	if extension, ok := dt.(arrow.ExtensionType); ok {
		dt = extension.StorageType()
	}
	if dictionary, ok := dt.(*arrow.DictionaryType); ok && hasRunEnds(dictionary.ValueType) {
		return invalid("field %q: a dictionary of run-end-encoded values cannot be received: "+
			"send run ends around the dictionary, or the values themselves", path)
	}
	if nested, ok := dt.(arrow.NestedType); ok {
		for _, child := range nested.Fields() {
			if err := checkField(child, path+"."+child.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

func hasRunEnds(dt arrow.DataType) bool {
	switch dt := dt.(type) {
	case *arrow.RunEndEncodedType:
		return true
	case *arrow.DictionaryType:
		return hasRunEnds(dt.ValueType)
	case arrow.ExtensionType:
		return hasRunEnds(dt.StorageType())
	case arrow.NestedType:
		for _, f := range dt.Fields() {
			if hasRunEnds(f.Type) {
				return true
			}
		}
	}
	return false
}

func checkArray(data arrow.ArrayData, dt arrow.DataType) error {
	if extension, ok := dt.(arrow.ExtensionType); ok {
		dt = extension.StorageType()
	}
	if err := checkBuffers(data, dt); err != nil {
		return err
	}
	if dt.ID() == arrow.DICTIONARY {
		if err := checkArray(data.Dictionary(), data.Dictionary().DataType()); err != nil {
			return fmt.Errorf("dictionary: %w", err)
		}
	}
	for i, child := range data.Children() {
		if err := checkArray(child, child.DataType()); err != nil {
			return fmt.Errorf("child %d: %w", i, err)
		}
	}
	return checkContent(data, dt)
}

// checkBuffers checks the sizes of the buffers whose sizes follow from the number of slots.
func checkBuffers(data arrow.ArrayData, dt arrow.DataType) error {
	slots := int64(data.Offset() + data.Len())
	buffers := data.Buffers()
	if arrow.IsUnion(dt.ID()) && len(buffers) > 0 {
		buffers = buffers[1:] // where a validity bitmap was before Arrow 1.0
	}
	for i, spec := range dt.Layout().Buffers {
		if i == 0 && data.NullN() == 0 && spec.Kind == arrow.KindBitmap {
			continue // all slots are valid, with or without a bitmap
		}
		if i >= len(buffers) {
			break
		}
		room := slots
		switch size := int64(bufferLen(buffers[i])); {
		case spec.Kind == arrow.KindBitmap:
			room = size * 8
		case spec.Kind == arrow.KindFixedWidth && spec.ByteWidth > 0:
			room = size / int64(spec.ByteWidth)
		}
		if room < slots {
			return fmt.Errorf("buffer %d has room for %d slots where the array has %d", i, room, slots)
		}
	}
	return checkNulls(data, dt)
}

// checkNulls checks the null count against the validity bitmap.
func checkNulls(data arrow.ArrayData, dt arrow.DataType) error {
	if data.NullN() == 0 || len(dt.Layout().Buffers) == 0 || dt.Layout().Buffers[0].Kind != arrow.KindBitmap {
		return nil
	}
	valid := bitutil.CountSetBits(data.Buffers()[0].Bytes(), data.Offset(), data.Len())
	if nulls := data.Len() - valid; nulls != data.NullN() {
		return fmt.Errorf("%d nulls are announced and %d slots are null", data.NullN(), nulls)
	}
	return nil
}

// checkContent checks offsets, and the lengths of children.
func checkContent(data arrow.ArrayData, dt arrow.DataType) error {
	switch dt := dt.(type) {
	case *arrow.StringType, *arrow.BinaryType:
		return checkOffsets(data, arrow.Int32Traits.CastFromBytes, bufferLen(data.Buffers()[2]))
	case *arrow.LargeStringType, *arrow.LargeBinaryType:
		return checkOffsets(data, arrow.Int64Traits.CastFromBytes, bufferLen(data.Buffers()[2]))
	case *arrow.ListType, *arrow.MapType:
		return checkOffsets(data, arrow.Int32Traits.CastFromBytes, data.Children()[0].Len())
	case *arrow.LargeListType:
		return checkOffsets(data, arrow.Int64Traits.CastFromBytes, data.Children()[0].Len())
	case *arrow.FixedSizeListType:
		return checkChild(data, int64(dt.Len()))
	case *arrow.StructType:
		return checkChild(data, 1)
	}
	return nil
}

// checkChild checks that the children have perSlot slots to each of the parent's.
func checkChild(data arrow.ArrayData, perSlot int64) error {
	slots := int64(data.Offset() + data.Len())
	for i, child := range data.Children() {
		if perSlot > 0 && int64(child.Len())/perSlot < slots {
			return fmt.Errorf("child %d has %d slots where its parent has %d that take %d each",
				i, child.Len(), slots, perSlot)
		}
	}
	return nil
}

// checkOffsets checks that offsets ascend and end within limit, the length of what they lead into.
func checkOffsets[T int32 | int64](data arrow.ArrayData, cast func([]byte) []T, limit int) error {
	if data.Len() == 0 {
		return nil // even the one offset that the format asks for may be missing
	}
	var offsets []T
	if buffer := data.Buffers()[1]; buffer != nil {
		offsets = cast(buffer.Bytes())
	}
	from, to := data.Offset(), data.Offset()+data.Len()
	if to >= len(offsets) {
		return fmt.Errorf("there are %d offsets for %d slots", len(offsets), to)
	}
	last := offsets[from]
	if last < 0 {
		return fmt.Errorf("slot 0 begins at %d", last)
	}
	for i, offset := range offsets[from+1 : to+1] {
		if offset < last {
			return fmt.Errorf("slot %d ends at %d, before its begin at %d", i, offset, last)
		}
		last = offset
	}
	if int64(last) > int64(limit) {
		return fmt.Errorf("the last slot ends at %d of %d", last, limit)
	}
	return nil
}

func bufferLen(b *memory.Buffer) int {
	if b == nil {
		return 0
	}
	return b.Len()
}
