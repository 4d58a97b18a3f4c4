package oob

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
)

// addRcon adds the console command. The game reads the password as a word, which may be quoted, but reads the
// command from the first blanks after the password's beginning.
func (p *Packet) addRcon(t *dissect.Tree, rec *dissect.Record) {
	if p.Words.Len() < 2 {
		return
	}
	command := p.RconCommand()
	if command.Start < command.End {
		f := &rconCommandField
		if p.PasswordEnds {
			f = &knownRconCommand
		}
		p.add(t, f, command)
	}
	if command.Start < p.Place(p.Word(0)).End {
		rec.Expert(dissect.Note, expertRconSplit, &rconCommandField, 8*command.Start,
			"the game splits a quoted password at its blank: the command begins inside the quotes")
	}
}

// RconCommand finds the console command as SVC_RemoteCommand in code/server/sv_main.c does: past four
// characters, blanks, other characters, blanks.
func (p *Packet) RconCommand() Span {
	line := p.Data[:p.line.End]
	i := p.line.Start + len("rcon")
	for i < len(line) && line[i] == ' ' {
		i++
	}
	for i < len(line) && line[i] != ' ' {
		i++
	}
	for i < len(line) && line[i] == ' ' {
		i++
	}
	return Span{i, len(line)}
}

// CommandAfter returns the console command in the text that the game reads as the command. If the game splits a
// quoted password at a blank, that text begins with the rest of the password.
func CommandAfter(password, text []byte) []byte {
	if bytes.IndexByte(password, ' ') >= 0 {
		_, text, _ = bytes.Cut(text, []byte{'"'})
		text = bytes.TrimLeft(text, " ")
	}
	return text
}

// KnownCommand finds the console command of rcon in the object of a packet, without the rest of the password.
// node is -1 if the end of the password is not known: without quotes it may go on after the first blank, and
// the words after it may belong to it.
func KnownCommand(t *dissect.Tree, object int) (node, start int) {
	if node = t.Child(object, &knownRconCommand); node < 0 {
		return -1, 0
	}
	text := t.Bytes(&t.Nodes[node])
	return node, len(text) - len(CommandAfter(infoView{t: t, node: object}.bytes(&passwordField), text))
}

// Passwords follows the passwords for remote control in one stream. People type passwords with blanks without
// quotes, and the game then uses the first word only; so the end of an unquoted password is unknown until the
// server accepts that word as the password, or it occurs in quotes elsewhere.
type Passwords struct {
	known [4][]byte // passwords whose end is known
	next  int
	flood dissect.LeakyBucket
	asked []byte // the word that the server has yet to accept or refuse; nil: none
}

// refusals of rcon, SVC_RemoteCommand in code/server/sv_main.c.
var refusals = [...]string{"Bad rconpassword", "No rconpassword set"}

// Refuses reports whether a text that the server prints refuses remote control.
func Refuses(text []byte) bool {
	for _, r := range refusals {
		if bytes.HasPrefix(text, []byte(r)) {
			return true
		}
	}
	return false
}

// Flooded counts a command at a time, and reports whether there are more than the engine reads of one address.
func (s *Passwords) Flooded(now int64) bool { return !s.flood.Admits(now, limit) }

// Follow reads a packet and decides whether the end of its password is known.
func (s *Passwords) Follow(p *Packet) {
	switch p.Kind {
	case Rcon:
		s.asked = nil
		if p.Words.Len() < 2 {
			return
		}
		password := p.Word(0)
		if place := p.Place(password); p.Data[place.Start-1] == '"' {
			if p.PasswordEnds = place.End < p.line.End; p.PasswordEnds {
				s.learn(password)
			}
			return
		}
		p.PasswordEnds = s.knows(password)
		s.asked = append([]byte{}, password...)
	case GetChallenge, Connect: // the next print may answer this
		s.asked = nil
	case Print:
		if body, ok := p.Body(); ok && s.asked != nil && !Refuses(p.Data[body.Start:body.End]) {
			s.learn(s.asked)
		}
		s.asked = nil
	}
}

func (s *Passwords) knows(password []byte) bool {
	for _, k := range s.known {
		if k != nil && bytes.Equal(k, password) {
			return true
		}
	}
	return false
}

func (s *Passwords) learn(password []byte) {
	if !s.knows(password) {
		s.known[s.next] = append([]byte{}, password...)
		s.next = (s.next + 1) % len(s.known)
	}
}

// Clone returns passwords that go on from the same state by themselves.
func (s *Passwords) Clone() *Passwords {
	c := *s // what a word consists of never changes
	return &c
}
