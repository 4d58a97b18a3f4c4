package dissecttest

import (
	"bytes"
	"fmt"
	"net/netip"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/render"
)

const (
	maxDamage = 16 // changes of a session
	// frame numbers for each packet of the session: its own is the first, its copies take the next ones
	slots = 4
	// bytes of a session without absolute states: the fuzzer ends at a call of more than ten seconds
	largeSession = 12_000
	mostBytes    = 16 << 20 // allocated at most for an engine, its workers and protocols,
	perByte      = 1000     // and for each byte of the input
)

// Fuzz damages valid sessions. Between the packets of each come those of an undamaged session of the same kind, between
// other endpoints. Whatever the damage is:
//
//   - every record is well formed: no more bits are read than there are, expert entries lie in the packet and are
//     documented, list and table have no control characters, and the schema holds
//   - one and three workers give the same bytes
//   - records are the same whether those before were decoded with a tree or for their state alone, and statistics
//     do not depend on trees
//   - memory is in proportion to the input
//   - the undamaged session is read as if it were alone
func (s Sessions) Fuzz(f *testing.F) {
	f.Helper()
	kinds := s.Kinds
	if testing.Short() {
		kinds = 1
	}
	for kind := range kinds {
		f.Add(uint8(kind), uint64(kind), [][]byte{
			{0, 1, 9, 7},
			{1, 3, 0, 99, 2, 5, 1, 0, 5, 7, 0, 0, 0, 9, 2, 9},
			{3, 2, 0, 0, 4, 4, 0, 0, 6, 6, 0, 3, 7, 8, 0, 90, 0, 12, 3, 3},
		}[kind%3])
	}
	suite := s.suite(f)
	f.Fuzz(func(t *testing.T, kind uint8, seed uint64, damage []byte) {
		k := int(kind) % s.Kinds
		damaged := damagePackets(packets(s.Write(k, seed), 1, slots), damage[:min(len(damage), 4*maxDamage)])
		beside := packets(elsewhere(s.Write(k, seed+1)), slots, slots)
		s.damaged(t, suite, k, damaged, beside)
		suite.failTest(t)
	})
}

// damagePackets damages packets. Each four bytes of damage are a change: its kind, packet and place.
func damagePackets(list []dissect.Packet, damage []byte) []dissect.Packet {
	for ; len(damage) >= 4 && len(list) > 0; damage = damage[4:] {
		i := int(damage[1]) % len(list)
		p := &list[i]
		p.Payload = bytes.Clone(p.Payload)
		size := len(p.Payload)
		if size == 0 {
			continue
		}
		at := (int(damage[2])<<8 | int(damage[3])) % size
		switch damage[0] & 7 {
		case 0: // a bit
			p.Payload[at] ^= 1 << (damage[0] >> 3 & 7)
		case 1: // the packet is cut by the capture
			p.Payload = p.Payload[:at]
		case 2: // the packet is cut by its sender
			p.Payload = p.Payload[:at]
			p.Length = at
		case 3: // two packets come in the other order
			if i+1 < len(list) {
				a, b := &list[i], &list[i+1]
				*a, *b = *b, *a
				a.Frame, b.Frame, a.Time, b.Time = b.Frame, a.Frame, b.Time, a.Time
			}
		case 4: // the packet comes twice
			if i+1 == len(list) || list[i+1].Frame-p.Frame > 1 {
				again := *p
				again.Frame++
				list = append(list[:i+1], append([]dissect.Packet{again}, list[i+1:]...)...)
			}
		case 5: // the packet is lost
			list = append(list[:i], list[i+1:]...)
		case 6: // something follows
			p.Payload = append(p.Payload, bytes.Repeat(damage[2:3], 1+int(damage[3]&31))...)
			p.Length = len(p.Payload)
		case 7: // a byte is all ones
			p.Payload[at] = 0xff
		}
	}
	return list
}

// elsewhere moves a session to other endpoints.
func elsewhere(list []Sent) []Sent {
	move := func(a netip.AddrPort) netip.AddrPort {
		b := a.Addr().AsSlice()
		b[0] ^= 1
		moved, _ := netip.AddrFromSlice(b)
		return netip.AddrPortFrom(moved, a.Port())
	}
	for i := range list {
		list[i].Src, list[i].Dst = move(list[i].Src), move(list[i].Dst)
	}
	return list
}

