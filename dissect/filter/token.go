package filter

import (
	"fmt"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// A tokenKind is the kind of a token.
type tokenKind uint8

const (
	tokenEnd    tokenKind = iota
	tokenWord             // a field, a number, an address or a name, depending on the context
	tokenString           // text is without quotes, escapes resolved
	tokenSlice            // [..], text is the part inside
	tokenSign             // an operator or bracket; text is its usual spelling
)

// A token is a piece of a filter.
type token struct {
	kind     tokenKind
	text     string
	char     bool // of a string: 'c', a number as well
	from, to int  // bytes
}

// operatorWords are the words for operators, with the signs that they mean. Source: wireshark-filter(4).
var operatorWords = map[string]string{
	"and": "&&", "or": "||", "xor": "^^", "not": "!",
	"eq": "==", "any_eq": "==", "all_eq": "===", "ne": "!=", "all_ne": "!=", "any_ne": "!==",
	"gt": ">", "lt": "<", "ge": ">=", "le": "<=",
	"contains": "contains", "matches": "matches", "in": "in", "any": "any", "all": "all",
	"bitand": "&", "bitwise_and": "&",
}

// signs are the operators, the longer ones first.
var signs = []struct{ spelt, means string }{
	{"===", "==="},
	{"!==", "!=="},
	{"==", "=="},
	{"!=", "!="},
	{"~=", "!=="},
	{">=", ">="},
	{"<=", "<="},
	{"&&", "&&"},
	{"||", "||"},
	{"^^", "^^"},
	{"..", ".."},
	{">", ">"},
	{"<", "<"},
	{"!", "!"},
	{"~", "matches"},
	{"&", "&"},
	{"(", "("},
	{")", ")"},
	{"{", "{"},
	{"}", "}"},
	{",", ","},
	{"+", "+"},
	{"-", "-"},
	{"*", "*"},
	{"/", "/"},
	{"%", "%"},
}

// IsOperator reports whether a word is an operator of filters and nothing else, as and, == and contains.
func IsOperator(word string) bool {
	_, ok := operatorWords[word]
	for _, sign := range signs {
		ok = ok || sign.spelt == word
	}
	return ok
}

// signedWords are the words that contain a sign: a date with or without a time, bytes, and a power of ten. They are
// compiled for the first filter, since they would be a tenth of the time that the program takes to start.
var signedWords = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`^\d{4}-\d\d-\d\d([Tt]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)?)?`),
		regexp.MustCompile(`^[0-9A-Fa-f]{2}(-[0-9A-Fa-f]{2})+`),
		regexp.MustCompile(`^\d+(\.\d+)?[eE][+-]\d+`),
	}
})

// tokenize splits a filter.
func tokenize(s string) ([]token, *Error) {
	var tokens []token
	for at := 0; ; {
		at += len(s[at:]) - len(strings.TrimLeft(s[at:], " \t\r\n"))
		if at == len(s) {
			return append(tokens, token{kind: tokenEnd, from: at, to: at}), nil
		}
		t, err := nextToken(s, at)
		if err != nil {
			return nil, err
		}
		tokens = append(tokens, t)
		at = t.to
	}
}

func nextToken(s string, at int) (token, *Error) {
	c := s[at]
	switch {
	case c == '"':
		return stringToken(s, at, at+1)
	case (c == 'r' || c == 'R') && at+1 < len(s) && s[at+1] == '"':
		return rawToken(s, at)
	case c == '\'':
		return charToken(s, at)
	case c == '[':
		end := strings.IndexByte(s[at:], ']')
		if end < 0 {
			return token{}, &Error{s, at, at + 1, "the slice has no ]"}
		}
		return token{kind: tokenSlice, text: s[at+1 : at+end], from: at, to: at + end + 1}, nil
	case wordByte(c) || c == '.' && at+1 < len(s) && digit(s[at+1]):
		end := wordEnd(s, at)
		t := token{kind: tokenWord, text: s[at:end], from: at, to: end}
		if sign, ok := operatorWords[t.text]; ok {
			t.kind, t.text = tokenSign, sign
		}
		return t, nil
	}
	for _, sign := range signs {
		if strings.HasPrefix(s[at:], sign.spelt) {
			return token{kind: tokenSign, text: sign.means, from: at, to: at + len(sign.spelt)}, nil
		}
	}
	r, size := utf8.DecodeRuneInString(s[at:])
	message := fmt.Sprintf("%q has no meaning here", r)
	switch r {
	case '=':
		message = "= is no operator; == compares"
	case '|':
		message = "| is no operator; || or or joins conditions"
	case '“', '”':
		message = "this quotation mark is not the one of ASCII, \""
	}
	return token{}, &Error{s, at, at + size, message}
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || digit(c) || c == '_' || c == ':'
}

