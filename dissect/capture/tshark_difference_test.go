package capture

import (
	"bufio"
	"cmp"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
)

// A shark is the innermost UDP datagram that tshark has in a packet.
type shark struct {
	src, dst  string // addresses
	ports     string
	length    string // of the UDP header
	payload   string // in hex
	protocols string // all layers: "eth:ethertype:ip:udp:quake3"
}

// A difference is a cause with its number of datagrams.
type difference struct {
	cause     string
	datagrams int
	files     map[string]bool
	first     string // file and frame
}

// differences counts datagrams of files by cause; equal ones have causes too.
type differences struct {
	byCause map[string]*difference
	files   int
	unread  []string
}

func (d *differences) add(cause, file string, frame uint64) {
	c := d.byCause[cause]
	if c == nil {
		c = &difference{cause: cause, files: map[string]bool{}}
		c.first = fmt.Sprintf("%s, frame %d", filepath.Base(file), frame)
		d.byCause[cause] = c
	}
	c.datagrams++
	c.files[file] = true
}

// The causes of datagrams that both have.
const (
	same       = "equal"
	sameQuote  = "equal: an ICMP error quotes it, which is a record apart (quoted_by)"
	onlyTshark = "only tshark has one"
	onlyOurs   = "only q3dissect has one"
)

