package main

import (
	"errors"
	"math/rand/v2"
	"net"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
)

// Strangers are packets of other protocols, as the rest of a network's traffic: what a filter-less capture
// of a game server's link is mostly made of.
type strangers struct {
	packets []packet
	next    int
}

const (
	strangerPackets = 4096
	strangerFlows   = 64
)

// strangers makes the packets, if any are wanted. They have the link header of the first IPv4 packet.
func (r *repeat) strangers() (*strangers, error) {
	s := new(strangers)
	if r.foreign <= 0 {
		return s, nil
	}
	var link []byte
	for i := range r.packets {
		if p := &r.packets[i]; p.isIP && p.location.size == 4 {
			link = p.data[:p.ip]
			break
		}
	}
	if link == nil {
		return nil, errors.New("-foreign wants an IPv4 packet in the input, to take its link header")
	}
	random := rand.New(rand.NewPCG(3, 1999))
	for range strangerPackets {
		ip, err := stranger(random)
		if err != nil {
			return nil, err
		}
		data := append(append([]byte(nil), link...), ip...)
		s.packets = append(s.packets, packet{wire: uint32(len(data)), data: data})
	}
	return s, nil
}

// write writes the next n packets with a time.
func (s *strangers) write(out *sink, at time.Duration, n int) error {
	for range n {
		p := s.packets[s.next]
		p.at = at
		if err := out.write(p); err != nil {
			return err
		}
		s.next = (s.next + 1) % len(s.packets)
	}
	return nil
}

// stranger makes an IPv4 packet of one of the flows: TCP, QUIC, DNS, RTP or STUN. Its payload is random after the
// first bytes, by which the protocols are recognised.
func stranger(random *rand.Rand) ([]byte, error) {
	flow := random.IntN(strangerFlows)
	ip := &layers.IPv4{
		Version: 4, TTL: 60, Id: uint16(random.Uint32()),
		SrcIP: net.IPv4(192, 0, 2, byte(flow)), DstIP: net.IPv4(198, 51, 100, byte(flow/4)), // RFC 5737
	}
	clientPort := 40000 + uint16(flow)
	kinds := [...]struct {
		port     uint16
		begin    string
		min, max int // of the payload in bytes
	}{
		{443, "", 0, 1448},                                 // TCP
		{443, "\x40", 40, 1350},                            // QUIC, RFC 9000, section 17.3
		{53, "\x12\x34\x01\x00\x00\x01", 30, 120},          // DNS, RFC 1035, section 4.1.1
		{5004, "\x80\x60", 172, 172},                       // RTP, RFC 3550, section 5.1
		{3478, "\x00\x01\x00\x08\x21\x12\xa4\x42", 28, 28}, // STUN, RFC 8489, section 5
	}
	kind := flow % len(kinds)
	k := kinds[kind]
	payload := make([]byte, k.min+random.IntN(k.max-k.min+1))
	for i := range payload {
		payload[i] = byte(random.Uint32())
	}
	copy(payload, k.begin)
	var transport gopacket.SerializableLayer
	if kind == 0 {
		ip.Protocol = layers.IPProtocolTCP
		t := &layers.TCP{
			SrcPort: layers.TCPPort(k.port), DstPort: layers.TCPPort(clientPort), Seq: random.Uint32(), Ack: random.Uint32(),
			ACK: true, Window: 512,
		}
		transport = t
		if err := t.SetNetworkLayerForChecksum(ip); err != nil {
			return nil, err
		}
	} else {
		ip.Protocol = layers.IPProtocolUDP
		u := &layers.UDP{SrcPort: layers.UDPPort(k.port), DstPort: layers.UDPPort(clientPort)}
		transport = u
		if err := u.SetNetworkLayerForChecksum(ip); err != nil {
			return nil, err
		}
	}
	b := gopacket.NewSerializeBuffer()
	err := gopacket.SerializeLayers(b, gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true}, ip, transport,
		gopacket.Payload(payload))
	return b.Bytes(), err
}
