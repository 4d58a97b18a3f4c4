package anonymize

import (
	"bytes"
	"crypto/sha256"
	"hash"
	"strings"
	"unicode"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// The letters of pseudonyms. All have short codes in the static Huffman code of Quake III, so that a message
// does not grow; alternating consonants and vowels can be read aloud.
const (
	consonants = "fhlnpqrstvwxz"
	vowels     = "aeiou"
	digits     = "0123456789"
	hexDigits  = "0123456789abcdef"
)

// cheap are letters for pseudonyms that would otherwise be longer than the text, the shortest code last.
const cheap = "tueh"

// cut replaces passwords and keys, whatever their length.
const cut = "***"

// appendCut appends the replacement of a secret, which is never longer than the secret.
func appendCut(dst, secret []byte) []byte { return append(dst, cut[:min(len(cut), len(secret))]...) }

// symbolBits is the length of each byte's code in the static Huffman code, in bits.
var symbolBits = func() (bits [256]uint8) {
	for b := range bits {
		var w huffcodec.Writer
		w.Byte(byte(b))
		bits[b] = uint8(w.Pos())
	}
	return bits
}()

func codedBits(text []byte) (bits int) {
	for _, b := range text {
		bits += int(symbolBits[b])
	}
	return bits
}

// appendName appends the pseudonym of a name. Letters, digits and colour codes are replaced in place; other
// characters (brackets, dots, spaces) stay, unless they are the whole name. The letters depend on the name
// without its colours, so that both forms get the same ones.
func appendName(dst []byte, mac hash.Hash, name []byte) []byte {
	clean := stripColors(name)
	letters := keystream(mac, dissect.PersonName, clean)
	solid := !bytes.ContainsFunc(clean, func(r rune) bool { return r < 0x80 && isAlnum(byte(r)) || r >= 0x80 })
	start := len(dst)
	consonant := letters()&1 == 0
	for rest := name; len(rest) > 0; {
		if colorCode(rest) {
			dst, rest = append(dst, rest[:2]...), rest[2:]
			continue
		}
		c := rest[0]
		rest = rest[1:]
		switch {
		case isDigit(c) && !solid:
			dst = append(dst, digits[int(letters())%len(digits)])
			continue
		case !isAlnum(c) && c < 0x80 && !solid:
			dst = append(dst, c)
			continue
		}
		set := vowels
		if consonant {
			set = consonants
		}
		consonant = !consonant
		l := set[int(letters())%len(set)]
		if upper := l - 'a' + 'A'; c >= 'A' && c <= 'Z' && symbolBits[upper] <= symbolBits[c] {
			l = upper
		}
		dst = append(dst, l)
	}
	shorten(dst[start:], name)
	return dst
}

// shorten replaces letters of a pseudonym, from its end, until it needs no more bits when coded than the name
// did. If the name consists of the shortest codes, the pseudonym can stay longer.
func shorten(pseudonym, name []byte) {
	over := codedBits(pseudonym) - codedBits(name)
	for _, c := range []byte(cheap) {
		for i := len(pseudonym) - 1; i > 0 && over > 0; i-- {
			if old := pseudonym[i]; isAlnum(old) && pseudonym[i-1] != '^' && symbolBits[c] < symbolBits[old] {
				pseudonym[i] = c
				over -= int(symbolBits[old]) - int(symbolBits[c])
			}
		}
	}
}

// appendGUID appends the pseudonym of an identifier: digits alone stay digits, anything else becomes hexadecimal, in
// the case of the letters that were there.
func appendGUID(dst []byte, mac hash.Hash, guid []byte) []byte {
	next := keystream(mac, dissect.PersonGUID, bytes.ToLower(guid))
	set := hexDigits
	switch {
	case !bytes.ContainsFunc(guid, unicode.IsLetter):
		set = digits
	case bytes.ContainsFunc(guid, unicode.IsUpper):
		set = strings.ToUpper(hexDigits)
	}
	for _, c := range guid {
		if isAlnum(c) {
			c = set[int(next())%len(set)]
		}
		dst = append(dst, c)
	}
	return dst
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isAlnum(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// longestText is the longest text that each block of a keystream is made of: of longer ones it is their hash, so that
// the time does not grow with the square of the length.
const longestText = 256

// keystream returns pseudo-random bytes that depend on the key, the kind and the text.
func keystream(mac hash.Hash, kind dissect.Personal, text []byte) func() byte {
	if len(text) > longestText {
		sum := sha256.Sum256(text)
		text = sum[:]
	}
	var block []byte
	at, count := 0, byte(0)
	return func() byte {
		if at == len(block) {
			mac.Reset()
			mac.Write([]byte{byte(kind), count})
			mac.Write(text)
			block, at, count = mac.Sum(block[:0]), 0, count+1
		}
		at++
		return block[at-1]
	}
}
