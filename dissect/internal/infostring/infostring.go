// Package infostring reads infostrings as records have them, objects in which each key is once, and reports whether a
// record keeps all bytes of a text.
package infostring

import (
	"bytes"
	"unicode/utf8"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// A Reader returns the pairs of an infostring, of a repeated key the first. It allocates nothing for up to maxKeys
// keys.
type Reader struct {
	s, rest []byte
	invalid bool // s is not UTF-8
	inexact bool
	filter  [4]uint64 // a bit for each hash of a key: most new keys need no comparison
	keys    [maxKeys]span
	n       int
	more    map[string]struct{} // the keys as they are shown, once there are many
}

const maxKeys = 48

// A span is the place of a key in the infostring.
type span struct{ from, to int32 }

// Reset begins another infostring. The Reader must be new, or have read none.
func (r *Reader) Reset(s []byte) {
	r.s, r.rest, r.invalid = s, s, !utf8.Valid(s)
	r.inexact = r.invalid
}

// Next returns the next pair, as its bytes are. ok is false at the end.
func (r *Reader) Next() (key, value []byte, ok bool) {
	for {
		from := len(r.s) - len(r.rest)
		key, value, r.rest, ok = dissect.NextPair(r.rest)
		if !ok {
			r.inexact = r.inexact || from < len(r.s)
			return nil, nil, false
		}
		if r.s[from] == '\\' {
			from++
		}
		to := from + len(key)
		if len(key) == 0 || to == len(r.s) { // a key with a value has a backslash after it
			r.inexact = true
		}
		if r.add(from, to) {
			return key, value, true
		}
		r.inexact = true
	}
}

// Exact reports, after the last pair, whether the pairs are the whole text: no key is repeated or empty, no value is
// missing, and all is UTF-8. A leading backslash is not required: players' infostrings have none.
func (r *Reader) Exact() bool { return !r.inexact }

// add adds the key s[from:to]; it returns false if the key is there already.
func (r *Reader) add(from, to int) bool {
	key := r.s[from:to]
	if r.more != nil {
		return r.addMore(key)
	}
	hash := uint8(len(key) * 37)
	if n := len(key); n > 0 {
		hash ^= key[0]*3 ^ key[n/2]*11 ^ key[n-1]*29
	}
	word, bit := hash>>6, uint64(1)<<(hash&63)
	if r.filter[word]&bit != 0 || r.invalid { // bytes that are not UTF-8 can make two keys the same
		for _, k := range r.keys[:r.n] {
			if other := r.s[k.from:k.to]; bytes.Equal(other, key) || r.invalid && wiretext.Equal(other, key) {
				return false
			}
		}
	}
	r.filter[word] |= bit
	if r.n < maxKeys {
		r.keys[r.n] = span{int32(from), int32(to)}
		r.n++
		return true
	}
	r.more = make(map[string]struct{}, 2*maxKeys)
	for _, k := range r.keys {
		r.more[wiretext.String(r.s[k.from:k.to])] = struct{}{}
	}
	return r.addMore(key)
}

func (r *Reader) addMore(key []byte) bool {
	if _, double := r.more[string(key)]; double {
		return false
	}
	shown := wiretext.String(key)
	_, double := r.more[shown]
	r.more[shown] = struct{}{}
	return !double
}

// Exact reports whether the object of an infostring is the whole text: see Reader.Exact.
func Exact(s []byte) bool {
	var r Reader
	r.Reset(s)
	for ok := true; ok && !r.inexact; {
		_, _, ok = r.Next()
	}
	return r.Exact()
}

// Value returns the value of the first key that is spelt exactly so. dissect.InfoValue ignores case, as the engines do.
func Value(s []byte, key string) (value []byte, ok bool) {
	for {
		k, v, rest, ok := dissect.NextPair(s)
		if !ok || string(k) == key {
			return v, ok
		}
		s = rest
	}
}

// KeepsBytes reports whether the JSON value of node i keeps all bytes of its texts. Else records have its bytes beside
// it.
func KeepsBytes(t *dissect.Tree, i int) bool {
	n := &t.Nodes[i]
	switch n.Field.Kind {
	case dissect.Text:
		return utf8.Valid(t.Bytes(n))
	case dissect.Info:
		return Exact(t.Bytes(n))
	case dissect.List:
		for e := i + 1; e < int(n.End); e = int(t.Nodes[e].End) {
			if !KeepsBytes(t, e) {
				return false
			}
		}
	}
	return true
}
