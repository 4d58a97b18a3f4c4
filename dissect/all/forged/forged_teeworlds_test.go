package forged_test

import (
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	tokenOf    = regexp.MustCompile(`"token":"([0-9a-f]{8})"`)
	sequenceOf = regexp.MustCompile(`"sequence":(\d+)`)
)

// A teeworldsForger makes packets of one side of a connection.
type teeworldsForger struct {
	v07   bool
	token []byte // nil: the dialect has none
	noise uint64 // seed
}

// packet returns a packet with a payload.
func (f *teeworldsForger) packet(control bool, ack, chunks int, body []byte) []byte {
	b := []byte{byte(ack >> 8 & 3), byte(ack), byte(chunks)}
	switch {
	case control && f.v07:
		b[0] |= 0x04
	case control:
		b[0] |= 0x10
	}
	if f.v07 {
		return append(append(b, f.token...), body...)
	}
	return append(append(b, body...), f.token...)
}

// chunk returns a vital chunk of noise.
func (f *teeworldsForger) chunk(sequence int) []byte {
	const size = 30
	b := []byte{0x40 | byte(size>>4), byte(size&0xf) | byte(sequence>>2&0xf0), byte(sequence)}
	if f.v07 {
		b = []byte{0x40 | byte(size>>6), byte(size&0x3f) | byte(sequence>>2&0xc0), byte(sequence)}
	}
	return append(b, noise(size, f.noise)...)
}

// forgeTeeworlds forges packets of a connection.
func forgeTeeworlds(s *session, at int) (list []forgery) {
	for _, fromClient := range []bool{false, true} {
		with := func(text string) int {
			return s.before(at, func(_ int, g *genuine) bool {
				return g.protocol == "teeworlds" && g.fromClient == fromClient && strings.Contains(g.line, text)
			})
		}
		like, vital := with(`"chunks":[`), with(`"vital":true`)
		if like < 0 || vital < 0 {
			continue
		}
		who := "server"
		if fromClient {
			who = "client"
		}
		sequences := sequenceOf.FindAllStringSubmatch(s.records[vital].line, -1)
		sequence, _ := strconv.Atoi(sequences[len(sequences)-1][1])
		f := teeworldsForger{v07: strings.Contains(s.records[like].line, `"version":"0.7"`), noise: uint64(at)}
		if m := tokenOf.FindStringSubmatch(s.records[like].line); m != nil {
			f.token, _ = hex.DecodeString(m[1])
		}
		list = append(list, f.forge(s, who, at, like, sequence)...)
		if f.token != nil {
			f.token = [][]byte{{1, 2, 3, 4}, make([]byte, 4)}[at&1]
			list = append(list, f.forge(s, who+" wrong token", at, like, sequence)...)
		}
		list = append(list, forgery{who + " noise", at, like, noise(60, uint64(at))})
	}
	return list
}

// forge forges packets after a vital chunk of a sequence, with the token.
func (f *teeworldsForger) forge(s *session, who string, at, like, sequence int) (list []forgery) {
	add := func(kind string, payload []byte) {
		list = append(list, forgery{who + " " + kind, at, like, payload})
	}
	genuine := s.packets[like].Payload
	ack := int(genuine[0]&3)<<8 | int(genuine[1])
	for _, jump := range []int{-400, -100, -10, -1, 0, 1, 2, 10, 100, 400} {
		n, a := (sequence+jump)&1023, (ack+jump)&1023
		add(fmt.Sprintf("noise %+d", jump), f.packet(false, ack, 1, f.chunk(n)))
		add(fmt.Sprintf("ack %+d, noise %+d", jump, jump), f.packet(false, a, 1, f.chunk(n)))
		if !f.v07 {
			continue // the token follows the payload, which is compressed
		}
		b := slices.Clone(genuine)
		copy(b[3:], f.token)
		b[0], b[1] = b[0]&^3|byte(a>>8), byte(a)
		add(fmt.Sprintf("copy, ack %+d", jump), b)
		if b := slices.Clone(genuine); b[0]&0x10 == 0 && b[7]&0x40 != 0 { // not compressed, and the first chunk is vital
			copy(b[3:], f.token)
			b[8], b[9] = b[8]&0x3f|byte(n>>2&0xc0), byte(n)
			add(fmt.Sprintf("chunk copied %+d", jump), b)
		}
	}
	add("keepalive", f.packet(true, ack, 0, []byte{0}))
	add("connect", f.packet(true, ack, 0, append([]byte{1}, make([]byte, 512)...)))
	add("close", f.packet(true, ack, 0, []byte{4}))
	add("close with a reason", f.packet(true, ack, 0, []byte("\x04bye\x00")))
	add("first chunk", f.packet(false, 0, 1, f.chunk(1)))
	return list
}
