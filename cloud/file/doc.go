// Package file is the gocloud.dev/blob driver behind file:// and plain paths: a directory is the bucket, a file is an
// object, and a key is its path. It is there because gocloud's own driver neither syncs anything nor creates a file
// only if it is absent in the eyes of other processes.
//
// # The life of a file
//
// An object sales/orders/1.parquet in the bucket /data/lake goes through these steps:
//
//	mkdir    .sluice-tmp                       when writing begins
//	create   .sluice-tmp/20260102T150405Z-K3….part
//	write    …                                 as often as bytes come
//	fsync    .sluice-tmp/20260102T150405Z-K3….part
//	mkdir    sales, then fsync .               only when they are new to this bucket value
//	mkdir    sales/orders, then fsync sales
//	link     .sluice-tmp/…K3….part → sales/orders/1.parquet
//	fsync    sales/orders                      from here on the object is durable
//	unlink   .sluice-tmp/…K3….part
//
// link(2) fails when the name is taken, so of any number of writers in any number of processes one wins. To overwrite,
// a rename takes the place of link and unlink. OpenBucket makes the bucket's directory in the same manner, with a
// sync for each new parent.
//
// # When something fails
//
// Whatever step fails, the temporary file is removed and nothing is visible. If the last sync fails the link is taken
// back; a rename cannot be, so a failed overwrite leaves the old object or the new one, whole either way. Directories
// that were made stay, and so do those whose last object is deleted. Only a temporary file that cannot be unlinked
// after its object is durable is passed over in silence: it is a second name of the object's file.
//
// A process that dies leaves files in .sluice-tmp, nowhere else. Their names begin with the time (UTC) at which they
// were created. When no process is writing to the bucket, everything in .sluice-tmp may be deleted; otherwise
// whatever is older than the longest upload.
//
// # Names
//
// A key is a path as io/fs.ValidPath wants it, and a valid file name on the system. No key leads out of the directory:
// there is no "..", and a symbolic link that leads out is refused (os.Root). Links within are followed for reading and
// writing; a listing shows those to files and does not descend into those to directories. What is in .sluice-tmp
// cannot be reached by a key and is not listed. On a file system that does not tell upper case from lower, neither do
// keys.
//
// # What it is not
//
// Files keep no content type and no metadata. The file system needs hard links, except to overwrite. On Windows
// directories are not synced, there being no call for it.
package file
