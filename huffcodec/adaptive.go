package huffcodec

import (
	"encoding/binary"
	"fmt"
)

// MaxAdaptive is the most that one adaptive block can hold, in bytes: its count has two.
const MaxAdaptive = 1<<16 - 1

// adaptiveHeaderBits is the length of the count before an adaptive stream.
const adaptiveHeaderBits = 16

// DecodeAdaptive decodes a block of the adaptive coder and appends what it held to dst. src is the
// block: the count of bytes, two bytes big-endian, and the stream; in a connect packet it begins at
// byte 12. What follows the stream is ignored, and not even the engine's own blocks end with it.
//
// If the stream ends before the count is reached, the bytes up to there are appended and the error is
// an *Error with ErrTruncated; its position is in bits from the start of src, where the byte begins
// that could not be decoded. What is appended is bounded by the stream (a byte takes a bit at least)
// as well as by the count.
//
// Huff_Decompress, code/qcommon/huffman.c.
func DecodeAdaptive(dst, src []byte) ([]byte, error) {
	dst, _, err := decodeAdaptive(dst, src)
	return dst, err
}

// decodeAdaptive is DecodeAdaptive and also gives the bits used, from the start of src.
func decodeAdaptive(dst, src []byte) ([]byte, int, error) {
	if len(src)*8 < adaptiveHeaderBits {
		return dst, 0, &Error{Bit: 0, Err: ErrTruncated}
	}
	r := NewReader(src, Raw)
	r.Bits(adaptiveHeaderBits)
	t := newAdaptiveTree()
	for range binary.BigEndian.Uint16(src) {
		start := r.Pos()
		n := t.root()
		for t.nodes[n].inner() {
			n = t.nodes[n].child[b2i(r.Bit())]
		}
		symbol := t.nodes[n].symbol
		if n == nytNode {
			for range 8 { // highest bit first
				symbol = symbol<<1 | uint8(b2i(r.Bit()))
			}
		}
		if r.Failed() {
			return dst, start, &Error{Bit: start, Err: ErrTruncated}
		}
		t.add(symbol)
		dst = append(dst, symbol)
	}
	return dst, r.Pos(), nil
}

