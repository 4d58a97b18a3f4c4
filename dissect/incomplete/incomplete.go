// Package incomplete is the account of what inputs did not give. Every result shows it, in the same words: who has the
// result alone must not take a part for the whole.
//
//	a := incomplete.Account{File: "game.pcap"}
//	a.Fault(err)            // of the reader
//	a.Capture(in.Stats())   // of a capture
//	a.Engine(&stats)        // of the engine
//	a.List().AppendLine(nil)
//
// In JSON it is a line of its own, {"incomplete":[...]}, or the same member of a larger object.
package incomplete

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/capture"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// Key is the member of JSON objects that has the reasons.
const Key = "incomplete"

// A Reason is why a part of an input is not in a result.
type Reason struct {
	File    string `json:"file"` // - is standard input
	Code    string `json:"code"`
	Message string `json:"message"`
	Offset  *int64 `json:"offset,omitempty"` // bytes from the start of the input, after decompression
	Count   uint64 `json:"count,omitempty"`  // of what is missing
}

// Codes of reasons, beside those of dissect.FileError.
const (
	Interrupted = "interrupted"
	Dropped     = "packets_dropped"
	NoKey       = "key_unknown"
	Damaged     = "damaged"
	NotAccepted = dissect.ExpertNotAccepted
	Unsupported = "unsupported_protocol"
	Forgotten   = "stream_forgotten"
	LeftOut     = "left_out"
	Uncollected = "not_collected"
)

// Codes describes all codes.
var Codes = map[string]string{
	dissect.UnknownFormat: "it is neither a capture nor a recording",
	dissect.ReadFailed:    "it could not be read, or not to its end",
	dissect.TruncatedFile: "it ends early",
	dissect.MalformedFile: "it is damaged, and not read from there on",
	Interrupted:           "a signal ended the run before its end",
	Dropped:               "packets that the capturing side lost",
	NoKey:                 "messages that cannot be deciphered",
	Damaged:               "messages with faults in their bytes",
	NotAccepted:           "datagrams that the game's receiver would not act on",
	Unsupported:           "datagrams of protocols that are known by their number alone",
	Forgotten:             "streams that were forgotten for lack of memory",
	LeftOut:               "datagrams or messages that `--anonymize` cannot write, as nobody can see who is named in them",
	Uncollected:           "datagrams of streams for which the result had no memory",
}

// InRecords reports whether records show the reason themselves: a result of records need not repeat it.
func (r *Reason) InRecords() bool {
	switch r.Code {
	case NoKey, Damaged, NotAccepted, Unsupported:
		return true
	}
	return false
}

// String returns the name of the input and the reason, for reading.
func (r *Reason) String() string {
	name := r.File
	if name == "-" {
		name = "standard input"
	}
	return name + ": " + r.Message
}

// A List has the reasons of some inputs, in their order.
type List []Reason

// Missing returns the reasons without datagrams that the receiver would not accept: these are in no result, and nothing
// of one is missing without them. Lists of evidence have them, results for reading do not.
func (l List) Missing() (list List) {
	for _, r := range l {
		if r.Code != NotAccepted {
			list = append(list, r)
		}
	}
	return list
}

// Whole returns the reasons that records do not show themselves.
func (l List) Whole() (list List) {
	for _, r := range l {
		if !r.InRecords() {
			list = append(list, r)
		}
	}
	return list
}

// InRecords returns the reasons that records show themselves.
func (l List) InRecords() (list List) {
	for _, r := range l {
		if r.InRecords() {
			list = append(list, r)
		}
	}
	return list
}

// AppendLine appends a line of JSON, or nothing if nothing is missing.
func (l List) AppendLine(dst []byte) []byte {
	if len(l) == 0 {
		return dst
	}
	b, err := json.Marshal(map[string]List{Key: l})
	if err != nil {
		panic(err) // strings and numbers
	}
	return append(append(dst, wiretext.EscapeJSON(b)...), '\n')
}

// mostLines is how many reasons are printed for reading: JSON has all.
const mostLines = 20

// AppendText appends a line for each reason.
func (l List) AppendText(dst []byte) []byte {
	for i := range l {
		if i == mostLines-1 && len(l) > mostLines {
			return fmt.Appendf(dst, "%s: and %d more reasons, which JSON lists\n", Key, len(l)-i)
		}
		dst = append(append(dst, l.line(i)...), '\n')
	}
	return dst
}

// AppendXML appends a comment for each reason.
func (l List) AppendXML(dst []byte) []byte {
	for i := range l {
		dst = append(append(append(dst, "<!-- "...), strings.ReplaceAll(l.line(i), "--", "- -")...), " -->\n"...)
	}
	return dst
}

// Comments returns the reasons as comments of tables without a place for them.
func (l List) Comments() (lines []string) {
	for i := range l {
		lines = append(lines, "# "+l.line(i))
	}
	return lines
}

func (l List) line(i int) string { return Key + ": " + wiretext.Visible(l[i].String()) }

