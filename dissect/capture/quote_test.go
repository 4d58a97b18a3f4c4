package capture

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/q3dissect/q3dissect/dissect"
)

const icmpSample = "../../samples/quake3/68-icmp.pcap"

// Another opinion on what ICMP errors quote: tshark's types, codes, addresses, ports, lengths and payloads.
func TestQuotesAgainstTshark(t *testing.T) {
	t.Parallel()
	tshark, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("no tshark")
	}
	args := []string{"-n", "-r", icmpSample, "-Y", "icmp || icmpv6", "-T", "fields", "-E", "occurrence=l"}
	for _, field := range []string{
		"frame.number", "icmp.type", "icmp.code", "icmpv6.type", "icmpv6.code",
		"ip.src", "ipv6.src", "ip.dst", "ipv6.dst", "udp.srcport", "udp.dstport", "udp.length", "icmp.mtu", "icmpv6.mtu",
	} {
		args = append(args, "-e", field)
	}
	out, err := exec.Command(tshark, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		want = append(want, strings.Join([]string{
			f[0], f[1] + f[3], f[2] + f[4], f[5] + f[6], f[9], f[7] + f[8], f[10], f[11], f[12] + f[13],
		}, " "))
	}
	eachPacket(t, icmpSample, Options{All: true}, func(p *dissect.Packet) {
		q := p.Quote
		if q == nil {
			return
		}
		mtu := ""
		if q.MTU > 0 {
			mtu = fmt.Sprint(q.MTU)
		}
		got = append(got, fmt.Sprintf("%d %d %d %v %d %v %d %d %s", p.Frame, q.Type, q.Code, q.Src.Addr(), q.Src.Port(),
			q.Dst.Addr(), q.Dst.Port(), q.Length+8, mtu))
	})
	if diff := gocmp.Diff(want, got); diff != "" || len(got) != 25 {
		t.Errorf("%d quotes (-tshark +got):\n%s", len(got), diff)
	}
}

// A quote begins with the bytes of the datagram that was captured before it, and holds as many as the sender of the
// error has room for.
func TestQuotesAreOfDatagramsBefore(t *testing.T) {
	t.Parallel()
	sent := map[string][]byte{}
	quotes, cut := 0, 0
	key := func(src, dst netip.AddrPort, n int) string { return fmt.Sprint(src, dst, n) }
	eachPacket(t, icmpSample, Options{All: true}, func(p *dissect.Packet) {
		switch q := p.Quote; {
		case p.UDP:
			sent[key(p.Src, p.Dst, p.Length)] = bytes.Clone(p.Payload)
		case q != nil:
			quotes++
			if len(q.Payload) < q.Length {
				cut++
			}
			if whole := sent[key(q.Src, q.Dst, q.Length)]; !bytes.HasPrefix(whole, q.Payload) || len(q.Payload) == 0 {
				t.Errorf("frame %d quotes %x of %x", p.Frame, q.Payload, whole)
			}
		}
	})
	if quotes != 25 || cut != 4 {
		t.Errorf("%d quotes, %d cut", quotes, cut)
	}
}

