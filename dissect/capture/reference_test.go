package capture

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
)

// reference returns the path of a reference capture; without them the test is skipped.
func reference(t *testing.T, name string) string {
	t.Helper()
	root := cmp.Or(os.Getenv("Q3DISSECT_REFERENCE"), filepath.Join("..", "..", "..", "shared"))
	path := filepath.Join(root, "captures", filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skip("no reference captures: ", err)
	}
	return path
}

// eachPacket reads a whole file, which must end cleanly.
func eachPacket(t *testing.T, path string, opts Options, do func(p *dissect.Packet)) Stats {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := NewReader(f, opts)
	if err != nil {
		t.Fatal(err)
	}
	for p, err := range r.Packets() {
		if err != nil {
			t.Fatal(err)
		}
		do(p)
	}
	return r.Stats()
}

// What an independent reader makes of all reference captures: testdata/gopacket.txt describes how.
func TestReferenceCaptures(t *testing.T) {
	t.Parallel()
	table, err := os.Open(filepath.Join("testdata", "gopacket.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	for lines := bufio.NewScanner(table); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		var name, want string
		var packets, datagrams uint64
		if _, err := fmt.Sscan(lines.Text(), &name, &packets, &datagrams, &want); err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			hash := sha256.New()
			s := eachPacket(t, reference(t, name), Options{}, func(p *dissect.Packet) {
				b := binary.LittleEndian.AppendUint64(nil, p.Frame)
				b = binary.LittleEndian.AppendUint64(b, uint64(p.Time))
				b = binary.LittleEndian.AppendUint16(b, p.Src.Port())
				b = binary.LittleEndian.AppendUint16(b, p.Dst.Port())
				hash.Write(append(b, p.Payload...))
			})
			if got := hex.EncodeToString(hash.Sum(nil)[:8]); got != want || s.Packets != packets || s.UDP != datagrams {
				t.Errorf("%d packets, %d datagrams, %s; want %d, %d, %s", s.Packets, s.UDP, got, packets, datagrams, want)
			}
		})
	}
}

// One session, written by the recording host in several formats and link layers.
func TestReferenceVariants(t *testing.T) {
	t.Parallel()
	for _, session := range []struct {
		first  string
		others []string
	}{
		{"quake3/q3-68-connect-play.pcap", []string{
			"quake3/q3-68-connect-play-any-sll.pcap", "quake3/q3-68-connect-play-any-sll2.pcap",
			"quake3/q3-68-connect-play-nano.pcap", "quake3/q3-68-connect-play-snap96.pcap",
		}},
		{"quake3/q3-71-connect-play.pcap", []string{
			"quake3/q3-71-connect-play-pcapng.pcapng", "quake3/q3-71-connect-play-gz.pcap.gz",
			"quake3/q3-71-connect-play-vlan100.pcap", "quake3/q3-71-connect-play-rawip.pcap",
			"quake3/q3-71-connect-play-null.pcap", "quake3/q3-71-connect-play-bigendian.pcap",
		}},
		{"teeworlds/tw07-var-full.pcap", []string{
			"teeworlds/tw07-var-any-sll2.pcap", "teeworlds/tw07-var-snap96.pcap", "teeworlds/tw07-var.pcapng",
		}},
	} {
		read := func(name string) (all []got) {
			vlan := strings.Contains(name, "vlan100")
			eachPacket(t, reference(t, name), Options{Link: true}, func(p *dissect.Packet) {
				all = append(all, got{p.Frame, 0, p.Src.String(), p.Dst.String(), string(p.Payload), p.Length})
				if vlan != (len(p.Link.VLAN) == 1 && p.Link.VLAN[0] == 100) || p.Link.TTL != 64 || !p.Link.HasIPID {
					t.Fatalf("%s, frame %d: link %+v", name, p.Frame, p.Link)
				}
			})
			return all
		}
		want := read(session.first)
		for _, name := range session.others {
			have := read(name)
			cut := 0
			if strings.Contains(name, "snap96") {
				for i := range have {
					if n := len(have[i].Payload); i < len(want) && n < have[i].Length {
						have[i].Payload += want[i].Payload[n:]
						cut++
					}
				}
				if cut == 0 {
					t.Errorf("%s: nothing cut", name)
				}
			}
			if diff := gocmp.Diff(want, have); diff != "" {
				t.Errorf("%s (-want +got):\n%.2000s", name, diff)
			}
		}
	}
}

func TestReferenceFragments(t *testing.T) {
	t.Parallel()
	var whole, parts int
	eachPacket(t, reference(t, "quake3/q3-68-ipfrag-mtu576.pcap"), Options{}, func(p *dissect.Packet) {
		if p.Truncated() {
			t.Errorf("frame %d: %d of %d bytes", p.Frame, len(p.Payload), p.Length)
		}
		if n := len(p.IPFragments); n > 0 {
			whole++
			parts += n
			if p.Length <= 576-28 || p.IPFragments[n-1] != p.Frame {
				t.Errorf("frame %d: %d bytes of the fragments %v", p.Frame, p.Length, p.IPFragments)
			}
		}
	})
	// The capture has 830 packets and 580 datagrams.
	if whole != 221 || parts-whole != 830-580 {
		t.Errorf("%d datagrams of %d fragments", whole, parts)
	}
}

// The statistics block that dumpcap wrote at the end.
func TestReferenceStats(t *testing.T) {
	t.Parallel()
	s := eachPacket(t, reference(t, "teeworlds/tw07-var.pcapng"), Options{}, func(*dissect.Packet) {})
	want := Stats{
		Format: "pcapng", Packets: 1279, UDP: 1279, DroppedKnown: true,
		Comments: []Comment{{0, "Counters provided by dumpcap"}}, CommentCount: 1,
	}
	if diff := gocmp.Diff(want, s); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
