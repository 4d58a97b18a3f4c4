package dissecttest

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
)

// A toy is a protocol that holds all rules, but for what is said of it. Its datagrams are "TOY", the length of a name,
// the name, and a number of two bytes.
type toy struct {
	fault string
	root  *dissect.Field
	total atomic.Uint64 // of all conversations
}

// Faults of toys.
const (
	outside     = "a position outside the datagram"
	overlapping = "fields on the same bits"
	undescribed = "a field that is not described"
	crash       = "a panic for a datagram that ends early"
	stateful    = "a result that depends on trees"
	global      = "a result that depends on other conversations"
	unknownCode = "an expert code that is not documented"
	noDoc       = "a field without documentation"
	noSource    = "a field without source"
	stranger    = "datagrams that it does not recognise"
	noRow       = "a kind of event that is not documented"
	undeclared  = "a kind of event that it does not list"
	wordless    = "an event without a description"
	keyless     = "a key of events that is not documented"
	ambiguous   = "a key of events that has another type elsewhere"
)

var (
	toyLength = &dissect.Field{Key: "length", Kind: dissect.Uint, Bits: 8, Doc: "bytes of the name", Source: "here"}
	toyName   = &dissect.Field{Key: "name", Kind: dissect.Text, Doc: "a name", Source: "here"}
	toyNumber = &dissect.Field{Key: "number", Kind: dissect.Uint, Bits: 16, Doc: "a number", Source: "here"}
	toyCount  = &dissect.Field{Key: "count", Kind: dissect.Uint, Doc: "datagrams of the conversation so far"}
	toyExtra  = &dissect.Field{
		Key: "extra", Kind: dissect.Uint, Bits: 8,
		Doc: "not among the root's children", Source: "here",
	}
)

var toyAge = dissect.Field{Key: "toy_age", Kind: dissect.Uint, Doc: "an age"}

func newToy(fault string) *dissect.Protocol {
	children := []*dissect.Field{toyLength, toyName, toyNumber, toyCount, &dissect.Undecoded}
	switch bare := *toyNumber; fault {
	case noDoc:
		bare.Doc = ""
		children[2] = &bare
	case noSource:
		bare.Source = ""
		children[2] = &bare
	}
	t := &toy{fault: fault, root: &dissect.Field{Key: "toy", Kind: dissect.Object, Doc: "a toy", Children: children}}
	return &dissect.Protocol{
		Name: "toy", Title: "a toy", Root: func() *dissect.Field { return t.root }, Dissects: []string{"toy"},
		NewRouter:       func() dissect.Router { return &toyRouter{toy: t, pairs: map[[2]string]*dissect.Stream{}} },
		NewConversation: func(o dissect.Options) dissect.Conversation { return &toyConversation{toy: t, events: o.Events} },
		AppendInfo:      func(dst []byte, _ *dissect.Record) []byte { return append(dst, "toy"...) },
		EventRoot:       t.eventRoot(), EventKinds: t.eventKinds(), AppendEvent: t.appendEvent,
	}
}

// toyEvents is what happens to toys: each datagram is a move.
var toyEvents = dissect.Field{Kind: dissect.Object, Doc: "an event", Children: []*dissect.Field{&dissect.EventKind, &dissect.EventServerTime}}

func (t *toy) eventRoot() *dissect.Field {
	if root := toyEvents; t.fault == keyless || t.fault == ambiguous {
		root.Children = append(root.Children[:2:2], &toyAge)
		return &root
	}
	return &toyEvents
}

func (t *toy) eventKinds() []string {
	if t.fault == noRow {
		return []string{"toy_broken", "toy_move"}
	}
	return []string{"toy_move"}
}

func (t *toy) appendEvent(dst []byte, _ *dissect.Tree, _ int) []byte {
	if t.fault == wordless {
		return dst
	}
	return append(dst, "a toy moves"...)
}

type toyRouter struct {
	toy   *toy
	pairs map[[2]string]*dissect.Stream
}

func (r *toyRouter) Route(p *dissect.Packet, _ int64, _ bool) dissect.Route {
	if r.toy.fault == stranger || len(p.Payload) < 3 || string(p.Payload[:3]) != "TOY" {
		return dissect.Route{}
	}
	pair := [2]string{p.Src.String(), p.Dst.String()}
	if r.pairs[pair] == nil {
		r.pairs[pair] = new(dissect.Stream)
	}
	return dissect.Route{Decision: dissect.Mine, Stream: r.pairs[pair], Direction: dissect.ClientToServer}
}

