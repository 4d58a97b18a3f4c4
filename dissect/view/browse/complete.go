package browse

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

const (
	maxProposals = 60
	sampledRows  = 20000 // packets at the beginning of the inputs whose values are proposed
)

// A Completion is a proposal for the cursor's place in a filter.
type Completion struct {
	From      int        `json:"from"` // first character that a proposal replaces, from 0
	To        int        `json:"to"`
	Proposals []Proposal `json:"proposals"`
}

// A Proposal is one of them.
type Proposal struct {
	Text string `json:"text"`
	Type string `json:"type,omitempty"` // of a field: of its values in JSON
	Doc  string `json:"doc,omitempty"`
	More bool   `json:"more,omitempty"` // it is the beginning of longer names
}

// Complete returns proposals for a character of a filter: the next part of a field's name, or after a comparison
// the values that the field can have or has.
func (s *Session) Complete(text string, cursor int) Completion {
	runes := []rune(text)
	cursor = min(max(cursor, 0), len(runes))
	from := cursor
	for from > 0 && isNameRune(runes[from-1]) {
		from--
	}
	to := cursor
	for to < len(runes) && isNameRune(runes[to]) {
		to++
	}
	word := string(runes[from:cursor])
	c := Completion{From: from, To: to, Proposals: []Proposal{}}
	if field := comparedField(string(runes[:from])); field != "" {
		if from > 0 && runes[from-1] == '"' {
			c.From--
			if to < len(runes) && runes[to] == '"' {
				c.To++
			}
		}
		c.Proposals = s.values(field, word)
		return c
	}
	c.Proposals = s.fieldNames(word)
	return c
}

