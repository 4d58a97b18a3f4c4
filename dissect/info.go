package dissect

import "bytes"

// NextPair splits the first key and value from an infostring, \key\value\key\value. A leading backslash is
// optional. ok is false at the end; a last key without a value has an empty one. The slices alias s.
//
// Info_NextPair in code/qcommon/q_shared.c.
func NextPair(s []byte) (key, value, rest []byte, ok bool) {
	if len(s) > 0 && s[0] == '\\' {
		s = s[1:]
	}
	if len(s) == 0 {
		return nil, nil, nil, false
	}
	i := bytes.IndexByte(s, '\\')
	if i < 0 {
		return s, nil, nil, true
	}
	key, s = s[:i], s[i+1:]
	if i = bytes.IndexByte(s, '\\'); i < 0 {
		return key, s, nil, true
	}
	return key, s[:i], s[i:], true
}

// InfoValue returns the value of a key in an infostring, the first one if the key is repeated. Keys are
// compared ignoring the case of ASCII letters, as in the engines.
//
// Info_ValueForKey in code/qcommon/q_shared.c.
func InfoValue(s []byte, key string) []byte {
	for {
		k, v, rest, ok := NextPair(s)
		if !ok {
			return nil
		}
		if len(k) == len(key) && bytes.EqualFold(k, []byte(key)) {
			return v
		}
		s = rest
	}
}
