package enet_test

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/capture"
	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
)

// sampleFile returns the datagrams of a sample. The server of what the library made has the port that the
// first datagram goes to.
func sampleFile(tb testing.TB, name string) []enginetest.Datagram {
	tb.Helper()
	f, err := os.Open(filepath.Join("..", "..", "samples", "gamestudio", name))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	r, err := capture.NewReader(f, capture.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	var list []enginetest.Datagram
	var port uint16
	for p, err := range r.Packets() {
		if err != nil {
			tb.Fatal(err)
		}
		if port == 0 {
			port = p.Dst.Port()
		}
		var whole dissect.Packet
		whole, _ = p.Clone(nil)
		list = append(list, enginetest.Datagram{FromClient: p.Dst.Port() == port, Payload: whole.Payload})
	}
	return list
}

// An application packet of talk.c, as hexadecimal.
type statement struct {
	Command string
	Data    string
}

// pourData is what pour of talk.c sends.
func pourData(size int) string {
	b := make([]byte, size)
	for i := range b {
		b[i] = byte(i * 7)
	}
	return hex.EncodeToString(b)
}

// TestLibENet compares traffic of ENet 1.3.17 itself with what its program, samples/gamestudio/libenet/talk.c,
// sent: every message, in order, and the checksums where there are some.
func TestLibENet(t *testing.T) {
	t.Parallel()
	text := func(s string) string { return hex.EncodeToString([]byte(s)) }
	want := []statement{
		{"send_reliable", text("hello over the first channel")},
		{"send_unreliable", text("once, perhaps")},
		{"send_unsequenced", text("whenever")},
		{"send_reliable", text("an answer")},
		{"send_reliable", text("and another one")},
		{"send_fragment", pourData(3000)},
		{"send_unreliable_fragment", pourData(3000)},
	}
	for _, tt := range []struct {
		name       string
		checksums  bool
		compressed int // packets
	}{
		{"libenet-plain.pcap", false, 0},
		{"libenet-checksum.pcap", true, 0},
		{"libenet-compress.pcap", false, 11},
		{"libenet-compress-checksum.pcap", true, 11},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []statement
			commands := map[string]int{}
			compressed := 0
			for _, r := range enginetest.All(t, protocols(), "", sampleFile(t, tt.name)...) {
				if r.Protocol != "enet" || len(r.Expert) > 0 {
					t.Errorf("got %s", r.Line)
				}
				if ok := r.Enet["checksum_ok"]; tt.checksums != (ok == true) {
					t.Errorf("checksum_ok is %v in %s", ok, r.Line)
				}
				if r.Enet["compressed"] == true {
					compressed++
					if r.Enet["compression"] != "range_coder" || r.Enet["compressed_data"] != nil {
						t.Errorf("got %s", r.Line)
					}
				}
				for _, c := range r.Enet["commands"].([]any) {
					for name, o := range c.(map[string]any) {
						commands[name]++
						object := o.(map[string]any)
						data, _ := object["data"].(string)
						switch name {
						case "send_fragment", "send_unreliable_fragment":
							if message, ok := object["message"].(string); ok {
								got = append(got, statement{name, message})
							}
						case "send_reliable", "send_unreliable", "send_unsequenced":
							got = append(got, statement{name, data})
						case "connect":
							if object["data"] != 7.0 || object["channel_count"] != 2.0 {
								t.Errorf("connect %v", object)
							}
						case "disconnect":
							if object["data"] != 99.0 {
								t.Errorf("disconnect %v", object)
							}
						case "throttle_configure":
							if object["packet_throttle_interval"] != 1000.0 || object["packet_throttle_acceleration"] != 3.0 ||
								object["packet_throttle_deceleration"] != 4.0 {
								t.Errorf("throttle %v", object)
							}
						}
					}
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("what was said (-want +got):\n%s", diff)
			}
			if compressed != tt.compressed {
				t.Errorf("%d compressed packets, want %d", compressed, tt.compressed)
			}
			for _, name := range []string{
				"connect", "verify_connect", "acknowledge", "ping",
				"throttle_configure", "disconnect",
			} {
				if commands[name] == 0 {
					t.Errorf("no %s", name)
				}
			}
		})
	}
}

// TestLibENetOtherCompression shows compressed packets that are not the range coder's raw, with a note: in a
// connection that is not known to use it a note, in another a fault.
func TestLibENetOtherCompression(t *testing.T) {
	t.Parallel()
	list := sampleFile(t, "libenet-compress.pcap")
	for _, spoiled := range []struct {
		from  int // the packets from this one on
		codes string
	}{{0, "payload_packed"}, {len(list) / 2, "malformed"}} {
		other := slices.Clone(list)
		for i := range other[spoiled.from:] {
			b := bytes.Clone(other[spoiled.from+i].Payload)
			if b[0]&0x40 != 0 {
				b[len(b)-1] ^= 0x55
			}
			other[spoiled.from+i].Payload = b
		}
		packed := 0
		for i, r := range enginetest.All(t, protocols(), "enet", other...)[spoiled.from:] {
			if r.Protocol != "enet" {
				t.Errorf("got %s", r.Line)
			}
			if r.Enet["compressed"] != true {
				continue
			}
			packed++
			text, _ := r.Enet["compressed_data"].(string)
			data, err := hex.DecodeString(text)
			if err != nil || !bytes.HasSuffix(other[spoiled.from+i].Payload, data) || len(data) == 0 ||
				r.Codes() != spoiled.codes || r.Enet["commands"] != nil {
				t.Errorf("got %s", r.Line)
			}
		}
		if packed < 3 {
			t.Errorf("%d compressed packets", packed)
		}
	}
}

// TestLibENetHeadless finds the library's connection without its handshake. A compressed packet does not begin
// the search: it would have to be read.
func TestLibENetHeadless(t *testing.T) {
	t.Parallel()
	for name, missed := range map[string]int{
		"libenet-plain.pcap": 0, "libenet-checksum.pcap": 0, "libenet-compress.pcap": 1, "libenet-compress-checksum.pcap": 1,
	} {
		for i, r := range enginetest.All(t, protocols(), "", sampleFile(t, name)[4:]...) {
			if known := r.Protocol == "enet"; known != (i >= missed) {
				t.Errorf("%s, datagram %d: %s", name, i, r.Line)
			}
		}
	}
}