// merged joins two lists in the order of their frames.
func merged(a, b []dissect.Packet) (both []dissect.Packet) {
	for len(a) > 0 && len(b) > 0 {
		if a[0].Frame < b[0].Frame {
			both, a = append(both, a[0]), a[1:]
		} else {
			both, b = append(both, b[0]), b[1:]
		}
	}
	return append(append(both, a...), b...)
}

// foreign are the keys whose values depend on other packets of the input.
var foreign = regexp.MustCompile(`"(stream|time_relative)":[0-9.-]+,`)

// lines returns the records of some frames, without what depends on other streams.
func lines(out []byte, of []dissect.Packet) []byte {
	frames := map[string]bool{}
	for i := range of {
		frames[fmt.Sprintf(`{"frame":%d`, of[i].Frame)] = true
	}
	var kept bytes.Buffer
	for line := range strings.Lines(string(out)) {
		if head, _, found := strings.Cut(line, ","); found && frames[head] {
			kept.WriteString(foreign.ReplaceAllString(line, ""))
		}
	}
	return kept.Bytes()
}

// damaged checks a damaged session, and the one beside it, for what Fuzz lists.
func (s *Sessions) damaged(tb testing.TB, suite *suite, kind int, damaged, beside []dissect.Packet) {
	tb.Helper()
	all := merged(damaged, beside)
	bits := 0
	for i := range all {
		bits += 8 * len(all[i].Payload)
	}
	at := &sample{name: "damaged", bits: bits}
	state := dissect.Options{State: bits < 8*largeSession}
	_, stats := s.dissect(tb, kind, all, engine.Config{Workers: 1, Options: state}, func(rec *dissect.Record) {
		if !rec.Closing {
			suite.wellFormed(at, " of a damaged session", rec)
			if len(rec.Tree.Nodes) < manyNodes {
				suite.validate(at, " of a damaged session", rec)
			}
		}
	})

	one, _ := s.dissect(tb, kind, all, engine.Config{Workers: 1, Options: state}, nil)
	three, _ := s.dissect(tb, kind, all, engine.Config{Workers: 3, Options: state}, nil)
	suite.same("one and three workers (-one +three)", one, three)
	for odd := range uint64(2) {
		some := func(frame uint64) bool { return frame/slots%2 == odd }
		var of []dissect.Packet
		for i := range all {
			if some(all[i].Frame) {
				of = append(of, all[i])
			}
		}
		half, _ := s.dissect(tb, kind, all, engine.Config{Workers: 1, Options: state, Select: some}, nil)
		suite.same("with trees of some packets only (-all +some)", lines(one, of), lines(half, of))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, blind := s.dissect(tb, kind, all, engine.Config{Workers: 1, NoTree: true}, nil)
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; fuzzing() && taken > uint64(mostBytes+perByte*bits/8) {
		suite.report("%d MB were allocated for %d bytes", taken>>20, bits/8)
	}
	if blind.Damaged != stats.Damaged || blind.Game != stats.Game {
		suite.report("with trees %+v, without %+v", stats, blind)
	}
	suite.same("the list, of trees and of outlines (-trees +outlines)", s.list(tb, kind, all, false),
		s.list(tb, kind, all, true))
	alone, _ := s.dissect(tb, kind, beside, engine.Config{Workers: 1, Options: state}, nil)
	suite.same("the session beside it (-alone +beside)", lines(alone, beside), lines(one, beside))
}

// list gives what a list shows of packets, each with the codes of its expert entries, from whole trees or from
// outlines.
func (s *Sessions) list(tb testing.TB, kind int, all []dissect.Packet, outline bool) (out []byte) {
	tb.Helper()
	s.dissect(tb, kind, all, engine.Config{Workers: 1, Outline: outline}, func(rec *dissect.Record) {
		out = fmt.Appendf(out, "%d %s ", rec.Frame, render.AppendProtocolCell(nil, rec))
		out = render.AppendInfoCell(out, rec)
		for _, e := range rec.Experts {
			out = fmt.Appendf(out, " %v %s", e.Severity, e.Code)
		}
		out = append(out, '\n')
	})
	return out
}

// same reports where two outputs differ.
func (s *suite) same(what string, want, got []byte) {
	if !bytes.Equal(want, got) {
		s.report("%s:\n%s", what, firstDifference(want, got))
	}
}

// fuzzing reports whether the process is a fuzzing worker, whose memory is allocated by the target alone.
func fuzzing() bool {
	for _, arg := range os.Args {
		if strings.HasPrefix(arg, "-test.fuzzworker") {
			return true
		}
	}
	return false
}
