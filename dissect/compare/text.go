package compare

import (
	"fmt"
	"strings"

	"github.com/q3dissect/q3dissect/dissect/quantity"
)

// shownFrames is how many lost frames the text names. JSON has all.
const shownFrames = 12

// AppendText appends the result for people: each conversation in sentences. Names of files are as they were given.
func (r *Result) AppendText(dst []byte) []byte {
	dst = fmt.Appendf(dst, "%s  %s: %s of games\n%s  %s: %s of games\n", r.A.Letter, r.A.Name, datagrams(r.A.total),
		r.B.Letter, r.B.Name, datagrams(r.B.total))
	if r.Same {
		return append(append(dst, r.sameSentence()...), '\n')
	}
	if len(r.Pairs) == 0 {
		dst = append(dst, "The captures have no conversation in common.\n"...)
	} else {
		dst = append(append(dst, r.ClockSentence()...), '\n')
	}
	for _, pair := range r.Pairs {
		dst = append(append(dst, '\n'), r.title(pair)...)
		for _, p := range pair.Paths {
			dst = append(append(append(dst, "\n  "...), strings.Join(p.Sentences(), "\n  ")...), '\n')
			dst = p.appendFigures(dst)
		}
	}
	dst = appendRest(dst, r.A.Letter, r.OnlyA)
	return appendRest(dst, r.B.Letter, r.OnlyB)
}

// ClockSentence is Clock.Sentence with the letters of the places.
func (r *Result) ClockSentence() string { return r.Clock.sentence(r.A.Letter, r.B.Letter) }

// sameSentence says which capture is in the other.
func (r *Result) sameSentence() string {
	a, b := r.A.Letter, r.B.Letter
	const nothing = "Nothing can be said of a path between two places."
	switch all := r.Common; {
	case all >= r.A.total && all >= r.B.total:
		return fmt.Sprintf("%s and %s hold the same %s. %s", a, b, datagrams(all), nothing)
	case all >= r.B.total:
		return fmt.Sprintf("%s holds the same datagrams as a part of %s. %s", b, a, nothing)
	case all >= r.A.total:
		return fmt.Sprintf("%s holds the same datagrams as a part of %s. %s", a, b, nothing)
	}
	return fmt.Sprintf("%s and %s hold the same datagrams: %s with the same times are in both. %s", a, b,
		datagrams(r.Common), nothing)
}

// title names a pair: its ends, and which place is where.
func (r *Result) title(p *Pair) string {
	a, b := r.A.Letter, r.B.Letter
	where := "It does not show which place is nearer to the client."
	switch {
	case p.Placed && p.AtClient:
		where = a + " is nearer to the client."
	case p.Placed:
		where = a + " is nearer to the server."
	}
	ends := fmt.Sprintf("client %v, server %v", p.A.Client, p.A.Server)
	if p.A.Client != p.B.Client || p.A.Server != p.B.Server {
		ends += fmt.Sprintf("; at %s client %v, server %v", b, p.B.Client, p.B.Server)
	}
	return fmt.Sprintf("%s, stream %d of %s, %d of %s: %s. %s\n", p.A.Protocol, p.A.Stream, a, p.B.Stream, b, ends, where)
}

// appendFigures appends what the sentences leave out.
func (p *Path) appendFigures(dst []byte) []byte {
	if p.Duplicated+p.Reordered > 0 {
		dst = fmt.Appendf(dst, "  %s arrived once more, %s after one that was sent later.\n", datagrams(p.Duplicated),
			quantity.Thousands(p.Reordered))
	}
	if p.Lost == 0 {
		return dst
	}
	dst = fmt.Appendf(dst, "  Lost frames of %s:", p.from())
	for i, frame := range p.LostFrames {
		if i == shownFrames {
			return fmt.Appendf(dst, " and %s more\n", quantity.Thousands(p.Lost-shownFrames))
		}
		dst = fmt.Appendf(dst, " %d", frame)
	}
	return append(dst, '\n')
}

// shownRest is how many conversations of one capture alone the text names.
const shownRest = 10

func appendRest(dst []byte, place string, list []*Conversation) []byte {
	if len(list) == 0 {
		return dst
	}
	dst = fmt.Appendf(dst, "\nOnly in %s:\n", place)
	for i, c := range list {
		if i == shownRest {
			return fmt.Appendf(dst, "  and %s more\n", quantity.Thousands(len(list)-shownRest))
		}
		dst = fmt.Appendf(dst, "  %s, stream %d: client %v, server %v, %s\n", c.Protocol, c.Stream, c.Client, c.Server,
			datagrams(c.Datagrams))
	}
	return dst
}
