package wire

import (
	"encoding/binary"
	"hash/crc32"
)

// An EPeer is one end of an ENet connection.
type EPeer struct {
	Old      bool   // the format of 1.1 and 1.2
	Checksum bool   // 1.3: packets have a CRC
	Remote   uint16 // number that the other side gave this peer; sent in every header
	Local    uint16 // number that this side gave the other
	ID       uint32 // of the connection
	Time     uint16

	own        uint16
	reliable   map[byte]uint16
	unreliable map[byte]uint16
}

// NewEPeer begins a connection.
func NewEPeer(old, checksum bool, id uint32, local, remote uint16) *EPeer {
	return &EPeer{
		Old: old, Checksum: checksum, ID: id, Local: local, Remote: remote, Time: 0x1234,
		reliable: map[byte]uint16{}, unreliable: map[byte]uint16{},
	}
}

var network = binary.BigEndian

// command begins a command that wants an acknowledgement.
func (p *EPeer) command(op, channel byte) []byte {
	if channel == 0xff {
		p.own++
		return network.AppendUint16([]byte{op | 0x80, channel}, p.own)
	}
	p.reliable[channel]++
	p.unreliable[channel] = 0
	return network.AppendUint16([]byte{op | 0x80, channel}, p.reliable[channel])
}

func append32(b []byte, numbers ...uint32) []byte {
	for _, n := range numbers {
		b = network.AppendUint32(b, n)
	}
	return b
}

// Connect is the request, alone in its packet; Verify the answer to it.
func (p *EPeer) Connect() []byte {
	b := p.peers(p.command(2, 0xff))
	if p.Old {
		return p.packet(false, append32(b, p.ID))
	}
	return p.packet(false, append32(b, p.ID, 0))
}

// Verify accepts a connection.
func (p *EPeer) Verify() []byte {
	b := p.peers(p.command(3, 0xff))
	if !p.Old {
		b = append32(b, p.ID)
	}
	return b
}

// peers appends what both commands of the handshake have.
func (p *EPeer) peers(b []byte) []byte {
	b = network.AppendUint16(b, p.Local)
	if p.Old {
		b = network.AppendUint16(b, 1392)
	} else {
		b = append32(append(b, 0xff, 0xff), 1392)
	}
	return append32(b, 32768, 2, 0, 0, 5000, 2, 2)
}

// Reliable is a command with a reliable message.
func (p *EPeer) Reliable(channel byte, data []byte) []byte {
	return append(network.AppendUint16(p.command(6, channel), uint16(len(data))), data...)
}

// Unreliable is a command with an unreliable message.
func (p *EPeer) Unreliable(channel byte, data []byte) []byte {
	p.unreliable[channel]++
	b := network.AppendUint16([]byte{7, channel}, p.reliable[channel])
	b = network.AppendUint16(b, p.unreliable[channel])
	return append(network.AppendUint16(b, uint16(len(data))), data...)
}

// Fragments are the commands of a reliable message in parts of so many bytes.
func (p *EPeer) Fragments(channel byte, data []byte, size int) [][]byte {
	var commands [][]byte
	count := (len(data) + size - 1) / size
	start := p.reliable[channel] + 1
	for i := range count {
		part := data[i*size : min((i+1)*size, len(data))]
		b := network.AppendUint16(p.command(8, channel), start)
		b = network.AppendUint16(b, uint16(len(part)))
		b = append32(b, uint32(count), uint32(i), uint32(len(data)), uint32(i*size))
		commands = append(commands, append(b, part...))
	}
	return commands
}

// Ack acknowledges a command of the other side that came at a time.
func (p *EPeer) Ack(command []byte, time uint32) []byte {
	b := append([]byte{1, command[1]}, command[2:4]...)
	return network.AppendUint16(append(b, command[2:4]...), uint16(time))
}

// Now is the time of the newest packet.
func (p *EPeer) Now() uint32 { return uint32(p.Time) }

// Ping asks for an acknowledgement.
func (p *EPeer) Ping() []byte { return p.command(5, 0xff) }

// Bandwidth reports the sender's limits.
func (p *EPeer) Bandwidth() []byte { return append32(p.command(10, 0xff), 20000, 10000) }

// Throttle instructs the receiver to throttle.
func (p *EPeer) Throttle() []byte { return append32(p.command(11, 0xff), 1000, 3, 4) }

// Disconnect ends the connection.
func (p *EPeer) Disconnect() []byte { return append32(p.command(4, 0xff), 0) }

// Packet puts commands into a packet with a header.
func (p *EPeer) Packet(commands ...[]byte) []byte {
	var all []byte
	for _, c := range commands {
		all = append(all, c...)
	}
	return p.packet(true, all)
}

// packet makes the header; known: the receiver has given this peer a number.
func (p *EPeer) packet(known bool, commands []byte) []byte {
	p.Time += 16
	var b []byte
	if p.Old {
		b = append32(b, p.ID)
	}
	peer := p.Remote
	switch {
	case known:
	case p.Old:
		peer = 0x7fff
	default:
		peer = 0xfff
	}
	b = network.AppendUint16(b, peer|0x8000)
	b = network.AppendUint16(b, p.Time)
	slot := len(b)
	if p.Checksum {
		id := p.ID
		if !known {
			id = 0
		}
		b = append32(b, id)
	}
	b = append(b, commands...)
	if p.Checksum {
		network.PutUint32(b[slot:], crc32.ChecksumIEEE(b))
	}
	return b
}
