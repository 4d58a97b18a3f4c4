package quake3

import (
	"bytes"
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
		s.who(&evClient)
		s.add(" asks to connect")
		s.number(" with protocol ", &evProtocol)
	case kindRefused:
		s.whoOr(&evClient, "somebody")
		s.text(" is refused: ", &evTextClean)
	case kindConnect:
		s.who(&evClient)
		s.add(" connected")
		s.flag(" (this client)", &evOwn)
		s.flag(" (bot)", &evBot)
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
		s.who(&evClient)
		s.add(" joined team ")
		s.name(&evTeam)
	case kindChat:
		s.chat()
	case kindKill:
		s.kill()
	default:
		s.tellGame(kind)
	}
}

// tellGame is tell for what is about the game and not about its players alone.
func (s *eventSentence) tellGame(kind string) {
	switch kind {
	case kindPickup:
		s.whoOr(&evClient, "somebody")
		s.add(" picked up ")
		s.name(&evItem)
	case kindFlag:
		s.text("", &evFlag)
		s.text(" flag ", &evAction)
		if s.t.Child(s.node, &evClient) >= 0 {
			s.add(" by ")
			s.who(&evClient)
		}
	case kindScore:
		s.score()
	case kindScoreboard:
		s.scoreboard()
	case kindVote:
		s.vote()
	case kindMap:
		s.text("", &evMap)
		if n := s.child(&evHostname); n != nil {
			s.add(" on ")
			s.dst = appendClean(s.dst, s.t.Bytes(n))
		}
		s.named(", ", &evGametype)
		if list := s.t.Child(s.node, &evPlayers); list >= 0 {
			n := s.t.Len(list)
			s.add(", " + strconv.Itoa(n))
			if s.add(" players"); n == 1 {
				s.dst = s.dst[:len(s.dst)-1]
			}
		}
	case kindMapRestart:
		s.add("the map starts again")
	case kindWarmup:
		if s.number("warm-up, the match starts at ", &evStartsAt); s.t.Child(s.node, &evStartsAt) < 0 {
			s.add("warm-up, waiting for players")
		}
	case kindMatch:
		s.add("the match starts")
	case kindIntermission:
		s.add("intermission")
		s.text(": ", &evReason)
	case kindRcon:
		s.whoOr(&evClient, "somebody")
		s.add(" uses rcon")
		s.text(" ", &evPassword)
		s.text(" ", &evCommand)
	case kindRconDenied:
		s.add("rcon denied")
		s.text(": ", &evTextClean)
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
		s.dst = append(s.dst, bytes.TrimRight(s.t.Bytes(n), "\n")...)
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

// name adds the name of a number, or the number.
func (s *eventSentence) name(f *dissect.Field) { s.named("", f) }

func (s *eventSentence) named(before string, f *dissect.Field) {
	n := s.child(f)
	if n == nil {
		return
	}
	s.add(before)
	if name := f.Enum.Name(s.t.Family, n.Uint()); name != "" {
		s.add(name)
		return
	}
	s.dst = strconv.AppendInt(s.dst, n.Int(), 10)
}

// who adds a player's name without colours, or the number.
func (s *eventSentence) who(f *dissect.Field) { s.whoOr(f, "the client") }

func (s *eventSentence) whoOr(f *dissect.Field, unknown string) {
	i := s.t.Child(s.node, f)
	if i < 0 {
		s.add(unknown)
		return
	}
	s.player(i)
}

func (s *eventSentence) player(node int) {
	if i := s.t.Child(node, &evNameClean); i >= 0 && len(s.t.Bytes(&s.t.Nodes[i])) > 0 {
		s.dst = append(s.dst, s.t.Bytes(&s.t.Nodes[i])...)
		return
	}
	s.add("client ")
	if i := s.t.Child(node, &evClientNum); i >= 0 {
		s.dst = strconv.AppendUint(s.dst, s.t.Nodes[i].Uint(), 10)
		return
	}
	s.add("without a name")
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
		s.whoOr(&evClient, "somebody")
	}
	if s.child(&evTarget) != nil {
		s.add(" → ")
		s.who(&evTarget)
	}
	s.add(closing)
	if n := s.child(&evLocation); n != nil {
		s.add(" (")
		s.dst = append(appendClean(s.dst, s.t.Bytes(n)), ')')
	}
	s.add(": ")
	s.text("", &evTextClean)
	s.text("voice ", &evVoice)
}

func (s *eventSentence) kill() {
	switch {
	case s.child(&evSuicide) != nil || s.child(&evWorld) != nil:
		s.whoOr(&evVictim, "somebody")
		s.add(" died")
	default:
		s.whoOr(&evKiller, "somebody")
		s.add(" killed ")
		s.whoOr(&evVictim, "somebody")
	}
	s.named(" (", &evMeans)
	if s.child(&evMeans) != nil {
		s.add(")")
	}
}

func (s *eventSentence) score() {
	labels := [...]string{"first ", ", second "}
	if n := s.child(&evTeamGame); n != nil && n.Bool() {
		labels = [...]string{"red ", ", blue "}
	}
	for i, f := range [...]*dissect.Field{&evScore1, &evScore2} {
		s.add(labels[i])
		if s.number("", f); s.child(f) == nil {
			s.add("-")
		}
	}
}

func (s *eventSentence) scoreboard() {
	list := s.t.Child(s.node, &evScores)
	if list < 0 {
		return
	}
	for i, end := list+1, int(s.t.Nodes[list].End); i < end; i = int(s.t.Nodes[i].End) {
		if i > list+1 {
			s.add(", ")
		}
		s.player(i)
		if n := s.t.Child(i, &evScore); n >= 0 {
			s.add(" ")
			s.dst = strconv.AppendInt(s.dst, s.t.Nodes[n].Int(), 10)
		}
	}
}

func (s *eventSentence) vote() {
	if s.child(&evClient) != nil {
		s.who(&evClient)
		s.add(": ")
	}
	s.named("team ", &evTeam)
	if s.child(&evTeam) != nil {
		s.add(": ")
	}
	s.text("vote ", &evAction)
	s.text(": ", &evTextClean)
	s.number(" (yes ", &evYes)
	s.number(", no ", &evNo)
	s.add(")")
}
