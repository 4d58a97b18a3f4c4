package forged_test

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// forgeENet forges requests for a connection of ENet 1.3, from both sides: one made up, and the genuine one with
// another number; and noise.
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
		list = append(list, forgery{who + ", connect", at, like, connect},
			forgery{who + ", noise", at, like, noise(60, uint64(at))})
		list = append(list, forgeReliable(s, who, at, like, with(`{"send_reliable":`))...)
		if first := with(`{"connect":`); first >= 0 {
			again := slices.Clone(s.packets[first].Payload)
			again[len(again)-5] ^= 0x77 // number of the connection
			list = append(list, forgery{who + ", genuine connect with another number", at, like, again})
		}
	}
	return list
}

// forgeReliable forges reliable commands, and fragments, with numbers near the last one of a side.
func forgeReliable(s *session, who string, at, like, last int) (list []forgery) {
	if last < 0 || binary.BigEndian.Uint16(s.packets[like].Payload)&0x4000 != 0 {
		return nil
	}
	m := regexp.MustCompile(`"send_reliable":{[^}]*?"sequence":(\d+)`).FindStringSubmatch(s.records[last].line)
	sequence, _ := strconv.Atoi(m[1])
	head := binary.BigEndian.AppendUint16(nil, binary.BigEndian.Uint16(s.packets[like].Payload)&0x3fff|0x8000)
	head = binary.BigEndian.AppendUint16(head, 777)
	for _, jump := range []int{-20000, -100, -10, -1, 0, 1, 2, 10, 100, 20000} {
		for _, channel := range []byte{0, 1, 255} {
			number := binary.BigEndian.AppendUint16(nil, uint16(sequence+jump))
			b := slices.Concat(head, []byte{0x86, channel}, number, []byte{0, 30}, noise(30, uint64(at)))
			list = append(list, forgery{fmt.Sprintf("%s, reliable %+d", who, jump), at, like, b})
			b = slices.Concat(head, []byte{0x88, channel}, number, number, []byte{0, 30})
			for _, v := range []uint32{2, 0, 60, 0} {
				b = binary.BigEndian.AppendUint32(b, v)
			}
			list = append(list, forgery{
				fmt.Sprintf("%s, fragment %+d", who, jump), at, like,
				append(b, noise(30, uint64(at))...),
			})
		}
	}
	return list
}
