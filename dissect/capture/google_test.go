package capture_test

// The tests of this file compare package capture with github.com/google/gopacket v1.1.19, the ancestor of the library
// that capture is built on: another reader of files, and other decoders of headers. Tests alone have it, since damaged
// input makes it panic: its NgReader divides by zero. docs/gopacket.md has more.

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"io"
	"io/fs"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	google "github.com/google/gopacket"
	googlelayers "github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"
	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"github.com/q3dissect/q3dissect/dissect/capture"
)

const root = "../.."

// secondOpinions returns the samples, and in make long the reference captures where they are at hand.
func secondOpinions(t *testing.T) (paths []string) {
	t.Helper()
	reference := cmp.Or(os.Getenv("Q3DISSECT_REFERENCE"), filepath.Join(root, "..", "shared"))
	folders := []string{filepath.Join(root, "samples")}
	if os.Getenv("Q3DISSECT_LONG") != "" {
		folders = append(folders, filepath.Join(reference, "captures"))
	}
	for _, dir := range folders {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			name := strings.TrimSuffix(path, ".gz")
			if err == nil && !d.IsDir() && (strings.HasSuffix(name, ".pcap") || strings.HasSuffix(name, ".pcapng")) {
				paths = append(paths, path)
			}
			return err
		})
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	if len(paths) < 20 {
		t.Fatalf("only %d captures", len(paths))
	}
	return paths
}

// contents reads a file, unpacked.
func contents(t *testing.T, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var in io.Reader = bufio.NewReader(f)
	if strings.HasSuffix(path, ".gz") {
		if in, err = gzip.NewReader(in); err != nil {
			t.Fatal(err)
		}
	}
	all, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A theirs is a source of google/gopacket as one of gopacket/gopacket: the types have the same fields.
type theirs struct{ google.PacketDataSource }

func (s theirs) ReadPacketData() ([]byte, gopacket.CaptureInfo, error) {
	data, ci, err := s.PacketDataSource.ReadPacketData()
	for i, a := range ci.AncillaryData {
		ci.AncillaryData[i] = linkType(a.(googlelayers.LinkType))
	}
	return data, gopacket.CaptureInfo(ci), err
}

// linkType makes one of ours. Theirs have 8 bits: of Linux cooked 2 (276), 20 is left.
func linkType(t googlelayers.LinkType) layers.LinkType {
	if t == 276&0xff {
		return layers.LinkTypeLinuxSLL2
	}
	return layers.LinkType(t)
}

// openGoogle opens a capture with google's readers. Without a link type each packet has its own.
func openGoogle(t *testing.T, file []byte) (google.PacketDataSource, layers.LinkType) {
	t.Helper()
	if capture.Sniff(file) == capture.PcapNG {
		src, err := pcapgo.NewNgReader(bytes.NewReader(file), pcapgo.NgReaderOptions{WantMixedLinkType: true})
		if err != nil {
			t.Fatal(err)
		}
		return src, 0
	}
	src, err := pcapgo.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return src, linkType(src.LinkType())
}

// The same packets, times and lengths from both readers of files.
func TestFilesAsGoogle(t *testing.T) {
	t.Parallel()
	for _, path := range secondOpinions(t) {
		file := contents(t, path)
		ours, err := capture.NewReader(bytes.NewReader(file), capture.Options{All: true})
		if err != nil {
			t.Fatal(err)
		}
		src, link := openGoogle(t, file)
		google := capture.FromSource(theirs{src}, link, capture.Options{All: true})
		for {
			want, wantErr := google.Next()
			have, err := ours.Next()
			if wantErr != err || err != nil && err != io.EOF {
				t.Fatalf("%s: %v from google, %v from ours", path, wantErr, err)
			}
			if err == io.EOF {
				break
			}
			if diff := gocmp.Diff(want, have, cmpEndpoint, cmpAddr); diff != "" {
				t.Fatalf("%s (-google +ours):\n%s", path, diff)
			}
		}
		if ours.Stats().Packets == 0 {
			t.Errorf("%s: no packets", path)
		}
	}
}

var (
	cmpEndpoint = gocmp.Comparer(func(a, b netip.AddrPort) bool { return a == b })
	cmpAddr     = gocmp.Comparer(func(a, b netip.Addr) bool { return a == b })
)

// udpHeader is the length of a UDP header in bytes.
const udpHeader = 8

// The same addresses, ports and payloads from both decoders of headers, in all packets that are no IP fragments.
func TestHeadersAsGoogle(t *testing.T) {
	t.Parallel()
	compared := 0
	for _, path := range secondOpinions(t) {
		file := contents(t, path)
		src, link := openGoogle(t, file)
		ours, err := capture.NewReader(bytes.NewReader(file), capture.Options{All: true})
		if err != nil {
			t.Fatal(err)
		}
		for p, err := range ours.Packets() {
			data, ci, googleErr := theirs{src}.ReadPacketData()
			if err != nil || googleErr != nil {
				t.Fatalf("%s: %v, %v", path, err, googleErr)
			}
			if len(ci.AncillaryData) > 0 {
				link = ci.AncillaryData[0].(layers.LinkType)
			}
			if link == layers.LinkTypeLinuxSLL2 {
				continue // they have no decoder for it
			}
			decoded := google.NewPacket(data, googlelayers.LinkType(link), google.DecodeOptions{Lazy: true, NoCopy: true})
			u, ok := decoded.TransportLayer().(*googlelayers.UDP)
			if !ok || len(p.IPFragments) > 0 || u.Length < udpHeader {
				continue // a length that is less than the header's is no datagram
			}
			from, to := decoded.NetworkLayer().NetworkFlow().Endpoints()
			if !p.UDP || p.Src.Addr().String() != from.String() || p.Dst.Addr().String() != to.String() ||
				p.Src.Port() != uint16(u.SrcPort) || p.Dst.Port() != uint16(u.DstPort) || !bytes.Equal(p.Payload, u.Payload) {
				t.Fatalf("%s, frame %d: %+v\ngoogle: %v", path, p.Frame, p, decoded)
			}
			compared++
		}
	}
	if compared < 1000 {
		t.Errorf("only %d datagrams were compared", compared)
	}
}

// Nothing that is linked into a program has the second reader.
func TestGoogleIsNotLinked(t *testing.T) {
	t.Parallel()
	list := func(args ...string) string {
		cmd := exec.Command("go", append([]string{"list", "-deps"}, args...)...)
		cmd.Dir = root
		out, err := cmd.Output()
		if err != nil {
			t.Skip("no go command: ", err)
		}
		return string(out)
	}
	const module = "github.com/google/gopacket"
	if programs := list("./cmd/...", "./dissect/..."); strings.Contains(programs, module) {
		t.Errorf("%s is linked into a program", module)
	}
	if !strings.Contains(list("-test", "./dissect/capture"), module) {
		t.Errorf("the tests of capture do not have %s", module)
	}
}
