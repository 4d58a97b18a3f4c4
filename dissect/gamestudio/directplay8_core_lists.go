package gamestudio

import "github.com/q3dissect/q3dissect/dissect"

// Bytes of list elements in core messages.
const (
	entryBytes  = 48
	memberBytes = 16
	opBytes     = 12
)

// room reports whether so many elements of so many bytes are left, and stops if not.
func (c *coreCursor) room(f *dissect.Field, count uint64, size int) bool {
	switch {
	case c.failed():
	case count*uint64(size) <= uint64(c.rest()):
		return true
	case c.cut:
		c.fail(f, c.at, dissect.ErrTruncated)
	default:
		c.malformed(f, c.at, "%d elements, and %d bytes are left", count, c.rest())
	}
	return false
}

// nameTable reads the entries and memberships that follow the fixed part of DN_SEND_CONNECT_INFO. It gives the
// byte behind them.
func (c *coreCursor) nameTable(fixed int) int {
	c.at = fixed
	own, entries, members := c.dpnid, c.counts[0], c.counts[1]
	c.room(&coreEntryCount, entries, entryBytes)
	c.enter(&entriesField)
	for range entries {
		if c.failed() {
			break
		}
		c.enter(&entryField)
		c.placed = 0
		c.items(entryItems)
		next := c.at
		c.contents(next)
		if c.names != nil && !c.failed() {
			c.names.entry(c.dpnid, c.name, c.dpnid == own)
		}
		c.leave()
		c.at = next
	}
	c.leave()
	if c.failed() {
		return c.at
	}
	c.room(&coreMemberCount, members, memberBytes)
	c.enter(&membersField)
	for range members {
		if c.failed() {
			break
		}
		c.enter(&memberField)
		c.items(memberItems)
		c.leave()
	}
	c.leave()
	return c.at
}

// operations reads the operations of DN_ACK_NAMETABLE_OP. The specification does not say whether their heads
// stand in a row or each before its operation; their offsets do. It gives the byte behind the heads, where that
// is one place.
func (c *coreCursor) operations(fixed int) int {
	c.at = fixed
	count := c.counts[0]
	if !c.room(&coreOpCount, count, opBytes) {
		return c.at
	}
	inline := !c.inRow(fixed, count)
	c.enter(&opsField)
	end := fixed
	for range count {
		if c.failed() {
			break
		}
		head := c.at
		c.enter(&opField)
		kind, from, size := c.number(&opKind), c.number(&opOffset), c.number(&opSize)
		next := c.at
		c.spans = append(c.spans, [2]int{head, next})
		if at := uint64(c.base) + from; !c.failed() && at+size > uint64(c.end) {
			c.beyond(&opOffset, fixed, from, size)
		} else if !c.failed() {
			c.operation(kind, int(at), int(at+size))
			if inline {
				next = max(next, int(at+size))
			}
		}
		c.leave()
		c.at = next
		end = max(end, next)
	}
	c.leave()
	if inline {
		return fixed
	}
	return end
}

// inRow reports whether the heads of operations stand one after the other: then each has the type of an
// operation and points behind all of them.
func (c *coreCursor) inRow(fixed int, count uint64) bool {
	for i := range int(count) {
		b := c.b[fixed+i*opBytes:]
		if !isOperation(little(b[:4])) || little(b[4:8]) < uint64(fixed-c.base)+count*opBytes {
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

// operation reads the message that an operation was sent with, without its type.
func (c *coreCursor) operation(kind uint64, from, end int) {
	c.spans = append(c.spans, [2]int{from, end})
	if !isOperation(kind) {
		c.tree.AddBytes(&coreBody, c.b[from:end], from<<3, (end-from)<<3)
		return
	}
	whole, at := c.end, c.at
	c.at, c.end = from, end
	op := coreCursor{reader: c.reader, message: coreOf(kind), base: from, names: c.names}
	op.enter(&op.message.field)
	op.unreferenced(op.plain())
	op.leave()
	c.reader = op.reader
	c.at, c.end = at, whole
}
