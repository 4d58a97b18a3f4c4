package anonymize

import (
	"bytes"
	"cmp"
	"net/netip"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
)

// A Replacer returns replacements. They depend only on the key and on what was learnt before Seal, so the same
// text is replaced in the same way everywhere. It is a dissect.Rewriting, and safe for concurrent use.
type Replacer struct {
	addresses *addressMap
	words     map[string][]byte // replacement of each identity
	texts     *strings.Replacer // for identities inside texts, longest first
}

// Seal returns a Replacer of everything that was learnt so far.
func (ids *Identities) Seal() *Replacer {
	r := &Replacer{addresses: newAddressMap(ids.addresses), words: make(map[string][]byte, len(ids.words))}
	long := make([]string, 0, len(ids.words))
	for word, kind := range ids.words {
		switch kind {
		case dissect.PersonName:
			r.words[word] = appendName(nil, ids.mac, []byte(word))
		case dissect.PersonGUID:
			r.words[word] = appendGUID(nil, ids.mac, []byte(word))
		case dissect.PersonSecret:
			r.words[word] = appendCut(nil, []byte(word))
		}
		if len(stripColors([]byte(word))) >= minEverywhere {
			long = append(long, word)
		}
	}
	// strings.Replacer takes the first that fits in the order of its arguments: the longest has to be first.
	slices.SortFunc(long, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	pairs := make([]string, 0, 2*len(long))
	for _, word := range long {
		pairs = append(pairs, word, string(r.words[word]))
	}
	r.texts = strings.NewReplacer(pairs...)
	return r
}

// Addr returns the replacement of an address.
func (r *Replacer) Addr(a netip.Addr) netip.Addr { return r.addresses.of(a) }

// AddrPort returns the replacement of an endpoint: the port stays.
func (r *Replacer) AddrPort(a netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(r.Addr(a.Addr()), a.Port())
}

// AppendPersonal appends the replacement of a text that identifies a person as a whole. A secret is cut; a text
// that was not learnt is treated as any other.
func (r *Replacer) AppendPersonal(dst []byte, p dissect.Personal, text []byte) []byte {
	if p == dissect.PersonSecret {
		return appendCut(dst, text)
	}
	trimmed := trimName(text)
	if word, ok := r.words[string(trimmed)]; ok {
		at := bytes.Index(text, trimmed)
		dst = append(append(dst, text[:at]...), word...)
		return append(dst, text[at+len(trimmed):]...)
	}
	return r.AppendText(dst, text)
}

// AppendText appends a text in which every identity of at least three letters and every IP address is replaced.
func (r *Replacer) AppendText(dst, text []byte) []byte {
	return r.appendAddresses(dst, []byte(r.texts.Replace(string(text))))
}

// Changes reports whether AppendText would change the text.
func (r *Replacer) Changes(text []byte) bool { return !bytes.Equal(r.AppendText(nil, text), text) }

// appendAddresses appends a text with its addresses replaced: IPv4 in dotted form and IPv6.
func (r *Replacer) appendAddresses(dst, text []byte) []byte {
	for len(text) > 0 {
		if colorCode(text) { // the digit is part of the colour code
			dst, text = append(dst, text[:2]...), text[2:]
			continue
		}
		n := addressLen(text)
		skip := 0
		a, err := netip.ParseAddr(string(text[:n]))
		for ; err != nil && skip < n && !isDigit(text[skip]); skip++ { // skips letters before the address that look like hexadecimal digits
			a, err = netip.ParseAddr(string(text[skip+1 : n]))
		}
		dst = append(dst, text[:skip]...)
		if err == nil {
			dst = r.Addr(a).AppendTo(dst)
		} else {
			n = max(n, 1)
			dst = append(dst, text[skip:n]...)
		}
		text = text[n:]
	}
	return dst
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
