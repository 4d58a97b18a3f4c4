package piece

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/q3dissect/q3dissect/dissect/internal/hexdump"
)

// MaxText is the most bytes of a text that Parse takes: a hex dump of a message of 64 KiB has less.
const MaxText = 1 << 20

// offsetRow matches a row of a hex dump: an offset, then a byte. Plain digits in groups of four do not begin like it.
var offsetRow = regexp.MustCompile(`(?m)^\s*(?:0x)?0{4,8}:?\s+(?:0x)?[0-9A-Fa-f]{2,4}\b`)

// Parse returns the bytes of a text: hexadecimal digits with any separators, a hex dump, a string of C with its
// escapes, or base64. A text of hexadecimal digits is not taken for base64. Errors name the character, counted from 1.
func Parse(text string) ([]byte, error) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return nil, errors.New("no bytes are given")
	case len(text) > MaxText:
		return nil, fmt.Errorf("a text of %d characters, at most %d are read", len(text), MaxText)
	case strings.Contains(text, "\n") && offsetRow.MatchString(text):
		return fromDump(text)
	case strings.HasPrefix(text, `"`) || strings.Contains(text, `\`):
		return fromC(text)
	}
	data, place := fromHex(text)
	if place == 0 {
		return data, nil
	}
	if plain := strings.NewReplacer("\r", "", "\n", "").Replace(text); len(plain)%4 == 0 {
		if data, err := base64.StdEncoding.DecodeString(plain); err == nil {
			return data, nil
		}
	}
	if place > len(text) {
		return nil, fmt.Errorf("character %d: the last byte has one digit", len(text))
	}
	return nil, fmt.Errorf("character %d: %q is no hexadecimal digit, and the text is no base64",
		place, text[place-1:place])
}

// fromDump reads a hex dump with one packet.
func fromDump(text string) ([]byte, error) {
	r := hexdump.NewReader(strings.NewReader(text + "\n"))
	dump, err := r.Next()
	if err != nil {
		return nil, err
	}
	data := bytes.Clone(dump.Data)
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		return nil, errors.New("the dump has more than one packet: give one at a time")
	}
	return data, nil
}

// fromHex reads hexadecimal digits. Separators are blanks, commas, colons, hyphens, braces and 0x. place is the first
// other character, from 1; beyond the text if a digit is missing; 0: none.
func fromHex(text string) (data []byte, place int) {
	var pair [2]byte
	digits := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '0' && digits == 0 && i+1 < len(text) && (text[i+1] == 'x' || text[i+1] == 'X'):
			i++
			continue
		case strings.IndexByte(" \t\r\n,;:-_{}[]()|", c) >= 0:
			if digits == 1 { // 0x8, 0x7: a byte of one digit
				data, digits = append(data, nibble(pair[0])), 0
			}
			continue
		case !isDigit(c):
			return nil, i + 1
		}
		pair[digits] = c
		if digits++; digits == 2 {
			var b [1]byte
			_, _ = hex.Decode(b[:], pair[:]) // both are digits
			data, digits = append(data, b[0]), 0
		}
	}
	if digits == 1 {
		if strings.ContainsAny(text, " ,;:") {
			return append(data, nibble(pair[0])), 0
		}
		return nil, len(text) + 1
	}
	return data, 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

func nibble(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

// simple are the escapes of C with one character. C11, 6.4.4.4.
var simple = map[byte]byte{
	'n': '\n', 't': '\t', 'r': '\r', 'a': 7, 'b': 8, 'f': 12, 'v': 11, 'e': 27, '\\': '\\', '"': '"', '\'': '\'', '?': '?',
}

// fromC reads a string of C, or several after each other, with quotation marks or without.
func fromC(text string) (data []byte, err error) {
	quoted := strings.HasPrefix(text, `"`)
	inside := !quoted
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quoted && c == '"':
			inside = !inside
			continue
		case !inside:
			if strings.IndexByte(" \t\r\n,;+", c) < 0 {
				return nil, fmt.Errorf("character %d: %q after the end of a string", i+1, c)
			}
			continue
		case c != '\\':
			data = append(data, c)
			continue
		}
		b, n := escape(text[i+1:])
		if n == 0 {
			return nil, fmt.Errorf("character %d: an escape that C does not have", i+1)
		}
		data, i = append(data, b), i+n
	}
	if quoted && inside {
		return nil, fmt.Errorf("character %d: the string has no end", len(text))
	}
	return data, nil
}

// escape reads what follows a backslash, and returns its length; 0: it is no escape. \x takes two digits, as programs
// print it, and not as many as there are.
func escape(s string) (b byte, n int) {
	if s == "" {
		return 0, 0
	}
	if s[0] == 'x' {
		for n = 1; n < len(s) && n < 3 && isDigit(s[n]); n++ {
			b = b<<4 | nibble(s[n])
		}
		if n == 1 {
			return 0, 0
		}
		return b, n
	}
	for n < len(s) && n < 3 && s[n] >= '0' && s[n] <= '7' {
		b, n = b<<3|(s[n]-'0'), n+1
	}
	if n > 0 {
		return b, n
	}
	if b, ok := simple[s[0]]; ok {
		return b, 1
	}
	return 0, 0
}
