package encode

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/parquet/variant"
)

const (
	goodMetadata = "\x11\x02\x00\x01\x03abc" // sorted: "a", "bc"
	// The fields "a": int8 5 and "bc": [null, true], of which the second lies first.
	goodObject = "\x02\x02\x00\x01\x07\x00\x09\x03\x02\x00\x01\x02\x00\x04\x0c\x05"
)

// badVariant is a part of a VARIANT that a reader would choke on.
type badVariant struct {
	part      variantPart
	bad, want string
}

func badVariants() []badVariant {
	metadata := func(bad, want string) badVariant { return badVariant{variantMetadata, bad, want} }
	value := func(bad, want string) badVariant { return badVariant{variantValue, bad, want} }
	return []badVariant{
		metadata("", "a VARIANT's metadata of 0 bytes: it has no header"),
		metadata("\x02\x00\x00", "it is of version 2, not 1"),
		metadata("\x01\x00", "it ends in front of its first offset"),
		metadata("\x01\x02\x00\x01", "it ends before the offsets of 2 names"),
		metadata("\xc1\xff\xff\xff\xff\x00\x00\x00\x00", "it ends before the offsets of 4294967295 names"),
		metadata("\x01\x01\x01\x01a", "name 0 of 1 lies from byte 1 to 1 of 1"),
		metadata("\x01\x02\x00\x02\x01ab", "name 1 of 2 lies from byte 2 to 1 of 2"),
		metadata("\x01\x01\x00\x02a", "name 0 of 1 lies from byte 0 to 2 of 1"),
		metadata("\x01\x01\x00\x01ab", "its names end at byte 1 of 2"),
		metadata("\x01\x01\x00\x01\xff", `name "\xff" is not UTF-8`),
		metadata("\x11\x02\x00\x01\x02ba", `it says that its names are sorted, and "b" comes before "a"`),
		metadata("\x11\x02\x00\x01\x02aa", `it says that its names are sorted, and "a" comes before "a"`),
		value("", "a VARIANT's value of 0 bytes: it is cut off"),
		value("\x00\x00", "a VARIANT's value of 2 bytes: it ends at byte 1"),
		value("\x0c", "it is cut off"),
		value("\x54", "there is a primitive type 21, which is none"),
		value("\x20\x27\x00\x00\x00\x00", "there is a decimal of scale 39"),
		value("\x3c\x02\x00\x00\x00a", "it is cut off"),
		value("\x40\x01\x00\x00", "it is cut off"),
		value("\x40\x01\x00\x00\x00\xff", `the string "\xff" is not UTF-8`),
		value("\x09a", "it is cut off"),
		value("\x05\xff", `the string "\xff" is not UTF-8`),
		value("\x03", "it is cut off"),
		value("\x03\x02\x00\x01", "it is cut off"),
		value("\x03\x01\x00\x02\x00", "it is cut off"),
		value("\x13\xff\xff\xff\xff\x00", "it is cut off"),
		value("\x03\x01\x01\x01\x00", "element 0 of 1 begins at byte 1 of 1"),
		value("\x03\x02\x00\x00\x02\x00\x00", "2 elements in 2 bytes do not lie side by side"),
		value("\x03\x02\x01\x00\x02\x00\x00", "2 elements in 2 bytes do not lie side by side"),
		value("\x03\x01\x00\x02\x00\x00", "1 elements of 1 bytes do not fill 2 bytes"),
		value("\x02\x02\x00\x01\x00\x00\x02\x00\x00", "2 elements of 2 bytes do not fill 2 bytes"),
		value("\x02\x02\x00\x01\x00\x00\x02\x0c\x05", "2 elements in 2 bytes do not lie side by side"),
		value(nested(maxVariantDepth+1), "it is nested more than 1000 levels deep"),
	}
}

// nested is an array in an array, and so on.
func nested(depth int) string {
	b := []byte{0}
	for range depth {
		head := binary.LittleEndian.AppendUint32([]byte{0x0f, 1, 0, 0, 0, 0}, uint32(len(b)))
		b = append(head, b...)
	}
	return string(b)
}

