package sink

// Receipt says what a committed put has stored. Its JSON form is what a Flight client gets.
type Receipt struct {
	Dataset string   `json:"dataset"`
	Batches int64    `json:"batches"`
	Records int64    `json:"records"`
	Objects []Object `json:"objects"`
}

// Object is one object of a receipt.
type Object struct {
	Key       string `json:"key"`
	Records   int64  `json:"records"`
	Bytes     int64  `json:"bytes"` // of the whole object
	RowGroups int    `json:"row_groups"`
}
