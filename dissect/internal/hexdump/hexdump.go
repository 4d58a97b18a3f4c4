// Package hexdump reads datagrams from hex dumps: text that people paste, and what programs print.
//
//	for r := hexdump.NewReader(os.Stdin); ; {
//		dump, err := r.Next()
//		if err != nil {
//			return err // io.EOF or an *Error
//		}
//		use(dump.Data) // valid until the next call
//	}
//
// Two styles are distinguished by the first line with bytes:
//
//   - rows with an offset, as xxd, hexdump -C, tcpdump -x, tshark -x, Wireshark and od -Ax -tx1 print them. A row
//     with offset 0 begins a dump. Offsets are checked: a missing row is an error. Text at the end of a row is
//     skipped, and so are lines without an offset.
//   - plain digits, with blanks, commas or colons between bytes or none, and 0x or \x before them or not. An empty
//     line ends a dump.
//
// Lines that begin with # are comments in both. text2pcap(1) of Wireshark reads the same rows.
package hexdump

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/big"
)

// maxDump is the most bytes of one dump: MAXIMUM_SNAPLEN in tcpdump's netdissect.h.
const maxDump = 256 << 10

// maxLine is the longest line, in bytes: a dump of plain digits on one line, with blanks and prefixes.
const maxLine = 5 * maxDump

// A Dump is the bytes of one packet or datagram.
type Dump struct {
	Data    []byte // valid until the next dump
	Time    int64  // Unix time in nanoseconds; only if the line before is one of tcpdump -tt
	HasTime bool
}

// An Error describes why a dump cannot be read.
type Error struct {
	Line, Column int   // from 1; Column counts bytes, 0: the whole line
	Offset       int64 // of the line in the text, in bytes
	Message      string
}

