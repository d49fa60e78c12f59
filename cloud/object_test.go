package cloud

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// drain reads to the end, as an upload does before it publishes.
func drain(r io.Reader) error {
	_, err := io.Copy(io.Discard, struct{ io.Reader }{r})
	return err
}

// The store's answer is lost or refused; what counts is what is there.
func TestCommitLooks(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer error  // of the upload, once it has read to the end
		stored string // "own", "other" or nothing
		look   error  // of the look-up
		want   Code   // of Commit; -1 for success
	}{
		{"refused because of itself", errRefused, "own", nil, -1},
		{"refused", errRefused, "other", nil, Exists},
		{"refused, object gone since", errRefused, "", nil, Exists},
		{"refused, look-up fails", errRefused, "own", errNetwork, Exists},
		{"answer lost", errNetwork, "own", nil, -1},
		{"request lost", errNetwork, "", nil, Unknown},
		{"request lost, other object", errNetwork, "other", nil, Unknown},
		{"all lost", errNetwork, "own", errNetwork, Uncertain},
		{"may write only", errNetwork, "own", errDenied, Uncertain},
		{"denied", errDenied, "", errDenied, Permission},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := &fake{look: test.look}
			f.upload = func(_ context.Context, id string, r io.Reader) error {
				if err := drain(r); err != nil {
					return err
				}
				switch test.stored {
				case "own":
					f.publish(id)
				case "other":
					f.publish("another id")
				}
				return test.answer
			}
			o := create(t, newFake(f), "data")
			err := o.Commit(t.Context())
			if test.want == -1 {
				if err != nil {
					t.Error(err)
				}
				wantCode(t, o.Abort(), Closed)
				return
			}
			wantCode(t, err, test.want)
			if !errors.Is(err, test.answer) || !strings.Contains(err.Error(), `commit "key"`) {
				t.Errorf("error %v", err)
			}
			if err := o.Abort(); err != nil {
				t.Error(err)
			}
		})
	}
}

// A driver that publishes whatever it has when its reader fails, unless its context has ended, publishes nothing.
func TestReaderCancelsFirst(t *testing.T) {
	for _, writerTo := range []bool{false, true} {
		f := &fake{}
		f.upload = func(ctx context.Context, id string, r io.Reader) (err error) {
			if writerTo {
				_, err = io.Copy(io.Discard, r)
			} else {
				err = drain(r)
			}
			if ctx.Err() == nil {
				f.publish(id)
			}
			return err
		}
		if err := create(t, newFake(f), "data").Abort(); err != nil {
			t.Error(err)
		}
		if f.owner != "" {
			t.Error("a truncated object is visible")
		}
		if err := create(t, newFake(f), "data").Commit(t.Context()); err != nil || f.owner == "" {
			t.Errorf("commit: %v, owner %q", err, f.owner)
		}
	}
}

// An abort lets the request that is under way end, so that an upload id is known before everything is cancelled.
func TestAbortWaitsForRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		created := false
		f := &fake{upload: func(ctx context.Context, _ string, r io.Reader) error {
			if _, err := r.Read(make([]byte, 100)); err != nil {
				return err
			}
			select { // the request that creates a multipart upload
			case <-time.After(time.Second):
				created = true
			case <-ctx.Done():
				return ctx.Err()
			}
			return drain(r)
		}}
		o := create(t, newFake(f), "data")
		start := time.Now()
		if err := o.Abort(); err != nil {
			t.Error(err)
		}
		if !created || time.Since(start) != time.Second {
			t.Errorf("created %v after %v", created, time.Since(start))
		}
	})
}

// A request that does not end is cancelled, whoever wants the end: Abort, the context of Create, Commit's.
func TestStuckRequest(t *testing.T) {
	for name, end := range map[string]func(*testing.T, *Object, context.CancelFunc){
		"abort": func(t *testing.T, o *Object, _ context.CancelFunc) {
			if err := o.Abort(); err != nil {
				t.Error(err)
			}
		},
		"context of create": func(t *testing.T, o *Object, cancel context.CancelFunc) {
			cancel()
			_, err := o.Write([]byte("more"))
			wantCode(t, err, Canceled)
			wantCode(t, o.Commit(context.Background()), Canceled)
		},
		"context of commit": func(t *testing.T, o *Object, _ context.CancelFunc) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			wantCode(t, o.Commit(ctx), Canceled)
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{upload: func(ctx context.Context, _ string, r io.Reader) error {
					_, _ = r.Read(make([]byte, 100))
					<-ctx.Done()
					return ctx.Err()
				}}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				o, err := newFake(f).Create(ctx, "key", nil)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := o.Write([]byte("data")); err != nil {
					t.Fatal(err)
				}
				start := time.Now()
				end(t, o, cancel)
				if took := time.Since(start); took%time.Minute != defaultAbortTimeout/2 {
					t.Errorf("it took %v", took)
				}
				if f.looked != 0 {
					t.Error("asked the store for an object that it cannot have")
				}
			})
		})
	}
}

