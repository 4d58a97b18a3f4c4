package router

import (
	"encoding/binary"
	"encoding/hex"
	"net/netip"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/flows"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
)

// TestEvidence: a session is believed after 8 packets that fit, if more fit than do not, or after 64; it is given up
// after 16 that do not, with less than one in eight that does. What the user assigned, and what is cut, is not tested.
func TestEvidence(t *testing.T) {
	// sequence 300: an enciphered message of a server
	fits, err := hex.DecodeString("2c010000" + "bf1a3183c828adabdb949009675bf90a89b6241b58b11818")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []struct {
		name         string
		e            evidence
		payload      []byte
		claimed, cut bool
		holds        bool
		hits, misses uint8
		believed     bool
	}{
		{name: "the first that fits", payload: fits, holds: true, hits: 1},
		{name: "the seventh", e: evidence{packets: flows.Evidence{Hits: 6}}, payload: fits, holds: true, hits: 7},
		{name: "the eighth", e: evidence{packets: flows.Evidence{Hits: 7}}, payload: fits, holds: true, hits: 8, believed: true},
		{name: "the eighth, and as many do not", e: evidence{packets: flows.Evidence{Hits: 7, Misses: 8}}, payload: fits, holds: true, hits: 8, misses: 8},
		{name: "the eighth, and seven do not", e: evidence{packets: flows.Evidence{Hits: 7, Misses: 7}}, payload: fits, holds: true, hits: 8, misses: 7, believed: true},
		{name: "64 in all", e: evidence{packets: flows.Evidence{Hits: 30, Misses: 33}}, payload: fits, holds: true, hits: 31, misses: 33, believed: true},
		{name: "63 in all", e: evidence{packets: flows.Evidence{Hits: 29, Misses: 33}}, payload: fits, holds: true, hits: 30, misses: 33},
		{name: "the fifteenth that does not", e: evidence{packets: flows.Evidence{Misses: 14}}, payload: []byte{1}, holds: true, misses: 15},
		{name: "the sixteenth", e: evidence{packets: flows.Evidence{Misses: 15}}, payload: []byte{1}, misses: 16},
		{name: "the sixteenth, and one in eight fits", e: evidence{packets: flows.Evidence{Hits: 2, Misses: 15}}, payload: []byte{1}, holds: true, hits: 2, misses: 16},
		{name: "less than one in eight", e: evidence{packets: flows.Evidence{Hits: 2, Misses: 16}}, payload: []byte{1}, hits: 2, misses: 17},
		{name: "the user says so", e: evidence{packets: flows.Evidence{Misses: 15}}, payload: []byte{1}, claimed: true, holds: true, misses: 15},
		{name: "believed", e: evidence{packets: flows.Evidence{Misses: 15}, sure: true}, payload: []byte{1}, holds: true, misses: 15, believed: true},
		{name: "cut", e: evidence{packets: flows.Evidence{Misses: 15}}, payload: []byte{1}, cut: true, holds: true, misses: 15},
	} {
		p := &dissect.Packet{
			UDP: true, Frame: 1, Payload: v.payload, Length: len(v.payload),
			Src: netip.MustParseAddrPort("192.0.2.1:27960"), Dst: netip.MustParseAddrPort("192.0.2.2:27960"),
		}
		if v.cut {
			p.Length++
		}
		a := &datagram{Packet: p, claimed: v.claimed}
		s := &stream{evidence: v.e}
		got, _ := New(nil).holds(a, s, flows.Side(a.src))
		e := &s.evidence
		if got != v.holds || e.packets.Hits != v.hits || e.packets.Misses != v.misses || e.sure != v.believed {
			t.Errorf("%s: %v, %+v", v.name, got, s.evidence)
		}
	}
}

// TestNumbersFit: an unknown session's packets are not more than 2000 numbers ahead of the newest one of their side,
// and not more than 64 older than the first.
func TestNumbersFit(t *testing.T) {
	const body = "bf1a3183c828adabdb949009675bf90a89b6241b58b11818"
	for _, v := range []struct {
		sequence uint32
		want     bool
	}{
		{3001, true},
		{3000 + 2000, true},
		{3000 + 2001, false},
		{3000, true},
		{2936, true},
		{2935, false},
		{0, false},
	} {
		var g candidate
		r := New(nil)
		fits := func(sequence uint32) bool {
			b, err := hex.DecodeString(body)
			if err != nil {
				t.Fatal(err)
			}
			b = append(binary.LittleEndian.AppendUint32(nil, sequence), b...)
			return g.fits(r, &dissect.Packet{UDP: true, Payload: b, Length: len(b)}, false, netchan.Legacy)
		}
		if !fits(3000) {
			t.Fatal("the first packet does not fit")
		}
		if got := fits(v.sequence); got != v.want {
			t.Errorf("%d after 3000: %v", v.sequence, got)
		}
	}
}

// TestProtocolsBeforeHuffman: what is tested of packets begins with protocol 66; older ones are not covered.
func TestProtocolsBeforeHuffman(t *testing.T) {
	for protocol, want := range map[int]bool{0: false, 1: true, 43: true, 65: true, 66: false, 71: false} {
		var e evidence
		if e.addOOB(&oob.Packet{Protocol: protocol}); e.sure != want {
			t.Errorf("protocol %d: %v", protocol, e.sure)
		}
	}
}

// TestSpeaksAgainst: a word of another engine counts until a server answers in the family's form, or a session is
// there.
func TestSpeaksAgainst(t *testing.T) {
	halfLife := []byte("\xff\xff\xff\xffgetchallenge steam\n")
	for _, v := range []struct {
		name    string
		claimed bool
		s       *stream
		want    oob.Engine
	}{
		{"nothing is known", false, nil, oob.HalfLife},
		{"a query without an answer", false, &stream{}, oob.HalfLife},
		{"a server has answered", false, &stream{evidence: evidence{answered: true}}, oob.NoEngine},
		{"a session", false, &stream{plays: true}, oob.NoEngine},
		{"the user says so", true, &stream{}, oob.NoEngine},
	} {
		r := New(nil)
		r.oob.Parse(halfLife)
		if got := r.speaksAgainst(&datagram{claimed: v.claimed}, v.s); got != v.want {
			t.Errorf("%s: %v", v.name, got)
		}
	}
	for text, want := range map[string]bool{
		"getstatus\n": false, "statusResponse\n\\sv_hostname\\lab\\mapname\\q3dm17\\gamename\\baseq3\n": true,
	} {
		var e evidence
		var p oob.Packet
		p.Parse([]byte("\xff\xff\xff\xff" + text))
		if e.addOOB(&p); e.answered != want {
			t.Errorf("%q: answered %v", text, e.answered)
		}
		e.answered = true
		if e.addOOB(&p); !e.answered {
			t.Errorf("%q takes an answer back", text)
		}
	}
}
