package wire

// A Photon is one end of a connection of Photon, by the vendor's description of its protocol and what others publish of
// its client: the constants NCommand.CT_*, CmdSize* and FV_*.
type Photon struct {
	Challenge uint32 // of the connection
	Time      uint32
	Checksum  bool // packets have one

	remote   uint16 // number that the server gave the client; a client sends it
	reserved byte   // in the head of commands
	numbers  map[[2]byte]uint32
}

// Flags of Photon's commands, and the channel of those that concern the peer.
const (
	PhotonReliable  = 1
	PhotonUnordered = 2
	PhotonPeer      = 0xff
)

// NewPhotonClient begins a connection as its client.
func NewPhotonClient(challenge uint32) *Photon {
	return &Photon{Challenge: challenge, Time: 1000, remote: 0xffff, reserved: 4, numbers: map[[2]byte]uint32{}}
}

// NewPhotonServer begins a connection as its server.
func NewPhotonServer(challenge uint32) *Photon {
	return &Photon{Challenge: challenge, Time: 500000, numbers: map[[2]byte]uint32{}}
}

// Accept takes the number that the server gave the client.
func (p *Photon) Accept(peer uint16) { p.remote = peer }

// Command makes a command. Reliable ones are numbered, those without order by themselves.
func (p *Photon) Command(op, channel, flags byte, numbers []uint32, data []byte) []byte {
	counter := [2]byte{channel, flags & PhotonUnordered}
	if flags&PhotonReliable != 0 {
		p.numbers[counter]++
	}
	b := append32([]byte{op, channel, flags, p.reserved}, uint32(12+4*len(numbers)+len(data)), p.numbers[counter])
	return append(append32(b, numbers...), data...)
}

// Connect is the request for a connection, Verify the answer with the client's number.
func (p *Photon) Connect() []byte { return p.hello(2, 0) }

// Verify accepts a connection.
func (p *Photon) Verify(peer uint16) []byte { return p.hello(3, peer) }

func (p *Photon) hello(op byte, peer uint16) []byte {
	return p.Command(op, PhotonPeer, PhotonReliable, []uint32{uint32(peer)<<16 | 1200, 32768, 2, 0, 0, 5000, 2, 2}, nil)
}

// Ack acknowledges a command of the other side that came at a time.
func (p *Photon) Ack(command []byte, time uint32) []byte {
	op := byte(1)
	if command[2]&PhotonUnordered != 0 {
		op = 16
	}
	return append32([]byte{op, command[1], 0, p.reserved}, 20, 0, network.Uint32(command[8:]), time)
}

// Fragments are the commands of a reliable message in parts of so many bytes.
func (p *Photon) Fragments(op, channel, flags byte, data []byte, size int) (commands [][]byte) {
	count := (len(data) + size - 1) / size
	start := p.numbers[[2]byte{channel, flags & PhotonUnordered}] + 1
	for i := range count {
		part := data[i*size : min((i+1)*size, len(data))]
		numbers := []uint32{start, uint32(count), uint32(i), uint32(len(data)), uint32(i * size)}
		commands = append(commands, p.Command(op, channel, flags, numbers, part))
	}
	return commands
}

// Packet puts commands into a packet with a header.
func (p *Photon) Packet(commands ...[]byte) []byte {
	const checksum = 204
	p.Time += 16
	b := append(network.AppendUint16(nil, p.remote), 0, byte(len(commands)))
	b = append32(b, p.Time, p.Challenge)
	at := len(b)
	if p.Checksum {
		b[2] = checksum
		b = append32(b, 0)
	}
	for _, c := range commands {
		b = append(b, c...)
	}
	if p.Checksum {
		network.PutUint32(b[at:], register(b))
	}
	return b
}

// register returns the register of CRC-32 after some bytes, not inverted as the CRC itself is.
func register(b []byte) uint32 {
	sum := ^uint32(0)
	for _, c := range b {
		sum ^= uint32(c)
		for range 8 {
			sum = sum>>1 ^ sum&1*0xedb88320
		}
	}
	return sum
}

// Encrypted is a packet whose commands are encrypted; their replacement need not be.
func (p *Photon) Encrypted(text []byte) []byte {
	return append(append32(append(network.AppendUint16(nil, p.remote), 1), p.Challenge), text...)
}
