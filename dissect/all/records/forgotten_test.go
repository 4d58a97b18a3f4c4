package records_test

import (
	"encoding/binary"
	"net/netip"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
)

// TestForgottenPairs: a pair of endpoints that a router dropped, as there were too many, is reported when it comes
// back, however much memory there is for streams.
func TestForgottenPairs(t *testing.T) {
	t.Parallel()
	const pairs = 1<<16 + 10 // more than a router remembers
	enet := []byte{0x8f, 0xff, 0, 1, 0x82, 0xff, 0, 1, 0, 1, 0xff, 0xff, 0, 0, 0x05, 0x78, 0, 1, 0, 0, 0, 0, 0, 2}
	enet = append(append(enet, make([]byte, 20)...), 0, 0, 0, 9, 0, 0, 0, 0)
	dplay := binary.LittleEndian.AppendUint32([]byte{0x88, 1, 0, 0, 6, 0, 1, 0, 9, 0, 0, 0}, 7)
	for name, payload := range map[string][]byte{
		"quake3": []byte("\xff\xff\xff\xffgetstatus xxx"), "enet": enet, "directplay8": dplay,
		"teeworlds": append([]byte{4, 0, 0, 0xff, 0xff, 0xff, 0xff, 5, 0, 0, 0, 9}, make([]byte, 508)...),
	} {
		var forgotten []uint64
		e, err := engine.New(engine.Config{
			Protocols: all.Protocols(), Workers: 1, Memory: 1 << 30,
			Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
				if rec.Protocol.Name != name {
					t.Errorf("%s: packet %d is %s", name, rec.Frame, rec.Protocol.Name)
				}
				for _, x := range rec.Experts {
					if x.Code == "stream_forgotten" {
						forgotten = append(forgotten, rec.Frame)
					}
				}
				return dst, nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range pairs + 5 {
			n := i % pairs
			p := dissect.Packet{
				Frame: uint64(i + 1), HasTime: true, Time: int64(i) * 1000, UDP: true, Payload: payload, Length: len(payload),
				Src: netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)}), 5000),
				Dst: netip.MustParseAddrPort("192.0.2.1:27960"),
			}
			if err := e.Packet(&p); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := e.Close(); err != nil {
			t.Fatal(err)
		}
		if len(forgotten) != 5 || forgotten[0] != pairs+1 {
			t.Errorf("%s: the streams of packets %v were forgotten", name, forgotten)
		}
	}
}
