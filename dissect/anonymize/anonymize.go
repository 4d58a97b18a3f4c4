// Package anonymize replaces what identifies people: addresses, names, GUIDs, passwords and keys.
//
// An Identities collects what a capture contains about people; Seal turns it into a Replacer, which gives the
// same replacement for the same text wherever it occurs. Two runs with one key agree, so several captures of
// one investigation can be compared; without the key the replacements cannot be reversed.
//
//	ids := anonymize.New(anonymize.DeriveKey([]byte("a long passphrase")))
//	ids.Learn(dissect.PersonName, []byte("^1Lab^7Alpha"))
//	r := ids.Seal(anonymize.Keep{})
//	r.AppendText(nil, []byte("Lab^7Alpha entered the game"))  // another name of eight letters
//	r.Addr(netip.MustParseAddr("192.0.2.7"))
//
// It fails closed: of other texts only numbers, and words that the games themselves use, are kept.
//
// The limits: names of fewer than three letters are replaced only in fields that are known to hold a name,
// since they occur in other words; in chat that is kept, a name that somebody wrote differently is not found.
package anonymize

import (
	"crypto/hkdf"
	"crypto/sha256"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
)

// minEverywhere is the shortest name, in letters without colour codes, that is replaced inside other texts.
const minEverywhere = 3

// An Identities collects what identifies people. It is not safe for concurrent use.
type Identities struct {
	key   func() Key
	words map[string]dissect.Personal // raw bytes of each identity
}

// New returns an empty collection whose replacements depend on key alone.
func New(key Key) *Identities {
	return &Identities{key: func() Key { return key }, words: make(map[string]dissect.Personal)}
}

// NewDerived is New with the key derived from a passphrase. The key is derived while texts are learnt: Seal waits for
// it.
func NewDerived(passphrase []byte) *Identities {
	return NewLater(func() Key { return DeriveKey(passphrase) })
}

// NewLater is New with a key that takes time: it is asked for at once, while texts are learnt, and Seal waits for it.
func NewLater(key func() Key) *Identities {
	key = sync.OnceValue(key)
	go key()
	return &Identities{key: key, words: make(map[string]dissect.Personal)}
}

// derive returns the part of a key that is for one purpose.
func (k Key) derive(purpose string) (part [32]byte) {
	b, err := hkdf.Key(sha256.New, k[:], nil, "q3dissect anonymize "+purpose, len(part))
	if err != nil {
		panic(err) // 32 bytes are never too many
	}
	return [32]byte(b)
}

// Learn adds a text that identifies a person; it is copied. A name is also learnt without its colour codes. An
// empty text is ignored.
func (ids *Identities) Learn(kind dissect.Personal, text []byte) {
	if kind == dissect.NotPersonal || len(text) == 0 {
		return
	}
	if kind == dissect.PersonName {
		text = trimName(text)
		ids.learn(kind, stripColors(text))
	}
	ids.learn(kind, text)
}

// learn keeps the kind that hides most if one text is of two kinds.
func (ids *Identities) learn(kind dissect.Personal, text []byte) {
	if len(text) > 0 && ids.words[string(text)] < kind {
		ids.words[string(text)] = kind
	}
}

// Len returns the number of texts learnt.
func (ids *Identities) Len() int { return len(ids.words) }

// trimName removes the blanks around a name, which printed lines omit.
func trimName(name []byte) []byte {
	for len(name) > 0 && name[0] == ' ' {
		name = name[1:]
	}
	for len(name) > 0 && name[len(name)-1] == ' ' {
		name = name[:len(name)-1]
	}
	return name
}

// colorCode reports whether a text begins with a colour code: a caret and a character other than a caret,
// Q_IsColorString in code/qcommon/q_shared.h.
func colorCode(text []byte) bool {
	return len(text) > 1 && text[0] == '^' && text[1] != '^'
}

// stripColors returns a copy of a text without its colour codes.
func stripColors(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		if colorCode(text) {
			text = text[2:]
			continue
		}
		out = append(out, text[0])
		text = text[1:]
	}
	return out
}
