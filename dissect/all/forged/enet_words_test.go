package forged_test

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	versionOfENet  = regexp.MustCompile(`"enet":{"version":"([^"]*)"`)
	peerOfENet     = regexp.MustCompile(`"peer_id":(\d+)`)
	sessionOfENet  = regexp.MustCompile(`"session_id":(\d+)`)
	reliableOfENet = regexp.MustCompile(`"send_reliable":{[^}]*?"channel":(\d+),[^}]*?"sequence":(\d+)`)
	connectOfENet  = regexp.MustCompile(`"connect_id":"(\w+)"`)
)

// An enetForger writes packets in the name of one side.
type enetForger struct {
	version       string
	peer, session int
	word          []byte // number of the connection, in every packet of 1.0 to 1.2
	id            []byte // the same, in the checksum
	summed        bool
}

// packet returns a packet with one command, whose head has the operation with its flags, a channel and a number.
func (f *enetForger) packet(op, channel byte, number int, body []byte) []byte {
	be := binary.BigEndian
	switch f.version {
	case "1.0", "photon":
		b := be.AppendUint16(nil, uint16(f.peer))
		b = append(b, 0, 1)
		b = append(be.AppendUint32(b, 777), f.word...)
		flags := op>>7 | op>>5&2
		b = append(b, op&15, channel, flags, 4)
		b = be.AppendUint32(b, uint32(12+len(body)))
		return append(be.AppendUint32(b, uint32(number)), body...)
	case "1.2":
		b := be.AppendUint16(slices.Clone(f.word), uint16(f.peer)|1<<15)
		b = append(be.AppendUint16(b, 777), op, channel)
		return append(be.AppendUint16(b, uint16(number)), body...)
	}
	b := be.AppendUint16(nil, uint16(f.peer|f.session<<12)|1<<15)
	b = be.AppendUint16(b, 777)
	command := append(be.AppendUint16([]byte{op, channel}, uint16(number)), body...)
	if f.summed {
		b = be.AppendUint32(b, crc32.ChecksumIEEE(slices.Concat(b, f.id, command)))
	}
	return append(b, command...)
}

// enetWords are the commands of ENet and Photon.
func (s *session) enetWords(at, like int, add func(kind string, payload []byte)) {
	line := s.records[like].line
	number := func(r *regexp.Regexp, text string) int {
		m := r.FindStringSubmatch(text)
		if m == nil {
			return 0
		}
		n, _ := strconv.Atoi(m[len(m)-1])
		return n
	}
	right := enetForger{
		version: versionOfENet.FindStringSubmatch(line)[1], peer: number(peerOfENet, line),
		session: number(sessionOfENet, line), summed: strings.Contains(line, `"checksum":`), id: make([]byte, 4),
	}
	switch b := s.packets[like].Payload; right.version {
	case "1.0", "photon":
		right.word = slices.Clone(b[8:12])
	case "1.2":
		right.word = slices.Clone(b[:4])
	}
	if s.before(at, func(_ int, g *genuine) bool {
		m := connectOfENet.FindStringSubmatch(g.line)
		if m != nil {
			right.id = unhex(m[1])
		}
		return m != nil
	}) < 0 && right.summed {
		return // nobody knows the number
	}
	wrong := map[string]func(f *enetForger){
		"wrong peer": func(f *enetForger) { f.peer ^= 21 },
		"no peer":    func(f *enetForger) { f.peer = 1<<12 - 1 },
	}
	switch {
	case right.word != nil:
		wrong["wrong connection"] = func(f *enetForger) { f.word = []byte{1, 2, 3, 4} }
	case right.summed:
		wrong["wrong checksum"] = func(f *enetForger) { f.id = []byte{1, 2, 3, 4} }
	default:
		wrong["wrong session"] = func(f *enetForger) { f.session ^= 1 }
	}
	last := 0
	if i := s.before(at, func(i int, g *genuine) bool {
		return g.fromClient == s.records[like].fromClient && strings.Contains(g.line, `{"send_reliable":`)
	}); i >= 0 {
		last = number(reliableOfENet, s.records[i].line)
	}
	right.commands("right", at, last, add)
	for _, kind := range slices.Sorted(maps.Keys(wrong)) {
		f := right
		wrong[kind](&f)
		f.commands(kind, at, last, add)
	}
}

