package forged_test

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	sequenceOfDirectPlay = regexp.MustCompile(`"data":{[^}]*?"sequence":(\d+),"next_expected":(\d+)`)
	connectOfDirectPlay  = regexp.MustCompile(`"session_id":(\d+)`)
)

// directPlayWords are the frames of DirectPlay 8.
func (s *session) directPlayWords(at, like int, add func(kind string, payload []byte)) {
	fromClient := s.records[like].fromClient
	last, next, session, signed := -1, 0, uint32(0), false
	for i := range at {
		g := s.records[i]
		if g == nil || !strings.Contains(g.line, `"directplay8":{`) {
			continue
		}
		if m := connectOfDirectPlay.FindStringSubmatch(g.line); m != nil && strings.Contains(g.line, `"connect`) {
			n, _ := strconv.ParseUint(m[1], 10, 32)
			session = uint32(n)
		}
		signed = signed || strings.Contains(g.line, `"connected_signed"`)
		if m := sequenceOfDirectPlay.FindStringSubmatch(g.line); m != nil && g.fromClient == fromClient {
			last, _ = strconv.Atoi(m[1])
			next, _ = strconv.Atoi(m[2])
		}
	}
	handshake := func(command, op byte, session uint32, tail ...byte) []byte {
		b := []byte{command, op, 9, 0, 6, 0, 1, 0}
		b = binary.LittleEndian.AppendUint32(b, session)
		return append(append(b, 1, 2, 3, 4), tail...)
	}
	for _, id := range []struct {
		name   string
		number uint32
	}{{"wrong session", 0xefbeadde}, {"right session", session}} {
		for _, command := range []byte{0x88, 0x80} {
			for op, kind := range []string{1: "connect", 2: "connected", 4: "hard disconnect", 5: "unknown"} {
				if kind == "" {
					continue
				}
				op := byte(op)
				add(fmt.Sprintf("%s %x, %s", kind, command, id.name), handshake(command, op, id.number))
				add(fmt.Sprintf("%s %x signed, %s", kind, command, id.name),
					handshake(command, op, id.number, noise(8, uint64(at))...))
			}
			add(fmt.Sprintf("connected signed %x, %s", command, id.name),
				handshake(command, 3, id.number, noise(32, uint64(at))...))
		}
		keep := binary.LittleEndian.AppendUint32([]byte{0x3f, 2, byte(last + 1), byte(next)}, id.number)
		if id.number != session {
			add("keep-alive, "+id.name, keep)
		}
	}
	add("query", append([]byte{0, 2, 1, 2, 1}, noise(16, 3)...))
	add("query of any", []byte{0, 2, 1, 2, 2})
	response := make([]byte, 92)
	copy(response, []byte{0, 3, 1, 2})
	response[12] = 0x50
	add("response", response)
	for _, n := range []int{0, 1, 2, last, last + 1, last + 50, 255} {
		sack := []byte{0x80, 6, 1, 0, byte(n), byte(n), 0, 0, 1, 2, 3, 4}
		add(fmt.Sprintf("sack %d", n), sack)
		sack = append(slices.Clone(sack), noise(16, 5)...)
		sack[2] = 0x1f
		add(fmt.Sprintf("sack with masks %d", n), sack)
	}
	names, bodies := forgedBodies(at)
	const terminate, naming = "terminate session", "connect info"
	names = append(names, terminate, naming)
	info := binary.LittleEndian.AppendUint32(nil, 0xc1)
	info = append(info, make([]byte, 84)...)
	binary.LittleEndian.PutUint32(info[4:], 2)
	info[8] = 7
	binary.LittleEndian.PutUint32(info[12:], 92)
	binary.LittleEndian.PutUint32(info[16:], 8)
	info = append(append(info, make([]byte, 8)...), "F\x00o\x00r\x00\x00\x00"...)
	bodies = append(bodies, binary.LittleEndian.AppendUint32(nil, 0xdf), info)
	for i, n := range []int{0, 1, 2, last, last + 1, last + 50, 255} {
		number := [...]string{"0", "1", "2", "last", "next", "+50", "255"}[i]
		right := i == 4 && !signed || last < 0
		if !right {
			add("end of the stream "+number, []byte{0x37, 8, byte(n), byte(next)})
		}
		for b, body := range bodies {
			if !signed && (last < 0 || i == 3 || i == 4) {
				break // it is the next one, or the other side has not acknowledged the one that it repeats
			}
			core := byte(0)
			if names[b] == terminate || names[b] == naming {
				core = 0x40
			}
			if (right || !signed && i == 5) && (core != 0 || believable(names[b])) {
				continue // everything is right: it is believed
			}
			for _, kind := range []struct {
				name             string
				command, control byte
			}{
				{"whole", 0x37, 0},
				{"again", 0x37, 1},
				{"unreliable", 0x31, 0},
				{"first", 0x17, 0},
				{"middle", 0x07, 0},
				{"last", 0x27, 0},
				{"coalesced", 0x37, 4},
			} {
				if kind.name == "unreliable" && (core != 0 || believable(names[b])) && !signed {
					continue
				}
				frame := []byte{kind.command | core, kind.control, byte(n), byte(next)}
				add(fmt.Sprintf("%s frame %s, %s", kind.name, number, names[b]), append(frame, body...))
			}
		}
		masks := []byte{0x37, 0xc0, byte(n), byte(next), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}
		if !right {
			add("lost frames "+number, append(masks, noise(20, 3)...))
		}
	}
}

// directPlay4Words are messages of DirectPlay 4.
func (s *session) directPlay4Words(at, like int, add func(kind string, payload []byte)) {
	genuine := s.packets[like].Payload
	names, bodies := forgedBodies(at)
	for _, ids := range []struct {
		name string
		at   int // of the byte that is changed
	}{{"right players", -1}, {"wrong sender", 20}, {"wrong receiver", 24}} {
		for b, body := range bodies {
			if ids.at < 0 && believable(names[b]) || len(genuine) < 28 {
				continue // everything is right: it is believed
			}
			m := append(slices.Clone(genuine[:28]), body...)
			if ids.at >= 0 {
				m[ids.at] ^= 0x55
			}
			binary.LittleEndian.PutUint32(m, binary.LittleEndian.Uint32(m)&^(1<<20-1)|uint32(len(m)))
			add(fmt.Sprintf("%s, %s", names[b], ids.name), m)
		}
	}
	for command := range 0x30 {
		m := append(slices.Clone(genuine[:20]), "play"...)
		m = append(m, byte(command), 0, 14, 0)
		m = append(m, noise(20, uint64(command))...)
		binary.LittleEndian.PutUint32(m, binary.LittleEndian.Uint32(m)&^(1<<20-1)|uint32(len(m)))
		add(fmt.Sprintf("system message %x", command), m)
	}
}
