package main

import (
	"bytes"
	"encoding/binary"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/capture"
)

const sample = "../quake3/oob.pcap"

// generate runs the program and gives the packets of its output.
func generate(t *testing.T, args ...string) []dissect.Packet {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.pcap")
	if err := run(append([]string{args[0], "-o", out}, args[1:]...)); err != nil {
		t.Fatal(err)
	}
	return read(t, out)
}

// read reads a capture with the project's own reader.
func read(t *testing.T, path string) []dissect.Packet {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := capture.NewReader(f, capture.Options{All: true})
	if err != nil {
		t.Fatal(err)
	}
	var list []dissect.Packet
	for p, err := range r.Packets() {
		if err != nil {
			t.Fatal(err)
		}
		c, _ := p.Clone(nil)
		list = append(list, c)
	}
	return list
}

// numbered returns the packets with the frame numbers of a cut.
func numbered(packets []dissect.Packet, keep func(p *dissect.Packet) bool) []dissect.Packet {
	var list []dissect.Packet
	for _, p := range packets {
		if keep(&p) {
			p.Frame = uint64(len(list) + 1)
			list = append(list, p)
		}
	}
	return list
}

func TestCut(t *testing.T) {
	t.Parallel()
	all := read(t, sample)
	tests := []struct {
		name string
		args []string
		keep func(p *dissect.Packet) bool
	}{
		{"everything", nil, func(*dissect.Packet) bool { return true }},
		{"frames", []string{"-frames", "2-5,9"}, func(p *dissect.Packet) bool { return p.Frame >= 2 && p.Frame <= 5 || p.Frame == 9 }},
		{"drop", []string{"-drop", "1,3-200"}, func(p *dissect.Packet) bool { return p.Frame == 2 }},
		{"one port", []string{"-ports", "27951"}, func(p *dissect.Packet) bool { return p.Src.Port() == 27951 || p.Dst.Port() == 27951 }},
		{"two ports", []string{"-ports", "27905,27900"}, func(p *dissect.Packet) bool {
			return p.Src.Port() == 27905 && p.Dst.Port() == 27900 || p.Src.Port() == 27900 && p.Dst.Port() == 27905
		}},
		{"text", []string{"-without", "rcon"}, func(p *dissect.Packet) bool { return !bytes.Contains(p.Payload, []byte("rcon")) }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, want := generate(t, append(append([]string{"cut"}, test.args...), sample)...), numbered(all, test.keep)
			if len(want) == 0 || test.args != nil && len(want) == len(all) {
				t.Fatalf("the case selects %d of %d packets", len(want), len(all))
			}
			if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b netip.AddrPort) bool { return a == b })); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// Copies hold the same payloads, follow one another in time by a second and share no address.
func TestRepeat(t *testing.T) {
	t.Parallel()
	for _, path := range []string{sample, "../quake3/71-ipv6-chat.pcap"} {
		all := read(t, path)
		got := generate(t, "repeat", "-size", "200K", path)
		if len(got) < 2*len(all) {
			t.Fatalf("%s: %d packets of %d", path, len(got), len(all))
		}
		copyOf := map[netip.Addr]int{}
		duration := all[len(all)-1].Time - all[0].Time
		for i, p := range got {
			of, k := &all[i%len(all)], i/len(all)
			if !bytes.Equal(p.Payload, of.Payload) || p.Length != of.Length || p.Src.Port() != of.Src.Port() ||
				p.Dst.Port() != of.Dst.Port() {
				t.Fatalf("%s: packet %d is not packet %d", path, p.Frame, of.Frame)
			}
			if want := of.Time + int64(k)*(duration+int64(gap)); p.Time != want {
				t.Fatalf("%s: packet %d at %d, want %d", path, p.Frame, p.Time, want)
			}
			for _, a := range []netip.Addr{p.Src.Addr(), p.Dst.Addr()} {
				if before, seen := copyOf[a]; seen && before != k {
					t.Fatalf("%s: %v in the copies %d and %d", path, a, before, k)
				}
				copyOf[a] = k
			}
			if same := of.Src.Addr() == of.Dst.Addr(); same != (p.Src.Addr() == p.Dst.Addr()) {
				t.Fatalf("%s: packet %d: %v to %v", path, p.Frame, p.Src, p.Dst)
			}
		}
	}
}

// One packet in n+1 is the input's when -foreign n is given.
func TestRepeatForeign(t *testing.T) {
	t.Parallel()
	all := read(t, sample)
	udp, others := 0, map[string]int{}
	for i, p := range generate(t, "repeat", "-size", "3M", "-foreign", "19", sample) {
		if i%20 == 0 {
			if !bytes.Equal(p.Payload, all[i/20%len(all)].Payload) {
				t.Fatalf("packet %d is not the input's", p.Frame)
			}
			continue
		}
		if p.UDP {
			udp++
		} else {
			others[p.Note]++
		}
	}
	if udp == 0 || len(others) != 1 {
		t.Errorf("%d datagrams, others %v; want datagrams and TCP", udp, others)
	}
}

