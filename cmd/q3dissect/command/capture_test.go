package command

import (
	"encoding/binary"
	"math"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/rogpeppe/go-internal/testscript"
)

// makeCapture is the script command
//
//	mkpcap [-ng] [-simple] [-odd] [-cut=N] [-drops=N] [-comment=TEXT] [-link=N] FILE PACKET...
//
// which writes packets, made by gopacket, one every 10 ms from 2026-01-02 03:04:05 UTC on, and cuts the
// last bytes off the file. With -simple they have no time (pcapng), and with -odd a second less, and a million
// microseconds more (pcap). A PACKET is one of
//
//	c:TEXT   out-of-band, 10.0.0.1:40000 to the server 10.0.0.2:27960; c7:TEXT from port 40007
//	s:TEXT   the other way
//	u:TEXT   a datagram with these bytes, client to server
//	arp      an ARP request
//	9*c:TEXT nine times that
//	+3s      no packet, but time
//
// where TEXT has the escapes of Go.
func makeCapture(ts *testscript.TestScript, neg bool, args []string) {
	var b captureBuilder
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		name, value, _ := strings.Cut(args[0][1:], "=")
		number, _ := strconv.Atoi(value)
		switch name {
		case "ng":
			b.ng = true
		case "simple":
			b.ng, b.simple = true, true
		case "odd":
			b.odd = 1
		case "cut":
			b.cut = number
		case "drops":
			b.drops = uint64(number)
		case "comment":
			b.comment = value
		case "link":
			b.link = layers.LinkType(number)
		default:
			ts.Fatalf("mkpcap: unknown flag -%s", name)
		}
		args = args[1:]
	}
	if neg || len(args) == 0 {
		ts.Fatalf("usage: mkpcap [flags] FILE PACKET...")
	}
	var packets []timedPacket
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, text := range args[1:] {
		if pause, err := time.ParseDuration(text); err == nil {
			at = at.Add(pause)
			continue
		}
		times := 1
		if factor, packet, ok := strings.Cut(text, "*"); ok {
			var err error
			times, err = strconv.Atoi(factor)
			ts.Check(err)
			text = packet
		}
		data, err := buildPacket(text)
		ts.Check(err)
		for range times {
			packets = append(packets, timedPacket{at, data})
			at = at.Add(10 * time.Millisecond)
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b.build(packets), 0o666))
}

type timedPacket struct {
	at   time.Time
	data []byte
}

type captureBuilder struct {
	ng      bool
	simple  bool
	odd     uint32
	cut     int
	drops   uint64
	comment string
	link    layers.LinkType
}

// build writes a pcap file (draft-ietf-opsawg-pcap) or a pcapng file (draft-ietf-opsawg-pcapng), both in
// little-endian byte order.
func (b *captureBuilder) build(packets []timedPacket) []byte {
	link := layers.LinkTypeEthernet
	if b.link != 0 {
		link = b.link
	}
	le := binary.LittleEndian
	if !b.ng {
		file := le.AppendUint32(nil, 0xa1b2c3d4)
		for _, x := range []uint32{2 | 4<<16, 0, 0, 65535, uint32(link)} {
			file = le.AppendUint32(file, x)
		}
		for _, p := range packets {
			file = le.AppendUint32(file, uint32(p.at.Unix())-b.odd)
			file = le.AppendUint32(file, uint32(p.at.Nanosecond()/1000)+1e6*b.odd)
			file = le.AppendUint32(file, uint32(len(p.data)))
			file = le.AppendUint32(file, uint32(len(p.data)))
			file = append(file, p.data...)
		}
		return file[:len(file)-b.cut]
	}
	file := appendBlock(nil, 0x0a0d0d0a, le.AppendUint64(le.AppendUint32(le.AppendUint32(nil, 0x1a2b3c4d), 1),
		math.MaxUint64))
	file = appendBlock(file, 1, le.AppendUint32(le.AppendUint32(nil, uint32(link)), 65535))
	for _, p := range packets {
		if b.simple {
			file = appendBlock(file, 3, pad(append(le.AppendUint32(nil, uint32(len(p.data))), p.data...)))
			continue
		}
		micros := uint64(p.at.UnixMicro())
		body := make([]byte, 4, 64)
		for _, x := range []uint32{uint32(micros >> 32), uint32(micros), uint32(len(p.data)), uint32(len(p.data))} {
			body = le.AppendUint32(body, x)
		}
		body = pad(append(body, p.data...))
		if b.comment != "" {
			body = appendOption(body, 1, []byte(b.comment))
		}
		file = appendBlock(file, 6, body)
	}
	statistics := make([]byte, 12)
	statistics = appendOption(statistics, 5, le.AppendUint64(nil, b.drops)) // isb_ifdrop
	file = appendBlock(file, 5, statistics)
	return file[:len(file)-b.cut]
}

