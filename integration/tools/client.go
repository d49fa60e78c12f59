package tools

import (
	"encoding/json"
	"strings"
	"testing"
)

// Client is a pyarrow Flight client: testdata/python/put.py, which says what a put and a reply may hold.
type Client struct{ *Worker }

// Put asks the client to put a table.
type Put struct {
	Path      []string       `json:"path,omitempty"`    // the descriptor, or
	Command   string         `json:"command,omitempty"` // this one
	Source    string         `json:"source"`            // one of tables.py
	Arguments map[string]any `json:"arguments,omitempty"`
	Lake      string         `json:"lake,omitempty"`   // directory in which the client looks for the objects
	Listen    bool           `json:"listen,omitempty"` // send no data, wait for the server's answer to the schema
	Hold      int            `json:"hold,omitempty"`   // stop after so many batches, until Continue
}

// Reply is what came of a put: a receipt, an error, or a hold.
type Reply struct {
	Receipt        Receipt
	There          []string // keys of the receipt's objects that were there, whole, when the receipt came
	Error, Message string   // class of pyarrow's exception, and its text
	Held           int      // how many batches were sent before the hold
}

// Receipt is the answer to a put that was stored, as clients see it.
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
	Bytes     int64  `json:"bytes"`
	RowGroups int    `json:"row_groups"`
}

// Keys returns the keys of the receipt's objects.
func (r Receipt) Keys() (keys []string) {
	for _, object := range r.Objects {
		keys = append(keys, object.Key)
	}
	return keys
}

// StartClient starts a client of the server.
func StartClient(t testing.TB, s *Server) *Client {
	t.Helper()
	return &Client{StartWorker(t, "pyarrow client", "put.py", s.URL)}
}

// Put puts a table and returns what came of it.
func (c *Client) Put(t testing.TB, put Put) Reply {
	t.Helper()
	request, err := json.Marshal(put)
	if err != nil {
		t.Fatal(err)
	}
	return c.ask(t, string(request))
}

// Continue lets a put go on that is held, and returns what came of it.
func (c *Client) Continue(t testing.TB) Reply {
	t.Helper()
	return c.ask(t, "")
}

// ask sends the client a line and returns its next reply.
func (c *Client) ask(t testing.TB, request string) (reply Reply) {
	t.Helper()
	line := c.Ask(t, request)
	decoder := json.NewDecoder(strings.NewReader(line))
	decoder.DisallowUnknownFields() // a field that receipts do not have is a mistake
	if err := decoder.Decode(&reply); err != nil {
		t.Fatalf("reply %s: %v", line, err)
	}
	return reply
}

// MustPut is Put for a put that has to succeed.
func (c *Client) MustPut(t testing.TB, put Put) Receipt {
	t.Helper()
	reply := c.Put(t, put)
	if reply.Error != "" || len(reply.Receipt.Objects) == 0 {
		t.Fatalf("put %+v: %s %s, receipt %+v", put, reply.Error, reply.Message, reply.Receipt)
	}
	return reply.Receipt
}
