package hexdump

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// An offset is the beginning of a row.
type offset struct {
	digits []byte
	start  int // of the digits in the line
	end    int // after the digits and the colon
	colon  bool
}

// minOffset is the least number of digits of an offset: two are a byte. text2pcap(1): "an offset is a hex number
// longer than two hex digits".
const minOffset = 3

// parseOffset reads the offset that a line begins with.
func parseOffset(line []byte) (o offset, ok bool) {
	for o.start < len(line) && (line[o.start] == ' ' || line[o.start] == '\t') {
		o.start++
	}
	if bytes.HasPrefix(line[o.start:], []byte("0x")) {
		o.start += 2
	}
	n := countDigits(line[o.start:])
	o.digits, o.end = line[o.start:o.start+n], o.start+n
	if n < minOffset || n > 16 {
		return o, false
	}
	if o.end < len(line) && line[o.end] == ':' {
		o.colon = true
		o.end++
	}
	return o, o.end == len(line) || line[o.end] == ' ' || line[o.end] == '\t'
}

func (o *offset) zero() bool { return len(bytes.Trim(o.digits, "0")) == 0 }

func (o *offset) value(radix int) (int64, bool) {
	v, err := strconv.ParseInt(string(o.digits), radix, 64)
	return v, err == nil
}

// hasByte reports whether a row's rest begins with a byte.
func hasByte(rest []byte) bool {
	return countDigits(bytes.TrimLeft(rest, " \t")) >= 2
}

// isNumbers reports whether a row's rest consists of numbers of more digits than a byte has.
func isNumbers(rest []byte) bool {
	fields := bytes.Fields(rest)
	for _, f := range fields {
		if n := countDigits(f); n != len(f) || n < 4 {
			return false
		}
	}
	return len(fields) > 0
}

// isPlain reports whether a line consists of bytes, at least two of them. With sixteen digits one other
// character is taken for a mistake, and in longer lines more of them.
func isPlain(line []byte) bool {
	digits, others := 0, 0
	for i := 0; i < len(line); {
		switch {
		case isSeparator(line[i]):
			i++
			continue
		case isPrefix(line[i:]):
			i += 2
		}
		n := countDigits(line[i:])
		if n == 0 {
			others++
			n = 1
		} else {
			digits += n
		}
		i += n
	}
	return digits >= 4 && others*others*16 <= digits
}

func isSeparator(c byte) bool { return c == ' ' || c == '\t' || c == ',' || c == ':' }

// isPrefix reports whether b begins with a prefix that programming languages have for a byte.
func isPrefix(b []byte) bool {
	return len(b) > 2 && (b[0] == '0' || b[0] == '\\') && (b[1] == 'x' || b[1] == 'X')
}

func countDigits(b []byte) int {
	n := 0
	for n < len(b) && isDigit(b[n]) {
		n++
	}
	return n
}

func isDigit(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func digit(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c <= 'F':
		return c - 'A' + 10
	}
	return c - 'a' + 10
}

func firstRune(b []byte) rune {
	r, _ := utf8.DecodeRune(b)
	return r
}

// parseEpoch parses the time at the beginning of a line of tcpdump -tt: seconds since 1970 with six or nine
// decimals.
func parseEpoch(line []byte) (nsec int64, ok bool) {
	stamp, rest, _ := bytes.Cut(line, []byte(" "))
	seconds, decimals, _ := bytes.Cut(stamp, []byte("."))
	if len(rest) == 0 || len(seconds) < 9 || len(seconds) > 10 || len(decimals) != 6 && len(decimals) != 9 {
		return 0, false
	}
	s, err := strconv.ParseUint(string(seconds), 10, 63)
	if err != nil || s > 1<<33 {
		return 0, false
	}
	n, err := strconv.ParseUint(string(decimals), 10, 63)
	if err != nil {
		return 0, false
	}
	if len(decimals) == 6 {
		n *= 1000
	}
	return int64(s*1e9 + n), true
}
