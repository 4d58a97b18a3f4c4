package main

import (
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"time"
)

// Kinds of floods.
const (
	floodConnect   = "connect"   // Quake III: getchallenge, challengeResponse, connect, connectResponse
	floodChallenge = "challenge" // the first two of them
	floodQuery     = "query"     // getstatus and its answer
	floodToken     = "token"     // Teeworlds 0.7: a token, asked for and given
	floodENet      = "enet"      // ENet 1.3: a request for a connection
	floodDPlay     = "directplay8"
	floodNetchan   = "netchan" // lone datagrams that could be of a session, and are not
	floodFragment  = "fragment"
	floodIP        = "ipfragment"
)

// floodKinds describes each kind.
var floodKinds = []struct{ name, about string }{
	{floodConnect, "a whole handshake of Quake III"},
	{floodChallenge, "a challenge, asked for and given"},
	{floodQuery, "getstatus and its answer"},
	{floodToken, "a token of Teeworlds 0.7, asked for and given"},
	{floodENet, "a request for a connection of ENet 1.3"},
	{floodDPlay, "a request for a connection of DirectPlay 8"},
	{floodNetchan, "a lone datagram that could be of a session, and is not"},
	{floodFragment, "sessions of 1,000 fragments, each of another message"},
	{floodIP, "first IP fragments of datagrams whose rest never comes"},
}

// flood writes handshakes and the like, each between endpoints of its own.
func flood(args []string) error {
	f := flag.NewFlagSet("flood", flag.ContinueOnError)
	kinds := make([]string, len(floodKinds))
	for i, k := range floodKinds {
		kinds[i] = k.name + ": " + k.about
	}
	kind := f.String("kind", floodConnect, strings.Join(kinds, "; "))
	count := f.Int("n", 100_000, "pairs of endpoints; of fragments, how many")
	rounds := f.Int("rounds", 1, "how often every pair does it")
	usec := f.Int64("usec", 100, "microseconds between packets")
	out := f.String("o", "", "capture to write")
	if err := f.Parse(args); err != nil {
		return err
	}
	file, err := os.Create(*out)
	if err != nil {
		return err
	}
	w := newFloodWriter(file, *usec)
	for range *rounds {
		for i := range *count {
			switch *kind {
			case floodIP:
				w.fragment(uint32(i))
				continue
			case floodFragment:
				w.messageFragment(uint32(i))
				continue
			}
			for _, d := range floodPair(*kind, uint32(i), w.random) {
				w.datagram(uint32(i), d.fromServer, d.payload)
			}
		}
	}
	if err := w.close(); err != nil {
		return err
	}
	return file.Close()
}

type floodDatagram struct {
	fromServer bool
	payload    []byte
}

func floodPair(kind string, i uint32, r *rand.Rand) []floodDatagram {
	oob := func(s string) []byte { return append([]byte{0xff, 0xff, 0xff, 0xff}, s...) }
	challenge := int32(i*2654435761) | 1
	switch kind {
	case floodConnect, floodChallenge:
		list := []floodDatagram{{false, oob("getchallenge")}, {true, oob(fmt.Sprintf("challengeResponse %d", challenge))}}
		if kind == floodConnect {
			list = append(list,
				floodDatagram{false, oob(fmt.Sprintf("connect \"\\challenge\\%d\\qport\\%d\\protocol\\68\\name\\flood\"",
					challenge, i&0xffff))},
				floodDatagram{true, oob("connectResponse")})
		}
		return list
	case floodQuery:
		return []floodDatagram{
			{false, oob("getstatus xxx")},
			{true, oob("statusResponse\n\\mapname\\q3dm17\\protocol\\68\n")},
		}
	case floodToken:
		ask := make([]byte, 520)
		copy(ask, []byte{4, 0, 0, 0xff, 0xff, 0xff, 0xff, 5})
		binary.BigEndian.PutUint32(ask[8:], i)
		return []floodDatagram{{false, ask}, {true, append(binary.BigEndian.AppendUint32([]byte{4, 0, 0}, i), 5, 9, 9, 9, 9)}}
	case floodENet:
		b := []byte{
			0x8f, 0xff, byte(i >> 8), byte(i), 0x82, 0xff, 0, 1, 0, byte(i), 0xff, 0xff, 0, 0, 0x05,
			0x78, 0, 1, 0, 0, 0, 0, 0, 2,
		}
		b = append(b, make([]byte, 20)...)
		return []floodDatagram{{false, append(binary.BigEndian.AppendUint32(b, i), 0, 0, 0, 0)}}
	case floodDPlay:
		b := []byte{0x88, 1, 0, 0, 6, 0, 1, 0}
		b = binary.LittleEndian.AppendUint32(b, i)
		return []floodDatagram{{false, binary.LittleEndian.AppendUint32(b, 7)}}
	}
	b := binary.LittleEndian.AppendUint32(nil, 1+i&0xffff)
	b = append(b, byte(i), byte(i>>8))
	for range 30 {
		b = append(b, byte(r.Uint32()))
	}
	return []floodDatagram{{false, b}}
}

