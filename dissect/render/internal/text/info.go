package text

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
)

// AppendInfo appends an infostring as a JSON object of strings, the first of a repeated key. exact is false if
// the object does not have the whole text: a key is repeated or empty, a value is missing, or a byte is not
// UTF-8. A leading backslash is not required: players' infostrings have none.
func AppendInfo(dst, s []byte) (out []byte, exact bool) {
	dst = append(dst, '{')
	exact = true
	var seen keySet
	for {
		key, value, rest, ok := dissect.NextPair(s)
		if !ok {
			exact = exact && len(s) == 0
			break
		}
		// A key with a value has a backslash after it.
		whole := len(key) > 0 && len(bytes.TrimPrefix(s, []byte{'\\'})) > len(key)
		s = rest
		from := len(dst)
		var valid bool
		dst, valid = AppendJSON(dst, key)
		whole = whole && valid
		if !seen.add(dst, from, len(dst)) {
			exact, dst = false, dst[:from]
			continue
		}
		dst = append(dst, ':')
		dst, valid = AppendJSON(dst, value)
		dst = append(dst, ',')
		exact = exact && whole && valid
	}
	return CloseWith(dst, '}'), exact
}

// A keySet remembers the keys of one object by their positions in the output, so that none is written twice. It
// needs no memory of its own for objects of ordinary size.
type keySet struct {
	filter [4]uint64 // a bit for each hash: most new keys need no comparison
	spans  [48]keySpan
	n      int
	more   map[string]struct{} // once there are many
}

type keySpan struct{ from, to int }

// add adds the key dst[from:to]; it returns false if the key is there already.
func (k *keySet) add(dst []byte, from, to int) bool {
	key := dst[from:to]
	if k.more != nil {
		if _, double := k.more[string(key)]; double {
			return false
		}
		k.more[string(key)] = struct{}{}
		return true
	}
	hash := uint8(len(key)*37) ^ key[1]*3 ^ key[len(key)/2]*11 ^ key[max(len(key)-2, 1)]*29
	word, bit := hash>>6, uint64(1)<<(hash&63)
	if k.filter[word]&bit != 0 {
		for _, s := range k.spans[:k.n] {
			if bytes.Equal(dst[s.from:s.to], key) {
				return false
			}
		}
	}
	k.filter[word] |= bit
	if k.n < len(k.spans) {
		k.spans[k.n] = keySpan{from, to}
		k.n++
		return true
	}
	k.more = make(map[string]struct{}, 2*len(k.spans))
	for _, s := range k.spans {
		k.more[string(dst[s.from:s.to])] = struct{}{}
	}
	k.more[string(key)] = struct{}{}
	return true
}
