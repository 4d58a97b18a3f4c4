package forged_test

import (
	"fmt"
	"slices"
	"strings"
)

// forgeDirectPlay forges packets of DirectPlay 8.
func forgeDirectPlay(s *session, at int) (list []forgery) {
	for _, fromClient := range []bool{false, true} {
		like := s.before(at, func(i int, g *genuine) bool {
			return g.fromClient == fromClient && strings.Contains(g.line, `"directplay8":`) && s.packets[i].Payload[0]&1 != 0
		})
		if like < 0 {
			continue
		}
		who := "server"
		if fromClient {
			who = "client"
		}
		add := func(kind string, payload []byte) {
			list = append(list, forgery{who + " " + kind, at, like, payload})
		}
		genuine := s.packets[like].Payload
		// otherwise a receiver drops the genuine ones too
		if !strings.Contains(s.records[like].line, `"signature_ok":false`) {
			forgeFrames(add, genuine, uint64(at))
		}
		handshake := []byte{0x88, 1, 9, 0, 6, 0, 1, 0, 0xde, 0xad, 0xbe, 0xef, 1, 2, 3, 4}
		for op, kind := range []string{1: "connect", 2: "connected", 4: "hard disconnect"} {
			if kind != "" {
				handshake[1] = byte(op)
				add(kind, slices.Clone(handshake))
			}
		}
		handshake[1] = 3
		add("connected, signed", append(slices.Clone(handshake), noise(32, 5)...))
		add("noise", noise(60, uint64(at)))
	}
	return list
}

// forgeFrames adds data frames with numbers near that of a genuine one.
func forgeFrames(add func(kind string, payload []byte), genuine []byte, seed uint64) {
	for _, jump := range []int{-100, -10, -1, 0, 1, 2, 10, 60, 100} {
		sequence, next := genuine[2]+byte(jump), genuine[3]
		for _, frame := range []struct {
			kind    string
			command byte
		}{{"whole frame", 0x37}, {"first part", 0x17}, {"last part", 0x27}, {"unreliable frame", 0x31}} {
			add(fmt.Sprintf("%s %+d", frame.kind, jump), append([]byte{frame.command, 0, sequence, next}, noise(40, seed)...))
		}
		b := slices.Clone(genuine)
		b[2] = sequence
		add(fmt.Sprintf("copy %+d", jump), b)
		mask := []byte{0x3f, 0xc0, sequence, next, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}
		add(fmt.Sprintf("mask of lost frames %+d", jump), append(mask, noise(20, 3)...))
		add(fmt.Sprintf("end of the stream %+d", jump), []byte{0x37, 0x08, sequence, next})
	}
}