// Error returns the position and the reason.
func (e *Error) Error() string {
	if e.Column == 0 {
		return fmt.Sprintf("line %d: %s", e.Line, e.Message)
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// A style is the format of the bytes on a line.
type style uint8

const (
	unknown  style = iota
	rows           // an offset without a colon, and bytes with blanks between them
	colons         // an offset with a colon, and groups of bytes
	plain          // only bytes
	words          // an offset, and numbers of several bytes, whose order is unknown
	headless       // an offset, and it is not 0
)

// A Reader reads dumps. It is for one goroutine.
type Reader struct {
	in     *bufio.Reader
	line   []byte // the present line, without its end
	number int    // of the present line, from 1
	start  int64  // of the present line in the text
	behind int64  // the next line
	held   bool   // the present line belongs to the next dump
	err    error  // the first one

	style   style
	radix   int  // of offsets; 0: all were 0 so far
	indent  int  // column of the offsets in the first row, from 0
	texts   bool // there was a line of text
	dump    Dump
	open    bool // a dump has begun
	row     int  // bytes of the last row
	repeats bool // a line * came: the last row comes again, up to the next offset
	time    int64
	hasTime bool // of the line before the dump
}

// NewReader reads dumps from r.
func NewReader(r io.Reader) *Reader { return &Reader{in: bufio.NewReader(r)} }

// Sniff reports whether a text that begins with head is a hex dump.
func Sniff(head []byte) bool {
	if bytes.ContainsFunc(head, func(r rune) bool { return r < '\t' }) {
		return false
	}
	r := NewReader(bytes.NewReader(head))
	for r.style == unknown && r.next() == nil {
		r.sniff()
	}
	return r.style != unknown
}

// Next returns the next dump. The error is io.EOF at the end of the text, an *Error if a dump cannot be read,
// and otherwise the input's.
func (r *Reader) Next() (*Dump, error) {
	if r.err != nil {
		return nil, r.err
	}
	r.dump, r.open = Dump{Data: r.dump.Data[:0]}, false
	for {
		if !r.held {
			if r.err = r.next(); r.err != nil {
				break
			}
		}
		r.held = false
		var done bool
		if done, r.err = r.take(); r.err != nil {
			return nil, r.err
		} else if done {
			return &r.dump, nil
		}
	}
	if r.err == io.EOF && r.repeats {
		r.err = r.fault(0, "no offset says how often the row before is repeated")
	}
	if r.err == io.EOF && len(r.dump.Data) > 0 {
		return &r.dump, nil
	}
	return nil, r.err
}

// next reads a line.
func (r *Reader) next() error {
	r.line, r.start = r.line[:0], r.behind
	r.number++
	for {
		part, err := r.in.ReadSlice('\n')
		r.behind += int64(len(part))
		r.line = append(r.line, part...)
		switch {
		case len(r.line) > maxLine:
			return r.fault(0, "longer than a dump can be")
		case err == bufio.ErrBufferFull:
			continue
		case err == nil, err == io.EOF && len(r.line) > 0:
			r.line = bytes.TrimRight(r.line, "\r\n")
			return nil
		}
		return err
	}
}

// take processes the present line and reports whether the dump is complete.
func (r *Reader) take() (done bool, err error) {
	if len(r.line) > 0 && r.line[0] == '#' {
		return false, nil
	}
	if r.style == unknown {
		r.sniff()
	}
	switch r.style {
	case words:
		return false, r.fault(0, "numbers of several bytes, whose order cannot be told: use hexdump -C, xxd or od -Ax -tx1")
	case headless:
		return false, r.fault(0, "the first row is missing: its offset is 0")
	case plain:
		return r.takePlain()
	case rows, colons:
		return r.takeRow()
	}
	r.takeText()
	return false, nil
}

// sniff determines the style from the present line, if it has bytes.
func (r *Reader) sniff() {
	if len(r.line) == 0 || r.line[0] == '#' {
		return
	}
	if o, ok := parseOffset(r.line); ok {
		switch rest := r.line[o.end:]; {
		case !o.zero():
			if v, ok := o.value(16); ok && v < maxDump && (o.colon && hasByte(rest) || !o.colon && r.allPairs(rest)) {
				r.style = headless
				return
			}
		case o.colon && hasByte(rest):
			r.style = colons
			return
		case !o.colon && r.allPairs(rest):
			r.style, r.indent = rows, o.start
			return
		case !o.colon && len(o.digits) >= 6 && isNumbers(rest):
			r.style = words
			return
		}
	}
	if !r.texts && isPlain(r.line) {
		r.style = plain
		return
	}
	r.texts = r.texts || len(bytes.TrimSpace(r.line)) > 0
}

// allPairs reports whether a row without a colon begins with bytes and has no more than text after them.
func (r *Reader) allPairs(rest []byte) bool {
	probe := Reader{style: rows}
	err := probe.takeBytes(rest, 0)
	return err == nil && len(probe.dump.Data) > 0
}

// takePlain processes a line of digits.
func (r *Reader) takePlain() (done bool, err error) {
	b := bytes.TrimSpace(r.line)
	if len(b) == 0 {
		return len(r.dump.Data) > 0, nil
	}
	for i := 0; i < len(r.line); {
		c := r.line[i]
		switch {
		case isSeparator(c):
			i++
			continue
		case isPrefix(r.line[i:]):
			i += 2
		}
		n := countDigits(r.line[i:])
		switch {
		case n == 0:
			return false, r.fault(i+1, "%q is not a hexadecimal digit", firstRune(r.line[i:]))
		case n%2 != 0:
			return false, r.fault(i+1, "an odd number of digits: a byte has two")
		}
		if err := r.add(r.line[i : i+n]); err != nil {
			return false, err
		}
		i += n
	}
	return false, nil
}

// takeRow processes a line of a dump with offsets.
func (r *Reader) takeRow() (done bool, err error) {
	if b := bytes.TrimSpace(r.line); len(b) == 1 && b[0] == '*' && r.row > 0 {
		r.repeats = true
		return false, nil
	}
	o, ok := parseOffset(r.line)
	if !ok || o.colon != (r.style == colons) || r.isListed(o) {
		r.takeText()
		return false, nil
	}
	if o.zero() {
		if r.open && len(r.dump.Data) > 0 {
			r.held = true
			if r.repeats {
				return false, r.fault(0, "no offset says how often the row before is repeated")
			}
			return true, nil
		}
		r.open, r.row, r.repeats = true, 0, false
		r.dump.Time, r.dump.HasTime, r.hasTime = r.time, r.hasTime, false
	} else if err := r.checkOffset(o); err != nil {
		return false, err
	}
	before := len(r.dump.Data)
	err = r.takeBytes(r.line[o.end:], o.end)
	r.row = len(r.dump.Data) - before
	return false, err
}

// isListed reports whether a line belongs to a list of packets between the dumps: it also begins with a number,
// but in another column, and has no bytes after it.
func (r *Reader) isListed(o offset) bool {
	rest := r.line[o.end:]
	return !o.colon && o.start != r.indent && len(bytes.TrimSpace(rest)) > 0 && !r.allPairs(rest)
}

// odDigits is the number of digits of od's octal and decimal offsets; hexadecimal ones have 6 there, and 4 or 8
// elsewhere.
const odDigits = 7

// checkOffset checks that a row's offset continues the dump, and repeats the previous row for rows that were
// left out.
func (r *Reader) checkOffset(o offset) error {
	have := int64(len(r.dump.Data))
	if r.radix == 0 && len(o.digits) == odDigits {
		for _, radix := range [...]int{16, 8, 10} {
			if v, ok := o.value(radix); ok && (v == have || r.repeats && v > have) {
				r.radix = radix
				break
			}
		}
	}
	radix := r.radix
	if radix == 0 {
		radix = 16
	}
	at, ok := o.value(radix)
	if r.repeats && ok && at > have && at <= maxDump && (at-have)%int64(r.row) == 0 {
		last := r.dump.Data[have-int64(r.row):]
		for ; have < at; have += int64(r.row) {
			r.dump.Data = append(r.dump.Data, last[:r.row]...)
		}
	}
	r.repeats = false
	if !ok || at != have {
		return r.fault(o.start+1, "offset %s where %s was expected: rows are missing", o.digits, big.NewInt(have).Text(radix))
	}
	return nil
}

// takeBytes reads the bytes of a row, which begin at a column of the line.
func (r *Reader) takeBytes(b []byte, column int) error {
	for first := true; ; first = false {
		gap := 0
		for gap < len(b) && (b[gap] == ' ' || b[gap] == '\t') {
			gap++
		}
		if gap == len(b) || !first && r.endsBytes(b[:gap], b[gap]) {
			return nil
		}
		b, column = b[gap:], column+gap
		n := countDigits(b)
		switch {
		case n == 0 && first:
			return nil // an offset alone
		case n == 0:
			return r.fault(column+1, "%q is not a hexadecimal digit", firstRune(b))
		case n < len(b) && b[n] != ' ' && b[n] != '\t':
			return r.fault(column+n+1, "%q is not a hexadecimal digit", firstRune(b[n:]))
		case n%2 != 0:
			return r.fault(column+1, "an odd number of digits: a byte has two")
		case r.style == rows && n != 2:
			return r.fault(column+1, "%d digits where a byte of two was expected", n)
		}
		if err := r.add(b[:n]); err != nil {
			return err
		}
		b, column = b[n:], column+n
	}
}

// endsBytes reports whether the part after a gap is the text at the end of a row. Programs that group bytes
// have one blank between groups and two before the text; the others have three, or a mark, and may have two in
// the middle.
func (r *Reader) endsBytes(gap []byte, next byte) bool {
	if bytes.IndexByte(gap, '\t') >= 0 {
		return true
	}
	if r.style == colons {
		return len(gap) >= 2
	}
	return len(gap) >= 3 || next == '|' || next == '>'
}

// add appends the bytes of an even number of digits.
func (r *Reader) add(digits []byte) error {
	for i := 0; i < len(digits); i += 2 {
		r.dump.Data = append(r.dump.Data, digit(digits[i])<<4|digit(digits[i+1]))
	}
	if len(r.dump.Data) > maxDump {
		return r.fault(0, "more than %d bytes in one dump", maxDump)
	}
	return nil
}

// takeText checks whether a line without bytes has the capture time of the next packet.
func (r *Reader) takeText() {
	if t, ok := parseEpoch(r.line); ok {
		r.time, r.hasTime = t, true
	}
}

// fault makes an error of the present line.
func (r *Reader) fault(column int, format string, args ...any) *Error {
	return &Error{Line: r.number, Column: column, Offset: r.start, Message: fmt.Sprintf(format, args...)}
}
