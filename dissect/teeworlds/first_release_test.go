package teeworlds

import (
	"encoding/binary"
	"math/rand/v2"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// head070 is the header of Teeworlds 0.7.0: 20 bits of token, 4 of flags, 10 of acknowledgement, 6 of the number of
// chunks. src/engine/shared/network.h of that release.
func head070(token uint32, flags byte, ack, chunks int) []byte {
	return []byte{
		byte(token >> 12), byte(token >> 4), byte(token<<4) | flags, byte(ack >> 2), byte(ack<<6) | byte(chunks),
	}
}

// head071 is the header of 0.7.1 and later.
func head071(token uint32, flags byte, ack, chunks int) []byte {
	return binary.BigEndian.AppendUint32([]byte{flags<<2 | byte(ack>>8), byte(ack), byte(chunks)}, token)
}

// packetOf07 is a packet with a chunk of a release of 0.7, compressed where that is shorter.
func packetOf07(head func(uint32, byte, int, int) []byte, token uint32, ack int, chunk []byte) []byte {
	const compression = 4 // NET_PACKETFLAG_COMPRESSION
	if coded := huffcodec.EncodeTeeworlds(nil, chunk); len(coded) < len(chunk) {
		return append(head(token, compression, ack, 1), coded...)
	}
	return append(head(token, 0, ack, 1), chunk...)
}

// TestFirstRelease07: the packets of 0.7.0, whose chunks are those of 0.7 after a header of five bytes, are not taken
// for another dialect's, whatever their tokens. The same chat with the header and numbers of 0.7.1 is recognised.
func TestFirstRelease07(t *testing.T) {
	t.Parallel()
	const (
		sessions, packets = 500, 40
		svChat, clSay     = 3, 24 // since 0.7.1
	)
	random := rand.New(rand.NewPCG(70, 2018))
	taken := map[string]int{}
	for range sessions {
		client, server := random.Uint32()>>12, random.Uint32()>>12
		for release, head := range map[string]func(uint32, byte, int, int) []byte{"0.7.0": head070, "0.7.1": head071} {
			r := newRouter()
			shift := byte(0)
			if release == "0.7.0" {
				shift = 1 // there is no Sv_Broadcast
			}
			for i := range packets {
				from, to, token := theClient, theServer, server
				chunk := chunk07(append([]byte{(clSay - shift) << 1, 1, 0x40}, sayHello+"\x00"...)...)
				if i%2 == 1 {
					from, to, token = theServer, theClient, client
					chunk = chunk07(append([]byte{(svChat - shift) << 1, 1, 0, 0x40}, sayHello+"\x00"...)...)
				}
				p := dissect.Packet{
					Frame: uint64(i + 1), UDP: true, Src: netip.MustParseAddrPort(from), Dst: netip.MustParseAddrPort(to),
					Payload: packetOf07(head, token, i/3, chunk),
				}
				p.Length = len(p.Payload)
				if r.Route(&p, 0, i == packets-1).Decision == dissect.Mine {
					taken[release]++
					break
				}
			}
		}
	}
	if diff := cmp.Diff(map[string]int{"0.7.1": sessions}, taken); diff != "" {
		t.Errorf("sessions that are recognised (-want +got):\n%s", diff)
	}
}
