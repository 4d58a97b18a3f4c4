package speech

import "github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"

// AppendClean appends a text in readable form: without the colour codes of a family of games, and without control
// characters.
//
// Bytes above 126 stay: later engines and Quake Live have them.
func AppendClean(dst, s []byte, family uint8) []byte {
	for i := 0; i < len(s); i++ {
		if n := colourCode(s[i:], family); n > 0 {
			i += n - 1
		} else if c := s[i]; c >= ' ' && c != 0x7f {
			dst = append(dst, c)
		}
	}
	return dst
}

// colourCode returns the length of the colour code at the start of a text; 0: there is none. A code is a caret and any
// character but another caret; in OSP and CPMA ^x and six hexadecimal digits are one, a colour by its red, green and
// blue. In other games ^x is a colour code as any other, and the digits are text.
//
// Q_CleanStr and Q_IsColorString, code/qcommon/q_shared.c and q_shared.h. ^Xrrggbb: the colour guide of
// artifexquake.com, for OSP and CPMA; recordings of OSP have such names (2002_-_Duel_3_Quakecon.dm_67).
func colourCode(s []byte, family uint8) int {
	if len(s) < 2 || s[0] != '^' || s[1] <= ' ' || s[1] >= 0x7f || s[1] == '^' {
		return 0
	}
	const long = len("^xRRGGBB")
	if tables.Games[family].Text.LongColours && (s[1] == 'x' || s[1] == 'X') && len(s) >= long && isHex(s[2:long]) {
		return long
	}
	return 2
}

func isHex(s []byte) bool {
	for _, c := range s {
		if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return true
}
