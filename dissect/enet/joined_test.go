package enet

import (
	"encoding/hex"
	"net/netip"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
)

// TestJoinedPackets reads two packets of Photon that the receiver's system joined to one datagram. Each has a checksum
// of its own, by the rule of the library's vendor.
func TestJoinedPackets(t *testing.T) {
	t.Parallel()
	p := New()
	c := p.NewConversation(dissect.Options{})
	for _, tt := range []struct {
		hex         string
		right, more int // checksums that are right, packets after the first
	}{
		{"ffffcc01000000641234567840d63ae902ff01040000002c00000001000004b000008000000000020000000000000000" +
			"000013880000000200000002", 1, 0},
		{"0000cc01000001901234567805168372060001040000001b00000004f304020100070707070707070707070000cc0100" +
			"00019112345678a8b6de1f060001040000001d00000005f304020100070707070707070707070707", 2, 1},
		{"0000cc01000001901234567805168372060001040000001b00000004f304020100070707070707070707070000cc0100" +
			"00019112345678a8b6de1e060001040000001d00000005f304020100070707070707070707070707", 1, 1},
	} {
		rec := dissect.NewRecord()
		rec.Payload, _ = hex.DecodeString(tt.hex)
		rec.Length, rec.Hint = len(rec.Payload), uint64(photon)
		rec.Src, rec.Dst = netip.MustParseAddrPort("192.0.2.2:5056"), netip.MustParseAddrPort("192.0.2.1:50000")
		c.Dissect(rec)
		right, more := 0, 0
		for _, n := range rec.Tree.Nodes {
			if n.Field == &checksumOKField && n.Bool() {
				right++
			}
			if n.Field == &furtherPacketField {
				more++
			}
		}
		if right != tt.right || more != tt.more {
			t.Errorf("%s: %d right checksums, %d further packets: want %d, %d", tt.hex, right, more, tt.right, tt.more)
		}
	}
}