// Schema returns the JSON Schema of the list.
func Schema() map[string]any {
	text := map[string]any{"type": "string"}
	number := func(doc string) map[string]any { return map[string]any{"type": "integer", "description": doc} }
	return map[string]any{
		"type": "array", "description": "why the result is not of all that the inputs had",
		"items": map[string]any{
			"type": "object", "additionalProperties": false, "required": []string{"file", "code", "message"},
			"properties": map[string]any{
				"file": text, "code": text, "message": text,
				"offset": number("place in the input (bytes)"), "count": number("of what is missing"),
			},
		},
	}
}

// WithLine returns the JSON Schema of lines that are objects of a schema, or the line of AppendLine.
func WithLine(schema []byte) []byte {
	var object map[string]any
	if err := json.Unmarshal(schema, &object); err != nil {
		panic(err) // schemas are made by the program
	}
	document := map[string]any{}
	for _, key := range []string{"$schema", "title", "description", "$comment"} {
		if v, ok := object[key]; ok {
			document[key] = v
			delete(object, key)
		}
	}
	document["anyOf"] = []any{object, map[string]any{
		"type": "object", "additionalProperties": false, "required": []string{Key},
		"properties": map[string]any{Key: Schema()},
	}}
	b, err := json.MarshalIndent(document, "", "  ")
	if err != nil {
		panic(err) // it was JSON
	}
	return append(b, '\n')
}

// An Account collects what one input did not give. The zero value is that of an input that was read whole.
type Account struct {
	File   string
	faults List
	counts [len(counted)]uint64
}

// The counts of an account, in the order of their reasons.
const (
	dropped = iota
	noKey
	damaged
	notAccepted
	unsupported
	forgotten
	leftOut
	uncollected
)

var counted = [...]struct{ code, one, many, verdict string }{
	dropped:     {Dropped, "packet was", "packets were", "dropped by the capturing side"},
	noKey:       {NoKey, "message", "messages", "cannot be deciphered: the key is not known"},
	damaged:     {Damaged, "message is", "messages are", "damaged"},
	notAccepted: {NotAccepted, "datagram", "datagrams", "would not be accepted by the receiver"},
	unsupported: {Unsupported, "datagram is", "datagrams are", "of a protocol that is not read"},
	forgotten:   {Forgotten, "stream was", "streams were", "forgotten for lack of memory"},
	leftOut:     {LeftOut, "record was", "records were", "left out, as nobody can see who is named there"},
	uncollected: {Uncollected, "datagram is", "datagrams are", "of streams for which the result has no memory (--memory)"},
}

// Fault adds the error of a reader, unless it is nil.
func (a *Account) Fault(err error) {
	var fault *dissect.FileError
	switch {
	case err == nil:
	case errors.As(err, &fault):
		r := Reason{File: a.File, Code: fault.Code, Message: fault.Error()}
		if fault.Offset > 0 {
			r.Offset = &fault.Offset
		}
		a.faults = append(a.faults, r)
	default:
		a.faults = append(a.faults, Reason{File: a.File, Code: dissect.ReadFailed, Message: err.Error()})
	}
}

// Interrupt adds that a signal ended the run when so many bytes of the input's size were read; size is 0 if it is not
// known.
func (a *Account) Interrupt(read, size int64) {
	r := Reason{File: a.File, Code: Interrupted, Message: "interrupted: the rest was not read"}
	switch {
	case read == 0:
		r.Message = "interrupted: not read"
	case size > 0:
		r.Message = fmt.Sprintf("interrupted: %.1f %% of the file was read", 100*float64(min(read, size))/float64(size))
	}
	a.faults = append(a.faults, r)
}

// Capture adds what the capturing side lost.
func (a *Account) Capture(s *capture.Stats) { a.counts[dropped] += s.Dropped }

// LeaveOut adds what is not in a copy without names.
func (a *Account) LeaveOut(n uint64) { a.counts[leftOut] += n }

// Engine adds what an engine could not dissect.
func (a *Account) Engine(s *engine.Stats) {
	a.counts[noKey] += s.Undeciphered
	a.counts[damaged] += s.Damaged
	a.counts[notAccepted] += s.Refused
	a.counts[unsupported] += s.Unsupported
	a.counts[forgotten] += s.Forgotten
	a.counts[uncollected] += s.Uncollected
}

// Record adds what a record lacks, where there are no statistics of an engine.
func (a *Account) Record(rec *dissect.Record) {
	for i, is := range [...]bool{
		noKey: rec.Undeciphered, damaged: rec.Damaged, notAccepted: rec.Refused, unsupported: rec.Unsupported,
		uncollected: rec.Uncollected && !rec.Closing,
	} {
		if is && rec.Quote == nil {
			a.counts[i]++
		}
	}
}

// List returns the reasons.
func (a *Account) List() List {
	list := a.faults
	for i, n := range a.counts {
		if n == 0 {
			continue
		}
		noun := counted[i].many
		if n == 1 {
			noun = counted[i].one
		}
		list = append(list, Reason{
			File: a.File, Code: counted[i].code, Count: n, Message: fmt.Sprintf("%d %s %s", n, noun, counted[i].verdict),
		})
	}
	return list
}
