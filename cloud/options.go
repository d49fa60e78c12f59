package cloud

import (
	"maps"
	"mime"
	"time"
)

// Options sets how a bucket is used. The zero value of every field is its default.
type Options struct {
	// PartBytes is the size of one part of an upload, and the size from which an upload is in several parts. 5 MiB to
	// 1 GiB; default 8 MiB. An object on S3 has at most 10,000 parts, 78 GiB by default.
	PartBytes int64
	// PartConcurrency is how many parts of one object are under way at once, where a store allows that. 1 to 64;
	// default 2. Together with PartBytes it decides what memory an open object takes, see Bucket.ObjectBytes.
	PartConcurrency int
	// AbortTimeout bounds the request that removes an aborted upload. Half of it is how long an abort waits for a
	// request that is under way, before that is cancelled. Default 10 s.
	AbortTimeout time.Duration
}

const (
	defaultPartBytes       = 8 << 20
	minPartBytes           = 5 << 20 // S3 refuses smaller parts
	maxPartBytes           = 1 << 30
	defaultPartConcurrency = 2
	maxPartConcurrency     = 64
	defaultAbortTimeout    = 10 * time.Second
)

// withDefaults returns a copy of o with every default filled in, or says which field is out of range.
func (o *Options) withDefaults() (Options, error) {
	var r Options
	if o != nil {
		r = *o
	}
	if r.PartBytes == 0 {
		r.PartBytes = defaultPartBytes
	}
	if r.PartConcurrency == 0 {
		r.PartConcurrency = defaultPartConcurrency
	}
	if r.AbortTimeout == 0 {
		r.AbortTimeout = defaultAbortTimeout
	}
	switch {
	case r.PartBytes < minPartBytes || r.PartBytes > maxPartBytes:
		return r, invalid("option PartBytes %d: must lie between 5 MiB and 1 GiB", r.PartBytes)
	case r.PartConcurrency < 1 || r.PartConcurrency > maxPartConcurrency:
		return r, invalid("option PartConcurrency %d: must lie between 1 and %d", r.PartConcurrency, maxPartConcurrency)
	case r.AbortTimeout < 0:
		return r, invalid("option AbortTimeout %v: must be positive", r.AbortTimeout)
	}
	return r, nil
}

// grace is how long a request that is under way may take once its upload is to end.
func (o *Options) grace() time.Duration { return o.AbortTimeout / 2 }

// ObjectOptions sets how an object is created. The zero value of every field is its default.
type ObjectOptions struct {
	// ContentType is the object's media type. Default "application/octet-stream". file:// does not keep it.
	ContentType string
	// Overwrite lets Commit replace an object that has the key already. Default: Commit fails with Exists.
	Overwrite bool
	// Metadata is kept with the object, with lower-case names. file:// has no place for it and refuses it.
	Metadata map[string]string
}

func (o *ObjectOptions) withDefaults() (ObjectOptions, error) {
	var r ObjectOptions
	if o != nil {
		r = *o
	}
	if r.ContentType == "" {
		r.ContentType = "application/octet-stream"
	}
	if _, _, err := mime.ParseMediaType(r.ContentType); err != nil {
		return r, invalid("option ContentType %q: %w", r.ContentType, err)
	}
	r.Metadata = maps.Clone(r.Metadata)
	return r, nil
}
