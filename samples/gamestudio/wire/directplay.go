package wire

import "encoding/binary"

// A Peer8 is one end of a DirectPlay 8 connection: it numbers its frames, from 0.
type Peer8 struct {
	Session  uint32
	Minor    uint16 // of the version
	Listener bool
	sequence byte
	expected byte // number of the other side's next frame
	tick     uint32
	message  byte
}

// Frame bits, MC-DPL8R 2.2.2.
const (
	frameData     = 0x01
	frameReliable = 0x02
	frameOrdered  = 0x04
	framePoll     = 0x08
	frameFirst    = 0x10
	frameLast     = 0x20
	frameUser1    = 0x40
)

// Took notes that a frame of the other side arrived.
func (p *Peer8) Took() { p.expected++ }

func (p *Peer8) handshake(command, op, response byte) []byte {
	p.tick += 15
	b := []byte{command, op, p.message, response}
	p.message++
	b = binary.LittleEndian.AppendUint32(b, 1<<16|uint32(p.Minor))
	b = binary.LittleEndian.AppendUint32(b, p.Session)
	return binary.LittleEndian.AppendUint32(b, 0x00100000+p.tick)
}

// Connect is the request of the connector.
func (p *Peer8) Connect() []byte { return p.handshake(0x88, 1, 0) }

// Connected is the answer of the listener, or the connector's answer to that.
func (p *Peer8) Connected() []byte {
	if p.Listener {
		return p.handshake(0x88, 2, 0)
	}
	return p.handshake(0x80, 2, 1)
}

// Sack acknowledges what arrived.
func (p *Peer8) Sack() []byte {
	p.tick += 15
	b := []byte{0x80, 6, 1, 0, p.sequence, p.expected, 0, 0}
	return binary.LittleEndian.AppendUint32(b, 0x00100000+p.tick)
}

// KeepAlive is a frame without payload.
func (p *Peer8) KeepAlive() []byte {
	b := p.frame(frameData|frameReliable|frameOrdered|framePoll|frameFirst|frameLast, 0x02)
	return binary.LittleEndian.AppendUint32(b, p.Session)
}

// End is the last frame of a side: it ends the connection once it is acknowledged.
func (p *Peer8) End() []byte {
	return p.frame(kind(true)|framePoll|frameFirst|frameLast, 0x08)
}

// frame begins a data frame.
func (p *Peer8) frame(command, control byte) []byte {
	b := []byte{command, control, p.sequence, p.expected}
	p.sequence++
	return b
}

func kind(reliable bool) byte {
	if reliable {
		return frameData | frameReliable | frameOrdered
	}
	return frameData | frameOrdered
}

// Data is a frame with one message.
func (p *Peer8) Data(reliable bool, payload []byte) []byte {
	return append(p.frame(kind(reliable)|frameFirst|frameLast, 0), payload...)
}

// Core is a frame with a message of DirectPlay itself.
func (p *Peer8) Core(typ uint32, body []byte) []byte {
	b := p.frame(kind(true)|frameUser1|frameFirst|frameLast, 0)
	return append(binary.LittleEndian.AppendUint32(b, typ), body...)
}

// Split are the frames of one message in parts of so many bytes.
func (p *Peer8) Split(payload []byte, size int) [][]byte {
	var frames [][]byte
	for at := 0; at < len(payload); at += size {
		command := kind(true)
		if at == 0 {
			command |= frameFirst
		}
		if at+size >= len(payload) {
			command |= frameLast
		}
		frames = append(frames, append(p.frame(command, 0), payload[at:min(at+size, len(payload))]...))
	}
	return frames
}

// Coalesce is a frame with several messages, each reliable.
func (p *Peer8) Coalesce(parts ...[]byte) []byte { return p.coalesce(0, parts) }

// CoalesceCore is a frame with several messages of DirectPlay itself, types included.
func (p *Peer8) CoalesceCore(parts ...[]byte) []byte { return p.coalesce(frameUser1, parts) }

func (p *Peer8) coalesce(user byte, parts [][]byte) []byte {
	b := p.frame(kind(true)|frameFirst|frameLast, 0x04)
	for i, part := range parts {
		flags := user | 0x02 | 0x04 // reliable, sequential
		flags |= byte(len(part)>>8) << 3
		if i == len(parts)-1 {
			flags |= 0x01
		}
		b = append(b, byte(len(part)), flags)
	}
	if len(parts)%2 == 1 {
		b = append(b, 0, 0)
	}
	for i, part := range parts {
		b = append(b, part...)
		for n := len(part); i < len(parts)-1 && n%4 != 0; n++ {
			b = append(b, 0)
		}
	}
	return b
}

// Again makes a frame its own retransmission.
func Again(frame []byte) []byte {
	b := append([]byte(nil), frame...)
	b[1] |= 0x01
	return b
}

// Wrap4 puts a packet into a DirectPlay 4 player message.
func Wrap4(payload []byte, from, to uint32) []byte {
	size := uint32(20 + 8 + len(payload))
	b := binary.LittleEndian.AppendUint32(nil, size|0xfab<<20)
	b = append(b, 2, 0, 0x08, 0xfc) // AF_INET, port 2300 in network order
	b = append(b, make([]byte, 12)...)
	b = binary.LittleEndian.AppendUint32(b, from)
	b = binary.LittleEndian.AppendUint32(b, to)
	return append(b, payload...)
}

// System4 is a DirectPlay 4 system message.
func System4(command uint16, body []byte) []byte {
	b := Wrap4(nil, 0, 0)[:20]
	b = append(b, "play"...)
	b = binary.LittleEndian.AppendUint16(b, command)
	b = append(binary.LittleEndian.AppendUint16(b, 14), body...)
	binary.LittleEndian.PutUint32(b, uint32(len(b))|0xfab<<20)
	return b
}

// Query is a discovery query for one application, or for any with a nil guid.
func Query(tag uint16, guid []byte) []byte {
	b := binary.LittleEndian.AppendUint16([]byte{0, 2}, tag)
	if guid == nil {
		return append(b, 2)
	}
	return append(append(b, 1), guid...)
}

// Response is a discovery response with a session's name.
func Response(tag uint16, name string, instance, application []byte) []byte {
	var text []byte
	for _, r := range name + "\x00" {
		text = binary.LittleEndian.AppendUint16(text, uint16(r))
	}
	b := binary.LittleEndian.AppendUint16([]byte{0, 3}, tag)
	nameOffset := uint32(92 - 4)
	for _, n := range []uint32{0, 0, 0x50, 1, 8, 1, nameOffset, uint32(len(text)), 0, 0, 0, 0, 0, 0} {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return append(append(append(b, instance...), application...), text...)
}
