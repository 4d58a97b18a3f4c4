package capture

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
)

const cutSample = "../../samples/quake3/cut-fragments.pcap"

// Beginnings of datagrams without all IP fragments: what tshark reads of the first fragments when it does not put
// fragments together. Of the whole datagram there is no beginning, and of one without its first fragment neither.
func TestPartialAgainstTshark(t *testing.T) {
	t.Parallel()
	tshark, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("no tshark")
	}
	out, err := exec.Command(tshark, "-n", "-r", cutSample, "-o", "ip.defragment:false",
		"-Y", "ip.flags.mf == 1 && frame.number > 1", "-T", "fields", "-e", "frame.number", "-e", "ip.src",
		"-e", "udp.srcport", "-e", "ip.dst", "-e", "udp.dstport", "-e", "udp.length", "-e", "ip.len").Output()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	order := ""
	stats := eachPacket(t, cutSample, Options{All: true, Partial: true}, func(p *dissect.Packet) {
		if !p.Partial {
			if p.UDP {
				order += fmt.Sprint(p.Frame, " ")
			}
			return
		}
		order += fmt.Sprint("(", p.Frame, ") ")
		if !p.Apart() || !p.Truncated() || p.Note == "" {
			t.Errorf("frame %d: %+v", p.Frame, p)
		}
		got = append(got, fmt.Sprintf("%d\t%v\t%d\t%v\t%d\t%d\t%d", p.Frame, p.Src.Addr(), p.Src.Port(),
			p.Dst.Addr(), p.Dst.Port(), p.Length+8, len(p.Payload)+28))
	})
	if diff := gocmp.Diff(strings.Split(strings.TrimSpace(string(out)), "\n"), got); diff != "" || len(got) != 4 {
		t.Errorf("-tshark +got:\n%s", diff)
	}
	// Those of the first second are given up when a fragment comes 30 seconds later, the last one at the end.
	if want := "2 8 10 11 (3) (5) (7) 13 (12) "; order != want {
		t.Errorf("order %s, want %s", order, want)
	}
	if stats.Packets != 13 || stats.Incomplete != 5 || stats.Partial != 4 || stats.WrongLength != 3 {
		t.Errorf("%+v", stats)
	}
	if without := eachPacket(t, cutSample, Options{All: true}, func(p *dissect.Packet) {
		if p.Partial {
			t.Errorf("frame %d was not asked for", p.Frame)
		}
	}); without.Incomplete != 5 || without.Partial != 0 || without.UDP != stats.UDP {
		t.Errorf("without: %+v, with: %+v", without, stats)
	}
}

// UDP lengths that cannot be, for the layers that are read at fixed offsets and for those that are not.
func TestWrongLength(t *testing.T) {
	t.Parallel()
	udp := func(length int, payload string) []byte {
		return join([]byte{0x6d, 0x38, 0x9c, 0x40}, be16(length), []byte{0, 0}, []byte(payload))
	}
	const more = "UDP length of more bytes than the packet has"
	tests := []struct {
		name         string
		packet       []byte
		cut          int // bytes that are not captured
		payload      string
		length       int
		note         string
		count        uint64
		notADatagram bool
	}{
		{"right", ip4(17, udp(13, "hello")), 0, "hello", 5, "", 0, false},
		{"less than there is", ip4(17, udp(11, "hello")), 0, "hel", 3, "", 0, false},
		{"more than there is", ip4(17, udp(500, "hello")), 0, "hello", 5, more, 1, false},
		{"cut by the capture", ip4(17, udp(13, "hello")), 2, "hel", 5, "", 0, false},
		{"cut, and more", ip4(17, udp(14, "hello")), 2, "hel", 5, more, 1, false},
		{"not filled in", ip4(17, udp(0, "hello")), 0, "hello", 5, "", 0, false},
		{"less than a header", ip4(17, udp(7, "hello")), 0, "", 33, "UDP, bad length", 1, true},
		{"IPv6, more", ip6(17, udp(14, "hello")), 0, "hello", 5, more, 1, false},
		{"IPv6, less than a header", ip6(17, udp(1, "hello")), 0, "", 53, "UDP, bad length", 1, true},
	}
	for _, tt := range tests {
		for link, head := range map[uint16][]byte{101: nil, 1: eth(0x0800, nil)} {
			if head != nil && tt.packet[0]>>4 == 6 {
				head = eth(0x86dd, nil)
			}
			frame := join(head, tt.packet)
			w := newPcap(link)
			w.cut(0, len(frame)-tt.cut, frame)
			var got Stats
			eachWithStats(t, w.b, &got, func(p *dissect.Packet) {
				length := tt.length
				if tt.notADatagram {
					length += len(head)
				}
				if p.UDP == tt.notADatagram || string(p.Payload) != tt.payload || p.Length != length || p.Note != tt.note {
					t.Errorf("%s, link %d: %q of %d bytes, %q", tt.name, link, p.Payload, p.Length, p.Note)
				}
			})
			if got.WrongLength != tt.count {
				t.Errorf("%s, link %d: %d counted", tt.name, link, got.WrongLength)
			}
		}
	}
}
