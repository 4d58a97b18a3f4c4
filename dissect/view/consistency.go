package view

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// consistencyKind is the statistic of what agrees in an input, and what does not.
func consistencyKind() Kind {
	return Kind{
		Name: "consistency", Usage: "consistency",
		Doc: "checks of whether parts of an input agree: how often each was made, and how often it failed; no verdict, " +
			"since a change that codes everything again leaves no trace",
		Needs: Needs{Tree: true}, Columns: checkColumns().described(),
		make: withoutArguments("consistency", func(*Env) Statistic {
			return &consistency{sessions: newTop[sessionKey, [2]highest](topKeys / 10)}
		}),
	}
}

// A check is one question about each message.
type check uint8

// The checks, in the order of their rows.
const (
	checkOrder check = iota
	checkAcks
	checkLength
	checks
)

// checkTexts names and describes the checks.
var checkTexts = [checks]struct{ name, doc string }{
	checkOrder: {
		"order", "no message of a recording has a lower number or an earlier time of the game than the one before",
	},
	checkAcks: {
		"acknowledgements", "a client acknowledges no message above the newest of the server, in captures with both",
	},
	checkLength: {
		"length",
		"a message is as long as the original game makes it: one byte longer than the bytes that its fields fill " +
			"completely; a failure means that another program wrote it",
	},
}

// A checkRow is a row of the statistic consistency.
type checkRow struct {
	check
	checked
}

// A checked is what was found.
type checked struct {
	made, failed, first uint64
	file                string // that has the first
}

func checkColumns() columns[checkRow] {
	name := textColumn("check", "what was looked at")
	name.Values = map[string]string{}
	for _, c := range checkTexts {
		name.Values[c.name] = c.doc
	}
	return columns[checkRow]{
		{name, func(r checkRow) any { return checkTexts[r.check].name }},
		{integerColumn("checked", "messages"), func(r checkRow) any { return r.made }},
		{integerColumn("failed", "messages that do not agree"), func(r checkRow) any { return r.failed }},
		{integerColumn("first_frame", "of the first of them: frame, or message of a demo"), func(r checkRow) any {
			return onlyIf(r.failed > 0, r.first)
		}},
		{textColumn("meaning", "the check in words"), func(r checkRow) any { return checkTexts[r.check].doc }},
	}
}

// A highest is the highest message of a direction.
type highest struct {
	number uint32
	known  bool
	cut    bool // the capture lacks bytes of its datagrams: what these acknowledge or bring may not be known
}

type consistency struct {
	sessions  *top[sessionKey, [2]highest]
	t         dissect.Transit
	found     [checks]checked
	protocols []checkable // the protocols of the input
}

// A checkable is how far the messages of a protocol can be checked.
type checkable struct {
	protocol            *dissect.Protocol
	checked, unnumbered bool
}

// of returns the entry of a protocol.
func (s *consistency) of(p *dissect.Protocol) *checkable {
	i := slices.IndexFunc(s.protocols, func(c checkable) bool { return c.protocol == p })
	if i < 0 {
		i = len(s.protocols)
		s.protocols = append(s.protocols, checkable{protocol: p})
	}
	return &s.protocols[i]
}

// expertOrder is the code of entries about the order of a recording.
const expertOrder = "order_impossible"

func (s *consistency) Add(rec *dissect.Record) {
	if rec.Refused || rec.Protocol == nil {
		return
	}
	c := s.of(rec.Protocol)
	switch numbered := rec.Transit(&s.t); {
	case !numbered:
		return
	case s.t.Unnumbered:
		c.unnumbered = true
		return
	}
	var here, there *highest
	if rec.Direction != dissect.Undecidable {
		both := s.sessions.add(sessionKey{fileStream{rec.File, rec.Stream}, s.t.Session}, 1)
		here, there = &both[rec.Direction-1], &both[2-rec.Direction]
		here.number, here.known = max(here.number, s.t.Sequence), true
		here.cut = here.cut || rec.Truncated()
	}
	if !s.t.Whole || s.t.Again {
		return
	}
	if rec.Recorded() {
		failed := false
		for i := range rec.Experts {
			failed = failed || rec.Experts[i].Code == expertOrder
		}
		s.put(checkOrder, failed, rec)
	}
	if s.t.Bits > 0 {
		s.put(checkLength, len(rec.Message) != s.t.Bits/8+1, rec)
	}
	if s.t.HasAck && there != nil && there.known && !there.cut {
		s.put(checkAcks, s.t.Ack > there.number, rec)
	}
}

// put counts a check of a record.
func (s *consistency) put(c check, failed bool, rec *dissect.Record) {
	s.of(rec.Protocol).checked = true
	f := &s.found[c]
	f.made++
	if !failed {
		return
	}
	// streams that several workers read come in any order
	if f.failed++; f.failed == 1 || f.file == rec.File && rec.Number() < f.first {
		f.first, f.file = rec.Number(), rec.File
	}
}

func (s *consistency) Tables() []Table {
	rows := func(yield func(checkRow) bool) {
		for c := range checks {
			if s.found[c].made > 0 && !yield(checkRow{c, s.found[c]}) {
				return
			}
		}
	}
	return []Table{checkColumns().table("consistency", rows, append(s.sessions.notes("sessions"), s.notes()...))}
}

// notes explains which protocols were not checked.
func (s *consistency) notes() (notes []string) {
	for _, c := range s.protocols {
		switch {
		case c.checked:
		case c.unnumbered || c.protocol.Transit == nil:
			notes = append(notes, c.protocol.Name+": no check is known for this protocol")
		default:
			notes = append(notes, c.protocol.Name+": nothing to check, since no whole message with a number was read")
		}
	}
	slices.Sort(notes)
	return notes
}
