package anonymize_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/anonymize"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// Every capture and demo of the project's samples, and of the reference folder where there is one, is read, written
// with other texts, and read again: the records have the same fields and numbers, and no text has a name, address,
// GUID or password of the original.
func TestCaptures(t *testing.T) {
	t.Parallel()
	patterns := []string{"../../samples/quake3/*.pcap*", "../../samples/teeworlds/*.pcap*"}
	if !testing.Short() {
		root := referenceRoot()
		for _, family := range []string{"quake3", "idtech3", "teeworlds"} {
			patterns = append(patterns, root+"/captures/"+family+"/*.pcap*")
		}
		patterns = append(patterns, root+"/captures/quake3/*.dm_*", root+"/captures/idtech3/*.dm_*",
			root+"/demos/quake3/*.dm*")
	}
	eachFile(t, 1, patterns, func(name string) bool {
		return filepath.Ext(name) == ".gz" && filepath.Ext(name[:len(name)-3]) != ".pcap" // the truth of a demo
	}, checkFile)
}

// eachFile checks the files of patterns in parallel, in go test those up to 300 kB. There are at least so many.
func eachFile(t *testing.T, least int, patterns []string, leftOut func(string) bool, check func(*testing.T, string)) {
	t.Helper()
	count := 0
	for _, pattern := range patterns {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			info, err := os.Stat(name)
			if err != nil || info.IsDir() || leftOut(name) || info.Size() > 300_000 && !reference.Long() {
				continue
			}
			count++
			t.Run(filepath.Base(name), func(t *testing.T) {
				t.Parallel()
				check(t, name)
			})
		}
	}
	if count < least {
		t.Errorf("%d files", count)
	}
}

// referenceRoot returns the reference folder, which need not be there.
func referenceRoot() string {
	return cmp.Or(os.Getenv("Q3DISSECT_REFERENCE"), "../../../shared")
}

func openFile(t *testing.T, name string) *open.Input {
	t.Helper()
	in, err := open.File(name, open.Options{Protocols: all.Protocols(), All: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() })
	return in
}

// comparedPackets is how many packets of a recording go test compares. Who is in it is learnt from the whole.
const comparedPackets = 1000

// A beginning is what is compared of a source.
type beginning struct {
	src  open.Packets
	left int
}

func beginningOf(src open.Packets) *beginning {
	return &beginning{src, reference.Most(comparedPackets)}
}

func (b *beginning) Next() (*dissect.Packet, error) {
	if b.left == 0 {
		return nil, io.EOF
	}
	b.left--
	return b.src.Next()
}

// A seen is what a test keeps of a record.
type seen struct {
	shape string // fields and numbers
	lost  bool   // an earlier datagram was left out
	state dissect.RewriteState
	known bool
}

func checkFile(t *testing.T, name string) {
	cfg := engine.Config{Protocols: all.Protocols(), Workers: 1}
	ids := anonymize.New(anonymize.Key{1})
	collector := &identities{}
	collector.addTruth(t, name)
	brokenOff(t, ids.LearnFrom(openFile(t, name), cfg))
	replacer := ids.Seal(anonymize.Keep{})
	before := map[uint64]seen{}
	lost := false // what follows a datagram that was left out can show it
	records(t, beginningOf(openFile(t, name)), dissect.Options{Rewriting: replacer}, func(rec *dissect.Record) {
		lost = lost || leavesGap(rec)
		before[rec.Frame] = seen{
			lost: lost, shape: shapeOf(rec, lost), state: rec.RewriteState(),
			known: rec.Protocol != nil,
		}
		collector.add(rec)
	})
	reader := anonymize.NewReader(beginningOf(openFile(t, name)), replacer, cfg)
	frames := 0
	records(t, reader, dissect.Options{}, func(rec *dissect.Record) {
		frames++
		original, ok := before[rec.Frame]
		if !ok {
			t.Fatalf("frame %d is new", rec.Frame)
		}
		if rec.Protocol == nil {
			return
		}
		shape := shapeOf(rec, original.lost)
		if part := beforeFault(shape); rec.Recorded() && rec.Damaged && strings.HasPrefix(original.shape, part) {
			original.shape = shape
		}
		if shape != original.shape && original.state != dissect.RewriteLost {
			t.Errorf("frame %d:\n%s\nbecame\n%s", rec.Frame, original.shape, shape)
		}
		collector.check(t, rec.Frame, everyText(rec))
	})
	stats := reader.Stats()
	t.Logf("%d packets, %d rewritten, %d dropped, %d identities", frames, stats.Rewritten, stats.Dropped, ids.Len())
}

