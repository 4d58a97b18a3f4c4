package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
)

// An evidence is what --evidence writes: which program read which bytes with which options, and which bytes it made
// of them. It has no clock: two runs over the same files give the same.
type evidence struct {
	Program   versionInfo      `json:"program"`
	Arguments []string         `json:"arguments"` // the key of --anonymize is left out
	Inputs    []*evidenceInput `json:"inputs"`
	Packets   evidenceCounts   `json:"packets"`
	Outputs   []evidenceOutput `json:"outputs"`

	stdout *countedHash
	file   *countedHash // of -w
}

// An evidenceInput is a file that was read.
type evidenceInput struct {
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

// An evidenceCounts is what became of the packets of all inputs.
type evidenceCounts struct {
	Read      uint64 `json:"read"`
	Decoded   uint64 `json:"decoded"`   // game datagrams without damage
	Damaged   uint64 `json:"damaged"`   // game datagrams
	Undecoded uint64 `json:"undecoded"` // datagrams of no known protocol
	Messages  uint64 `json:"messages"`
	Printed   uint64 `json:"printed"` // records
}

// An evidenceOutput is what was written.
type evidenceOutput struct {
	Name   string `json:"name"` // - is standard output
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// A countedHash sums up bytes.
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

// newEvidence begins an evidence; nil without --evidence.
func (pl *plan) newEvidence() *evidence {
	if pl.evidence == "" {
		return nil
	}
	return &evidence{Program: readVersion(), Arguments: withoutKey(os.Args[1:]), stdout: newCountedHash(), file: newCountedHash()}
}

// withoutKey leaves the key of --anonymize out of arguments: with it the names would not be hidden.
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

// begin takes note of an input. Everything read from it goes through the hash.
func (e *evidence) begin(src *source) {
	if e == nil {
		return
	}
	in := &evidenceInput{Name: src.name, hash: *newCountedHash()}
	e.Inputs = append(e.Inputs, in)
	src.hash = &in.hash
}

// note takes note of a packet's time.
func (e *evidence) note(p *dissect.Packet) {
	if e == nil {
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

// end reads what is left of an input: the sum is that of the whole file.
func (e *evidence) end(src *source) {
	if e == nil {
		return
	}
	if !src.live {
		_, _ = io.Copy(io.Discard, src) // what cannot be read is not part of the sum, and Size says so
	}
	in := e.Inputs[len(e.Inputs)-1]
	in.Size, in.SHA256 = in.hash.size, in.hash.String()
	if in.timed {
		first, last := time.Unix(0, in.first).UTC(), time.Unix(0, in.last).UTC()
		in.FirstTime, in.LastTime = &first, &last
	}
}

// write writes the evidence to its file.
func (e *evidence) write(p *program, name string, t *total, written string) error {
	if e == nil {
		return nil
	}
	e.Packets = evidenceCounts{
		Read: t.packets + t.recorded, Decoded: t.game - t.damaged, Damaged: t.damaged, Undecoded: t.unknown, Messages: t.messages, Printed: t.records,
	}
	e.Outputs = []evidenceOutput{{standardInput, e.stdout.size, e.stdout.String()}}
	if written != "" {
		e.Outputs = append(e.Outputs, evidenceOutput{written, e.file.size, e.file.String()})
	}
	b, err := json.MarshalIndent(e, "", "  ")
	if err != nil {
		return err
	}
	file, err := p.createWhole(name)
	if err == nil {
		if _, err = file.Write(append(b, '\n')); err == nil {
			err = file.commit()
		} else {
			file.drop()
		}
	}
	if err != nil {
		return &statusError{statusUnreadable, name + ": " + failure(err)}
	}
	return nil
}
