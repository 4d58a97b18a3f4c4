package all_test

import (
	"encoding/binary"
	"slices"
	"strings"
)

// forgeENet forges requests for a connection of ENet 1.3, from both sides: one made up, and the genuine one with another
// number; and noise.
func forgeENet(s *session, at int) (list []forgery) {
	for _, low := range []bool{false, true} {
		with := func(text string) int {
			return s.before(at, func(i int, g *genuine) bool {
				return strings.Contains(g.line, text) && (s.packets[i].Src.Compare(s.packets[i].Dst) < 0) == low
			})
		}
		like := with(`"enet":`)
		if like < 0 {
			continue
		}
		who := "high endpoint"
		if low {
			who = "low endpoint"
		}
		connect := []byte{0x8f, 0xff, 3, 9, 0x82, 255, 0, 1, 0, 0, 0xff, 0xff}
		for _, v := range []uint32{1400, 65536, 2, 0, 0, 5000, 2, 2, 0xdeadbeef, 0} {
			connect = binary.BigEndian.AppendUint32(connect, v)
		}
		list = append(list, forgery{who + ", connect", at, like, connect}, forgery{who + ", noise", at, like, noise(60, uint64(at))})
		if first := with(`{"connect":`); first >= 0 {
			again := slices.Clone(s.packets[first].Payload)
			again[len(again)-5] ^= 0x77 // number of the connection
			list = append(list, forgery{who + ", genuine connect with another number", at, like, again})
		}
	}
	return list
}
