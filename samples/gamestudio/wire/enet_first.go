package wire

// An EFirst is one end of a connection of ENet 1.0, the format until 2006. It has EPeer's methods.
type EFirst struct {
	Remote    uint16 // number that the other side gave this peer; sent in every header
	Local     uint16 // number that this side gave the other
	Challenge uint32 // of the connection
	Time      uint32

	own        uint32
	reliable   map[byte]uint32
	unreliable map[byte]uint32
	groups     uint32
}

// NewEFirst begins a connection.
func NewEFirst(challenge uint32, local, remote uint16) *EFirst {
	return &EFirst{
		Local: local, Remote: remote, Challenge: challenge, Time: 0x12345600,
		reliable: map[byte]uint32{}, unreliable: map[byte]uint32{},
	}
}

// Bits of the flags of a command.
const (
	firstAcknowledge = 1
	firstUnsequenced = 2
)

// firstCommand makes a command: its head of twelve bytes, which has the length of all of it, its numbers, and data.
func firstCommand(op, channel, flags byte, sequence uint32, body, data []byte) []byte {
	b := append32([]byte{op, channel, flags, 0}, uint32(12+len(body)+len(data)), sequence)
	return append(append(b, body...), data...)
}

// next is the sequence number of the next command that wants an acknowledgement.
func (p *EFirst) next(channel byte) uint32 {
	if channel == 0xff {
		p.own++
		return p.own
	}
	p.reliable[channel]++
	p.unreliable[channel] = 0
	return p.reliable[channel]
}

// peer makes a command that concerns the peer.
func (p *EFirst) peer(op byte, body []byte) []byte {
	return firstCommand(op, 0xff, firstAcknowledge, p.next(0xff), body, nil)
}

// hello is the body of both commands of the handshake.
func (p *EFirst) hello() []byte {
	return append32(network.AppendUint16(network.AppendUint16(nil, p.Local), 1392), 32768, 2, 0, 0, 5000, 2, 2)
}

// Connect is the request, alone in its packet; Verify the answer to it.
func (p *EFirst) Connect() []byte { return p.packet(0xffff, p.peer(2, p.hello())) }

// Verify accepts a connection.
func (p *EFirst) Verify() []byte { return p.peer(3, p.hello()) }

// Disconnect ends the connection.
func (p *EFirst) Disconnect() []byte { return p.peer(4, append32(nil, 0)) }

// Ping asks for an acknowledgement.
func (p *EFirst) Ping() []byte { return p.peer(5, nil) }

// Bandwidth reports the sender's limits.
func (p *EFirst) Bandwidth() []byte { return p.peer(9, append32(nil, 20000, 10000)) }

// Throttle instructs the receiver to throttle.
func (p *EFirst) Throttle() []byte { return p.peer(10, append32(nil, 1000, 3, 4)) }

// Ack acknowledges a command of the other side that came at a time.
func (p *EFirst) Ack(command []byte, time uint32) []byte {
	return firstCommand(1, command[1], 0, 0, append32(nil, network.Uint32(command[8:]), time), nil)
}

// Reliable is a command with a reliable message.
func (p *EFirst) Reliable(channel byte, data []byte) []byte {
	return firstCommand(6, channel, firstAcknowledge, p.next(channel), nil, data)
}

// Unreliable is a command with an unreliable message.
func (p *EFirst) Unreliable(channel byte, data []byte) []byte {
	p.unreliable[channel]++
	return firstCommand(7, channel, 0, p.reliable[channel], append32(nil, p.unreliable[channel]), data)
}

// Unsequenced is a command with an unreliable message without order.
func (p *EFirst) Unsequenced(channel byte, data []byte) []byte {
	p.groups++
	return firstCommand(11, channel, firstUnsequenced, 0, append32(nil, p.groups), data)
}

// Fragments are the commands of a reliable message in parts of so many bytes.
func (p *EFirst) Fragments(channel byte, data []byte, size int) [][]byte {
	var commands [][]byte
	count := (len(data) + size - 1) / size
	start := p.reliable[channel] + 1
	for i := range count {
		part := data[i*size : min((i+1)*size, len(data))]
		body := append32(nil, start, uint32(count), uint32(i), uint32(len(data)), uint32(i*size))
		commands = append(commands, firstCommand(8, channel, firstAcknowledge, p.next(channel), body, part))
	}
	return commands
}

// Packet puts commands into a packet with a header.
func (p *EFirst) Packet(commands ...[]byte) []byte { return p.packet(p.Remote, commands...) }

// Now is the time of the newest packet.
func (p *EFirst) Now() uint32 { return p.Time }

func (p *EFirst) packet(peer uint16, commands ...[]byte) []byte {
	p.Time += 16
	b := append(network.AppendUint16(nil, peer), 0, byte(len(commands)))
	b = append32(b, p.Time, p.Challenge)
	for _, c := range commands {
		b = append(b, c...)
	}
	return b
}