// Checksums that were right stay right, and those that were none stay none. gopacket computes what is right.
func TestChecksums(t *testing.T) {
	t.Parallel()
	v4 := &layers.IPv4{Version: 4, IHL: 5, TTL: 64, SrcIP: []byte{192, 168, 1, 2}, DstIP: []byte{192, 168, 1, 3}}
	v6 := &layers.IPv6{
		Version: 6, HopLimit: 64, SrcIP: bytes.Repeat([]byte{0x20, 1}, 8),
		DstIP: bytes.Repeat([]byte{0x20, 3}, 8),
	}
	var r repeat
	r.hosts = map[string]int{"a": 0, "b": 1}
	for _, length := range []int{0, 1, 2, 33} {
		for _, version := range []int{4, 6} {
			for _, protocol := range []layers.IPProtocol{layers.IPProtocolUDP, layers.IPProtocolTCP} {
				data := serialize(t, version, protocol, v4, v6, length)
				l, ok := locate(linkRaw, data)
				if !ok {
					t.Fatal("not located")
				}
				p := placed{packet: packet{data: data}, location: l, isIP: true, src: 0, dst: 1}
				for k := range 3 {
					r.readdress(&p, k*77)
					src, dst := l.addresses(data)
					w4, w6 := *v4, *v6
					w4.SrcIP, w4.DstIP, w6.SrcIP, w6.DstIP = src, dst, src, dst
					want := serialize(t, version, protocol, &w4, &w6, length)
					if diff := cmp.Diff(want, data); diff != "" {
						t.Errorf("IPv%d %v, %d bytes, copy %d (-want +got)\n%s", version, protocol, length, k, diff)
					}
				}
			}
		}
	}
	data := serialize(t, 4, layers.IPProtocolUDP, v4, v6, 9)
	l, _ := locate(linkRaw, data)
	binary.BigEndian.PutUint16(data[l.transport+6:], 0)
	p := placed{packet: packet{data: data}, location: l, isIP: true, src: 0, dst: 1}
	if r.readdress(&p, 5); data[l.transport+6] != 0 || data[l.transport+7] != 0 {
		t.Error("a datagram without a checksum got one")
	}
}

// serialize makes an IP packet with right lengths and checksums.
func serialize(t *testing.T, version int, protocol layers.IPProtocol, v4 *layers.IPv4,
	v6 *layers.IPv6, length int,
) []byte {
	t.Helper()
	v4.Protocol, v6.NextHeader = protocol, protocol
	var ip interface {
		gopacket.SerializableLayer
		gopacket.NetworkLayer
	} = v4
	if version == 6 {
		ip = v6
	}
	u, c := &layers.UDP{SrcPort: 27960, DstPort: 27961}, &layers.TCP{SrcPort: 80, DstPort: 81, ACK: true}
	var transport gopacket.SerializableLayer = u
	if protocol == layers.IPProtocolTCP {
		transport = c
	}
	if err := u.SetNetworkLayerForChecksum(ip); err != nil {
		t.Fatal(err)
	}
	if err := c.SetNetworkLayerForChecksum(ip); err != nil {
		t.Fatal(err)
	}
	b := gopacket.NewSerializeBuffer()
	payload := bytes.Repeat([]byte{0xa5}, length)
	err := gopacket.SerializeLayers(b, gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true}, ip, transport,
		gopacket.Payload(payload))
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Clone(b.Bytes())
}

func TestUsage(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "out.pcap")
	for _, args := range [][]string{
		nil,
		{"mend"},
		{"cut", sample},
		{"cut", "-o", out},
		{"cut", "-o", out, "-frames", "0-3", sample},
		{"cut", "-o", out, "-ports", "1,2,3", sample},
		{"repeat", "-o", out, sample},
		{"repeat", "-o", out, "-size", "many", sample},
		{"cut", "-o", out, "gen_test.go"},
	} {
		if err := run(args); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}

// Damaged input ends with an error, whatever is in it, and what is written of it can be read.
func FuzzRepeat(f *testing.F) {
	whole, err := os.ReadFile(sample)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole[:2000])
	f.Add(whole[:fileHeaderSize])
	f.Fuzz(func(t *testing.T, b []byte) {
		in, err := newSource(bytes.NewReader(b))
		if err != nil {
			t.Skip()
		}
		var written bytes.Buffer
		out, err := newSink(&written, in)
		if err != nil {
			t.Fatal(err)
		}
		r := repeat{size: byteSize(2 * len(b))}
		if r.run(in, out) != nil {
			return
		}
		if err := out.w.Flush(); err != nil {
			t.Fatal(err)
		}
		again, err := newSource(&written)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 2 * len(r.packets) {
			p, err := again.next()
			if err == io.EOF && out.size >= int64(r.size) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if want := r.packets[i%len(r.packets)]; len(p.data) != len(want.data) || p.wire != want.wire {
				t.Fatalf("packet %d: %d of %d bytes, want %d of %d", i, len(p.data), p.wire, len(want.data), want.wire)
			}
		}
	})
}
