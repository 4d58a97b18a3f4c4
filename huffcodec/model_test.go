package huffcodec

import (
	"encoding/csv"
	"os"
	"strconv"
	"strings"
	"testing"
)

// The models: the formats once more, in the plainest way that there is, without a line of the code
// under test. The fast code is compared with them.

// modelUnused is the code of the leaf "not yet transmitted" in the engine's frozen tree, first bit
// first.
const modelUnused = "00000000100"

// codes reads the list of static codes; testdata/README.md names its source.
func codes(tb testing.TB) [256]string {
	tb.Helper()
	f, err := os.Open("testdata/huffman-codes.csv")
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		tb.Fatal(err)
	}
	var list [256]string
	for _, row := range rows[1:] {
		symbol, err := strconv.ParseUint(row[0], 10, 8)
		if err != nil {
			tb.Fatal(err)
		}
		if row[2] != strconv.Itoa(len(row[1])) {
			tb.Fatalf("symbol %d: the length is not that of the code", symbol)
		}
		list[symbol] = row[1]
	}
	return list
}

// packBits makes bytes of a text of ones and zeros, first bit lowest; other characters are ignored.
func packBits(text string) []byte {
	text = strings.Map(func(c rune) rune {
		if c != '0' && c != '1' {
			return -1
		}
		return c
	}, text)
	data := make([]byte, (len(text)+7)/8)
	for i := range text {
		data[i/8] |= (text[i] - '0') << (i % 8)
	}
	return data
}

// modelReader is the Reader, one bit at a time.
type modelReader struct {
	symbols map[string]int // by code; 256 for the unused one
	data    []byte
	coding  Coding
	pos     int
	err     *Error
}

func newModelReader(codes [256]string, data []byte, coding Coding) *modelReader {
	m := &modelReader{symbols: map[string]int{modelUnused: 256}, data: data, coding: coding}
	for s, code := range codes {
		m.symbols[code] = s
	}
	return m
}

// field reads n bits; a failure puts the position back to where it was.
func (m *modelReader) field(n int) uint64 {
	if m.err != nil {
		return 0
	}
	start := m.pos
	raw := n
	if m.coding == Static {
		raw = n % 8
	}
	var v uint64
	for i := range raw {
		bit, ok := m.next()
		if !ok {
			return m.fail(start, ErrTruncated)
		}
		v |= bit << i
	}
	for i := raw; i < n; i += 8 {
		code := ""
		symbol, found := 0, false
		for !found {
			bit, ok := m.next()
			if !ok {
				return m.fail(start, ErrTruncated)
			}
			code += strconv.FormatUint(bit, 10)
			symbol, found = m.symbols[code]
		}
		if symbol == 256 {
			return m.fail(start, ErrCode)
		}
		v |= uint64(symbol) << i
	}
	return v
}

func (m *modelReader) next() (uint64, bool) {
	if m.pos == len(m.data)*8 {
		return 0, false
	}
	bit := m.data[m.pos/8] >> (m.pos % 8) & 1
	m.pos++
	return uint64(bit), true
}

func (m *modelReader) fail(pos int, err error) uint64 {
	m.pos, m.err = pos, &Error{Bit: pos, Err: err}
	return 0
}

func (m *modelReader) str() []byte {
	var s []byte
	for {
		c := byte(m.field(8))
		if c == 0 {
			return s
		}
		s = append(s, c)
	}
}

func (m *modelReader) bytes(n int) []byte {
	var s []byte
	for range n {
		c := byte(m.field(8))
		if m.err != nil {
			break
		}
		s = append(s, c)
	}
	return s
}

func (m *modelReader) align() {
	if m.err == nil {
		m.pos = (m.pos + 7) / 8 * 8
	}
}

// modelTree is the adaptive coder's tree with linked nodes and a list that is searched from the start,
// after the description of the format.
type modelTree struct {
	root, nyt *modelNode
	list      []*modelNode // lightest first
	leaf      [256]*modelNode
}

type modelNode struct {
	weight              int
	parent, left, right *modelNode
	symbol              byte
}

func newModelTree() *modelTree {
	nyt := &modelNode{}
	return &modelTree{root: nyt, nyt: nyt, list: []*modelNode{nyt}}
}

func (t *modelTree) index(n *modelNode) int {
	for i := range t.list {
		if t.list[i] == n {
			return i
		}
	}
	panic("not in the list")
}

func (t *modelTree) add(symbol byte) {
	if n := t.leaf[symbol]; n != nil {
		t.increment(n)
		return
	}
	parent := t.nyt.parent
	inner := &modelNode{weight: 1, parent: parent}
	leaf := &modelNode{weight: 1, parent: inner, symbol: symbol}
	inner.left, inner.right, t.nyt.parent = t.nyt, leaf, inner
	t.replace(parent, t.nyt, inner)
	t.leaf[symbol] = leaf
	t.list = append([]*modelNode{t.nyt, leaf, inner}, t.list[1:]...)
	t.increment(parent)
}

// replace puts b where a is a child of parent, or the root.
func (t *modelTree) replace(parent, a, b *modelNode) {
	switch {
	case parent == nil:
		t.root = b
	case parent.left == a:
		parent.left = b
	default:
		parent.right = b
	}
}

func (t *modelTree) increment(n *modelNode) {
	if n == nil {
		return
	}
	i := t.index(n)
	last := i
	for last+1 < len(t.list) && t.list[last+1].weight == n.weight {
		last++
	}
	if last > i {
		if l := t.list[last]; l != n.parent {
			lp, np := l.parent, n.parent
			if lp != nil && lp == np {
				lp.left, lp.right = lp.right, lp.left
			} else {
				t.replace(lp, l, n)
				t.replace(np, n, l)
				l.parent, n.parent = np, lp
			}
		}
		t.list[i], t.list[last] = t.list[last], t.list[i]
	}
	n.weight++
	t.increment(n.parent)
	if i := t.index(n); i > 0 && t.list[i-1] == n.parent {
		t.list[i], t.list[i-1] = t.list[i-1], t.list[i]
	}
}

// modelDecode is decodeAdaptive: what was decoded, the position after it, and whether that is all.
func modelDecode(src []byte) (out []byte, pos int, complete bool) {
	if len(src) < 2 {
		return nil, 0, false
	}
	want := int(src[0])<<8 | int(src[1])
	m := &modelReader{data: src, pos: 16}
	t := newModelTree()
	for len(out) < want {
		start := m.pos
		n := t.root
		for n.left != nil {
			bit, ok := m.next()
			if !ok {
				return out, start, false
			}
			if n = n.left; bit == 1 {
				n = n.parent.right
			}
		}
		symbol := n.symbol
		if n == t.nyt {
			for range 8 {
				bit, ok := m.next()
				if !ok {
					return out, start, false
				}
				symbol = symbol<<1 | byte(bit)
			}
		}
		t.add(symbol)
		out = append(out, symbol)
	}
	return out, m.pos, true
}
