package speech

import "github.com/q3dissect/q3dissect/dissect/quake3/internal/token"

// Tells are the recipients of the client's last private lines: the server echoes the text to the client, without the
// recipient.
type Tells struct {
	list [4]struct {
		target int
		text   []byte
	}
	next int
}

// Put keeps the recipient of a text that the client sends.
func (p *Tells) Put(target int, text []byte) {
	e := &p.list[p.next]
	p.next = (p.next + 1) % len(p.list)
	e.target, e.text = target, append(e.text[:0], text...)
}

// Take returns the recipient of the text, or -1. The server replaces some characters, so only letters and
// digits are compared.
func (p *Tells) Take(text []byte) int {
	for i := range p.list {
		if e := &p.list[i]; len(e.text) > 0 && sameLetters(e.text, text) {
			e.text = e.text[:0]
			return e.target
		}
	}
	return -1
}

// TakeFor returns the last text for a recipient, or nil. It belongs to p until the next Put.
func (p *Tells) TakeFor(target int) []byte {
	for i := range p.list {
		e := &p.list[(p.next+len(p.list)-1-i)%len(p.list)]
		if text := e.text; len(text) > 0 && e.target == target {
			e.text = text[:0]
			return text
		}
	}
	return nil
}

// sameLetters compares two texts by their ASCII letters and digits.
func sameLetters(a, b []byte) bool {
	for {
		for len(a) > 0 && !letter(a[0]) {
			a = a[1:]
		}
		for len(b) > 0 && !letter(b[0]) {
			b = b[1:]
		}
		if len(a) == 0 || len(b) == 0 {
			return len(a) == len(b)
		}
		if a[0] != b[0] {
			return false
		}
		a, b = a[1:], b[1:]
	}
}

func letter(c byte) bool {
	return c >= '0' && c <= '9' || token.Lower(c) >= 'a' && token.Lower(c) <= 'z'
}
