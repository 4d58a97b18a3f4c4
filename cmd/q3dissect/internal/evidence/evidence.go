// Package evidence writes the file of --evidence: which program read which bytes, and with what result.
package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/console"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/output"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/summary"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/version"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// An Evidence is the content of the file: which program read which bytes with which options, and which bytes it
// wrote. It contains no date: two runs over the same files give the same evidence.
type Evidence struct {
	Program   version.Info  `json:"program"`
	Arguments []string      `json:"arguments"` // the key of --anonymize is left out
	Inputs    []*inputEntry `json:"inputs"`
	Packets   packetCounts  `json:"packets"`
	Outputs   []outputEntry `json:"outputs"`

	// Consistency has the rows of the statistic of that name by key, with the name of their input.
	Consistency []map[string]any `json:"consistency,omitempty"`

	// Incomplete is what the inputs did not give.
	Incomplete  incomplete.List `json:"incomplete,omitempty"`
	Interrupted bool            `json:"interrupted,omitempty"` // a signal ended the run before the end of the inputs

	Stdout *countedHash `json:"-"`
	File   *countedHash `json:"-"` // of -w
}

// An inputEntry is a file that was read.
type inputEntry struct {
	Name      string     `json:"name"`
	Size      int64      `json:"size"`
	SHA256    string     `json:"sha256"`
	Packets   uint64     `json:"packets"`
	FirstTime *time.Time `json:"first_time,omitempty"` // the earliest and the latest, absent where no packet has one
	LastTime  *time.Time `json:"last_time,omitempty"`

	hash        countedHash
	first, last int64
	timed       bool
}

// A packetCounts counts the packets of all inputs.
type packetCounts struct {
	Read      uint64 `json:"read"`
	Decoded   uint64 `json:"decoded"`   // game datagrams without damage
	Damaged   uint64 `json:"damaged"`   // game datagrams
	Undecoded uint64 `json:"undecoded"` // datagrams of no known protocol, or of one that is not read
	Messages  uint64 `json:"messages"`
	Printed   uint64 `json:"printed"` // records
}

// An outputEntry is an output that was written.
type outputEntry struct {
	Name   string `json:"name"` // - is standard output
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// A countedHash is the size and hash of bytes.
type countedHash struct {
	hash.Hash
	size int64
}

func newCountedHash() *countedHash { return &countedHash{Hash: sha256.New()} }

func (c *countedHash) Write(b []byte) (int, error) {
	c.size += int64(len(b))
	return c.Hash.Write(b)
}

func (c *countedHash) String() string { return hex.EncodeToString(c.Sum(nil)) }

// New returns the evidence of a run with some arguments.
func New(arguments []string) *Evidence {
	return &Evidence{
		Program: version.Read(), Arguments: withoutKey(arguments), Stdout: newCountedHash(),
		File: newCountedHash(),
	}
}

// withoutKey removes the key of --anonymize from arguments: with it the names could be recovered.
func withoutKey(args []string) []string {
	args = slices.Clone(args)
	const flag, hidden = "--anonymize", "..."
	for i, arg := range args {
		switch {
		case arg == flag && i+1 < len(args):
			args[i+1] = hidden
		case strings.HasPrefix(arg, flag+"="):
			args[i] = flag + "=" + hidden
		}
	}
	return args
}

// Begin adds an input. Everything read from it goes through the hash.
func (e *Evidence) Begin(src *input.Source) {
	in := &inputEntry{Name: src.Name, hash: *newCountedHash()}
	e.Inputs = append(e.Inputs, in)
	src.Copy = &in.hash
}

// Note records a packet's time.
func (e *Evidence) Note(p *dissect.Packet) {
	if p.Partial {
		return
	}
	in := e.Inputs[len(e.Inputs)-1]
	in.Packets++
	if !p.HasTime {
		return
	}
	if !in.timed {
		in.first, in.last, in.timed = p.Time, p.Time, true
	}
	in.first, in.last = min(in.first, p.Time), max(in.last, p.Time)
}

// End reads the rest of an input: the hash is that of the whole file.
func (e *Evidence) End(src *input.Source) {
	if !src.Live {
		_, _ = io.Copy(io.Discard, src) // the hash ends where the input cannot be read, and so does Size
	}
	in := e.Inputs[len(e.Inputs)-1]
	in.Size, in.SHA256 = in.hash.size, in.hash.String()
	if in.timed {
		first, last := time.Unix(0, in.first).UTC(), time.Unix(0, in.last).UTC()
		in.FirstTime, in.LastTime = &first, &last
	}
}

// Count stores the counts of the run. written is the file of -w.
func (e *Evidence) Count(t *summary.Total, written string) {
	e.Packets = packetCounts{
		Read: t.Packets + t.Recorded, Decoded: t.Game - t.Damaged - t.Unsupported, Damaged: t.Damaged,
		Undecoded: t.Unknown + t.Unsupported,
		Messages:  t.Messages, Printed: t.Records,
	}
	e.Outputs = []outputEntry{{input.Standard, e.Stdout.size, e.Stdout.String()}}
	if written != "" {
		e.Outputs = append(e.Outputs, outputEntry{written, e.File.size, e.File.String()})
	}
}

// Save writes the evidence to its file.
func (e *Evidence) Save(c *console.Console, name output.Name) error {
	b, err := json.MarshalIndent(e, "", "  ")
	if err != nil {
		return err
	}
	file, err := name.Create(c)
	if err == nil {
		if _, err = file.Write(append(wiretext.EscapeJSON(b), '\n')); err == nil {
			err = file.Commit()
		} else {
			file.Drop()
		}
	}
	if err != nil {
		return exit.Unwritable(string(name), err)
	}
	return nil
}