// commands adds every command with a header.
func (f *enetForger) commands(kind string, at, last int, add func(kind string, payload []byte)) {
	short := f.version != "1.0" && f.version != "photon"
	wide := func(small ...uint32) (b []byte) { // fields of four bytes
		for _, v := range small {
			b = binary.BigEndian.AppendUint32(b, v)
		}
		return b
	}
	limits := wide(65536, 2, 0, 0, 5000, 2, 2)
	peer := append([]byte{0, 9}, 5, 120) // number, mtu
	connect, verify := append(slices.Clone(peer), limits...), append(slices.Clone(peer), limits...)
	switch f.version {
	case "1.2":
		connect = append(connect, 0xde, 0xad, 0xbe, 0xef)
	case "1.3":
		verify = slices.Concat([]byte{0, 9, 0, 0}, wide(1400), limits, []byte{0xde, 0xad, 0xbe, 0xef})
		connect = append(slices.Clone(verify), 0, 0, 0, 0)
	}
	ack, bandwidth, throttle := []byte{0, 1, 0, 7}, wide(1, 2), wide(5000, 2, 2)
	bandOp, throttleOp, unsequencedOp := byte(10), byte(11), byte(9)
	if !short {
		ack, bandOp, throttleOp, unsequencedOp = wide(1, 7), 9, 10, 11
	}
	data := wide(0)
	for _, n := range []int{0, 1, 2, last, last + 1, last + 50, 1<<16 - 1} {
		for _, c := range []struct {
			name string
			op   byte
			body []byte
		}{
			{"connect", 0x82, connect},
			{"verify", 0x83, verify},
			{"disconnect", 0x84, data},
			{"disconnect now", 0x44, data},
			{"ping", 0x85, nil},
			{"acknowledge", 1, ack},
			{"bandwidth limit", 0x80 | bandOp, bandwidth},
			{"throttle", 0x80 | throttleOp, throttle},
		} {
			if f.version == "photon" && c.op&15 > 8 {
				continue // it has other commands with these numbers
			}
			add(fmt.Sprintf("%s %d, %s", c.name, n, kind), f.packet(c.op, 255, n, c.body))
		}
	}
	names, bodies := forgedBodies(at)
	for i, n := range []int{0, 1, 2, last, last + 1, last + 50, 1<<16 - 1} {
		for b, body := range bodies {
			if kind == "right" && believable(names[b]) && (i > 2 || last < 3) {
				continue // everything is right: it is believed
			}
			what := fmt.Sprintf("%s, %s, %s", [...]string{"0", "1", "2", "last", "next", "+50", "65535"}[i], names[b], kind)
			size := binary.BigEndian.AppendUint16(nil, uint16(len(body)))
			if !short {
				size = nil
			}
			add("reliable "+what, f.packet(0x86, 0, n, append(size, body...)))
			if kind == "right" && believable(names[b]) {
				continue
			}
			unreliable := append([]byte{0, 1}, size...)
			if !short {
				unreliable = wide(1)
			}
			add("unreliable "+what, f.packet(7, 0, n, append(slices.Clone(unreliable), body...)))
			if f.version != "photon" {
				add("unsequenced "+what, f.packet(0x40|unsequencedOp, 0, n, append(slices.Clone(unreliable), body...)))
			}
			start := binary.BigEndian.AppendUint16(nil, uint16(n))
			start = append(start, size...)
			if !short {
				start = wide(uint32(n))
			}
			for _, count := range []uint32{1, 2} {
				fragment := append(slices.Clone(start), wide(count, 0, uint32(len(body))*count, 0)...)
				add(fmt.Sprintf("fragment of %d %s", count, what), f.packet(0x88, 0, n, append(fragment, body...)))
			}
		}
	}
}