// EncodeAdaptive encodes src with the adaptive coder and appends the block to dst. More than
// MaxAdaptive bytes are a mistake of the program and panic.
//
// The block has the engine's length: its bits, the count's 16 included, divided by 8 and one byte
// more. If the bits end with a byte, the last byte is one that the engine fills with anything; here
// it is zero. Huff_Compress, code/qcommon/huffman.c.
func EncodeAdaptive(dst, src []byte) []byte {
	if len(src) > MaxAdaptive {
		panic(fmt.Sprintf("huffcodec: an adaptive block holds %d bytes at most", MaxAdaptive))
	}
	w := Writer{buf: binary.BigEndian.AppendUint16(dst, uint16(len(src))), coding: Raw}
	t := newAdaptiveTree()
	for _, symbol := range src {
		if n := t.leaf[symbol]; n != noNode {
			t.writePath(&w, n)
		} else {
			t.writePath(&w, nytNode)
			for i := 7; i >= 0; i-- { // highest bit first
				w.Bit(symbol>>i&1 != 0)
			}
		}
		t.add(symbol)
	}
	return w.Data()
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// adaptiveTree is the tree of the adaptive coder, the same on both sides after the same symbols: a
// Huffman tree for the symbols so far and one leaf for all that did not come yet (NYT), kept up to
// date after each symbol in the manner of Faller, Gallager and Knuth. All its nodes also stand in a list
// ordered by weight, and among equal weights by how they got there; the order is part of the format.
//
// The engine links the list; here it is an array from the heaviest, the root, to the lightest, NYT.
// The weight belongs to the place in the list, not to the node: nodes only ever change places with
// nodes of the same weight.
type adaptiveTree struct {
	nodes  [maxNodes]adaptiveNode
	list   [maxNodes]nodeID // by rank, heaviest first
	weight [maxNodes]uint32 // by rank
	leaf   [256]nodeID      // by symbol; noNode while it did not come
	count  int              // of nodes
}

// adaptiveNode is an inner node or a leaf. The left child is the path's 0, the right one its 1.
type adaptiveNode struct {
	child  [2]nodeID // of a leaf: noNode
	parent nodeID    // of the root: noNode
	rank   uint16    // its place in the list
	symbol uint8     // of a leaf other than NYT
}

func (n *adaptiveNode) inner() bool { return n.child[0] != noNode }

// nodeID is an index of adaptiveTree.nodes.
type nodeID uint16

const (
	// noNode is the index of a node that is never used, so that memory full of zeros links nothing.
	noNode nodeID = 0
	// nytNode is the leaf of all symbols that did not come yet; at the start it is the tree.
	nytNode nodeID = 1
	// maxNodes counts noNode, NYT, and a leaf and an inner node for each symbol.
	maxNodes = 2 + 2*256
)

// newAdaptiveTree gives the tree at the start of a stream.
func newAdaptiveTree() adaptiveTree {
	t := adaptiveTree{count: 1}
	t.list[0] = nytNode
	return t
}

func (t *adaptiveTree) root() nodeID { return t.list[0] }

// writePath writes the way from the root to n.
func (t *adaptiveTree) writePath(w *Writer, n nodeID) {
	var path [256]bool // there are no more inner nodes
	depth := 0
	for p := t.nodes[n].parent; p != noNode; n, p = p, t.nodes[p].parent {
		path[depth] = t.nodes[p].child[1] == n
		depth++
	}
	for depth--; depth >= 0; depth-- {
		w.Bit(path[depth])
	}
}

// add counts a symbol. Huff_addRef, code/qcommon/huffman.c.
func (t *adaptiveTree) add(symbol uint8) {
	n := t.leaf[symbol]
	if n == noNode {
		n = t.split(symbol)
	}
	t.increment(n)
}

// split makes room for a new symbol: where NYT was comes an inner node with NYT to its left and the
// new leaf to its right, in the list inner node, leaf, NYT. Both are new and count the symbol
// already, so what remains to be incremented is the inner node's parent.
func (t *adaptiveTree) split(symbol uint8) nodeID {
	last := t.count - 1 // NYT's rank
	inner, leaf := nodeID(t.count+1), nodeID(t.count+2)
	t.count += 2
	parent := t.nodes[nytNode].parent
	t.nodes[inner] = adaptiveNode{child: [2]nodeID{nytNode, leaf}, parent: parent, rank: uint16(last)}
	t.nodes[leaf] = adaptiveNode{parent: inner, rank: uint16(last + 1), symbol: symbol}
	t.nodes[nytNode].parent = inner
	t.nodes[nytNode].rank = uint16(last + 2)
	if parent != noNode {
		t.nodes[parent].child[0] = inner // NYT is always a left child
	}
	copy(t.list[last:], []nodeID{inner, leaf, nytNode})
	t.weight[last], t.weight[last+1] = 1, 1
	t.leaf[symbol] = leaf
	return parent
}

// increment adds one to the weight of n and of all nodes above it, after moving each to the front of
// its weight. increment, code/qcommon/huffman.c.
func (t *adaptiveTree) increment(n nodeID) {
	if n == noNode {
		return
	}
	rank := int(t.nodes[n].rank)
	if first := t.firstOfWeight(rank); first != rank {
		if lead := t.list[first]; lead != t.nodes[n].parent {
			t.swapSubtrees(lead, n)
		}
		t.swapRanks(first, rank)
		rank = first
	}
	t.weight[rank]++
	parent := t.nodes[n].parent
	t.increment(parent)
	// Where n changed places with its own parent it now stands before it; with the parent counted too
	// they are equal again, and the parent goes first.
	if rank = int(t.nodes[n].rank); parent != noNode && t.list[rank+1] == parent {
		t.swapRanks(rank, rank+1)
	}
}

// firstOfWeight gives the first rank with the weight of the given one. The list is in order whenever
// this is asked, so halving finds it; many symbols that came once make a long run.
func (t *adaptiveTree) firstOfWeight(rank int) int {
	weight := t.weight[rank]
	low, high := 0, rank // high has the weight, all before low have more
	for low < high {
		if mid := (low + high) / 2; t.weight[mid] == weight {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return high
}

// swapSubtrees exchanges two nodes, neither above the other, with all that hangs from them.
func (t *adaptiveTree) swapSubtrees(a, b nodeID) {
	pa, pb := t.nodes[a].parent, t.nodes[b].parent
	sideA, sideB := b2i(t.nodes[pa].child[1] == a), b2i(t.nodes[pb].child[1] == b)
	t.nodes[pa].child[sideA], t.nodes[pb].child[sideB] = b, a
	t.nodes[a].parent, t.nodes[b].parent = pb, pa
}

// swapRanks exchanges the nodes of two places in the list, which have the same weight.
func (t *adaptiveTree) swapRanks(i, j int) {
	t.list[i], t.list[j] = t.list[j], t.list[i]
	t.nodes[t.list[i]].rank, t.nodes[t.list[j]].rank = uint16(i), uint16(j)
}
