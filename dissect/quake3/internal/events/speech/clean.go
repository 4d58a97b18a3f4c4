package speech

// AppendClean appends a text in readable form: without colour codes, which are a caret and any character but
// another caret, and without control characters.
//
// Q_CleanStr and Q_IsColorString, code/qcommon/q_shared.c and q_shared.h. Bytes above 126 stay: later engines
// and Quake Live have them.
func AppendClean(dst, s []byte) []byte {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '^' && i+1 < len(s) && s[i+1] > ' ' && s[i+1] < 0x7f && s[i+1] != '^':
			i++
		case c >= ' ' && c != 0x7f:
			dst = append(dst, c)
		}
	}
	return dst
}
