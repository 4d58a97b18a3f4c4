package enet

import (
	"encoding/binary"
	"slices"
)

// photon writes one of the commands that only Photon has, or its own number of another.
func (w *sessionWriter) photon(fromClient bool, channel byte, data []byte) []written {
	s := w.side(fromClient)
	switch w.IntN(5) {
	case 0:
		return []written{w.reliable(fromClient, 12, 0xff, "server_time", nil, nil)}
	case 1:
		s.unordered[channel]++
		return []written{s.ask(written{
			"send_reliable_unsequenced",
			w.form(14, 3, channel, s.unordered[channel], nil, data), nil,
		})}
	case 2:
		s.group++
		return []written{{"send_unsequenced", w.form(11, 2, channel, s.reliable[channel], w.wide(nil, s.group), data), nil}}
	case 3:
		numbers := [...]byte{13, 17, 18, 19, 200}
		return []written{{"other", w.form(numbers[w.IntN(len(numbers))], byte(w.Uint32()), channel,
			w.Uint32(), nil, data), nil}}
	}
	var list []written
	start, half := s.unordered[channel]+1, len(data)/2
	for i, part := range [][]byte{data[:half], data[half:]} {
		s.unordered[channel]++
		b := binary.BigEndian.AppendUint32(nil, start)
		for _, n := range []int{2, i, len(data), i * half} {
			b = binary.BigEndian.AppendUint32(b, uint32(n))
		}
		list = append(list, s.ask(written{
			"send_fragment_unsequenced",
			w.form(15, 3, channel, s.unordered[channel], b, part), nil,
		}))
	}
	return list
}

// photonPacket makes a packet of Photon from its commands.
func (w *sessionWriter) photonPacket(peer uint16, body []byte, commands int, first bool) (b []byte, encrypted bool) {
	b = binary.BigEndian.AppendUint16(nil, peer)
	if w.applications && !first && w.one(3) {
		return append(append(append(b, 1), w.id[:]...), body...), true
	}
	b = append(b, 204*boolByte(w.checksum), byte(commands))
	b = append(binary.BigEndian.AppendUint32(b, w.time), w.id[:]...)
	if !w.checksum {
		return append(b, body...), false
	}
	sum := uint32(1<<32 - 1) // the register of CRC-32, bit by bit
	for _, c := range slices.Concat(b, make([]byte, 4), body) {
		sum ^= uint32(c)
		for range 8 {
			sum = sum>>1 ^ sum&1*0xedb88320
		}
	}
	return append(binary.BigEndian.AppendUint32(b, sum), body...), false
}