func records(t *testing.T, src open.Packets, o dissect.Options, each func(*dissect.Record)) {
	t.Helper()
	packets := func(yield func(*dissect.Packet, error) bool) {
		for {
			p, err := src.Next()
			if err != nil {
				brokenOff(t, err)
				return
			}
			if !yield(p, nil) {
				return
			}
		}
	}
	for rec, err := range engine.Records(packets, engine.Config{Protocols: all.Protocols(), All: true, Options: o}) {
		if err != nil {
			t.Fatal(err)
		}
		each(rec)
	}
}

// brokenOff ignores the error of a file that ends early.
func brokenOff(t *testing.T, err error) {
	t.Helper()
	var e *dissect.FileError
	if err != nil && !errors.As(err, &e) && err.Error() != "EOF" {
		t.Fatal(err)
	}
}

// everyText returns all that a record shows except for our keys and numbers, and the bytes themselves.
func everyText(rec *dissect.Record) []byte {
	b := rec.Protocol.AppendInfo(nil, rec)
	b = fmt.Appendf(b, "\n%s %s\n", rec.Src, rec.Dst)
	for i := range rec.Tree.Nodes {
		if n := &rec.Tree.Nodes[i]; !n.Field.Kind.Container() && n.Field.Kind >= dissect.Text {
			b = append(append(b, rec.Tree.Bytes(n)...), '\n')
		}
	}
	for _, e := range rec.Experts {
		b = append(b, e.Message...)
	}
	return append(append(b, rec.Message...), rec.Payload...)
}

// leavesGap reports whether a record cannot be written again, or has a note about earlier parts without a
// message or snapshot.
func leavesGap(rec *dissect.Record) bool {
	return rec.Protocol != nil && rec.RewriteState() == dissect.RewriteLost ||
		slices.ContainsFunc(rec.Experts, func(e dissect.Expert) bool {
			return e.Code == "fragment_lost" || e.Code == "snapshot_lost"
		})
}

// shapeOf returns everything of a record but its texts. With lost, it leaves out what depends on earlier datagrams.
func shapeOf(rec *dissect.Record, lost bool) string {
	if rec.Protocol == nil {
		return ""
	}
	var b []byte
	stream := rec.Stream
	if lost {
		stream = 0 // streams without any packet left have no number
	}
	b = fmt.Appendf(b, "stream %d %v %v\n", stream, rec.Direction, rec.Time)
	inSnapshot := false
	itemType := uint64(0)
	skip := 0
	for i := range rec.Tree.Nodes {
		n := &rec.Tree.Nodes[i]
		if i < skip {
			continue
		}
		if n.Field.Key == "type" {
			itemType = n.Uint()
		}
		const named = 0x4000 // from here on, types of objects are named by the server, some of them one snapshot late
		if n.Field.Key == "ints" || n.Field.Key == "extra_ints" || n.Field.Key == "differences" && itemType >= named {
			skip = int(n.End) // values without a known meaning become 0
		}
		inSnapshot = n.Field.Key == "part_size" || inSnapshot && n.Field.Key == "data"
		if rec.Protocol.Name == "teeworlds" && followsText(inSnapshot, n.Field.Key) {
			b = append(b, n.Field.Key...)
			continue
		}
		if n.Field.Key == "binary" {
			continue // what follows the end of a message is left out
		}
		if lost && slices.Contains([]string{"repeat", "lost_before", "session", "encoding"}, n.Field.Key) {
			continue
		}
		b = append(b, n.Field.Key...)
		switch n.Field.Kind {
		case dissect.Uint, dissect.Int, dissect.Bool, dissect.Float:
			b = strconv.AppendUint(append(b, '='), n.Uint(), 16)
		case dissect.Hex:
			if n.Field.Key == "id" || strings.HasSuffix(n.Field.Key, "sha256") || n.Field.Key == "data" ||
				n.Field.Key == "height_map" || n.Field.Key == "flatten_map" || n.Field.Key == "rest" ||
				n.Field.Key == "undecoded" {
				break // files, voice, identifiers, what is not known
			}
			b = hex.AppendEncode(append(b, '='), rec.Tree.Bytes(n))
		}
		b = append(b, ' ')
	}
	for _, e := range rec.Experts {
		if e.Code == "udp_length" {
			continue // headers are made new
		}
		if lost {
			break
		}
		b = fmt.Appendf(b, "\n%s %s", e.Code, e.Field)
	}
	return string(b)
}

