package cloud

// Code is the class of an error of this package, as far as a caller may want to branch on it.
type Code int

const (
	// Unknown is every error that has no class of its own.
	Unknown Code = iota
	// NotFound says that there is no such object, or no such bucket.
	NotFound
	// Exists says that the key is taken: a create-if-absent write lost.
	Exists
	// Permission says that the store knows who asks and refuses, or refuses to know them.
	Permission
	// Invalid says that the key, the URL or an option cannot be right.
	Invalid
	// Full says that the store has no room left: disk full, quota used up.
	Full
	// Canceled says that the caller's context ended, by cancel or deadline.
	Canceled
	// Closed says that the object or bucket has already been closed, committed or aborted.
	Closed
)

// CodeOf returns the class of err, Unknown for nil and for errors of other packages.
func CodeOf(err error) Code { return Unknown }

// IsNotFound says whether err has the code NotFound.
func IsNotFound(err error) bool { return CodeOf(err) == NotFound }

// IsExists says whether err has the code Exists.
func IsExists(err error) bool { return CodeOf(err) == Exists }

// IsPermission says whether err has the code Permission.
func IsPermission(err error) bool { return CodeOf(err) == Permission }
