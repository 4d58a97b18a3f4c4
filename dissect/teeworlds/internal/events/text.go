package events

import (
	"fmt"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/internal/prose"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// Append appends a description of an event.
func Append(dst []byte, events *dissect.Tree, node int) []byte {
	s := sentence{prose.NewEvent(dst, events, node)}
	if kind := s.Kind(); kind != "" {
		s.write(kind)
	}
	return s.Dst
}

// A sentence describes one event in words.
type sentence struct{ prose.Event }

func (s *sentence) write(kind string) {
	switch kind {
	case event.ConnectRequest:
		s.Add("the client asks to connect")
		s.Text(" with password ", &evPassword)
	case event.ConnectRefused:
		s.Add("the client is refused")
		s.Text(": ", &evTextClean)
	case event.Connect:
		s.who(&evClient)
		s.Add(" connected")
		s.Flag(" (this client)", &evOwn)
	case event.Enter:
		s.who(&evClient)
		s.Add(" entered the game")
	case event.Disconnect:
		s.who(&evClient)
		s.Add(" left")
		s.Text(": ", &evReason)
	case event.Rename:
		s.Text("", &evOldNameClean)
		s.Add(" is now ")
		s.who(&evClient)
	case event.Team:
		s.team()
	case event.Chat:
		s.chat()
	case event.Kill:
		s.kill()
	case event.Flag:
		s.Text("", &evFlag)
		s.Text(" flag ", &evAction)
		if s.Child(&evClient) != nil {
			s.Add(" by ")
			s.who(&evClient)
		}
	case event.Vote:
		s.vote()
	case event.MapStart:
		s.Text("", &evMap)
	case event.RaceFinish:
		s.race()
	case event.ChatCommand:
		s.who(&evClient)
		s.Text(" uses ", &evCommand)
	case event.RaceTeam:
		s.who(&evClient)
		s.raceTeam(" is in team ")
	case event.Save:
		s.raceTeam("team ")
		if i := s.Tree.Child(s.Node, &evAction); i >= 0 {
			s.Add(saveWords[string(s.Tree.Bytes(&s.Tree.Nodes[i]))])
		}
	default:
		s.match(kind)
	}
}

func (s *sentence) rcon(kind string) {
	who := "the client"
	if s.Child(&evOwn) == nil {
		who = "the server" // of a teehistorian file: its console, or a vote
	}
	switch s.whoOr(&evClient, who); kind {
	case event.Rcon:
		s.Add(" uses rcon")
		s.Text(" ", &evUser)
		s.Text(" ", &evPassword)
		s.Text(" ", &evCommand)
	case event.RconGranted:
		s.Add(" may use rcon")
	case event.RconDenied:
		s.Add(" may not use rcon")
		s.Text(": ", &evTextClean)
	case event.RconEnded:
		s.Add(" may not use rcon any more")
	}
}

// raceTeam adds the number of DDRace's team after some words.
func (s *sentence) raceTeam(words string) {
	if n := s.Child(&evRaceTeam); n != nil {
		s.Add(words)
		s.Add(strconv.FormatInt(n.Int(), 10))
	}
}

// who adds a player's name, or the number.
func (s *sentence) who(f *dissect.Field) { s.whoOr(f, "the client") }

func (s *sentence) whoOr(f *dissect.Field, unknown string) {
	if node := s.Tree.Child(s.Node, f); node < 0 || !s.player(node) {
		s.Add(unknown)
	}
}

// player adds the name or number of the player that an object is about. It reports whether there is one.
func (s *sentence) player(node int) bool {
	if i := s.Tree.Child(node, &evNameClean); i >= 0 && len(s.Tree.Bytes(&s.Tree.Nodes[i])) > 0 {
		s.Dst = append(s.Dst, s.Tree.Bytes(&s.Tree.Nodes[i])...)
		return true
	}
	if i := s.Tree.Child(node, &evClientNum); i >= 0 {
		s.Add("client ")
		s.Dst = strconv.AppendUint(s.Dst, s.Tree.Nodes[i].Uint(), 10)
		return true
	}
	return false
}

// playerOrTeam is player for objects that may be about a team.
func (s *sentence) playerOrTeam(node int) {
	if s.player(node) {
		return
	}
	if i := s.Tree.Child(node, &evPlayerTeam); i >= 0 {
		s.Add(tables.Teams.Name(s.Tree.Family, uint64(s.Tree.Nodes[i].Int())))
	}
}

// team adds who joined which team. Games without teams have spectators and players.
func (s *sentence) team() {
	s.who(&evClient)
	switch n, play := s.Child(&evTeam), s.Child(&evTeamGame); {
	case n != nil && n.Int() < 0:
		s.Add(" joined the spectators")
	case play != nil && !play.Bool():
		s.Add(" joined the game")
	default:
		s.Named(" joined team ", &evTeam)
	}
}

func (s *sentence) chat() {
	channel := ""
	if n := s.Child(&evChannel); n != nil {
		channel = string(s.Tree.Bytes(n))
	}
	opening, closing := "", ""
	switch channel {
	case event.ChannelTeam:
		opening, closing = "(", ")"
	case event.ChannelTell:
		opening, closing = "[", "]"
	}
	s.Add(opening)
	if channel == event.ChannelConsole {
		s.Add("console")
	} else {
		s.who(&evClient)
	}
	if s.Child(&evTarget) != nil {
		s.Add(" → ")
		s.who(&evTarget)
	}
	s.Add(closing + ": ")
	s.Text("", &evTextClean)
}

func (s *sentence) kill() {
	switch {
	case s.Child(&evKilledTeam) != nil:
		s.Number("team ", &evKilledTeam)
		s.Add(" died")
		if s.Child(&evVictim) != nil {
			s.Add(", first ")
			s.who(&evVictim)
		}
	case s.Child(&eventtree.Suicide) != nil || s.Child(&evWorld) != nil:
		s.whoOr(&evVictim, "somebody")
		s.Add(" died")
	default:
		s.whoOr(&evKiller, "somebody")
		s.Add(" killed ")
		s.whoOr(&evVictim, "somebody")
	}
	if s.Child(&evMeans) != nil {
		s.Named(" (", &evMeans)
		s.Add(")")
	}
}

func (s *sentence) vote() {
	if s.Child(&evClient) != nil {
		s.who(&evClient)
		s.Add(": ")
	}
	s.Text("vote ", &evAction)
	s.Named(" ", &evChoice)
	s.Text(": ", &evTextClean)
	if s.Child(&evYes) != nil {
		s.Number(" (yes ", &evYes)
		s.Number(", no ", &evNo)
		s.Add(")")
	}
}

func (s *sentence) race() {
	s.who(&evClient)
	s.Add(" finished")
	if n := s.Child(&evTime); n != nil {
		ms := n.Int()
		s.Dst = fmt.Appendf(s.Dst, " in %d:%02d.%03d", ms/60_000, ms/1000%60, ms%1000)
	}
	s.Flag(", the player's best", &evRecordPersonal)
	s.Flag(", the server's best", &evRecordServer)
}
