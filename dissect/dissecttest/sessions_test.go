package dissecttest

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
)

// toySessions are sessions of a toy.
func toySessions(p *dissect.Protocol) Sessions {
	client, server := netip.MustParseAddrPort("198.51.100.7:1"), netip.MustParseAddrPort("192.0.2.1:9")
	return Sessions{
		Protocol: p, Kinds: 1, Seeds: 2,
		Write: func(_ int, seed uint64) (list []Sent) {
			rng := rand.New(rand.NewPCG(seed, 1))
			for range 24 {
				name, number := strings.Repeat("n", 1+rng.IntN(5)), uint16(rng.Uint32())
				payload := append([]byte{'T', 'O', 'Y', byte(len(name))}, name...)
				list = append(list, Send(client, server, binary.BigEndian.AppendUint16(payload, number), fmt.Sprint(name, number)))
			}
			return list
		},
		Read: func(rec *dissect.Record) []string {
			root := rec.Tree.Top().Get("toy")
			return []string{fmt.Sprint(root.Get("name").String(), root.Get("number").Uint())}
		},
	}
}

// found returns what the harness reports for whole sessions, and for damaged ones.
func found(t *testing.T, s Sessions) string {
	t.Helper()
	suite := s.suite(t)
	seen := fields{paths: map[string]bool{}, known: map[*dissect.Field]bool{}}
	s.read(t, suite, 0, 0, seen)
	s.missing(suite, seen)
	for i := range byte(8) {
		damage := []byte{i, 3, 0, 5, i, 10, 0, 6, i, 17, 0, 4}
		s.damaged(t, suite, 0, damagePackets(packets(s.Write(0, 1), 1, slots), damage),
			packets(elsewhere(s.Write(0, 2)), slots, slots))
	}
	return strings.Join(suite.reports, "\n")
}

// The harness finds each fault, in whole sessions or in damaged ones.
func TestSessionFaultsAreFound(t *testing.T) {
	t.Parallel()
	unwritten := dissect.Field{Key: "unwritten", Kind: dissect.Uint, Bits: 8, Doc: "on no wire", Source: "here"}
	for _, tt := range []struct {
		name, fault string
		change      func(*Sessions)
		says        string // "": nothing
	}{
		{name: "none"},
		{fault: outside, says: "toy.number lies at bits"},
		{fault: overlapping, says: "overlap"},
		{fault: undescribed, says: "toy.extra is in the record, and not among the fields of toy"},
		{fault: stateful, says: "with trees of some packets only"},
		{fault: global, says: "the session beside it"},
		{fault: unknownCode, says: `expert code "odd"`},
		{fault: stranger, says: "0 records of 24 packets"},
		{name: "another value", change: func(s *Sessions) {
			s.Read = func(*dissect.Record) []string { return []string{"something else"} }
		}, says: "(-written +read)"},
		{name: "a field that is not written", change: func(s *Sessions) {
			root := s.Protocol.Root()
			root.Children = append(root.Children, &unwritten)
		}, says: "no session has\ntoy.unwritten"},
		{name: "an exception that is none", change: func(s *Sessions) {
			s.Never = map[string]string{"toy.name": "nobody has a name"}
		}, says: "toy.name is an exception (nobody has a name), but the sessions have it"},
	} {
		t.Run(tt.name+tt.fault, func(t *testing.T) {
			t.Parallel()
			s := toySessions(newToy(tt.fault))
			if tt.change != nil {
				tt.change(&s)
			}
			if got := found(t, s); (got == "") != (tt.says == "") || !strings.Contains(got, tt.says) {
				t.Errorf("found %q, want %q", got, tt.says)
			}
		})
	}
}

// Damage changes what it reports, and nothing else.
func TestSpoil(t *testing.T) {
	t.Parallel()
	s := toySessions(newToy(""))
	for i, want := range []string{"bit", "cut", "shorter", "order", "twice", "lost", "longer", "ones"} {
		before, list := packets(s.Write(0, 1), 1, slots), damagePackets(packets(s.Write(0, 1), 1, slots),
			[]byte{byte(i), 3, 0, 5})
		got := ""
		switch a, b := &before[3], &list[3]; {
		case len(list) > len(before):
			got = "twice"
		case len(list) < len(before):
			got = "lost"
		case string(b.Payload) == string(before[4].Payload):
			got = "order"
		case len(b.Payload) < b.Length:
			got = "cut"
		case len(b.Payload) < len(a.Payload):
			got = "shorter"
		case len(b.Payload) > len(a.Payload):
			got = "longer"
		case b.Payload[5] == 0xff:
			got = "ones"
		case b.Payload[5] == a.Payload[5]^1:
			got = "bit"
		}
		if got != want {
			t.Errorf("damage %d: %q, want %q", i, got, want)
		}
		for k := 1; k < len(list); k++ {
			if list[k].Frame <= list[k-1].Frame {
				t.Errorf("%s: frame %d follows %d", want, list[k].Frame, list[k-1].Frame)
			}
		}
	}
}
