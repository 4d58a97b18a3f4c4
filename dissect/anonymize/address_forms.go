package anonymize

import (
	"bytes"
	"net/netip"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
)

// separators are what people and systems write between the four numbers of an IPv4 address. A comma is between the
// numbers of lists, such as those that Enemy Territory's skills need.
var separators = []byte(".-_")

// leastNumbers is how many numbers of a byte in a row may be an address.
const leastNumbers = 4

// A numbersSpan is numbers of a byte, four or more in a row with the same sign between them: the bytes from <= i < to
// of a text. They may be an IPv4 address in a form that addressIn does not read: in the name of a host, with a port
// after a dot, with zeros before its numbers, with colour codes. Without any, both are the end of the text.
type numbersSpan struct {
	from, to int
	numbers  []byte // the first four
	signs    byte   // between them
	plain    bool   // there are four, in decimal
}

// numbersIn returns the first such numbers in a text from an index on. It looks at each byte twice at most.
func numbersIn(text []byte, at int) numbersSpan {
	for at < len(text) {
		if colorCode(text[at:]) {
			at += 2
			continue
		}
		if !isDigit(text[at]) {
			at++
			continue
		}
		span, last := numbersAt(text, at)
		if len(span.numbers) == leastNumbers {
			return span
		}
		at = max(last, at+1)
	}
	return numbersSpan{from: len(text), to: len(text)}
}

// numbersAt reads numbers with signs between them. last is where the last one begins, or the end of one that is no
// byte's.
func numbersAt(text []byte, at int) (span numbersSpan, last int) {
	span.from, span.plain = at, true
	for count := 1; ; count++ {
		value, decimal, end, ok := numberAt(text, at)
		if !ok {
			return span, max(at, end)
		}
		if span.to, last = end, at; count <= leastNumbers {
			span.numbers, span.plain = append(span.numbers, value), span.plain && decimal
		} else {
			span.plain = false
		}
		sign, next := signAt(text, end)
		if sign == 0 || count > 1 && sign != span.signs {
			return span, last
		}
		span.signs, at = sign, next
	}
}

// signAt returns the separator after a number, and where the next number begins. Blanks may be around a dot.
func signAt(text []byte, at int) (sign byte, next int) {
	at = visible(text, at)
	blanks := at
	for at < len(text) && text[at] == ' ' {
		at = visible(text, at+1)
	}
	if at == len(text) || bytes.IndexByte(separators, text[at]) < 0 || at > blanks && text[at] != '.' {
		return 0, 0
	}
	sign = text[at]
	next = visible(text, at+1)
	for sign == '.' && next < len(text) && text[next] == ' ' {
		next = visible(text, next+1)
	}
	return sign, next
}

// visible returns the index of the first byte from an index on that is not part of a colour code.
func visible(text []byte, at int) int {
	for colorCode(text[at:]) {
		at += 2
	}
	return at
}

// numberAt reads a number of a byte, in decimal, octal or hexadecimal. decimal is false for one with a zero in front.
func numberAt(text []byte, at int) (value byte, decimal bool, end int, ok bool) {
	var memory [longestNumber + 1]byte
	digits, end := memory[:0], at
	for i := at; i < len(text) && continuesNumber(digits, text[i]); i = visible(text, i+1) {
		if len(digits) < cap(digits) {
			digits = append(digits, text[i])
		}
		end = i + 1
	}
	if len(digits) == 0 || len(digits) == cap(digits) {
		return 0, false, end, false
	}
	n, err := strconv.ParseUint(string(digits), 10, 8)
	if err != nil {
		n, err = strconv.ParseUint(string(digits), 0, 8)
	}
	return byte(n), len(digits) == 1 || digits[0] != '0', end, err == nil
}

// longestNumber is how many digits a number of a byte has at most, 0x and zeros in front included.
const longestNumber = 6

// continuesNumber reports whether a byte continues a number with some digits: 12, 0x1f.
func continuesNumber(digits []byte, c byte) bool {
	switch {
	case isDigit(c):
		return true
	case len(digits) == 1:
		return digits[0] == '0' && (c == 'x' || c == 'X')
	}
	return len(digits) > 1 && (digits[1] == 'x' || digits[1] == 'X') && (c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F')
}

// appendNumbers appends the replacement of numbers: the address's, if they are one in another form, else other digits.
func (r *Replacer) appendNumbers(dst, text []byte, span *numbersSpan) []byte {
	if !span.plain {
		return r.appendPseudonym(dst, dissect.PersonName, text[span.from:span.to])
	}
	replaced := r.Addr(netip.AddrFrom4([4]byte(span.numbers))).As4()
	for i, n := range replaced {
		if i > 0 {
			dst = append(dst, span.signs)
		}
		dst = strconv.AppendUint(dst, uint64(n), 10)
	}
	return dst
}