// wordEnd finds the end of the word at a position. Points belong to it, except two in a row, which are a range;
// so do hyphens in dates and bytes, a star after a point, and the part after a slash that follows an address.
func wordEnd(s string, at int) int {
	rest := s[at:]
	for _, shape := range signedWords() {
		if end := at + len(shape.FindString(rest)); end > at && (end == len(s) || !wordByte(s[end])) {
			return end
		}
	}
	end := at
	for end < len(s) {
		switch c := s[end]; {
		case wordByte(c):
		case c == '.' && end+1 < len(s) && (wordByte(s[end+1]) || s[end+1] == '*'):
		case c == '*' && end > at && s[end-1] == '.':
		case c == '/' && end+1 < len(s) && digit(s[end+1]):
			if _, err := netip.ParseAddr(s[at:end]); err != nil {
				return end
			}
		default:
			return end
		}
		end++
	}
	return end
}

// stringToken reads a string from the byte after its opening quote. Escapes: those of C, with \x and two
// hexadecimal digits or an octal number for a byte, and \u and \U with four and eight digits for a character.
func stringToken(s string, from, at int) (token, *Error) {
	var text []byte
	for at < len(s) {
		switch s[at] {
		case '"':
			return token{kind: tokenString, text: string(text), from: from, to: at + 1}, nil
		case '\\':
			var ok bool
			if text, at, ok = unescape(text, s, at); !ok {
				return token{}, &Error{s, at, min(at+2, len(s)), `no such escape; \\ is a backslash, and r"..." takes all as it is`}
			}
		default:
			text = append(text, s[at])
			at++
		}
	}
	return token{}, &Error{s, from, len(s), "the string has no closing quote"}
}

// unescape appends the meaning of the escape at a position.
func unescape(text []byte, s string, at int) (out []byte, behind int, ok bool) {
	if at+1 == len(s) {
		return text, at, false
	}
	c := s[at+1]
	if i := strings.IndexByte(`abfnrtv\'"?`, c); i >= 0 {
		return append(text, "\a\b\f\n\r\t\v\\'\"?"[i]), at + 2, true
	}
	width, base, first := 0, 16, at+2
	switch {
	case c == 'x':
		width = 2
	case c == 'u':
		width = 4
	case c == 'U':
		width = 8
	case c >= '0' && c <= '7':
		first, base = at+1, 8
		for width < 3 && first+width < len(s) && s[first+width] >= '0' && s[first+width] <= '7' {
			width++
		}
	default:
		return text, at, false
	}
	if first+width > len(s) {
		return text, at, false
	}
	v, err := strconv.ParseUint(s[first:first+width], base, 32)
	switch {
	case err != nil || base == 8 && v > 255 || c == 'U' && v > utf8.MaxRune:
		return text, at, false
	case c == 'u' || c == 'U':
		return utf8.AppendRune(text, rune(v)), first + width, true
	}
	return append(text, byte(v)), first + width, true
}

// rawToken reads r"...".
func rawToken(s string, at int) (token, *Error) {
	end := strings.IndexByte(s[at+2:], '"')
	if end < 0 {
		return token{}, &Error{s, at, len(s), "the string has no closing quote"}
	}
	return token{kind: tokenString, text: s[at+2 : at+2+end], from: at, to: at + end + 3}, nil
}

// charToken reads 'c', which is a number, or a string of one character.
func charToken(s string, at int) (token, *Error) {
	wrong := &Error{s, at, at + 1, "'c' is one character; longer text stands in \"\""}
	if at+1 == len(s) {
		return token{}, wrong
	}
	var text []byte
	next := at + 2
	if s[at+1] == '\\' {
		var ok bool
		if text, next, ok = unescape(nil, s, at+1); !ok {
			return token{}, wrong
		}
	} else {
		text = []byte{s[at+1]}
	}
	if len(text) != 1 || next >= len(s) || s[next] != '\'' {
		return token{}, wrong
	}
	return token{kind: tokenString, text: string(text), char: true, from: at, to: next + 1}, nil
}
