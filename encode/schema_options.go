package encode

import (
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
)

// timestampUnits are the names of Options.TimestampUnit.
var timestampUnits = map[string]arrow.TimeUnit{"ms": arrow.Millisecond, "us": arrow.Microsecond}

// apply makes the schema what the options say, leaf by leaf, and what readers see of it.
func (s *fileSchema) apply(schema *arrow.Schema, o *Options) error {
	unit, coerced := timestampUnits[o.TimestampUnit]
	applyBelow(o, s.Elements, s.Leaves)
	given := len(s.Metadata)
	s.Metadata = slices.DeleteFunc(s.Metadata, func(pair KeyValue) bool {
		return slices.ContainsFunc(o.Metadata, func(other KeyValue) bool { return other.Key == pair.Key })
	})
	if !coerced && len(s.Metadata) == given {
		return nil
	}
	if coerced {
		for i, f := range s.read {
			s.read[i] = withUnit(f, unit)
		}
	}
	return s.encodeRead(schema)
}

// applyBelow makes the leaves of the first of the elements what the options say, and returns the elements and leaves that
// follow. What is in a VARIANT has the types that it must have there.
func applyBelow(o *Options, e []schemaElement, l []leafColumn) ([]schemaElement, []leafColumn) {
	if e[0].NumChildren == 0 {
		if o != nil {
			l[0].apply(o)
			l[0].describe(&e[0])
		}
		return e[1:], l[1:]
	}
	if e[0].Logical.Kind == logicalVariant {
		o = nil // for all below
	}
	children := e[0].NumChildren
	for e = e[1:]; children > 0; children-- {
		e, l = applyBelow(o, e, l)
	}
	return e, l
}

// apply makes the leaf what the options say.
func (l *leafColumn) apply(o *Options) {
	switch t := l.Type.(type) {
	case *arrow.TimestampType:
		if unit, coerced := timestampUnits[o.TimestampUnit]; coerced {
			l.Logical.Unit = parquetUnit(unit)
		}
		l.cut = o.TruncateTimestamps
	case *arrow.Date64Type, *arrow.MonthDayNanoIntervalType:
		l.cut = o.TruncateValues
	case *arrow.Time32Type, *arrow.Time64Type:
		l.Logical.UTC = o.TimesInUTC
	case arrow.DecimalType:
		if o.DecimalsAsBytes {
			l.Physical, l.TypeLength = typeFixedLenByteArray, decimalBytes(t.GetPrecision())
			l.Order = orderSignedBytes
		}
	}
}

// describe sets what the leaf's element in the schema has of it.
func (l *leafColumn) describe(e *schemaElement) {
	e.Type, e.TypeLength, e.Logical = l.Physical, int32(l.TypeLength), l.Logical
}

// withUnit returns a field that readField returned, with timestamps of that unit.
func withUnit(f arrow.Field, unit arrow.TimeUnit) arrow.Field {
	if extensionOf(f.Metadata).isVariant() {
		return f
	}
	each := func(f arrow.Field) arrow.Field { return withUnit(f, unit) }
	switch t := f.Type.(type) {
	case *arrow.TimestampType:
		f.Type = &arrow.TimestampType{Unit: unit, TimeZone: t.TimeZone}
	case *arrow.DictionaryType:
		value := withUnit(arrow.Field{Type: t.ValueType}, unit).Type
		f.Type = &arrow.DictionaryType{IndexType: t.IndexType, ValueType: value, Ordered: t.Ordered}
	case arrow.ExtensionType:
		if (extension{name: t.ExtensionName()}).isVariant() {
			return f
		}
		f.Type = withStorage(t, withUnit(arrow.Field{Type: t.StorageType()}, unit).Type)
	default:
		f.Type = withFields(t, each)
	}
	return f
}
