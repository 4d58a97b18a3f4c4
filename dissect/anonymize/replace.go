package anonymize

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"hash"
	"net/netip"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
)

// Keep selects what is kept although it cannot be known to be harmless.
type Keep struct {
	Chat  bool // what players say, apart from names, addresses and passwords in it
	Files bool // the bytes of downloaded files
}

// A Replacer returns replacements. They depend only on the key, on Keep and on what was learnt before Seal, so the same
// text is replaced in the same way everywhere. It is a dissect.Rewriting, and safe for concurrent use.
type Replacer struct {
	addresses *addressMap
	keep      Keep
	words     map[string][]byte // replacement of each identity
	texts     trie              // identities that are replaced inside texts
	macs      sync.Pool         // of hash.Hash
	only      *Remove           // nothing else is replaced; nil: everything is
}

// Seal returns a Replacer of everything that was learnt so far.
func (ids *Identities) Seal(keep Keep) *Replacer {
	key := ids.key()
	text := key.derive("text") // keys the pseudonyms
	r := &Replacer{
		addresses: newAddressMap(key.derive("address")), keep: keep, words: make(map[string][]byte, len(ids.words)),
	}
	r.macs.New = func() any { return hmac.New(sha256.New, text[:]) }
	for word, kind := range ids.words {
		r.words[word] = r.appendPseudonym(nil, kind, []byte(word))
		if len(stripColors([]byte(word))) >= minEverywhere {
			r.texts.add(word)
		}
	}
	return r
}

// appendPseudonym appends what replaces a text of a kind wherever it occurs.
func (r *Replacer) appendPseudonym(dst []byte, p dissect.Personal, text []byte) []byte {
	if p == dissect.PersonSecret {
		return appendCut(dst, text)
	}
	mac := r.macs.Get().(hash.Hash)
	defer r.macs.Put(mac)
	if p == dissect.PersonGUID {
		return appendGUID(dst, mac, text)
	}
	return appendName(dst, mac, text)
}

// Addr returns the replacement of an address.
func (r *Replacer) Addr(a netip.Addr) netip.Addr {
	if r.only != nil {
		return a
	}
	return r.addresses.of(a)
}

// AddrPort returns the replacement of an endpoint: the port stays.
func (r *Replacer) AddrPort(a netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(r.Addr(a.Addr()), a.Port())
}

// AppendPersonal appends the replacement of a text that identifies a person as a whole, whether it was learnt or not. A
// secret is cut.
func (r *Replacer) AppendPersonal(dst []byte, p dissect.Personal, text []byte) []byte {
	switch {
	case r.only != nil:
		return r.appendOnlyPersonal(dst, p, text)
	case p == dissect.PersonSecret:
		return appendCut(dst, text)
	case p == dissect.PersonUnknown:
		if !bytes.ContainsFunc(text, func(c rune) bool { return c >= 0x80 || isAlnum(byte(c)) }) {
			return r.appendPseudonym(dst, p, text)
		}
		return r.replace(dst, text, r.appendUnknown)
	}
	return r.appendName(dst, p, text)
}

// appendName appends the replacement of a name or an identifier, with the blanks around it.
func (r *Replacer) appendName(dst []byte, p dissect.Personal, text []byte) []byte {
	trimmed := trimName(text)
	at := bytes.Index(text, trimmed)
	dst = append(dst, text[:at]...)
	if word, ok := r.words[string(trimmed)]; ok {
		dst = append(dst, word...)
	} else {
		dst = r.appendPseudonym(dst, p, trimmed)
	}
	return append(dst, text[at+len(trimmed):]...)
}

// AppendText appends a text in which every identity of at least three letters and every IP address is replaced, and
// every word that is not known to be harmless.
func (r *Replacer) AppendText(dst, text []byte) []byte {
	if r.only != nil {
		return r.appendOnly(dst, text, false)
	}
	return r.replace(dst, text, r.appendProse)
}

// AppendHarmless appends a text of known meaning, in which only addresses and identities that are whole words are
// replaced: the map labrace stays where a player is called lab.
func (r *Replacer) AppendHarmless(dst, text []byte) []byte {
	if r.only != nil {
		return r.appendOnly(dst, text, true)
	}
	return r.replaceIn(dst, text, true, appendGap)
}

func appendGap(dst, gap []byte) []byte { return append(dst, gap...) }

