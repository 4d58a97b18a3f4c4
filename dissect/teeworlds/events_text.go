package teeworlds

import (
	"fmt"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
)

// AppendEvent appends an event in words.
func (Protocol) AppendEvent(dst []byte, events *dissect.Tree, node int) []byte {
	s := eventSentence{t: events, node: node, dst: dst}
	if i := events.Child(node, &dissect.EventKind); i >= 0 {
		s.tell(string(events.Bytes(&events.Nodes[i])))
	}
	return s.dst
}

// An eventSentence puts one event into words.
type eventSentence struct {
	t    *dissect.Tree
	node int
	dst  []byte
}

func (s *eventSentence) tell(kind string) {
	switch kind {
	case kindRequest:
		s.add("the client asks to connect")
		s.text(" with password ", &evPassword)
	case kindRefused:
		s.add("the client is refused")
		s.text(": ", &evTextClean)
	case kindConnect:
		s.who(&evClient)
		s.add(" connected")
		s.flag(" (this client)", &evOwn)
	case kindEnter:
		s.who(&evClient)
		s.add(" entered the game")
	case kindDisconnect:
		s.who(&evClient)
		s.add(" left")
		s.text(": ", &evReason)
	case kindRename:
		s.text("", &evOldNameClean)
		s.add(" is now ")
		s.who(&evClient)
	case kindTeam:
		s.team()
	case kindChat:
		s.chat()
	case kindKill:
		s.kill()
	case kindFlag:
		s.text("", &evFlag)
		s.text(" flag ", &evAction)
		if s.child(&evClient) != nil {
			s.add(" by ")
			s.who(&evClient)
		}
	case kindVote:
		s.vote()
	case kindMap:
		s.text("", &evMap)
	case kindRace:
		s.race()
	default:
		s.rcon(kind)
	}
}

func (s *eventSentence) rcon(kind string) {
	s.who(&evClient)
	switch kind {
	case kindRcon:
		s.add(" uses rcon")
		s.text(" ", &evUser)
		s.text(" ", &evPassword)
		s.text(" ", &evCommand)
	case kindRconGranted:
		s.add(" may use rcon")
	case kindRconDenied:
		s.add(" may not use rcon")
		s.text(": ", &evTextClean)
	case kindRconEnded:
		s.add(" may not use rcon any more")
	}
}

func (s *eventSentence) add(text string) { s.dst = append(s.dst, text...) }

// child gives the node of a field of the event, or nil.
func (s *eventSentence) child(f *dissect.Field) *dissect.Node {
	if i := s.t.Child(s.node, f); i >= 0 {
		return &s.t.Nodes[i]
	}
	return nil
}

// text adds a text with something before it, where it is there and not empty.
func (s *eventSentence) text(before string, f *dissect.Field) {
	if n := s.child(f); n != nil && len(s.t.Bytes(n)) > 0 {
		s.add(before)
		s.dst = append(s.dst, s.t.Bytes(n)...)
	}
}

func (s *eventSentence) number(before string, f *dissect.Field) {
	if n := s.child(f); n != nil {
		s.add(before)
		s.dst = strconv.AppendInt(s.dst, n.Int(), 10)
	}
}

func (s *eventSentence) flag(text string, f *dissect.Field) {
	if s.child(f) != nil {
		s.add(text)
	}
}

// named adds the name of a number, or the number.
func (s *eventSentence) named(before string, f *dissect.Field) {
	n := s.child(f)
	if n == nil {
		return
	}
	if name := f.Enum.Name(s.t.Family, n.Uint()); name != "" {
		s.add(before)
		s.add(name)
		return
	}
	s.number(before, f)
}

// who adds a player's name, or the number.
func (s *eventSentence) who(f *dissect.Field) { s.whoOr(f, "the client") }

func (s *eventSentence) whoOr(f *dissect.Field, unknown string) {
	node := s.t.Child(s.node, f)
	if node >= 0 {
		if i := s.t.Child(node, &evNameClean); i >= 0 && len(s.t.Bytes(&s.t.Nodes[i])) > 0 {
			s.dst = append(s.dst, s.t.Bytes(&s.t.Nodes[i])...)
			return
		}
		if i := s.t.Child(node, &evClientNum); i >= 0 {
			s.add("client ")
			s.dst = strconv.AppendUint(s.dst, s.t.Nodes[i].Uint(), 10)
			return
		}
	}
	s.add(unknown)
}

// team tells who joined what. Games without teams have spectators and players.
func (s *eventSentence) team() {
	s.who(&evClient)
	switch n, play := s.child(&evTeam), s.child(&evTeamGame); {
	case n != nil && n.Int() < 0:
		s.add(" joined the spectators")
	case play != nil && !play.Bool():
		s.add(" joined the game")
	default:
		s.named(" joined team ", &evTeam)
	}
}

func (s *eventSentence) chat() {
	channel := ""
	if n := s.child(&evChannel); n != nil {
		channel = string(s.t.Bytes(n))
	}
	opening, closing := "", ""
	switch channel {
	case channelTeam:
		opening, closing = "(", ")"
	case channelTell:
		opening, closing = "[", "]"
	}
	s.add(opening)
	if channel == channelConsole {
		s.add("console")
	} else {
		s.who(&evClient)
	}
	if s.child(&evTarget) != nil {
		s.add(" → ")
		s.who(&evTarget)
	}
	s.add(closing + ": ")
	s.text("", &evTextClean)
}

func (s *eventSentence) kill() {
	switch {
	case s.child(&evKilledTeam) != nil:
		s.number("team ", &evKilledTeam)
		s.add(" died")
		if s.child(&evVictim) != nil {
			s.add(", first ")
			s.who(&evVictim)
		}
	case s.child(&evSuicide) != nil || s.child(&evWorld) != nil:
		s.whoOr(&evVictim, "somebody")
		s.add(" died")
	default:
		s.whoOr(&evKiller, "somebody")
		s.add(" killed ")
		s.whoOr(&evVictim, "somebody")
	}
	if s.child(&evMeans) != nil {
		s.named(" (", &evMeans)
		s.add(")")
	}
}

func (s *eventSentence) vote() {
	if s.child(&evClient) != nil {
		s.who(&evClient)
		s.add(": ")
	}
	s.text("vote ", &evAction)
	s.named(" ", &evChoice)
	s.text(": ", &evTextClean)
	if s.child(&evYes) != nil {
		s.number(" (yes ", &evYes)
		s.number(", no ", &evNo)
		s.add(")")
	}
}

func (s *eventSentence) race() {
	s.who(&evClient)
	s.add(" finished")
	if n := s.child(&evTime); n != nil {
		ms := n.Int()
		s.dst = fmt.Appendf(s.dst, " in %d:%02d.%03d", ms/60_000, ms/1000%60, ms%1000)
	}
	s.flag(", the player's best", &evRecordPersonal)
	s.flag(", the server's best", &evRecordServer)
}
