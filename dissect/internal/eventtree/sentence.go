package eventtree

import (
	"bytes"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
)

// A Language is what the sentences of a game have of their own.
type Language struct {
	Own     string // the client whose stream it is, where nothing else is known of it
	Unknown string // anybody else who writes or commands and is not known

	// Teams are the names of the two teams of a game with scores of teams; nil: red and blue.
	Teams func(family uint8) [2]string
	// Clean appends a text of the game without colours and control characters.
	Clean func(dst, text []byte, family uint8) []byte
}

// A Sentence describes one event in words, which it appends to Dst. Write has the sentences that games share; a game
// makes its own of the other methods.
//
// Fields are named by their keys, and those that an event does not have add nothing.
type Sentence struct {
	Tree     *dissect.Tree
	Node     int // of the event
	Dst      []byte
	language *Language
}

// NewSentence begins the description of the event at an index of the tree.
func NewSentence(dst []byte, events *dissect.Tree, node int, language *Language) Sentence {
	return Sentence{Tree: events, Node: node, Dst: dst, language: language}
}

// Kind returns the kind of the event. It belongs to the tree.
func (s *Sentence) Kind() []byte { return s.Bytes(dissect.EventKind.Key) }

// Add adds words.
func (s *Sentence) Add(words string) { s.Dst = append(s.Dst, words...) }

// Child returns the node of a field of the event, or nil. It belongs to the tree.
func (s *Sentence) Child(key string) *dissect.Node {
	if i := s.Tree.Find(s.Node, key); i >= 0 {
		return &s.Tree.Nodes[i]
	}
	return nil
}

// Has reports whether the event has a field.
func (s *Sentence) Has(key string) bool { return s.Tree.Find(s.Node, key) >= 0 }

// Bytes returns a text, or nil. It belongs to the tree.
func (s *Sentence) Bytes(key string) []byte {
	if n := s.Child(key); n != nil {
		return s.Tree.Bytes(n)
	}
	return nil
}

// Text adds a text with words before it, unless it is empty. Line feeds at its end are dropped: an event is one line.
func (s *Sentence) Text(before, key string) {
	if n := s.Child(key); n != nil && len(s.Tree.Bytes(n)) > 0 {
		s.Add(before)
		s.Dst = append(s.Dst, bytes.TrimRight(s.Tree.Bytes(n), "\n")...)
	}
}

// clean is Text for a text that has the game's colours. It reports whether anything is left of the text.
func (s *Sentence) clean(before, key string) bool {
	n := s.Child(key)
	if n == nil {
		return false
	}
	start := len(s.Dst)
	s.Add(before)
	words := len(s.Dst)
	if s.Dst = s.language.Clean(s.Dst, s.Tree.Bytes(n), s.Tree.Family); len(s.Dst) == words {
		s.Dst = s.Dst[:start]
		return false
	}
	return true
}

// Number adds a number with words before it.
func (s *Sentence) Number(before, key string) {
	if n := s.Child(key); n != nil {
		s.Add(before)
		s.Dst = strconv.AppendInt(s.Dst, n.Int(), 10)
	}
}

// Named adds the name of a number with words before it, or the number where it has no name.
func (s *Sentence) Named(before, key string) {
	n := s.Child(key)
	if n == nil {
		return
	}
	name := n.Field.Enum.Name(s.Tree.Family, n.Uint())
	if name == "" {
		s.Number(before, key)
		return
	}
	s.Add(before)
	s.Add(name)
}

// Flag adds words if the event has a field.
func (s *Sentence) Flag(words, key string) {
	if s.Has(key) {
		s.Add(words)
	}
}

// Clock adds a server time in seconds, in the format of the list's event times, with words before it.
func (s *Sentence) Clock(before, key string) {
	if n := s.Child(key); n != nil {
		s.Add(before)
		s.Dst = strconv.AppendFloat(s.Dst, float64(n.Int())/1000, 'f', 3, 64)
	}
}

// Who adds a player: the name without colours or the number, or unknown if the event has neither.
func (s *Sentence) Who(key, unknown string) {
	i := s.Tree.Find(s.Node, key)
	switch {
	case i >= 0 && s.identity(i):
	case i < 0 || s.Tree.Find(i, teamKey) >= 0:
		s.Add(unknown)
	default:
		s.Add(nameless)
	}
}

// Speaker is Who for the client who writes or commands.
func (s *Sentence) Speaker() {
	if s.Has(Own.Key) {
		s.Who(clientKey, s.language.Own)
		return
	}
	s.Who(clientKey, s.language.Unknown)
}

// somebody is Who for players about whom an event may leave out everything.
func (s *Sentence) somebody(key string) { s.Who(key, "somebody") }

const nameless = "client without a name"

// identity adds the name or number in an object about a player. It reports whether there is one.
func (s *Sentence) identity(node int) bool {
	if i := s.Tree.Find(node, "name_clean"); i >= 0 && len(s.Tree.Bytes(&s.Tree.Nodes[i])) > 0 {
		s.Dst = append(s.Dst, s.Tree.Bytes(&s.Tree.Nodes[i])...)
		return true
	}
	if i := s.Tree.Find(node, ClientNum.Key); i >= 0 {
		s.Add("client ")
		s.Dst = strconv.AppendUint(s.Dst, s.Tree.Nodes[i].Uint(), 10)
		return true
	}
	return false
}

// playerOrTeam adds who an object is about.
func (s *Sentence) playerOrTeam(node int) {
	if s.identity(node) {
		return
	}
	if i := s.Tree.Find(node, teamKey); i >= 0 {
		team := &s.Tree.Nodes[i]
		s.Add(team.Field.Enum.Name(s.Tree.Family, team.Uint()))
		return
	}
	s.Add(nameless)
}