// What is quoted of made packets.
func TestQuotes(t *testing.T) {
	t.Parallel()
	udp := append([]byte{0x6d, 0x38, 0x9c, 0x40, 0, 8 + 5, 0, 0}, "hello"...)
	error4 := func(kind, code byte, words byte, quoted []byte) []byte {
		return ip4(1, append([]byte{kind, code, 0, 0, 0, words, 5, 0xdc}, quoted...))
	}
	error6 := func(kind, code byte, words byte, quoted []byte) []byte {
		return ip6(58, append([]byte{kind, code, 0, 0, words, 0, 5, 0x14}, quoted...))
	}
	first := ip4(17, udp)
	first[6] |= 0x20 // more fragments
	later := ip4(17, udp)
	later[7] = 3
	hop := append([]byte{17, 0, 1, 4, 0, 0, 0, 0}, udp...)
	extended := append(append(ip4(17, udp), make([]byte, 128-33)...), 0x20, 0, 0, 0, 0, 8, 1, 1, 0, 0, 0x10, 0)
	tests := []struct {
		name   string
		packet []byte // of IP
		want   string // "": nothing is quoted
	}{
		{"port unreachable", error4(3, 3, 0, ip4(17, udp)), "port_unreachable 5 68656c6c6f"},
		{"eight bytes of the datagram", error4(3, 1, 0, ip4(17, udp)[:28]), "host_unreachable 5 "},
		{"fewer than its ports", error4(3, 1, 0, ip4(17, udp)[:27]), ""},
		{"half of it", error4(11, 0, 0, ip4(17, udp)[:30]), "ttl_exceeded 5 6865"},
		{"needs fragmentation", error4(3, 4, 0, ip4(17, udp)), "fragmentation_needed 5 68656c6c6f 1500"},
		{"first fragment", error4(11, 1, 0, first), "reassembly_time_exceeded 5 68656c6c6f"},
		{"later fragment", error4(11, 1, 0, later), ""},
		{"TCP", error4(3, 3, 0, ip4(6, udp)), ""},
		{"IPv6 in ICMP", error4(3, 3, 0, ip6(17, udp)), ""},
		{"extensions", error4(11, 0, 32, extended), "ttl_exceeded 5 68656c6c6f"},
		{"unknown code", error4(3, 200, 0, ip4(17, udp)), "icmp_3_200 5 68656c6c6f"},
		{"echo", error4(8, 0, 0, ip4(17, udp)), ""},
		{"length less than a header", error4(3, 3, 0, ip4(17, []byte{0, 1, 0, 2, 0, 7, 0, 0, 1})), ""},
		{"no room for a header", ip4(1, []byte{3, 3, 0, 0}), ""},
		{"IPv6", error6(1, 4, 0, ip6(17, udp)), "port_unreachable 5 68656c6c6f"},
		{"too big", error6(2, 0, 0, ip6(17, udp)), "packet_too_big 5 68656c6c6f 1300"},
		{"hop-by-hop", error6(3, 0, 0, ip6(0, hop)), "hop_limit_exceeded 5 68656c6c6f"},
		{"hop-by-hop, cut", error6(3, 0, 0, ip6(0, hop[:7])), ""},
		{"echo of IPv6", error6(128, 0, 0, ip6(17, udp)), ""},
		{"ICMPv6 in IPv4", ip4(58, append(make([]byte, 8), ip4(17, udp)...)), ""},
		{"ICMP in IPv6", ip6(1, append([]byte{3, 3, 0, 0, 0, 0, 0, 0}, ip4(17, udp)...)), ""},
	}
	for _, tt := range tests {
		w := newPcap(101)
		w.packet(0, tt.packet)
		r, err := NewReader(bytes.NewReader(w.b), Options{All: true})
		if err != nil {
			t.Fatal(err)
		}
		p, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if q := p.Quote; q != nil {
			got = fmt.Sprint(q.Name(), " ", q.Length, " ", hex.EncodeToString(q.Payload))
			if q.MTU > 0 {
				got += fmt.Sprint(" ", q.MTU)
			}
			if q.Src.Port() != 27960 || q.Dst.Port() != 40000 {
				t.Errorf("%s: %v → %v", tt.name, q.Src, q.Dst)
			}
		}
		if got != tt.want || p.UDP {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		clone, _ := p.Clone(nil)
		if diff := gocmp.Diff(p, &clone, cmpopts.EquateEmpty(), cmpopts.EquateComparable(netip.AddrPort{},
			netip.Addr{})); diff != "" {
			t.Errorf("%s: clone (-want +got):\n%s", tt.name, diff)
		}
	}
}

// Every beginning of the sample's packets is read, and no quote is longer than what was captured of it.
func TestQuotesCut(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile(icmpSample)
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewReader(bytes.NewReader(b), Options{All: true, Raw: true})
	if err != nil {
		t.Fatal(err)
	}
	for p, err := range r.Packets() {
		if err != nil {
			t.Fatal(err)
		}
		if p.Quote == nil {
			continue
		}
		data, whole := bytes.Clone(p.Raw.Data), len(p.Quote.Payload)
		for n := range data {
			w := newPcap(1)
			w.cut(0, n, data)
			eachOf(t, w.b, func(c *dissect.Packet) {
				if q := c.Quote; q != nil && (len(q.Payload) > whole || len(q.Payload) > n) {
					t.Errorf("frame %d cut to %d bytes: %d bytes are quoted", p.Frame, n, len(q.Payload))
				}
			})
		}
	}
}

// eachOf reads a capture in memory.
func eachOf(t *testing.T, b []byte, do func(*dissect.Packet)) {
	t.Helper()
	var stats Stats
	eachWithStats(t, b, &stats, do)
}

func eachWithStats(t *testing.T, b []byte, stats *Stats, do func(*dissect.Packet)) {
	t.Helper()
	r, err := NewReader(bytes.NewReader(b), Options{All: true})
	if err != nil {
		t.Fatal(err)
	}
	for p, err := range r.Packets() {
		if err != nil {
			t.Fatal(err)
		}
		do(p)
	}
	*stats = r.Stats()
}