// Once the last byte has been handed over, only the store decides, and Commit waits for it a while.
func TestCommitWaitsForAnswer(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer time.Duration // after the end of the context
		want   time.Duration
		stored bool
	}{
		{"in time", 2 * time.Second, 2 * time.Second, true},
		{"too late", time.Hour, defaultAbortTimeout / 2, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{}
				f.upload = func(ctx context.Context, id string, r io.Reader) error {
					if err := drain(r); err != nil {
						return err
					}
					select {
					case <-time.After(time.Minute + test.answer):
						f.publish(id)
						return nil
					case <-ctx.Done():
						return ctx.Err()
					}
				}
				o := create(t, newFake(f), "data")
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				start := time.Now()
				err := o.Commit(ctx)
				if took := time.Since(start) - time.Minute; took != test.want {
					t.Errorf("it took %v", took)
				}
				if test.stored {
					if err != nil {
						t.Error(err)
					}
					return
				}
				wantCode(t, err, Canceled)
			})
		})
	}
}

// The upload fails on its own: the next Write says so, and so does Commit, and Abort has nothing left to do.
func TestUploadFails(t *testing.T) {
	f := &fake{upload: func(_ context.Context, _ string, r io.Reader) error {
		_, _ = r.Read(make([]byte, 2))
		return errDenied
	}}
	o, err := newFake(f).Create(t.Context(), "key", nil)
	if err != nil {
		t.Fatal(err)
	}
	n, err := o.Write([]byte("data"))
	if n != 2 || o.Size() != 2 {
		t.Errorf("%d bytes written, size %d", n, o.Size())
	}
	wantCode(t, err, Permission)
	_, err = o.Write([]byte("more"))
	wantCode(t, err, Permission)
	wantCode(t, o.Commit(t.Context()), Permission)
	if err := o.Abort(); err != nil {
		t.Error(err)
	}

	o, err = newFake(f).Create(t.Context(), "key", nil)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = o.Write([]byte("data"))
	if err := o.Abort(); err != nil {
		t.Error(err)
	}
}

func TestDriverEndsEarly(t *testing.T) {
	f := &fake{upload: func(_ context.Context, _ string, r io.Reader) error {
		_, _ = r.Read(make([]byte, 4))
		return nil
	}}
	o := create(t, newFake(f), "data")
	if err := o.Commit(t.Context()); !errors.Is(err, errEarly) {
		t.Errorf("error %v", err)
	}
}

// What the driver could not clean up, Abort reports.
func TestAbortFails(t *testing.T) {
	f := &fake{upload: func(_ context.Context, _ string, r io.Reader) error {
		if err := drain(r); err != nil {
			return errNetwork // as if the request that aborts an upload had failed
		}
		return nil
	}}
	o := create(t, newFake(f), "data")
	if err := o.Abort(); !errors.Is(err, errNetwork) {
		t.Errorf("error %v", err)
	}
	if err := o.Abort(); err != nil {
		t.Errorf("second abort: %v", err)
	}
}

// An Abort gets a Commit to fail that waits for a driver that does not come to the end.
func TestAbortDuringCommit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{upload: func(ctx context.Context, _ string, r io.Reader) error {
			_, _ = r.Read(make([]byte, 100))
			time.Sleep(time.Second)
			return drain(r)
		}}
		o := create(t, newFake(f), "data")
		start := time.Now()
		committed := make(chan error, 1)
		go func() { committed <- o.Commit(t.Context()) }()
		synctest.Wait()
		if err := o.Abort(); err != nil || time.Since(start) != time.Second {
			t.Errorf("aborted after %v: %v", time.Since(start), err)
		}
		wantCode(t, <-committed, Closed)
	})
}

// While the driver writes the caller's bytes on, Write must not return, even if all is over.
func TestWriteKeepsBytesLent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{upload: func(_ context.Context, _ string, r io.Reader) error {
			_, err := io.Copy(slowWriter{}, r)
			return err
		}}
		o, err := newFake(f).Create(t.Context(), "key", nil)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		written := make(chan time.Duration)
		go func() {
			_, _ = o.Write([]byte("data"))
			written <- time.Since(start)
		}()
		synctest.Wait()
		go func() { _ = o.Abort() }()
		if took := <-written; took != time.Second {
			t.Errorf("Write returned after %v", took)
		}
	})
}

type slowWriter struct{}

func (slowWriter) Write(p []byte) (int, error) {
	time.Sleep(time.Second)
	return len(p), nil
}
