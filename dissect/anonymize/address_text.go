package anonymize

import (
	"bytes"
	"net/netip"
)

// An addressSpan is an address within a text: the bytes from <= i < to. Without one, both are the end of the text.
type addressSpan struct {
	from, to int
	addr     netip.Addr // not valid: what has the colons of IPv6 or of an Ethernet address, and cannot be read
}

// longestAddress is how many characters an address has at most: IPv6 with IPv4 at its end.
const longestAddress = len("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255")

// What an address has at least three of, or two.
var (
	dot   = []byte{'.'}
	colon = []byte{':'}
)

// What IPv6 has in place of zeros, and how many colons an Ethernet address has.
var zeros = []byte("::")

const colonsOfEthernet = 5

// addressIn returns the first address in a text from an index on: IPv4 in dotted form, or IPv6.
func addressIn(text []byte, at int) addressSpan {
	for at < len(text) {
		if colorCode(text[at:]) { // the digit is part of the colour code
			at += 2
			continue
		}
		n := addressLen(text[at:])
		if run := text[at : at+n]; bytes.Count(run, dot) < 3 && bytes.Count(run, colon) < 2 {
			at += max(n, 1)
			continue
		}
		skip := 0
		for skip < n-longestAddress && !isDigit(text[at+skip]) {
			skip++
		}
		for ; skip < n; skip++ {
			if a, err := netip.ParseAddr(string(text[at+skip : at+n])); err == nil {
				return addressSpan{at + skip, at + n, a}
			}
			if isDigit(text[at+skip]) {
				break // before an address only letters that look like hexadecimal digits are skipped
			}
		}
		if run := text[at : at+n]; bytes.Contains(run, zeros) || bytes.Count(run, colon) >= colonsOfEthernet {
			return addressSpan{from: at, to: at + n}
		}
		at += max(n, 1)
	}
	return addressSpan{from: len(text), to: len(text)}
}

// addressLen returns the length of the run at the start of a text that can be an address: hexadecimal digits,
// dots and colons. A port after an IPv4 address is not part of it, nor is a dot or colon that ends a sentence.
func addressLen(text []byte) int {
	dots, colons, n := 0, 0, 0
	for ; n < len(text); n++ {
		switch c := text[n]; {
		case c == '.':
			dots++
		case c == ':':
			if dots == 3 && colons == 0 {
				return n // what follows is the port
			}
			colons++
		case c >= '0' && c <= '9', c >= 'a' && c <= 'f', c >= 'A' && c <= 'F':
		default:
			return trimmedLen(text[:n])
		}
	}
	return trimmedLen(text[:n])
}

func trimmedLen(run []byte) int {
	if n := len(run); n > 0 && (run[n-1] == '.' || run[n-1] == ':' && !bytes.HasSuffix(run, []byte("::"))) {
		return n - 1
	}
	return len(run)
}
