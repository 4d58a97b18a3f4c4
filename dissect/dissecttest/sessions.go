package dissecttest

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
)

// Sessions are sessions that a writer makes: valid, of random content, with everything that a protocol has. Test
// checks that the protocol reads them as they were written, and that the writer leaves out no field. Fuzz damages them.
type Sessions struct {
	Protocol *dissect.Protocol

	// Beside are all protocols of the engine, this one among them; nil: this one alone.
	Beside []*dissect.Protocol

	// Kinds is the number of ways to speak the protocol: versions, dialects, transports.
	Kinds int

	// Seeds is how many sessions of each kind Test reads.
	Seeds int

	// Write returns the packets of a session, in order: always the same for a kind and a seed.
	Write func(kind int, seed uint64) []Sent

	// Engine, if it is not nil, completes the configuration of an engine for a kind.
	Engine func(kind int, cfg *engine.Config)

	// Read lists the contents of a record in the form of Sent.Wrote.
	Read func(rec *dissect.Record) []string

	// Notes are codes of expert entries, of severity Note or Warning, that valid sessions have.
	Notes []string

	// Never has the fields that no valid session of the writer has, with the reason. A path includes all below it, and
	// one that begins with "*." means its key in any object.
	Never map[string]string

	// Once means that a Field which several objects share need occur in one of them only.
	Once bool

	// Shared and Offsets are as in Kit.
	Shared  []string
	Offsets bool
}

// Sent is a packet of a session, without frame and time, and what the writer put into it, as Sessions.Read lists it.
type Sent struct {
	dissect.Packet
	Wrote []string
}

// Send returns a packet from one endpoint to another.
func Send(from, to netip.AddrPort, payload []byte, wrote ...string) Sent {
	return Sent{dissect.Packet{UDP: true, Src: from, Dst: to, Payload: payload, Length: len(payload)}, wrote}
}

// manyNodes is the size of records that are not compared with the schema: it takes long, and smaller records have the
// same fields.
const manyNodes = 700

const (
	sessionStart   = int64(1_700_000_000e9)
	betweenPackets = int64(10e6) // nanoseconds
)

// packets numbers the frames of packets, every step-th one from first on, and sets matching times.
func packets(list []Sent, first, step uint64) (packets []dissect.Packet) {
	for i := range list {
		p := list[i].Packet
		p.Frame = first + uint64(i)*step
		p.Time, p.HasTime = sessionStart+int64(p.Frame)*betweenPackets, true
		packets = append(packets, p)
	}
	return packets
}

// suite makes the suite whose checks apply to records of the sessions.
func (s *Sessions) suite(tb testing.TB) *suite {
	tb.Helper()
	k := Kit{Protocol: s.Protocol, Beside: s.Beside, Shared: s.Shared, Offsets: s.Offsets}
	loaded, err := k.load()
	if err != nil {
		tb.Fatal(err)
	}
	return loaded
}

// dissect sends packets through an engine. It calls see with every record, in order, if see is not nil; otherwise it
// returns the records as lines of JSON, if they have trees.
func (s *Sessions) dissect(tb testing.TB, kind int, list []dissect.Packet, cfg engine.Config,
	see func(*dissect.Record),
) (out []byte, stats engine.Stats) {
	tb.Helper()
	cfg.Protocols = s.Beside
	if s.Beside == nil {
		cfg.Protocols = []*dissect.Protocol{s.Protocol}
	}
	cfg.Finish = func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
		switch {
		case cfg.NoTree:
			return dst, nil
		case see != nil:
			see(rec)
			return dst, nil
		}
		return recordLine(dst, rec), nil
	}
	cfg.Output = func(b []byte) error { out = append(out, b...); return nil }
	if s.Engine != nil {
		s.Engine(kind, &cfg)
	}
	e, err := engine.New(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	for i := range list {
		if err := e.Packet(&list[i]); err != nil {
			tb.Fatal(err)
		}
	}
	if stats, err = e.Close(); err != nil {
		tb.Fatal(err)
	}
	return out, stats
}