func appendBlock(file []byte, kind uint32, body []byte) []byte {
	file = binary.LittleEndian.AppendUint32(file, kind)
	file = binary.LittleEndian.AppendUint32(file, uint32(len(body)+12))
	file = append(file, body...)
	return binary.LittleEndian.AppendUint32(file, uint32(len(body)+12))
}

func appendOption(body []byte, code uint16, value []byte) []byte {
	body = binary.LittleEndian.AppendUint16(body, code)
	body = binary.LittleEndian.AppendUint16(body, uint16(len(value)))
	return pad(append(body, value...))
}

func pad(b []byte) []byte {
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	return b
}

// buildPacket makes an Ethernet frame of a PACKET of makeCapture.
func buildPacket(text string) ([]byte, error) {
	ethernet := &layers.Ethernet{
		SrcMAC: net.HardwareAddr{2, 0, 0, 0, 0, 1}, DstMAC: net.HardwareAddr{2, 0, 0, 0, 0, 2},
		EthernetType: layers.EthernetTypeIPv4,
	}
	client, server := net.IP{10, 0, 0, 1}, net.IP{10, 0, 0, 2}
	out := gopacket.NewSerializeBuffer()
	options := gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true}
	if text == "arp" {
		ethernet.EthernetType = layers.EthernetTypeARP
		err := gopacket.SerializeLayers(out, options, ethernet, &layers.ARP{
			AddrType: layers.LinkTypeEthernet, Protocol: layers.EthernetTypeIPv4, Operation: layers.ARPRequest,
			SourceHwAddress: ethernet.SrcMAC, SourceProtAddress: client,
			DstHwAddress: ethernet.DstMAC, DstProtAddress: server,
		})
		return out.Bytes(), err
	}
	kind, escaped, _ := strings.Cut(text, ":")
	payload, err := strconv.Unquote(`"` + escaped + `"`)
	if err != nil {
		return nil, err
	}
	port := layers.UDPPort(40000)
	if len(kind) > 1 {
		number, err := strconv.Atoi(kind[1:])
		if err != nil {
			return nil, err
		}
		port += layers.UDPPort(number)
	}
	ip := &layers.IPv4{Version: 4, TTL: 64, Id: 7, Protocol: layers.IPProtocolUDP, SrcIP: client, DstIP: server}
	udp := &layers.UDP{SrcPort: port, DstPort: 27960}
	switch kind[0] {
	case 's':
		ip.SrcIP, ip.DstIP, udp.SrcPort, udp.DstPort = server, client, udp.DstPort, udp.SrcPort
		fallthrough
	case 'c':
		payload = "\xff\xff\xff\xff" + payload
	}
	if err := udp.SetNetworkLayerForChecksum(ip); err != nil {
		return nil, err
	}
	err = gopacket.SerializeLayers(out, options, ethernet, ip, udp, gopacket.Payload(payload))
	return out.Bytes(), err
}
