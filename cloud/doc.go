// Package cloud owns bytes and keys in a bucket. An object ends with exactly one of Commit or Abort, and a commit that
// failed is never reported as done.
//
//	bucket, err := cloud.Open(ctx, "s3://lake?region=eu-central-1", nil)
//	object, err := bucket.Create(ctx, "sales/orders/0001.parquet", nil)
//	defer object.Abort() // does nothing after a Commit
//	…
//	_, err = object.Write(page) // page is the caller's again when Write returns
//	…
//	err = object.Commit(ctx)    // nil: durable and visible
//
// # The life of an object
//
//	          ┌── Write ◀┐
//	          ▼          │
//	Create ──▶ writing ──┴──▶ Commit ──▶ nil: visible and durable
//	              │              │
//	              │              └─────▶ error: as if aborted
//	              └────────────▶ Abort ──▶ no object, no temporary file, no multipart upload
//
// Create starts one goroutine, which runs gocloud's Bucket.Upload; Write hands it the caller's bytes as the reader that
// it reads, with no buffer between. Commit ends the reader with io.EOF, upon which the driver publishes. Abort, and the
// end of the context of Create, make it fail. Many drivers publish what they have when their reader fails, so the
// reader cancels the upload's own context first: no driver publishes after that. (S3's publishes nothing when its reader
// fails, and is left to finish the parts that are under way: see Hooks.) Nor does any part of this package use
// gocloud's Writer.Close, which publishes whatever has been written.
//
// An abort takes effect at the driver's next read. Thus a request that is under way has time to end (half of
// Options.AbortTimeout; then it is cancelled), and an upload id that the store is about to give is known, and can be
// aborted. On S3 that takes the package cloud/drivers/s3, without which Open refuses s3://.
//
// What Commit and Abort do at each store:
//
//	          visible and durable by                       after Abort nothing stays, because
//	file://   fsync, link, fsync of the directory          the temporary file is removed (package cloud/file)
//	mem://    a map entry; lost with the Bucket            nothing was there
//	s3://     PutObject, or CompleteMultipartUpload        AbortMultipartUpload is sent with a context of its own
//	gs://     the last request of a resumable upload       an unfinished session shows nothing; it ends in a week
//	azblob:// PutBlob, or PutBlockList                     blocks without a list show nothing; they go in a week
//
// A process that dies leaves what Abort would have removed: files in .sluice-tmp, which package cloud/file tells how to
// recognise, and multipart uploads, for which an S3 bucket wants a lifecycle rule.
//
// # Create if absent
//
// Unless ObjectOptions.Overwrite is set, Commit fails with the code Exists when the key is taken: by a conditional
// request, or by link(2), so of several writers in several processes one wins.
//
// Answers get lost, and then the drivers send a request again. The second time a commit would be refused because of the
// first. So each object carries an id of its own (the metadata "sluiceid"; files need none), and a commit that failed
// after its last byte was sent looks for it: if the object is there and has that id, the commit succeeded. If the store
// cannot be asked, the error has the code Uncertain. One case remains that nobody can know of: a store that, half of
// AbortTimeout after the commit's context ended, has given no answer, shows no object, and publishes it later.
//
// # Errors
//
// Every error names the operation and the key, and CodeOf gives its class, for all drivers alike; errors.go is the only
// place that reads gocloud's codes. Two of its codes are less exact than they look: on gs:// a refusal (403) counts as
// NotFound, as Google does not tell them apart, and Exhausted may be either a full disk or a rate limit.
//
// # Keys
//
// A key is a path: UTF-8 names between single slashes, none of them "." or "..", no control characters or backslashes,
// 1,024 bytes at most. Such a key is a file name on file://, where a system may refuse some more, and is itself at every
// other store, with two exceptions: gocloud stores `"`, `#`, `%` and `?` on azblob://, and the slash behind a name that
// ends with two dots anywhere, as __0x25__ and the like, which other programs will see. List yields whatever keys there
// are.
//
// # Memory
//
// An object on file:// takes 64 KiB. On S3 it takes what has been written up to one part, and beyond that
// PartConcurrency + 2 parts: 32 MiB by default, where the SDK's own settings come to 64 MiB. Google takes one
// part, Azure PartConcurrency of them. Bucket.ObjectBytes gives the sum for a budget.
//
// # Concurrency
//
// A Bucket is for any number of goroutines, an Object for one, but Abort may be called from any: it unblocks a Write and
// gets a Commit to fail that has not handed over its last byte. Commit and Abort wait for the upload's goroutine.
// Bucket.Close aborts what is still open.
package cloud
