package gamestudio_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/gamestudio"
	"github.com/q3dissect/q3dissect/dissect/render"
)

var (
	client = netip.MustParseAddrPort("198.51.100.7:5000")
	server = netip.MustParseAddrPort("192.0.2.1:2300")
)

// A datagram of a test.
type datagram struct {
	fromClient bool
	payload    []byte
	cut        int // bytes that the capture lacks
}

// protocols are those of the package, in the order in which they are asked.
func protocols() []dissect.Protocol {
	return []dissect.Protocol{gamestudio.DirectPlay8{}, gamestudio.ENet{}, gamestudio.Protocol{}}
}

// A record is one as a user sees it.
type record struct {
	Frame       uint64
	Protocol    string
	Direction   string
	Info        string
	Expert      []expert
	Gamestudio  map[string]any
	Directplay8 map[string]any
	Enet        map[string]any
	line        string
}

// An expert is an expert entry.
type expert struct {
	Severity, Code, Field, Message string
	BitOffset                      int `json:"bit_offset"`
}

// codes are the codes of the record's expert entries.
func (r *record) codes() string {
	var codes []string
	for _, e := range r.Expert {
		codes = append(codes, e.Code)
	}
	return strings.Join(codes, " ")
}

// names are the keys of the record's messages.
func (r *record) names() []string {
	var names []string
	list, _ := r.Gamestudio["messages"].([]any)
	for _, m := range list {
		for name := range m.(map[string]any) {
			names = append(names, name)
		}
	}
	return names
}

// message gives the object of the record's i-th message.
func (r *record) message(i int) map[string]any {
	for _, m := range r.Gamestudio["messages"].([]any)[i].(map[string]any) {
		return m.(map[string]any)
	}
	return nil
}

// dissectAll sends datagrams through the engine. as is the name of -d for the server's port, or "".
func dissectAll(tb testing.TB, as string, datagrams ...datagram) []*record {
	tb.Helper()
	records, err := dissectWith(as, datagrams, len(datagrams))
	if err != nil {
		tb.Fatal(err)
	}
	return records
}

// dissectLast is dissectAll, but gives the last records only.
func dissectLast(tb testing.TB, as string, count int, datagrams ...datagram) []*record {
	tb.Helper()
	records, err := dissectWith(as, datagrams, count)
	if err != nil {
		tb.Fatal(err)
	}
	return records
}

// dissectQuietly is dissectAll of one datagram; what goes wrong is a panic, since it is the test's fault.
func dissectQuietly(as string, d datagram) *record {
	records, err := dissectWith(as, []datagram{d}, 1)
	if err != nil {
		panic(err)
	}
	return records[0]
}

func dissectWith(as string, datagrams []datagram, count int) (records []*record, failure error) {
	cfg := dissect.Config{
		Protocols: protocols(), Workers: 1, All: true,
		Select: func(frame uint64) bool { return frame > uint64(len(datagrams)-count) },
		Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
			line := render.AppendJSON(nil, rec, render.JSON{Bits: true})
			r := &record{line: string(line)}
			if err := json.Unmarshal(line, r); err != nil {
				failure = fmt.Errorf("%w in %s", err, line)
			}
			records = append(records, r)
			return dst, nil
		},
	}
	if as != "" {
		cfg.DecodeAs = []dissect.DecodeAs{{Port: server.Port(), Name: as}}
	}
	e, err := dissect.NewEngine(cfg)
	if err != nil {
		return nil, err
	}
	for i, d := range datagrams {
		p := dissect.Packet{
			Frame: uint64(i + 1), Time: int64(i) * 10e6, HasTime: true, UDP: true, Src: server, Dst: client,
			Payload: d.payload, Length: len(d.payload) + d.cut,
		}
		if d.fromClient {
			p.Src, p.Dst = client, server
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

func unhex(tb testing.TB, s string) []byte {
	tb.Helper()
	b, err := hex.DecodeString(strings.NewReplacer(" ", "", "|", "").Replace(s))
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// hexOf is the hexadecimal of bytes as records have it.
func hexOf(b []byte) string { return hex.EncodeToString(b) }