// followsText reports whether a field of Teeworlds is other when texts are: lengths, sums, and bytes that hold them.
func followsText(inSnapshot bool, key string) bool {
	return inSnapshot || slices.Contains([]string{"size", "crc", "connection_id", "ip"}, key)
}

// identities are what must not be left, found by other rules than the package's own.
type identities struct{ texts [][]byte }

func (c *identities) add(rec *dissect.Record) {
	if rec.Protocol == nil || rec.Protocol.AppendIdentities == nil {
		return
	}
	if a := rec.Src.Addr(); a.IsValid() {
		c.text([]byte(a.String()))
		c.text([]byte(rec.Dst.Addr().String()))
	}
	for _, id := range rec.Protocol.AppendIdentities(nil, rec) {
		c.text(bytes.TrimSpace(id.Text))
	}
}

// personal find what identifies people in the words of the games' own code: truth files, as JSON. Each begins with
// letters of its own, so that a file is searched for these, and not letter by letter for all of them.
var personal = [...]*regexp.Regexp{
	regexp.MustCompile(`"m_pName":"([^"\\]+)"`),
	regexp.MustCompile(`"m_pClan":"([^"\\]+)"`),
	regexp.MustCompile(`"password":"([^"\\]+)"`),
	regexp.MustCompile(`"clan":"([^"\\]+)"`),
	regexp.MustCompile(`\\\\name\\\\([^"\\]+)`),
	regexp.MustCompile(`\\\\n\\\\([^"\\]+)`),
	regexp.MustCompile(`\\\\cl_guid\\\\([^"\\]+)`),
	regexp.MustCompile(`\\\\password\\\\([^"\\]+)`),
	regexp.MustCompile(`"rcon \\"?([^" \\]+)`),
}

// addTruth adds the people named in the truth beside a capture.
func (c *identities) addTruth(t *testing.T, name string) {
	t.Helper()
	file, err := os.Open(strings.TrimSuffix(name, ".pcap") + ".truth.jsonl.gz")
	if err != nil {
		return // there is none
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	truth, err := io.ReadAll(unzipped)
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range personal {
		for _, found := range pattern.FindAllSubmatch(truth, -1) {
			c.text(bytes.TrimSpace(found[1]))
		}
	}
}

func (c *identities) text(b []byte) {
	if len(b) >= 4 && !slices.ContainsFunc(c.texts, func(o []byte) bool { return bytes.Equal(o, b) }) {
		c.texts = append(c.texts, bytes.Clone(b))
	}
}

func (c *identities) check(t *testing.T, frame uint64, out []byte) {
	t.Helper()
	for _, text := range c.texts {
		if i := bytes.Index(out, text); i >= 0 {
			t.Errorf("frame %d still has %q: …%q…", frame, text, out[max(i-40, 0):min(i+60, len(out))])
		}
	}
}
