package directplay8

import (
	"net/netip"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
)

// TestForeignIsForgotten: of pairs that are not the transport's nothing is remembered for long.
func TestForeignIsForgotten(t *testing.T) {
	t.Parallel()
	r, source := newRouter(nil), enginetest.Random(3)
	const flows = 5000
	remembered := 0
	for i := range flows {
		b := enginetest.RandomBytes(source, 24)
		copy(b, []byte{0x7f, 0, byte(i), 0, 0xd1, 0, 0, 0}) // a core message
		p := dissect.Packet{
			UDP: true, Frame: uint64(i + 1), Payload: b, Length: len(b), Dst: enginetest.Server,
			Src: netip.AddrPortFrom(netip.AddrFrom4([4]byte{203, 0, byte(i >> 8), byte(i)}), 5000),
		}
		r.Route(&p, int64(i), false)
		remembered = max(remembered, r.pairs.Len())
	}
	if remembered == 0 {
		t.Fatal("no datagram made a candidate")
	}
	if r.Expire(flows); r.pairs.Len() != 0 {
		t.Errorf("%d of %d pairs are remembered", r.pairs.Len(), remembered)
	}
}

// TestEndMark: a control frame begins with 0x80, or with 0x88 where an answer is wanted: PACKET_COMMAND_CFRAME and
// PACKET_COMMAND_POLL, MC-DPL8R, section 2.2.1.
func TestEndMark(t *testing.T) {
	t.Parallel()
	for command, want := range map[byte]bool{0x80: true, 0x88: true, 0x81: false, 0x84: false, 0x00: false, 0x7f: false} {
		frame := append([]byte{command, opDisconnect, 0, 0, 6, 0, 1, 0}, make([]byte, controlBytes-8)...)
		if endMark(frame) != want {
			t.Errorf("%#x: %v", command, !want)
		}
	}
}

// TestGeneratedGUID: a GUID with more than four zeros is most likely none that a generator made.
func TestGeneratedGUID(t *testing.T) {
	t.Parallel()
	random := [guidBytes]byte([]byte("\xee\xb2\x4a\x5e\x50\x6a\x14\x46\x80\x7e\xc6\x32\x80\x7b\x5e\xb1"))
	for zeros := range 7 {
		guid := random
		for i := range zeros {
			guid[i] = 0
		}
		if got := generated(guid); got != (zeros <= 4) {
			t.Errorf("%d zeros: %v", zeros, got)
		}
	}
}

// TestJoinWindow: a message waits for its parts as long as a sender can have them under way, 64 frames.
func TestJoinWindow(t *testing.T) {
	t.Parallel()
	for newest, want := range map[uint32]bool{64: true, 65: false} {
		var j joins
		rec := dissect.NewRecord()
		if j.add(rec, &joinPart{number: 0, first: true, data: []byte("one")}, 0) != nil {
			t.Fatal("complete without its last part")
		}
		if got := j.add(rec, &joinPart{number: 1, last: true, data: []byte("two")}, newest) != nil; got != want {
			t.Errorf("the newest frame is %d: complete %v", newest, got)
		}
	}
}