// AppendChat appends chat: as AppendHarmless does if chat is kept, otherwise with asterisks in place of
// the words.
func (r *Replacer) AppendChat(dst, text []byte) []byte {
	switch {
	case r.only != nil && r.keep.Chat:
		return r.appendOnly(dst, text, false)
	case r.only != nil:
		return r.appendSpeaker(dst, text)
	case r.keep.Chat:
		return r.replace(dst, text, appendGap)
	}
	return r.replace(dst, text, appendAsterisks)
}

// AppendFile appends a part of a file if files are kept, otherwise as many zeros.
func (r *Replacer) AppendFile(dst, part []byte) []byte {
	if r.keep.Files {
		return append(dst, part...)
	}
	return append(dst, make([]byte, len(part))...)
}

// replace appends a text with its identities and addresses replaced, and what is between them as gap appends it.
func (r *Replacer) replace(dst, text []byte, gap func(dst, gap []byte) []byte) []byte {
	return r.replaceIn(dst, text, false, gap)
}

// replaceIn is replace, with whole for identities that are no part of a longer word alone.
func (r *Replacer) replaceIn(dst, text []byte, whole bool, gap func(dst, gap []byte) []byte) []byte {
	done := 0
	address, numbers := addressIn(text, 0), numbersIn(text, 0)
	for i := 0; i < len(text); {
		if n := r.texts.longest(text[i:]); n > 0 && (!whole || isWhole(text, i, i+n)) {
			dst = append(gap(dst, text[done:i]), r.words[string(text[i:i+n])]...)
			i += n
			done = i
			continue
		}
		if i > address.from {
			address = addressIn(text, i)
		}
		if i == address.from && address.to > i {
			if dst = gap(dst, text[done:i]); address.addr.IsValid() {
				dst = r.Addr(address.addr).AppendTo(dst)
			} else {
				dst = r.appendPseudonym(dst, dissect.PersonGUID, text[i:address.to])
			}
			i = address.to
			done = i
			continue
		}
		if i > numbers.from {
			numbers = numbersIn(text, i)
		}
		if i == numbers.from && numbers.to > i {
			dst = r.appendNumbers(gap(dst, text[done:i]), text, &numbers)
			i = numbers.to
			done = i
			continue
		}
		i++
	}
	return gap(dst, text[done:])
}

// isWhole reports whether no letter or digit is beside a part of a text.
func isWhole(text []byte, from, to int) bool {
	return (from == 0 || !isAlnum(text[from-1])) && (to == len(text) || !isAlnum(text[to]))
}

// appendProse appends the words of a text that are not known to be harmless as pseudonyms.
func (r *Replacer) appendProse(dst, text []byte) []byte {
	return eachWord(dst, text, func(dst, word []byte) []byte {
		if isHarmless(word) {
			return append(dst, word...)
		}
		return r.appendPseudonym(dst, dissect.PersonName, word)
	})
}

// appendUnknown appends all words of a text but small numbers as pseudonyms.
func (r *Replacer) appendUnknown(dst, text []byte) []byte {
	return eachWord(dst, text, func(dst, word []byte) []byte {
		if len(word) <= maxSmallNumber && isNumber(word) {
			return append(dst, word...)
		}
		return r.appendPseudonym(dst, dissect.PersonName, word)
	})
}

func appendAsterisks(dst, text []byte) []byte { return eachWord(dst, text, appendCut) }

// eachWord appends a text with its words as replaced appends them. A word is letters, digits and bytes above 127, with
// colour codes before and between them.
func eachWord(dst, text []byte, replaced func(dst, word []byte) []byte) []byte {
	for i := 0; i < len(text); {
		n := wordLen(text[i:])
		if n == 0 {
			next := max(visible(text, i), i+1) // no word follows the colour codes
			dst = append(dst, text[i:next]...)
			i = next
			continue
		}
		dst = replaced(dst, text[i:i+n])
		i += n
	}
	return dst
}

// wordLen returns the length of the word that a text begins with, colour codes before letters included.
func wordLen(text []byte) (n int) {
	for i := 0; i < len(text); {
		switch {
		case colorCode(text[i:]):
			i += 2
		case isAlnum(text[i]) || text[i] >= 0x80:
			i++
			n = i
		default:
			return n
		}
	}
	return n
}
