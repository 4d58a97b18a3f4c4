package incomplete_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/capture"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
)

// TestList: every kind of reason has its words, and a place or a count where there is one.
func TestList(t *testing.T) {
	t.Parallel()
	a := incomplete.Account{File: "-"}
	a.Fault(fmt.Errorf("input: %w", &dissect.FileError{Code: dissect.TruncatedFile, Offset: 7, Message: "ends early"}))
	a.Fault(errors.New("no such file"))
	a.Interrupt(0, 0)
	a.Interrupt(20, 1000)
	a.Interrupt(20, 0)
	a.Capture(&capture.Stats{Dropped: 1})
	a.Engine(&engine.Stats{Undeciphered: 2, Damaged: 1, Refused: 1, Unsupported: 3, Forgotten: 4, Uncollected: 5})
	a.Record(&dissect.Record{Damaged: true})
	a.LeaveOut(5)
	const want = `incomplete: standard input: byte 7: ends early
incomplete: standard input: no such file
incomplete: standard input: interrupted: not read
incomplete: standard input: interrupted: 2.0 % of the file was read
incomplete: standard input: interrupted: the rest was not read
incomplete: standard input: 1 packet was dropped by the capturing side
incomplete: standard input: 2 messages cannot be deciphered: the key is not known
incomplete: standard input: 2 messages are damaged
incomplete: standard input: 1 datagram would not be accepted by the receiver
incomplete: standard input: 3 datagrams are of a protocol that is not read
incomplete: standard input: 4 streams were forgotten for lack of memory
incomplete: standard input: 5 records were left out, as nobody can see who is named there
incomplete: standard input: 5 datagrams are of streams for which the result has no memory (--memory)
`
	list := a.List()
	if diff := cmp.Diff(want, string(list.AppendText(nil))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	codes := map[string]bool{}
	for i := range list {
		if codes[list[i].Code] = true; incomplete.Codes[list[i].Code] == "" {
			t.Errorf("%s is not described", list[i].Code)
		}
	}
	if len(codes) != len(incomplete.Codes)-2 { // malformed_file and unknown_format are like truncated_file
		t.Errorf("%d codes of %d", len(codes), len(incomplete.Codes))
	}
	if n := len(list.Whole()) + len(list.InRecords()); n != len(list) {
		t.Errorf("%d reasons of %d are in records or not", n, len(list))
	}
	if n := len(list.Missing()); n != len(list)-1 {
		t.Errorf("%d reasons of %d are of something missing", n, len(list))
	}
	if list.Comments()[0] != "# incomplete: standard input: byte 7: ends early" {
		t.Errorf("%q", list.Comments()[0])
	}
}

// TestForms: a name cannot end a comment of XML or a line, and the line of JSON has what the list has.
func TestForms(t *testing.T) {
	t.Parallel()
	a := incomplete.Account{File: "a--> \u202e\n.pcap"}
	a.Fault(&dissect.FileError{Code: dissect.MalformedFile, Offset: 3, Message: "no"})
	const xml = "<!-- incomplete: a- -> \\u202e\\x0a.pcap: byte 3: no -->\n"
	if got := string(a.List().AppendXML(nil)); got != xml {
		t.Errorf("%q, want %q", got, xml)
	}
	line := a.List().AppendLine(nil)
	const want = `{"incomplete":[{"file":"a--\u003e \u202e\n.pcap","code":"malformed_file","message":"byte 3: no","offset":3}]}` + "\n"
	if string(line) != want {
		t.Errorf("%s, want %s", line, want)
	}
	if got := incomplete.List(nil).AppendLine(nil); len(got) > 0 {
		t.Errorf("of nothing: %s", got)
	}
	var schema struct {
		AnyOf []map[string]any
	}
	err := json.Unmarshal(incomplete.WithLine([]byte(`{"title":"t","type":"object"}`)), &schema)
	if err != nil || len(schema.AnyOf) != 2 {
		t.Errorf("%v, %v", schema, err)
	}
}