func (r *toyRouter) Claim(uint16, string) {}
func (r *toyRouter) Expire(int64)         {}

type toyConversation struct {
	toy    *toy
	events bool
	count  uint64
}

func (c *toyConversation) Shrink() (kept any) { return c }

func (c *toyConversation) Dissect(rec *dissect.Record) bool {
	b, tree := rec.Payload, rec.Decoding()
	if c.toy.fault != stateful || tree != nil {
		c.count++
	}
	if c.toy.fault == global {
		c.count = c.toy.total.Add(1)
	}
	if c.events {
		kind := "toy_move"
		if c.toy.fault == undeclared {
			kind = "toy_lost"
		}
		rec.Events.Open(c.toy.eventRoot(), 0)
		rec.Events.AddLabel(&dissect.EventKind, kind, 0, 0)
		rec.Events.Close(0)
	}
	tree.Open(c.toy.root, 0)
	defer tree.CloseAll(len(b) * 8)
	tree.Add(toyCount, c.count, 0, 0)
	size := 0
	if len(b) > 3 {
		size = int(b[3])
		tree.Add(toyLength, uint64(size), 24, 8)
	}
	if c.toy.fault != crash && len(b) < 4+size+2 {
		rest := min(len(b), 4)
		tree.AddBytes(&dissect.Undecoded, b[rest:], rest*8, (len(b)-rest)*8)
		code := "truncated"
		if c.toy.fault == unknownCode {
			code = "odd"
		}
		rec.Expert(dissect.Fault, code, &dissect.Undecoded, rest*8, "ends early")
		if c.toy.fault == undescribed {
			tree.Add(toyExtra, 0, 0, 0)
		}
		return true
	}
	end := (4 + size) * 8
	tree.AddBytes(toyName, b[4:4+size], 32, size*8)
	number := uint64(binary.BigEndian.Uint16(b[4+size:]))
	switch c.toy.fault {
	case outside:
		end += 8
	case overlapping:
		end -= 8
		tree.Add(toyExtraIn(c.toy), 0, end, 16)
	}
	tree.Add(toyNumber, number, end, 16)
	rec.MessageDone = true
	return true
}

// toyExtraIn returns a number that the root describes.
func toyExtraIn(t *toy) *dissect.Field { return t.root.Children[0] }

// house makes a repository that knows the toy, but for what is left out, and a capture of it.
func house(t *testing.T, without string) Kit {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"README.md": "# House\n\n## Protocols\n\n| protocol | decoded |\n| --- | --- |\n| " +
			"`toy` | all |\n\n## Licence\n",
		"docs/expert.md": "| `truncated` | error | it ends early | |\n",
		"docs/events.md": "`server_time`, `event`\n\n## Kinds\n\n| kind | keys |\n| --- | --- " +
			"|\n| `kill` | |\n\n## Toys\n\n| `toy_move` | |\n",
		"docs/protocols/toy.md":                           "# Toys\n",
		"docs/fields/toy.md":                              "# toy\n",
		"samples/README.md":                               "| `toy.pcap` | made here |\n",
		"cmd/x/command/testdata/script/samples_toy.txtar": "exec x toy.pcap\n",
	} {
		if name == without {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	k := Kit{Root: dir}
	if without != "samples" {
		path := filepath.Join(dir, "samples", "toy.pcap")
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, toyCapture(), 0o666); err != nil {
			t.Fatal(err)
		}
		k.Samples = []string{path}
	}
	return k
}

// toyCapture is a pcap of raw IPv4 with datagrams of two toys.
func toyCapture() []byte {
	b := binary.LittleEndian.AppendUint32(nil, 0xa1b2c3d4)
	b = append(b, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 101, 0, 0, 0)
	for i := range 24 {
		name := strings.Repeat("n", i%5+1)
		payload := append([]byte{'T', 'O', 'Y', byte(len(name))}, name...)
		payload = append(payload, byte(i), 1)
		udp := binary.BigEndian.AppendUint16([]byte{0, byte(i%2 + 1), 0, 9}, uint16(8+len(payload)))
		udp = append(append(udp, 0, 0), payload...)
		ip := append([]byte{0x45, 0}, binary.BigEndian.AppendUint16(nil, uint16(20+len(udp)))...)
		ip = append(ip, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2)
		ip = append(ip, udp...)
		b = binary.LittleEndian.AppendUint32(b, uint32(i))
		b = binary.LittleEndian.AppendUint32(b, 0)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(ip)))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(ip)))
		b = append(b, ip...)
	}
	return b
}

