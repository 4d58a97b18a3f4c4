package token

import "bytes"

// A Span is a part of a text, in bytes.
type Span struct{ From, To int }

// AppendAnswers appends, for each line of a text, the part after the name of a secret cvar that contains its value:
//
//	"rconPassword" is:"x^7" default:"^7"
//	    R     rconPassword "x"
//
// Cvar_Print and Cvar_List_f, code/qcommon/cvar.c. The value can have quotes, so the part extends to the end of the
// line.
func AppendAnswers(dst []Span, text []byte) []Span {
	for start := 0; start < len(text); {
		end := len(text)
		if size := bytes.IndexByte(text[start:], '\n'); size >= 0 {
			end = start + size
		}
		if from := answerIn(text[start:end]); from >= 0 {
			dst = append(dst, Span{start + from, end})
		}
		start = end + 1
	}
	return dst
}

// answerIn returns where the value of a secret cvar begins in a line, or -1.
func answerIn(line []byte) int {
	for at := 0; at < len(line); {
		end := at
		for end < len(line) && plainKey(line[end:end+1]) {
			end++
		}
		if end > at && IsSecretKey(line[at:end]) {
			if from := valueAfter(line, end); from >= 0 {
				return from
			}
		}
		at = end + 1
	}
	return -1
}

// maxBetween is how many characters there are between the name of a cvar and its value: a quote, a colour code, blanks
// and a word or two.
const maxBetween = 24

// valueAfter returns where the value of a cvar begins whose name ends at a place: after a quote, is: or an equals sign.
// It returns -1 if there is none.
func valueAfter(line []byte, end int) int {
	if end < len(line) && line[end] == '"' { // the name is in quotes
		end++
	}
	for at := end; at < min(len(line), end+maxBetween); at++ {
		switch c := line[at]; {
		case c == '"' || c == '=' || c == ':' && bytes.HasSuffix(line[end:at], []byte("is")):
			if at+1 < len(line) {
				return at + 1
			}
			return -1
		case c != ' ' && c != '\t' && c != '^' && c != ':' && !plainKey(line[at:at+1]):
			return -1
		}
	}
	return -1
}
