// Package cloudtest is the conformance suite of package cloud: what every store behind a cloud.Bucket has to do, in
// one part and in several. It runs on any store:
//
//	func TestStore(t *testing.T) {
//		cloudtest.Run(t, cloudtest.Store{
//			Open:      func(t testing.TB) *cloud.Bucket { … },
//			Leftovers: func(t testing.TB) []string { … },
//		})
//	}
//
// The suite writes under keys of its own, new ones each time, and deletes nothing, so the store need not be empty.
// Nobody else may be uploading to it at the same time: Leftovers would see that.
package cloudtest

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	mathrand "math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-io/sluice/cloud"
)

// Store is a store under test.
type Store struct {
	// Open opens the bucket, which the suite closes. It is called once for each test; on a store in memory each call
	// may give another bucket.
	Open func(t testing.TB) *cloud.Bucket
	// Leftovers names what unfinished uploads have left in the store, in any words: temporary files, multipart
	// uploads. Nil where uploads leave nothing that can be listed.
	Leftovers func(t testing.TB) []string
	// PartBytes is the size of object from which the store's ways change: the bucket's Options.PartBytes. Default
	// 8 MiB, that of cloud.
	PartBytes int
}

const defaultPartBytes = 8 << 20

// Run runs the suite.
func Run(t *testing.T, s Store) {
	if s.PartBytes == 0 {
		s.PartBytes = defaultPartBytes
	}
	for _, test := range []struct {
		name string
		run  func(*fixture)
	}{
		{"commit", testCommit},
		{"empty", testEmpty},
		{"parts", testParts},
		{"attributes", testAttributes},
		{"overwrite", testOverwrite},
		{"exists", testExists},
		{"racers", testRacers},
		{"abort", testAbort},
		{"abort from elsewhere", testAbortFromElsewhere},
		{"cancel", testCancel},
		{"cancel blocked write", testCancelBlockedWrite},
		{"dead context", testDeadContext},
		{"misuse", testMisuse},
		{"close aborts", testCloseAborts},
		{"keys", testKeys},
		{"read", testRead},
		{"not found", testNotFound},
		{"delete", testDelete},
		{"list", testList},
		{"list order", testListOrder},
		{"list many", testListMany},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := &fixture{T: t, store: s, bucket: s.Open(t), dir: "cloudtest-" + strings.ToLower(rand.Text()) + "/"}
			test.run(f)
			if err := f.bucket.Close(); err != nil && !f.closed {
				t.Errorf("close: %v", err)
			}
			f.clean()
		})
	}
}

// fixture is what one test has.
type fixture struct {
	*testing.T
	store  Store
	bucket *cloud.Bucket
	dir    string // prefix of the test's keys
	closed bool   // the test has closed the bucket itself
}

// clean fails the test if an upload left something behind.
func (f *fixture) clean() {
	f.Helper()
	if f.store.Leftovers == nil {
		return
	}
	if left := f.store.Leftovers(f.T); len(left) > 0 {
		f.Errorf("left behind: %q", left)
	}
}

func (f *fixture) create(ctx context.Context, key string, o *cloud.ObjectOptions) *cloud.Object {
	f.Helper()
	object, err := f.bucket.Create(ctx, key, o)
	if err != nil {
		f.Fatal(err)
	}
	return object
}

// write writes p in pieces of up to n bytes, from a buffer that is overwritten after each.
func (f *fixture) write(object *cloud.Object, p []byte, n int) {
	f.Helper()
	buffer := make([]byte, n)
	for piece := range slices.Chunk(p, n) {
		written, err := object.Write(buffer[:copy(buffer, piece)])
		if err != nil || written != len(piece) {
			f.Fatalf("write of %d bytes: %d, %v", len(piece), written, err)
		}
		clear(buffer)
	}
}

// put commits an object.
func (f *fixture) put(key string, p []byte, o *cloud.ObjectOptions) {
	f.Helper()
	object := f.create(f.Context(), key, o)
	f.write(object, p, 1<<20)
	if err := object.Commit(f.Context()); err != nil {
		f.Fatal(err)
	}
}

// holds fails the test unless the object's bytes are p.
func (f *fixture) holds(key string, p []byte) {
	f.Helper()
	got, err := f.bucket.ReadAll(f.Context(), key)
	if err != nil {
		f.Fatal(err)
	}
	if !bytes.Equal(got, p) {
		f.Errorf("%s: read %d bytes that are not the %d bytes written", key, len(got), len(p))
	}
}

// absent fails the test if the object is visible, by key or in a listing, or if something of it is left.
func (f *fixture) absent(key string) {
	f.Helper()
	if there, err := f.bucket.Exists(context.Background(), key); err != nil || there {
		f.Errorf("%s: exists = %v, %v", key, there, err)
	}
	for e, err := range f.bucket.List(context.Background(), key, nil) {
		f.Errorf("listed: %v, %v", e, err)
	}
	f.clean()
}

// wantCode fails the test unless err has the code.
func (f *fixture) wantCode(err error, code cloud.Code) {
	f.Helper()
	if err == nil || cloud.CodeOf(err) != code {
		f.Errorf("error %v, code %v; want code %v", err, cloud.CodeOf(err), code)
	}
}

// wantCanceled fails the test unless err is that of a context.
func (f *fixture) wantCanceled(err error) {
	f.Helper()
	f.wantCode(err, cloud.Canceled)
	if !errors.Is(err, context.Canceled) {
		f.Errorf("%v is not context.Canceled", err)
	}
}

// random returns n bytes that do not repeat; the same ones for the same n.
func random(n int) []byte {
	p := make([]byte, n)
	seed := [32]byte{byte(n), byte(n >> 8), byte(n >> 16)}
	_, _ = mathrand.NewChaCha8(seed).Read(p[:min(n, blockBytes)])
	for at := blockBytes; at < n; at += blockBytes {
		copy(p[at:], p[:blockBytes])
		if n-at >= 8 {
			binary.LittleEndian.PutUint64(p[at:], uint64(at))
		}
	}
	return p
}

// blockBytes is how much of random is as random as can be; then only a counter changes, which takes less time.
const blockBytes = 32 << 10