// The kit lets a good protocol pass.
func TestGoodProtocol(t *testing.T) {
	t.Parallel()
	k := house(t, "")
	k.Protocol = newToy("")
	k.Run(t)
}

// The kit finds each fault, by the rule that is meant for it.
func TestFaultsAreFound(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		fault, without string
		rule, says     string
	}{
		{fault: outside, rule: "records", says: "toy.number lies at bits"},
		{fault: overlapping, rule: "records", says: "overlap"},
		{fault: undescribed, rule: "prefixes", says: "toy.extra is in the record, and not among the fields of toy"},
		{fault: crash, rule: "prefixes", says: "panic: runtime error"},
		{fault: stateful, rule: "state", says: "with trees of every seventh packet only"},
		{fault: global, rule: "workers", says: "workers give other records"},
		{fault: unknownCode, rule: "prefixes", says: `expert code "odd"`},
		{fault: noDoc, rule: "fields", says: "toy.number has no documentation"},
		{fault: noSource, rule: "fields", says: "toy.number is on the wire and has no source"},
		{fault: noRow, rule: "events", says: "docs/events.md has no row for toy_broken under Toys"},
		{fault: undeclared, rule: "events", says: "toy.pcap, packet 1: the event toy_lost is not among the kinds that toy lists"},
		{fault: wordless, rule: "events", says: "toy.pcap, packet 1: the event toy_move has no description"},
		{fault: keyless, rule: "events", says: "docs/events.md does not mention the key toy_age"},
		{fault: ambiguous, rule: "events", says: "toy_age: is text in one place and another type elsewhere"},
		{without: "docs/events.md", rule: "events", says: "docs/events.md has no row for toy_move under Kinds"},
		{fault: stranger, rule: "recognised", says: "none of 24 packets is of toy"},
		{without: "samples", rule: "recognised", says: "there is no sample"},
		{without: "README.md", rule: "documents", says: "README.md has no row"},
		{without: "docs/protocols/toy.md", rule: "documents", says: "docs/protocols has no page toy.md"},
		{without: "docs/fields/toy.md", rule: "documents", says: "docs/fields/toy.md is missing"},
		{without: "docs/expert.md", rule: "prefixes", says: `expert code "truncated"`},
		{without: "samples/README.md", rule: "documents", says: "toy.pcap is not in samples/README.md"},
		{without: "cmd/x/command/testdata/script/samples_toy.txtar", rule: "documents", says: "none of the samples is in a script test"},
	} {
		t.Run(tt.fault+tt.without, func(t *testing.T) {
			t.Parallel()
			k := house(t, tt.without)
			k.Protocol = newToy(tt.fault)
			if tt.fault == ambiguous {
				age := &dissect.Field{Key: toyAge.Key, Kind: dissect.Text, Doc: "an age in words"}
				k.Others = []*dissect.Protocol{k.Protocol, {
					Name: "other", EventRoot: &dissect.Field{Kind: dissect.Object, Children: []*dissect.Field{age}},
				}}
			}
			s, err := k.load()
			if err != nil {
				t.Fatal(err)
			}
			found := map[string]string{}
			for _, r := range rules {
				found[r.name] = strings.Join(s.check(r), "\n")
			}
			if !strings.Contains(found[tt.rule], tt.says) {
				t.Errorf("%s says %q, want %q", tt.rule, found[tt.rule], tt.says)
			}
		})
	}
}

// order gives every number once, the first ones far apart.
func TestOrder(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 2, 3, 64, 100} {
		seen := map[int]bool{}
		for i := range size {
			seen[order(i, size)] = true
		}
		if len(seen) != size {
			t.Errorf("of %d numbers %d came", size, len(seen))
		}
	}
	if a, b := order(0, 100), order(1, 100); a != 0 || b != 64 {
		t.Errorf("begins with %d and %d", a, b)
	}
}
