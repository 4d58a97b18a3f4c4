// Package dissecttest checks that a protocol keeps the rules for protocols, in one call of its tests:
//
//	func TestConformance(t *testing.T) {
//		dissecttest.Run(t, mygame.New(), "../../samples/mygame/play.pcap")
//	}
//
// The samples are captures and recordings that the protocol is in. Each rule is a subtest; a rule that is broken
// names the sample, the packet, the fault, and what was done to the packet. docs/adding-a-protocol.md
// goes through the rules with a small protocol.
//
// A protocol that lies in others, or is recognised only beside them, needs a Kit that has those too.
package dissecttest

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// Run holds a protocol to all rules, with some of its samples.
func Run(t *testing.T, p *dissect.Protocol, samples ...string) {
	t.Helper()
	Kit{Protocol: p, Samples: samples}.Run(t)
}

// A Kit is what the rules are applied to.
type Kit struct {
	Protocol *dissect.Protocol
	Samples  []string // names of files

	// Beside are the protocols that are asked together with this one, in their order and with this one among
	// them; nil: this one alone.
	Beside []*dissect.Protocol

	// Others are the protocols with which it is going to be in one program: all.Protocols(). The keys of its events have
	// the types that they have there: a table has one type for a column.
	Others []*dissect.Protocol

	// Shared are keys of fields that share bits with others: their bits are interleaved, or they are another reading
	// of the same bytes. Numbers that are on the wire once are decoded once otherwise.
	Shared []string

	// Offsets means that messages hold the places of their parts. Damaged ones can place two parts on the same bytes
	// then, so overlaps are looked for in undamaged samples only.
	Offsets bool

	// Whole asks for every prefix of every packet and for every byte of it flipped. Without it each packet is changed a
	// few times, in places that differ from packet to packet.
	Whole bool

	// Root is the folder of the repository, whose documents and tests have to know the protocol; "": the first
	// folder above the working directory that has a go.mod.
	Root string

	// Elsewhere means that the protocol is of another module: the pages, samples and script tests of this repository
	// do not have to know it.
	Elsewhere bool
}

// Run holds the protocol to all rules.
func (k Kit) Run(t *testing.T) {
	t.Helper()
	s, err := k.load()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			for _, f := range s.check(r) {
				t.Error(f)
			}
		})
	}
}

// A rule is one thing that a protocol must hold. check reports what breaks it.
type rule struct {
	name  string
	check func(*suite)
}

var rules = []rule{
	{"recognised", (*suite).recognised},
	{"fields", (*suite).fields},
	{"records", (*suite).records},
	{"schema", (*suite).schema},
	{"state", (*suite).state},
	{"workers", (*suite).workers},
	{"prefixes", (*suite).prefixes},
	{"flips", (*suite).flips},
	{"events", (*suite).events},
	{"documents", (*suite).documents},
}

// maxReports is how often one rule reports something.
const maxReports = 8

// A suite is a Kit whose samples are read.
type suite struct {
	Kit
	samples   []*sample
	validator *validator
	experts   map[string]bool // codes in docs/expert.md

	reports []string
	doing   string // what a panic is reported with
}

func (k Kit) load() (*suite, error) {
	if k.Beside == nil {
		k.Beside = []*dissect.Protocol{k.Protocol}
	}
	if k.Root == "" && !k.Elsewhere {
		root, err := repository()
		if err != nil {
			return nil, err
		}
		k.Root = root
	}
	v, err := newValidator(k.Beside)
	if err != nil {
		return nil, err
	}
	s := &suite{Kit: k, validator: v}
	for _, name := range k.Samples {
		sample, err := readSample(name, k.Beside)
		if err != nil {
			return nil, err
		}
		s.samples = append(s.samples, sample)
	}
	if !k.Elsewhere {
		s.experts = s.documentedExperts()
	}
	return s, nil
}

// check returns what breaks a rule. A panic of the protocol breaks every rule.
func (s *suite) check(r rule) (reports []string) {
	s.reports, s.doing = nil, r.name
	defer func() {
		if p := recover(); p != nil {
			reports = append(s.reports, fmt.Sprintf("%s: panic: %v\n%s", s.doing, p, debug.Stack()))
		}
	}()
	r.check(s)
	if n := len(s.reports); n > maxReports {
		s.reports = append(s.reports[:maxReports], fmt.Sprintf("and %d more", n-maxReports))
	}
	return s.reports
}

func (s *suite) report(format string, args ...any) {
	s.reports = append(s.reports, fmt.Sprintf(format, args...))
}

// full reports whether the rule has been broken often enough.
func (s *suite) full() bool { return len(s.reports) > maxReports }

// A sample is a file in memory.
type sample struct {
	name    string // without folders
	path    string
	packets []dissect.Packet
	bits    int    // of all packets
	file    []byte // of a recording: as it is on disk, unpacked or not
}

func readSample(path string, protocols []*dissect.Protocol) (*sample, error) {
	in, err := open.File(path, open.Options{Protocols: protocols})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer in.Close()
	s := &sample{name: filepath.Base(path), path: path}
	if _, ok := in.Recording(); ok {
		if s.file, err = os.ReadFile(path); err != nil {
			return nil, err
		}
	}
	for p, err := range in.Packets() {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		clone, _ := p.Clone(nil)
		s.packets = append(s.packets, clone)
		s.bits += 8 * len(clone.Payload)
	}
	return s, nil
}

// recognised: the protocol has samples, and finds itself in each of them.
func (s *suite) recognised() {
	if len(s.samples) == 0 {
		s.report("there is no sample")
	}
	for _, sample := range s.samples {
		found := 0
		for rec := range s.dissect(sample, engine.Config{}) {
			if s.isOwn(rec) {
				found++
			}
		}
		if found == 0 {
			s.report("%s: none of %d packets is of %s", sample.name, len(sample.packets), s.Protocol.Name)
		}
	}
}

// isOwn reports whether a record has fields of the protocol.
func (s *suite) isOwn(rec *dissect.Record) bool {
	return rec.Protocol != nil && (rec.Protocol.Name == s.Protocol.Name ||
		rec.Tree.Top().Get(s.Protocol.Name).Exists())
}