func isNameRune(r rune) bool {
	return r == '_' || r == '.' || r == '*' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// comparisons are the operators between a field and a value.
var comparisons = []string{
	"===", "!==", "==", "!=", ">=", "<=", "~=", ">", "<", " eq", " ne", " gt", " lt", " ge",
	" le", " contains", " any_eq", " all_ne", " all_eq", " any_ne",
}

// comparedField returns the field before a comparison at the end of a text, or "".
func comparedField(text string) string {
	text = strings.TrimSuffix(strings.TrimRight(text, " "), `"`)
	text = strings.TrimRight(text, " ")
	if at := strings.LastIndexByte(text, '{'); at >= 0 && !strings.Contains(text[at:], "}") { // weapon in {5,
		if rest, ok := strings.CutSuffix(strings.TrimRight(text[:at], " "), " in"); ok {
			return lastName(rest)
		}
	}
	for _, c := range comparisons {
		if rest, ok := strings.CutSuffix(text, c); ok {
			return lastName(strings.TrimRight(rest, " "))
		}
	}
	return ""
}

func lastName(text string) string {
	return text[strings.LastIndexFunc(text, func(r rune) bool { return !isNameRune(r) })+1:]
}

// fieldNames proposes names of fields: one part more than there is, and of what is found inside names whole ones.
func (s *Session) fieldNames(word string) []Proposal {
	list := s.fields()
	proposals, seen := []Proposal{}, map[string]bool{}
	depth := strings.Count(word, ".") + 1
	for i := range list {
		f := &list[i]
		if !strings.HasPrefix(f.Path, word) {
			continue
		}
		parts := strings.SplitN(f.Path, ".", depth+1)
		p := Proposal{Text: f.Path, Type: f.Type, Doc: f.Doc}
		if len(parts) > depth {
			p = Proposal{Text: strings.Join(parts[:depth], ".") + ".", More: true, Type: "object"}
			if n := slices.IndexFunc(list, func(o schema.FieldInfo) bool {
				return o.Path == strings.TrimSuffix(p.Text,
					".")
			}); n >= 0 {
				p.Doc = list[n].Doc
			}
		} else if f.Type == "object" || f.Items == "object" {
			continue // the proposal with the dot covers it
		}
		if !seen[p.Text] && len(proposals) < maxProposals {
			seen[p.Text] = true
			proposals = append(proposals, p)
		}
	}
	if len(word) < 3 {
		return proposals
	}
	for i := range list {
		f := &list[i]
		inside := f.Path[strings.LastIndexByte(f.Path, '.')+1:]
		if f.Type != "object" && strings.Contains(inside, word) && !strings.HasPrefix(f.Path, word) &&
			len(proposals) < maxProposals && !seen[f.Path] {
			seen[f.Path] = true
			proposals = append(proposals, Proposal{Text: f.Path, Type: f.Type, Doc: f.Doc})
		}
	}
	return proposals
}

func (s *Session) fields() []schema.FieldInfo {
	s.once.fields.Do(func() {
		list := schema.ListFields(s.opts.Protocols, true)
		s.list = slices.DeleteFunc(list, func(f schema.FieldInfo) bool {
			_, err := s.names.Compile(f.Path)
			return err != nil
		})
	})
	return s.list
}

// values proposes values of a field: the names of its numbers, and the values in the first records.
func (s *Session) values(field, word string) []Proposal {
	proposals := []Proposal{}
	add := func(value, doc string) {
		bare := strings.Trim(value, `"`)
		if len(proposals) < maxProposals && strings.Contains(strings.ToLower(bare), strings.ToLower(word)) &&
			!slices.ContainsFunc(proposals, func(p Proposal) bool { return p.Text == value }) {
			proposals = append(proposals, Proposal{Text: value, Doc: doc})
		}
	}
	list := s.fields()
	n := slices.IndexFunc(list, func(f schema.FieldInfo) bool { return f.Path == field })
	if n >= 0 {
		for _, name := range list[n].Names {
			add(name, "")
		}
		if list[n].Type == "boolean" {
			add("true", "")
			add("false", "")
			return proposals
		}
	}
	quoted := n < 0 || list[n].Type == "string"
	for _, v := range s.sample(field) {
		doc := strconv.Itoa(v.count) + " of the first records"
		if quoted && !unquoted[field] {
			add(strconv.Quote(v.text), doc)
		} else {
			add(v.text, doc)
		}
	}
	return proposals
}

// unquoted are fields whose values are words of the program, or addresses.
var unquoted = map[string]bool{"src": true, "dst": true, "protocol": true, "direction": true, "time": true}

// A seen value is one that occurs in records.
type seenValue struct {
	text  string
	count int
}

var errEnough = errors.New("enough")

// sample counts the values of a field in the first records.
func (s *Session) sample(field string) []seenValue {
	reader, err := s.fieldReader(field)
	if err != nil {
		return nil
	}
	counts := map[string]int{}
	ctx, stop := context.WithCancel(s.ctx)
	defer stop()
	left := sampledRows
	cfg := s.config(0)
	cfg.Workers = 1
	cfg.Finish = func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
		from := len(dst)
		dst = reader.append(dst, rec)
		for value := range strings.SplitSeq(string(dst[from:]), "\n") {
			if value != "" && value != dissect.SecretMask && len(value) < 200 && len(counts) < 5000 {
				counts[value]++
			}
		}
		if left--; left <= 0 {
			return dst[:from], errEnough
		}
		return dst[:from], nil
	}
	_, _ = s.pass(ctx, 0, cfg, passOptions{}) // faults of the input are shown in the list
	values := make([]seenValue, 0, len(counts))
	for text, n := range counts {
		values = append(values, seenValue{text, n})
	}
	slices.SortFunc(values, func(a, b seenValue) int {
		if a.count != b.count {
			return b.count - a.count
		}
		return strings.Compare(a.text, b.text)
	})
	return values[:min(len(values), maxProposals)]
}

// condition is what a filter must say to find the value of a field; where that cannot be said, that the field is there.
func condition(c *render.FieldCell) string {
	name := c.Name
	if c.Field.Secret || strings.Contains(c.Value, dissect.SecretMask) {
		return name
	}
	switch kind := c.Field.Kind; {
	case c.Key, kind == dissect.Text:
		return name + " == " + quote(c.Text)
	case kind == dissect.Label:
		return name + " == " + strconv.Quote(c.Value)
	case kind == dissect.Bool, kind == dissect.Float, kind.Number():
		return name + " == " + c.Value
	case kind == dissect.Hex && len(c.Value) > 2 && !strings.Contains(c.Value, "\n"):
		return name + " == " + c.Value
	}
	return name
}

// quote returns a text from the wire as a string of the filter language.
func quote(text []byte) string { return strconv.Quote(wiretext.String(text)) }