func TestVariantParts(t *testing.T) {
	for _, v := range badVariants() {
		check := checkVariantValue
		if v.part == variantMetadata {
			check = checkVariantMetadata
		}
		if err := check([]byte(v.bad)); err == nil || !strings.Contains(err.Error(), v.want) {
			t.Errorf("%.50x: error %v, want %q in it", v.bad, err, v.want)
		}
	}
	for _, good := range []string{goodObject, nested(maxVariantDepth)} {
		if err := checkVariantValue([]byte(good)); err != nil {
			t.Error(err)
		}
	}
	if err := checkVariantMetadata([]byte(goodMetadata)); err != nil {
		t.Error(err)
	}
}

// What arrow-go builds is let pass, of every type.
func TestVariantsOfArrowGo(t *testing.T) {
	long := strings.Repeat("é", 100)
	for _, text := range []string{
		`null`, `true`, `false`, `1`, `-200`, `70000`, `10000000000`, `1.5`, `1e300`, `12345678901234567890.5`, `""`, `"é"`,
		`"` + long + `"`, `[]`, `[1, [2, [], {}], "x"]`, `{}`, `{"b": 1, "a": {"c": [null]}}`, `{"` + long + `": {"` + long + `2": 1}}`,
		`[` + strings.Repeat(`"0123456789",`, 300) + `0]`, `[` + strings.Repeat(`{"k": [1]},`, 70_000) + `0]`,
		`{` + manyFields(300) + `}`, `{` + manyFields(70_000) + `}`,
	} {
		v, err := variant.ParseJSON(text, false)
		if err != nil {
			t.Fatal(err)
		}
		if err := checkVariantMetadata(v.Metadata().Bytes()); err != nil {
			t.Errorf("%.40s: %v", text, err)
		}
		if err := checkVariantValue(v.Bytes()); err != nil {
			t.Errorf("%.40s: %v", text, err)
		}
	}
}

func manyFields(n int) string {
	fields := make([]string, n)
	for i := range fields {
		fields[i] = fmt.Sprintf(`"field %d": %d`, i*7919%n, i)
	}
	return strings.Join(fields, ",")
}

// What passes is what arrow-go takes, but for texts that are not UTF-8, and for objects that do not fit the metadata.
func FuzzVariant(f *testing.F) {
	for _, v := range badVariants() {
		f.Add([]byte(goodMetadata), []byte(v.bad))
		f.Add([]byte(v.bad), []byte(goodObject))
	}
	f.Fuzz(func(t *testing.T, metadata, value []byte) {
		metadataErr, valueErr := checkVariantMetadata(metadata), checkVariantValue(value)
		theirMetadata, err := variant.NewMetadata(bytes.Clone(metadata))
		if metadataErr == nil && err != nil {
			t.Errorf("metadata %x passes, and arrow-go says: %v", metadata, err)
		}
		if err != nil {
			return
		}
		_, err = variant.NewWithMetadata(theirMetadata, bytes.Clone(value))
		switch {
		case valueErr == nil && err != nil && !strings.Contains(err.Error(), "field ID") && !strings.Contains(err.Error(), "sorted"):
			t.Errorf("value %x passes, and arrow-go says: %v", value, err)
		case err == nil && valueErr != nil && !strings.Contains(valueErr.Error(), "UTF-8") && !strings.Contains(valueErr.Error(), "levels") &&
			!strings.Contains(valueErr.Error(), "scale"):
			t.Errorf("value %x is what arrow-go takes: %v", value, valueErr)
		}
	})
}

func BenchmarkVariantValue(b *testing.B) {
	v, err := variant.ParseJSON(`{"id": 12345, "name": "a name of some length", "tags": ["x", "y"], "at": {"lat": 1.5, "lon": 2.25}}`, false)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(v.Bytes())))
	for b.Loop() {
		if err := checkVariantValue(v.Bytes()); err != nil {
			b.Fatal(err)
		}
	}
}
