package truth_test

import (
	"bytes"
	"encoding/hex"
	"strings"

	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// wire returns the bytes of a text of the truth, where each byte is the character of its number.
func wire(s string) []byte {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		b = append(b, byte(r))
	}
	return b
}

// addTexts adds an array of texts.
func addTexts(into node, key string, list [][]byte) {
	texts, raw, exact := make([]any, len(list)), make([]any, len(list)), true
	for i, b := range list {
		s, ok := reftest.Text(b)
		texts[i], raw[i], exact = s, hex.EncodeToString(b), exact && ok
	}
	into[key] = texts
	if !exact {
		into[key+"_raw"] = raw
	}
}

// addInfo adds an infostring: the first of a doubled key counts, and the sibling has the bytes where the
// object does not show them all. It may begin with a backslash or not.
func addInfo(into node, key string, b []byte) {
	info, exact := node{}, true
	var parts [][]byte
	if rest := bytes.TrimPrefix(b, []byte{'\\'}); len(rest) > 0 {
		parts = bytes.Split(rest, []byte{'\\'})
	}
	if n := len(parts); n%2 != 0 {
		exact = false
		if parts = append(parts, nil); len(parts[n-1]) == 0 { // a backslash at the end
			parts = parts[:n-1]
		}
	}
	for i := 0; i < len(parts); i += 2 {
		name, ok := reftest.Text(parts[i])
		value, valid := reftest.Text(parts[i+1])
		if _, double := info[name]; double {
			exact = false
			continue
		}
		info[name] = value
		exact = exact && ok && valid && name != ""
	}
	into[key] = info
	if !exact {
		into[key+"_raw"] = hex.EncodeToString(b)
	}
}

// tokenize splits a command line as Cmd_TokenizeString in code/qcommon/cmd.c does, quotes removed.
func tokenize(b []byte) [][]byte {
	var words [][]byte
	for i := 0; ; {
		switch {
		case i >= len(b) || bytes.HasPrefix(b[i:], []byte("//")):
			return words
		case b[i] <= ' ':
			i++
		case bytes.HasPrefix(b[i:], []byte("/*")):
			end := bytes.Index(b[i:], []byte("*/"))
			if end < 0 {
				return words
			}
			i += end + 2
		case b[i] == '"':
			end := bytes.IndexByte(b[i+1:], '"')
			if end < 0 {
				return append(words, b[i+1:])
			}
			words = append(words, b[i+1:i+1+end])
			i += end + 2
		default:
			from := i
			for i < len(b) && b[i] > ' ' && b[i] != '"' &&
				!bytes.HasPrefix(b[i:], []byte("//")) && !bytes.HasPrefix(b[i:], []byte("/*")) {
				i++
			}
			words = append(words, b[from:i])
		}
	}
}

func join(words [][]byte, sep string) string { return string(bytes.Join(words, []byte(sep))) }

// asJediReads replaces what the truth files of Jedi Knight have not as it was on the wire but as the engine reads it.
func asJediReads(v any) any {
	switch v := v.(type) {
	case string:
		return strings.ReplaceAll(v, "%", ".")
	case []any:
		for i := range v {
			v[i] = asJediReads(v[i])
		}
	case node:
		for key := range v {
			if v[key] = asJediReads(v[key]); strings.HasSuffix(key, "_raw") {
				v[key] = percentRead(v[key])
			}
		}
	}
	return v
}

// percentRead does the same in hexadecimal digits.
func percentRead(v any) any {
	if list, ok := v.([]any); ok {
		for i := range list {
			list[i] = percentRead(list[i])
		}
	}
	text, ok := v.(string)
	if !ok {
		return v
	}
	b, err := hex.DecodeString(text)
	if err != nil {
		return v
	}
	return hex.EncodeToString(bytes.ReplaceAll(b, []byte{'%'}, []byte{'.'}))
}
