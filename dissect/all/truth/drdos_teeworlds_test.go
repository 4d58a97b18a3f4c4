package truth_test

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

const madeTeeworlds = "192.0.2.1:8303"

// sendRaw adds a datagram as it is.
func (m *made) sendRaw(src, dst, payload string, ttl uint8) {
	m.send(src, dst, "", ttl)
	p := m.packets[len(m.packets)-1]
	p.Payload, p.Length = []byte(payload), len(payload)
}

// teeworldsWords are what a client sends before a session: a request for a token and a connect of 0.7, a connect of 0.6
// with DDNet's tokens, and queries of both.
var teeworldsWords = map[string]string{
	"token":     "\x04\x00\x00\xff\xff\xff\xff\x05\x4d\x91\x91\x6a" + strings.Repeat("\x00", 508),
	"connect":   "\x04\x00\x00\x2f\x7c\x6e\xff\x01\x4d\x91\x91\x6a" + strings.Repeat("\x00", 508),
	"connect06": "\x10\x00\x00\x01TKEN\xff\xff\xff\xff",
	"getinfo06": strings.Repeat("\xff", 10) + "gie3\x05",
	"getinfo07": "\x21\x2f\x7c\x6e\xff\x4d\x91\x91\x6a\xff\xff\xff\xffgie3\x05",
}

// TestTeeworldsFloods: the verdict on a flood before sessions is the same for every word, whatever its share, from one
// address and from many that each ask once. Below the bound nobody is accused.
func TestTeeworldsFloods(t *testing.T) {
	t.Parallel()
	for one, first := range teeworldsWords {
		for two, second := range teeworldsWords {
			if two <= one {
				continue // the shares of a pair go both ways
			}
			for share := 0; share <= 100; share += 20 {
				for name, want := range map[string]string{"one": "reflection victim", "many": "forged", "few": ""} {
					var m made
					count := 200
					if name == "few" {
						count = 10
					}
					for i, sent := 0, 0; i < count; i++ {
						m.now = 1000 + int64(i)
						word := first
						if sent*100 < share*(i+1) {
							sent, word = sent+1, second
						}
						src := "203.0.113.7:4000"
						if name != "one" {
							src = fmt.Sprintf("203.0.113.%d:4000", i+1)
						}
						m.sendRaw(src, madeTeeworlds, word, 241)
					}
					rows := statisticOf(t, "drdos", m.packets)
					found := 0
					for _, r := range rows {
						switch verdict := r.text("verdict"); {
						case want != "" && verdict == want:
							found++
						case want == "" && (verdict == "forged" || verdict == "reflection victim"):
							t.Errorf("%s: few sources are %s", one, verdict)
						}
						if rule := r.text("suggestion"); (want != "") != strings.Contains(rule, "udp dport 8303") {
							t.Errorf("%s, %d %% of %s, %s: rule %q", one, share, two, name, rule)
						}
					}
					if sources := map[string]int{"one": 1, "many": count}[name]; found != sources {
						t.Errorf("%s, %d %% of %s, %s: %d of %d are %s", one, share, two, name, found, sources, want)
					}
				}
			}
		}
	}
}

// TestTeeworldsGarbage adds packets with another token to a session, in the player's name: 100 in a second, or 10, with
// another time to live or with the player's.
func TestTeeworldsGarbage(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		count        int
		ttl          uint8
		want, reason string
		rule         string
	}{
		{0, 241, "client", "it plays here", ""},
		{10, 241, "client", "it plays here", ""},
		{100, 241, "garbage", "another host sends them", "ip saddr 127.0.0.1 udp dport 8303 ip ttl 241-241 drop"},
		{100, 64, "garbage", "it plays here as well", ""},
	} {
		packets := packetsOf(t, filepath.Join("..", "..", "..", "samples", "teeworlds", "ddnet-join.pcap"))
		at := len(packets) / 2
		var src, dst netip.AddrPort
		for _, p := range packets {
			if p.Dst.Port() == 8303 && len(p.Payload) > 8 && p.Payload[0] != 0xff {
				src, dst = p.Src, p.Dst
			}
		}
		var list []*dissect.Packet
		list = append(list, packets[:at]...)
		for range test.count {
			var m made
			m.sendRaw(src.String(), dst.String(), "\x00\x00\x01\x40\x02\x02\x02\x00\xde\xad\xbe\xef", test.ttl)
			m.packets[0].Time = packets[at].Time
			list = append(list, m.packets...)
		}
		list = append(list, packets[at:]...)
		for i, p := range list {
			p.Frame = uint64(i) + 1
		}
		for _, r := range statisticOf(t, "drdos", list) {
			if r.text("verdict") != test.want || !strings.Contains(r.text("reasons"), test.reason) ||
				!strings.Contains(r.text("suggestion"), test.rule) || test.rule == "" && r.text("suggestion") != "" {
				t.Errorf("%d with %d: %s (%s) %s", test.count, test.ttl, r.text("verdict"), r.text("reasons"), r.text("suggestion"))
			}
		}
	}
}

// packetsOf reads the packets of a capture.
func packetsOf(t *testing.T, name string) (list []*dissect.Packet) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for p, err := range reftest.PacketsOf(t, f, name, true) {
		if err != nil {
			t.Fatal(err)
		}
		kept, _ := p.Clone(nil)
		if p.Link != nil {
			link := *p.Link
			kept.Link = &link
		}
		list = append(list, &kept)
	}
	return list
}
