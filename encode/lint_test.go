package encode

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"testing"

	"github.com/sluice-io/sluice/integration/lint"
)

// lintedFile is a file in memory, and what the linter found in it.
type lintedFile struct {
	*lint.Contents
	data []byte
}

// lintFile has the linter read a file.
func lintFile(data []byte) (*lintedFile, error) { return lintEncrypted(data, nil) }

// lintEncrypted is lintFile for one that is encrypted, unless there are no keys.
func lintEncrypted(data []byte, keys *lint.Keys) (*lintedFile, error) {
	f, err := lint.Read(bytes.NewReader(data), int64(len(data)), &lint.Options{Keys: keys})
	return &lintedFile{f, data}, err
}

// unread is a file that the linter has not read.
func unread(data []byte) *lintedFile { return &lintedFile{&lint.Contents{}, data} }

// mustLint is lintFile for what has to pass.
func mustLint(t testing.TB, data []byte) *lintedFile {
	t.Helper()
	f, err := lintFile(data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// parseThrift reads one struct of that name, checks its fields and theirs against the spec, and that nothing follows.
func parseThrift(t testing.TB, name string, b []byte) lint.Value {
	t.Helper()
	v, rest, err := lint.ReadThrift(name, b)
	if err != nil || len(rest) > 0 {
		t.Fatalf("%d bytes follow it, error %v", len(rest), err)
	}
	return v
}

// fileMetaDataOf gives a footer as the writer's struct.
func fileMetaDataOf(v lint.Value) fileMetaData { return like[fileMetaData](lint.FileMetaDataOf(v)) }

// footerOf returns the footer of a file, of which the linter reads nothing else.
func footerOf(t testing.TB, data []byte) fileMetaData {
	t.Helper()
	end := len(data) - 8
	from := end - int(binary.LittleEndian.Uint32(data[end:]))
	return fileMetaDataOf(parseThrift(t, "FileMetaData", data[from:end]))
}

// like gives a struct of the linter's as the one of the same fields that the writer has.
func like[T any](from any) (to T) {
	alike(reflect.ValueOf(&to).Elem(), reflect.ValueOf(from))
	return to
}

// alike sets to what from is, field by field.
func alike(to, from reflect.Value) {
	switch to.Kind() {
	case reflect.Struct:
		if to.NumField() != from.NumField() {
			panic(fmt.Sprintf("%s has %d fields, the linter's %s %d", to.Type(), to.NumField(), from.Type(), from.NumField()))
		}
		for i := range to.NumField() {
			alike(to.Field(i), from.FieldByName(to.Type().Field(i).Name))
		}
	case reflect.Slice:
		if from.IsNil() {
			return
		}
		to.Set(reflect.MakeSlice(to.Type(), from.Len(), from.Len()))
		for i := range from.Len() {
			alike(to.Index(i), from.Index(i))
		}
	case reflect.Pointer:
		if !from.IsNil() {
			to.Set(reflect.New(to.Type().Elem()))
			alike(to.Elem(), from.Elem())
		}
	default:
		to.Set(from.Convert(to.Type()))
	}
}
