package huffcodec

import (
	"encoding/binary"
	"fmt"
)

// MaxAdaptive is the largest content of an adaptive block, in bytes: the block's count field has
// two bytes.
const MaxAdaptive = 1<<16 - 1

// adaptiveHeaderBits is the length of the count before an adaptive stream.
const adaptiveHeaderBits = 16

// DecodeAdaptive decodes a block of the adaptive coder and appends its content to dst. src starts
// with the block: a big-endian 16-bit count of content bytes, then the stream. In a connect packet
// the block begins at byte 12. Bytes after the stream are ignored; the engine itself always sends
// one too many.
//
// If the stream ends before the count is reached, the bytes decoded so far are appended and the
// error is an *Error with ErrTruncated. Its position, in bits from the start of src, is where the
// first byte that could not be decoded begins. Both the count and the stream (at least one bit per
// byte) bound what is appended.
//
// Huff_Decompress, code/qcommon/huffman.c.
func DecodeAdaptive(dst, src []byte) ([]byte, error) {
	dst, _, err := decodeAdaptive(dst, src)
	return dst, err
}

// decodeAdaptive is DecodeAdaptive, and also returns the number of bits used, from the start of
// src.
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

// EncodeAdaptive encodes src with the adaptive coder and appends the block to dst. It panics if src
// has more than MaxAdaptive bytes.
//
// The block is as long as the engine makes it: its bits, including the 16 of the count, divided by
// 8, plus one byte. If the bits fill whole bytes, the engine leaves that last byte undefined; here
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

// adaptiveTree is the tree of the adaptive coder. Encoder and decoder have the same tree after the
// same symbols: a Huffman tree of the symbols seen so far, with one leaf for all others (NYT, "not
// yet transmitted"), updated after each symbol by the algorithm of Faller, Gallager and Knuth. All
// nodes are also in a list ordered by weight. The order of nodes of equal weight depends on their
// history and is part of the format.
//
// The engine uses a linked list; this is an array from the heaviest node, the root, to the
// lightest, NYT. Weights belong to places in the list, not to nodes, since nodes are only ever
// swapped with nodes of the same weight.
type adaptiveTree struct {
	nodes  [maxNodes]adaptiveNode
	list   [maxNodes]nodeID // by rank, heaviest first
	weight [maxNodes]uint32 // by rank
	leaf   [256]nodeID      // by symbol; noNode until it is seen
	count  int              // of nodes
}

// adaptiveNode is an inner node or a leaf. A 0 in a path leads to the left child, a 1 to the right
// one.
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
	// noNode is the index of a node that is never used, so that a zeroed link points nowhere.
	noNode nodeID = 0
	// nytNode is the leaf for all symbols not seen yet. It is the whole tree at the start.
	nytNode nodeID = 1
	// maxNodes counts noNode, NYT, and a leaf and an inner node for each symbol.
	maxNodes = 2 + 2*256
)

// newAdaptiveTree returns the tree at the start of a stream.
func newAdaptiveTree() adaptiveTree {
	t := adaptiveTree{count: 1}
	t.list[0] = nytNode
	return t
}

func (t *adaptiveTree) root() nodeID { return t.list[0] }

// writePath writes the path from the root to n.
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

// split adds a leaf for a new symbol. An inner node replaces NYT, with NYT as its left and the new
// leaf as its right child; the order in the list is inner node, leaf, NYT. Both new nodes already
// count the symbol, so only the inner node's parent and those above it are left to increment.
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

// increment adds one to the weight of n and of all nodes above it, each after moving it to the
// front of the nodes of its weight. increment, code/qcommon/huffman.c.
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
	// If n was swapped with its own parent it now precedes it. Once the parent is counted too,
	// their weights are equal again and the parent goes first.
	if rank = int(t.nodes[n].rank); parent != noNode && t.list[rank+1] == parent {
		t.swapRanks(rank, rank+1)
	}
}

// firstOfWeight returns the first rank with the same weight as the given one. The list is sorted
// whenever this is called, so a binary search finds it: many symbols seen once make a long run.
func (t *adaptiveTree) firstOfWeight(rank int) int {
	weight := t.weight[rank]
	low, high := 0, rank // high has the weight, everything before low has more
	for low < high {
		if mid := (low + high) / 2; t.weight[mid] == weight {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return high
}

// swapSubtrees exchanges two subtrees. Neither node may be above the other.
func (t *adaptiveTree) swapSubtrees(a, b nodeID) {
	pa, pb := t.nodes[a].parent, t.nodes[b].parent
	sideA, sideB := b2i(t.nodes[pa].child[1] == a), b2i(t.nodes[pb].child[1] == b)
	t.nodes[pa].child[sideA], t.nodes[pb].child[sideB] = b, a
	t.nodes[a].parent, t.nodes[b].parent = pb, pa
}

// swapRanks exchanges the nodes at two places in the list, which must have the same weight.
func (t *adaptiveTree) swapRanks(i, j int) {
	t.list[i], t.list[j] = t.list[j], t.list[i]
	t.nodes[t.list[i]].rank, t.nodes[t.list[j]].rank = uint16(i), uint16(j)
}