// Test reads sessions of every kind. With -short it reads one of each, which do not have all fields.
func (s Sessions) Test(t *testing.T) {
	t.Helper()
	suite := s.suite(t)
	seen := fields{paths: map[string]bool{}, known: map[*dissect.Field]bool{}}
	if testing.Short() {
		s.Seeds = 1
	}
	for kind := range s.Kinds {
		for seed := range uint64(s.Seeds) {
			s.read(t, suite, kind, seed, seen)
			if suite.failTest(t); t.Failed() {
				return
			}
		}
	}
	if !testing.Short() {
		s.missing(suite, seen)
	}
	suite.failTest(t)
}

// failTest fails a test with the first of the faults that were found.
func (s *suite) failTest(t *testing.T) {
	t.Helper()
	for _, report := range s.reports[:min(len(s.reports), maxReports)] {
		t.Error(report)
	}
	s.reports = nil
}

// read reads one session and compares it with what was written. It adds the session's fields to seen.
func (s *Sessions) read(tb testing.TB, suite *suite, kind int, seed uint64, seen fields) {
	tb.Helper()
	list := s.Write(kind, seed)
	records := 0
	s.dissect(tb, kind, packets(list, 1, 1), engine.Config{Workers: 1, Options: dissect.Options{State: seed%2 == 0}},
		func(rec *dissect.Record) {
			if rec.Closing {
				return
			}
			records++
			m := &list[rec.Frame-1]
			if diff := cmp.Diff(m.Wrote, s.Read(rec)); diff != "" || rec.Damaged || s.objects(rec) {
				suite.report("kind %d, seed %d, packet %d of %d bytes (-written +read):\n%s%v\n%.2000s", kind, seed, rec.Frame,
					len(m.Payload), diff, rec.Experts, recordLine(nil, rec))
			}
			seen.add(rec.Tree.Top(), "")
			at := &sample{name: fmt.Sprintf("kind %d, seed %d", kind, seed), bits: 8 * len(rec.Payload) * (1 + len(list))}
			suite.wellFormed(at, "", rec)
			if len(rec.Tree.Nodes) < manyNodes {
				suite.validate(at, "", rec)
			}
		})
	if records != len(list) {
		suite.report("kind %d, seed %d: %d records of %d packets", kind, seed, records, len(list))
	}
}

// objects reports whether a record has an expert entry that no valid packet has.
func (s *Sessions) objects(rec *dissect.Record) bool {
	return slices.ContainsFunc(rec.Experts, func(e dissect.Expert) bool {
		return e.Severity == dissect.Fault || !slices.Contains(s.Notes, e.Code)
	})
}

// fields are those that occurred, by path and by description.
type fields struct {
	paths map[string]bool
	known map[*dissect.Field]bool
}

// add adds all fields below a value.
func (f fields) add(v dissect.Value, path string) {
	for child := range v.Children() {
		at := below(path, child.Key())
		f.paths[at], f.known[child.Field()] = true, true
		f.add(child, at)
	}
}

// below returns the path of a field in a container. Elements of a list have the path of the list.
func below(path, key string) string {
	if path == "" || key == "" {
		return path + key
	}
	return path + "." + key
}

// missing reports the fields of the protocol that no session had, and entries of Never that are not needed.
func (s *Sessions) missing(suite *suite, seen fields) {
	used, lacking := map[string]bool{}, map[string]bool{}
	var walk func(f *dissect.Field, path string)
	walk = func(f *dissect.Field, path string) {
		for _, child := range f.Children {
			at := below(path, child.Key)
			never, excepted := at, s.Never[at] != ""
			if !excepted && child.Key != "" {
				never = "*." + child.Key
				excepted = s.Never[never] != ""
			}
			switch {
			case seen.paths[at] || child.Key == "" || s.Once && seen.known[child]:
				if child.Kind != dissect.Info {
					walk(child, at)
				}
			case excepted:
				used[never] = true
			case child != &dissect.Undecoded:
				lacking[at] = true
			}
		}
	}
	root := s.Protocol.Root()
	walk(root, root.Key)
	if len(lacking) > 0 {
		suite.report("no session has\n%s", strings.Join(slices.Sorted(maps.Keys(lacking)), "\n"))
	}
	for _, path := range slices.Sorted(maps.Keys(s.Never)) {
		if !used[path] {
			suite.report("%s is an exception (%s), but the sessions have it, or there is no such field", path, s.Never[path])
		}
	}
}
