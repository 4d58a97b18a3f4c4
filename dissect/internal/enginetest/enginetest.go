// Package enginetest sends datagrams through an engine and gives the records as users see them, for the tests of
// transports and of what they carry.
package enginetest

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/capture"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// The endpoints of every test.
var (
	Client = netip.MustParseAddrPort("198.51.100.7:5000")
	Server = netip.MustParseAddrPort("192.0.2.1:2300")
)

// A Datagram of a test.
type Datagram struct {
	FromClient bool
	Payload    []byte
	Cut        int // bytes that the capture lacks
}

// A Record is one as a user sees it.
type Record struct {
	Frame       uint64
	Protocol    string
	Direction   string
	Info        string
	Expert      []Expert
	Gamestudio  map[string]any
	Directplay8 map[string]any
	Enet        map[string]any
	Line        string // all of it
}

// An Expert is an expert entry.
type Expert struct {
	Severity, Code, Field, Message string
	BitOffset                      int `json:"bit_offset"`
}

// Codes are the codes of the record's expert entries.
func (r *Record) Codes() string {
	var codes []string
	for _, e := range r.Expert {
		codes = append(codes, e.Code)
	}
	return strings.Join(codes, " ")
}

// Names are the keys of the record's messages.
func (r *Record) Names() []string {
	var names []string
	list, _ := r.Gamestudio["messages"].([]any)
	for _, m := range list {
		for name := range m.(map[string]any) {
			names = append(names, name)
		}
	}
	return names
}

// Message returns the object of the record's i-th message.
func (r *Record) Message(i int) map[string]any {
	for _, m := range r.Gamestudio["messages"].([]any)[i].(map[string]any) {
		return m.(map[string]any)
	}
	return nil
}

// All sends datagrams through an engine. as is the name of -d for the server's port, or "".
func All(tb testing.TB, protocols []*dissect.Protocol, as string, datagrams ...Datagram) []*Record {
	tb.Helper()
	return Last(tb, protocols, as, len(datagrams), datagrams...)
}

// Last is All, but gives the last records only.
func Last(tb testing.TB, protocols []*dissect.Protocol, as string, count int, datagrams ...Datagram) []*Record {
	tb.Helper()
	records, err := Run(protocols, as, datagrams, count)
	if err != nil {
		tb.Fatal(err)
	}
	return records
}

// Run is Last for callers without a test.
func Run(protocols []*dissect.Protocol, as string, datagrams []Datagram, count int) (records []*Record, failure error) {
	cfg := engine.Config{
		Protocols: protocols, Workers: 1, All: true,
		Select: func(frame uint64) bool { return frame > uint64(len(datagrams)-count) },
		Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
			line := render.AppendJSON(nil, rec, render.JSON{Bits: true})
			r := &Record{Line: string(line)}
			if err := json.Unmarshal(line, r); err != nil {
				failure = fmt.Errorf("%w in %s", err, line)
			}
			records = append(records, r)
			return dst, nil
		},
	}
	if as != "" {
		cfg.DecodeAs = []engine.DecodeAs{{Port: Server.Port(), Name: as}}
	}
	e, err := engine.New(cfg)
	if err != nil {
		return nil, err
	}
	for i, d := range datagrams {
		p := dissect.Packet{
			Frame: uint64(i + 1), Time: int64(i) * 10e6, HasTime: true, UDP: true, Src: Server, Dst: Client,
			Payload: d.Payload, Length: len(d.Payload) + d.Cut,
		}
		if d.FromClient {
			p.Src, p.Dst = Client, Server
		}
		if err := e.Packet(&p); err != nil {
			return nil, err
		}
	}
	if _, err := e.Close(); err != nil {
		return nil, err
	}
	if len(records) != count {
		return nil, fmt.Errorf("%d records of %d datagrams", len(records), count)
	}
	return records, failure
}

// Unhex decodes hexadecimal with spaces and bars.
func Unhex(tb testing.TB, s string) []byte {
	tb.Helper()
	b, err := hex.DecodeString(strings.NewReplacer(" ", "", "|", "").Replace(s))
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// Hex is the hexadecimal of bytes as records have it.
func Hex(b []byte) string { return hex.EncodeToString(b) }

// CheckRecord asserts what holds for every record, however bad the bytes were.
func CheckRecord(tb testing.TB, rec *dissect.Record) {
	tb.Helper()
	inMessage := 0 // nodes before this one count in the message
	for i := range rec.Tree.Nodes {
		n := &rec.Tree.Nodes[i]
		if int(n.End) <= i || int(n.End) > len(rec.Tree.Nodes) {
			tb.Fatalf("node %d (%s) ends at %d of %d", i, n.Field.Key, n.End, len(rec.Tree.Nodes))
		}
		size := len(rec.Payload)
		if n.Field.Scope == dissect.Message {
			inMessage = int(n.End)
		}
		if i < inMessage {
			size = len(rec.Message)
		}
		if end := int(n.Bit) + int(n.Bits); n.Bits > 0 && end > size<<3 {
			tb.Fatalf("%s lies at bits %d to %d of %d", n.Field.Key, n.Bit, end, size<<3)
		}
	}
	for _, e := range rec.Experts {
		if limit := max(len(rec.Payload), len(rec.Message)) << 3; e.BitOffset < 0 || e.BitOffset > limit {
			tb.Fatalf("entry %q at bit %d of %d", e.Code, e.BitOffset, limit)
		}
	}
}

// PacketsOf reads the UDP datagrams of a capture.
func PacketsOf(tb testing.TB, name string) (packets []*dissect.Packet) {
	tb.Helper()
	f, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	r, err := capture.NewReader(f, capture.Options{})
	if err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	for p, err := range r.Packets() {
		if err != nil {
			break // a file that breaks off has packets all the same
		}
		if p.UDP {
			own, _ := p.Clone(nil)
			packets = append(packets, &own)
		}
	}
	return packets
}

// Fataler is what a property and a test have in common.
type Fataler interface {
	Fatalf(format string, args ...any)
}

// Random returns a source of random numbers that are the same in every run.
func Random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

// RandomBytes returns n random bytes.
func RandomBytes(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// RecordOf is a record of one datagram, for tests that drive a conversation themselves. cut is how many bytes the
// capture lacks.
func RecordOf(payload []byte, fromClient bool, hint uint64, cut int) *dissect.Record {
	rec := dissect.NewRecord()
	rec.Packet = dissect.Packet{
		UDP: true, Src: Server, Dst: Client, Payload: payload,
		Length: len(payload) + cut, Frame: 1,
	}
	rec.Direction = dissect.ServerToClient
	if fromClient {
		rec.Src, rec.Dst, rec.Direction = Client, Server, dissect.ClientToServer
	}
	rec.Hint, rec.Final = hint, true
	return rec
}
