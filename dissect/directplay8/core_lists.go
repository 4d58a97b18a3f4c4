package directplay8

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/cursor"
)

// Bytes of list elements in core messages.
const (
	entryBytes  = 48
	memberBytes = 16
	opBytes     = 12
)

// room reports whether enough bytes are left for a list of elements, and fails the reader if not.
func (c *coreCursor) room(f *dissect.Field, count uint64, size int) bool {
	switch {
	case c.Failed():
	case count*uint64(size) <= uint64(c.Rest()):
		return true
	case c.Cut:
		c.Fail(f, c.At, dissect.ErrTruncated)
	default:
		c.Malformed(f, c.At, "%d elements, and %d bytes are left", count, c.Rest())
	}
	return false
}

// nameTable reads the entries and memberships that follow the fixed part of DN_SEND_CONNECT_INFO.
// It returns the position after them.
func (c *coreCursor) nameTable(fixed int) int {
	c.At = fixed
	own, entries, members := c.dpnid, c.counts[0], c.counts[1]
	c.room(&coreEntryCount, entries, entryBytes)
	c.Enter(&entriesField)
	for range entries {
		if c.Failed() {
			break
		}
		c.Enter(&entryField)
		c.placed = 0
		c.items(entryItems)
		next := c.At
		c.contents(next)
		if c.names != nil && !c.Failed() {
			c.names.entry(c.dpnid, c.name, c.dpnid == own)
		}
		c.Leave()
		c.At = next
	}
	c.Leave()
	if c.Failed() {
		return c.At
	}
	c.room(&coreMemberCount, members, memberBytes)
	c.Enter(&membersField)
	for range members {
		if c.Failed() {
			break
		}
		c.Enter(&memberField)
		c.items(memberItems)
		c.Leave()
	}
	c.Leave()
	return c.At
}

// operations reads the operations of DN_ACK_NAMETABLE_OP. The specification does not say whether
// all heads come first or each before its operation; their offsets show it. It returns the position
// after the heads, if they are together.
func (c *coreCursor) operations(fixed int) int {
	c.At = fixed
	count := c.counts[0]
	if !c.room(&coreOpCount, count, opBytes) {
		return c.At
	}
	inline := !c.inRow(fixed, count)
	c.Enter(&opsField)
	end := fixed
	for range count {
		if c.Failed() {
			break
		}
		head := c.At
		c.Enter(&opField)
		kind, from, size := c.Number(&opKind), c.Number(&opOffset), c.Number(&opSize)
		next := c.At
		c.spans = append(c.spans, [2]int{head, next})
		if at := uint64(c.base) + from; !c.Failed() && at+size > uint64(c.End) {
			c.failOffset(&opOffset, fixed, from, size)
		} else if !c.Failed() {
			c.operation(kind, int(at), int(at+size))
			if inline {
				next = max(next, int(at+size))
			}
		}
		c.Leave()
		c.At = next
		end = max(end, next)
	}
	c.Leave()
	if inline {
		return fixed
	}
	return end
}

// inRow reports whether the heads of the operations follow each other: then each has the type of an
// operation and points past all of them.
func (c *coreCursor) inRow(fixed int, count uint64) bool {
	for i := range int(count) {
		b := c.B[fixed+i*opBytes:]
		if !isOperation(cursor.Little(b[:4])) || cursor.Little(b[4:8]) < uint64(fixed-c.base)+count*opBytes {
			return false
		}
	}
	return true
}

func isOperation(kind uint64) bool {
	for _, m := range operations {
		if uint64(m.kind) == kind {
			return true
		}
	}
	return false
}

// operation reads the message that carries an operation, without its type.
func (c *coreCursor) operation(kind uint64, from, end int) {
	c.spans = append(c.spans, [2]int{from, end})
	if !isOperation(kind) {
		c.Tree.AddBytes(&coreBody, c.B[from:end], from<<3, (end-from)<<3)
		return
	}
	whole, at := c.End, c.At
	c.At, c.End = from, end
	op := coreCursor{reader: c.reader, message: coreOf(kind), base: from, names: c.names}
	op.Enter(&op.message.field)
	op.unreferenced(op.layout())
	op.Leave()
	c.reader = op.reader
	c.At, c.End = at, whole
}