// compareFile compares the datagrams of a capture frame by frame: those of tshark are the last of their packets.
func (d *differences) compareFile(tshark, file string) error {
	theirs, err := sharkDatagrams(tshark, file)
	if err != nil {
		return err
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := NewReader(f, Options{All: true})
	if err != nil {
		return err
	}
	for p, err := range r.Packets() {
		if err != nil {
			break // what is before it counts
		}
		their, has := theirs[p.Frame]
		if cause := causeOf(p, their, has && their.ports != ""); cause != "" {
			d.add(cause, file, p.Frame)
		}
	}
	return nil
}

// causeOf compares a packet with tshark's datagram in it; "" if neither has one.
func causeOf(p *dissect.Packet, their shark, has bool) string {
	switch {
	case !p.UDP && !has:
		return ""
	case !p.UDP && p.Quote != nil:
		q := *p
		q.Src, q.Dst, q.Payload, q.Length = p.Quote.Src, p.Quote.Dst, p.Quote.Payload, p.Quote.Length
		if what := unequal(&q, their); what != "" {
			return "an ICMP error quotes another " + what
		}
		return sameQuote
	case !p.UDP:
		return onlyTshark + ": here it is " + strconv.Quote(p.Note) + ", there " + tail(their.protocols)
	case !has:
		return onlyOurs + ": there it is " + tail(their.protocols)
	}
	what := unequal(p, their)
	switch {
	case what == "":
		return same
	case p.Note != "":
		return "another " + what + ": " + p.Note
	}
	return "another " + what + ": there it is " + tail(their.protocols)
}

// unequal names what differs; "" for nothing.
func unequal(p *dissect.Packet, their shark) string {
	switch {
	case fmt.Sprint(p.Src.Port(), " ", p.Dst.Port()) != their.ports:
		return "datagram"
	case !sameAddress(p.Src, their.src) || !sameAddress(p.Dst, their.dst):
		return "address"
	case strconv.Itoa(p.Length+8) != their.length:
		return "length"
	case hex.EncodeToString(p.Payload) != their.payload:
		return "payload"
	}
	return ""
}

func sameAddress(a netip.AddrPort, s string) bool {
	b, err := netip.ParseAddr(s)
	return err == nil && a.Addr().Unmap() == b.Unmap()
}

// tail returns the layers from the network on.
func tail(protocols string) string {
	for _, layer := range []string{":ip:", ":ipv6:"} {
		if i := strings.Index(protocols, layer); i >= 0 {
			protocols = protocols[i+1:]
		}
	}
	return "`" + protocols + "`"
}

// sharkDatagrams returns tshark's datagrams by frame.
func sharkDatagrams(tshark, file string) (map[uint64]shark, error) {
	args := []string{"-n", "-r", file, "-T", "fields", "-E", "occurrence=l"}
	for _, field := range []string{
		"frame.number", "frame.protocols", "ip.src", "ip.dst", "ipv6.src", "ipv6.dst", "udp.srcport", "udp.dstport",
		"udp.length", "udp.payload", "frame.cb_pen",
	} {
		args = append(args, "-e", field)
	}
	cmd := exec.Command(tshark, args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	list, blocks, lines := map[uint64]shark{}, uint64(0), bufio.NewReaderSize(out, 1<<20)
	for {
		line, err := lines.ReadString('\n')
		if f := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(f) == 11 && f[10] != "" {
			blocks++ // tshark numbers custom blocks of pcapng files as if they were packets
		} else if len(f) == 11 {
			frame, _ := strconv.ParseUint(f[0], 10, 64)
			s := shark{protocols: f[1], src: f[2], dst: f[3], length: f[8], payload: f[9]}
			if six := strings.LastIndex(f[1], ":ipv6"); f[2] == "" || six > strings.LastIndex(f[1], ":ip:") {
				s.src, s.dst = f[4], f[5]
			}
			if f[6] != "" {
				s.ports = f[6] + " " + f[7]
			}
			list[frame-blocks] = s
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	_ = cmd.Wait() // it fails where a capture ends early
	return list, nil
}

// differencesOf compares all captures below a folder that are not larger. Other files are passed over.
func differencesOf(t *testing.T, tshark, folder string, most int64) *differences {
	t.Helper()
	d := &differences{byCause: map[string]*difference{}}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		if info, err := entry.Info(); err != nil || info.Size() > most || !isCapture(path) {
			return err
		}
		if err := d.compareFile(tshark, path); err != nil {
			d.unread = append(d.unread, path+": "+err.Error())
			return nil
		}
		d.files++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// isCapture reports whether a file is a capture that tshark reads too.
func isCapture(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	in, err := Open(f, nil)
	if err != nil {
		return false
	}
	defer in.Close()
	return in.Format() != Unknown
}

// table returns the causes as a table in Markdown, the most frequent first.
func (d *differences) table() string {
	var b strings.Builder
	total, equal := 0, 0
	for _, c := range d.byCause {
		total += c.datagrams
		if strings.HasPrefix(c.cause, same) {
			equal += c.datagrams
		}
	}
	fmt.Fprintf(&b, "%d captures, %d datagrams, %d equal\n\n", d.files, total, equal)
	b.WriteString("| datagrams | captures | cause | the first |\n| ---: | ---: | --- | --- |\n")
	causes := slices.SortedFunc(maps.Values(d.byCause), func(a, b *difference) int {
		return cmp.Or(cmp.Compare(b.datagrams, a.datagrams), cmp.Compare(a.cause, b.cause))
	})
	for _, c := range causes {
		fmt.Fprintf(&b, "| %d | %d | %s | %s |\n", c.datagrams, len(c.files), c.cause, c.first)
	}
	for _, u := range d.unread {
		b.WriteString("\nnot read: " + u)
	}
	return b.String()
}

// TestTsharkDifference prints the table of differences between tshark's datagrams and ours over a folder of captures:
// make tshark-difference FOLDER=... Without a folder the samples are compared, where every difference is known.
func TestTsharkDifference(t *testing.T) {
	t.Parallel()
	tshark, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("no tshark")
	}
	if folder := os.Getenv("TSHARK_FOLDER"); folder != "" {
		t.Log("\n" + differencesOf(t, tshark, folder, math.MaxInt64).table())
		return
	}
	most := int64(25_000) // every kind of tunnel and error is in small samples
	if os.Getenv("Q3DISSECT_LONG") != "" {
		most = math.MaxInt64
	}
	d := differencesOf(t, tshark, filepath.Join("..", "..", "samples"), most)
	for _, c := range d.byCause {
		if !strings.HasPrefix(c.cause, same) && !slices.ContainsFunc(knownDifferences, func(known string) bool {
			return strings.HasPrefix(c.cause, known)
		}) {
			t.Errorf("%d datagrams, the first %s: %s", c.datagrams, c.first, c.cause)
		}
	}
	if len(d.unread) > 0 || d.byCause[same] == nil || d.byCause[sameQuote] == nil {
		t.Error(d.table())
	}
}

// knownDifferences are those in the samples: tshark shows the length in the header of a datagram that is too long for
// its packet, and the ports of one that is shorter than its header.
var knownDifferences = []string{
	"another length: UDP length of more bytes than the packet has",
	onlyTshark + `: here it is "UDP, bad length"`,
}