// fragmentsEach is how many fragments a session has in a flood of them.
const fragmentsEach = 1000

// messageFragment writes the first fragment of a message that has no other, after the handshake of its session.
func (w *floodWriter) messageFragment(i uint32) {
	pair, n := i/fragmentsEach, i%fragmentsEach
	if n == 0 {
		for _, d := range floodPair(floodConnect, pair, w.random) {
			w.datagram(pair, d.fromServer, d.payload)
		}
	}
	b := binary.LittleEndian.AppendUint32(nil, 1<<31|(n+1))
	b = binary.LittleEndian.AppendUint16(b, 0)
	b = binary.LittleEndian.AppendUint16(b, 1300)
	w.datagram(pair, true, append(b, make([]byte, 1300)...))
}

// fragment writes the first half of an IP packet.
func (w *floodWriter) fragment(i uint32) {
	const moreFragments = 0x20
	w.packet(i, false, uint16(i), moreFragments, make([]byte, 1020)) // with the UDP header a multiple of 8
}

// A floodWriter writes a pcap file of IPv4 packets.
type floodWriter struct {
	sink   *sink
	random *rand.Rand
	server uint16 // port of the server
	at     time.Duration
	step   time.Duration
	err    error
}

func newFloodWriter(file *os.File, usec int64) *floodWriter {
	in := &source{order: binary.LittleEndian, tick: time.Microsecond}
	for at, v := range map[int]uint32{0: 0xa1b2c3d4, 4: 2 | 4<<16, 16: 65535, 20: uint32(linkRaw)} {
		in.order.PutUint32(in.header[at:], v)
	}
	w := &floodWriter{
		server: 27960, random: rand.New(rand.NewPCG(1, 2)), at: 1_700_000_000 * time.Second,
		step: time.Duration(usec) * time.Microsecond,
	}
	w.sink, w.err = newSink(file, in)
	return w
}

// datagram writes the next datagram of a pair: the number of the pair makes the client's address and port.
func (w *floodWriter) datagram(pair uint32, fromServer bool, payload []byte) {
	w.packet(pair, fromServer, 0, 0, payload)
}

// packet writes an IP packet with the beginning of a UDP datagram, or all of it.
func (w *floodWriter) packet(pair uint32, fromServer bool, id uint16, flags byte, payload []byte) {
	if w.err != nil {
		return
	}
	b := make([]byte, 28, 28+len(payload))
	b[0], b[6], b[8], b[9] = 0x45, flags, 64, 17
	binary.BigEndian.PutUint16(b[2:], uint16(28+len(payload)))
	binary.BigEndian.PutUint16(b[4:], id)
	client := [4]byte{10, byte(pair >> 16), byte(pair >> 8), byte(pair)}
	server, port := [4]byte{192, 0, 2, 1}, uint16(1024+pair>>24)
	src, dst, from, to := client, server, port, w.server
	if fromServer {
		src, dst, from, to = dst, src, to, from
	}
	copy(b[12:], src[:])
	copy(b[16:], dst[:])
	binary.BigEndian.PutUint16(b[20:], from)
	binary.BigEndian.PutUint16(b[22:], to)
	binary.BigEndian.PutUint16(b[24:], uint16(8+len(payload)))
	b = append(b, payload...)
	w.err = w.sink.write(packet{at: w.at, wire: uint32(len(b)), data: b})
	w.at += w.step
}

func (w *floodWriter) close() error {
	if w.err != nil {
		return w.err
	}
	return w.sink.end()
}
