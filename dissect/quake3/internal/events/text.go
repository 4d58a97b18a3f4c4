package events

import (
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/internal/prose"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/speech"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// AppendSentence appends a description of an event. node is its index among the events of a record.
func AppendSentence(dst []byte, events *dissect.Tree, node int) []byte {
	s := eventSentence{prose.NewEvent(dst, events, node)}
	if kind := s.Kind(); kind != "" {
		s.write(kind)
	}
	return s.Dst
}

// An eventSentence describes one event in words.
type eventSentence struct{ prose.Event }

// matchSentences are about matches.
var matchSentences = prose.Match{
	TeamGame: &evTeamGame, Score1: &evScore1, Score2: &evScore2,
	Winner: &evWinner, Scores: &evScores, Score: &evScore, Reason: &evReason, Duration: &evDuration, Complete: &eventtree.Complete,
}

func (s *eventSentence) write(kind string) {
	switch kind {
	case event.ConnectRequest:
		s.who(&evClient)
		s.Add(" asks to connect")
		s.Number(" with protocol ", &evProtocol)
	case event.ConnectRefused:
		s.whoOr(&evClient, "somebody")
		s.Text(" is refused: ", &evTextClean)
	case event.Connect:
		s.who(&evClient)
		s.Add(" connected")
		s.Flag(" (this client)", &eventtree.Own)
		s.Flag(" (bot)", &evBot)
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
		s.who(&evClient)
		s.Add(" joined team ")
		s.Named("", &evTeam)
	case event.Class:
		s.who(&evClient)
		s.Add(" is now ")
		s.Named("", &evClass)
	case event.Chat:
		s.chat()
	case event.Kill:
		s.kill()
	default:
		s.writeGame(kind)
	}
}

// writeGame is write for events about the game rather than its players.
func (s *eventSentence) writeGame(kind string) {
	switch kind {
	case event.Pickup:
		s.whoOr(&evClient, "somebody")
		s.Add(" picked up ")
		if s.Named("", &evItem); s.Child(&evItem) == nil {
			s.Add("something")
		}
		s.Flag(" (seen late)", &evLate)
	case event.Flag:
		s.Text("", &evFlag)
		s.Text(" flag ", &evAction)
		if s.Tree.Child(s.Node, &evClient) >= 0 {
			s.Add(" by ")
			s.who(&evClient)
		}
	case event.Score:
		matchSentences.AddScore(&s.Event)
	case event.Scoreboard:
		matchSentences.AddScores(&s.Event, s.player)
	case event.Duel:
		s.duel()
	case event.Vote:
		s.vote()
	case event.MapStart:
		s.Text("", &evMap)
		s.clean(" on ", &evHostname)
		s.Named(", ", &evGametype)
		if list := s.Tree.Child(s.Node, &evPlayers); list >= 0 {
			n := s.Tree.Len(list)
			s.Add(", " + strconv.Itoa(n))
			if s.Add(" players"); n == 1 {
				s.Dst = s.Dst[:len(s.Dst)-1]
			}
		}
	case event.MapRestart:
		s.Add("the map starts again")
	case event.Warmup:
		if s.clock("warm-up, the match starts at ", &evStartsAt); s.Child(&evStartsAt) == nil {
			s.Add("warm-up, waiting for players")
		}
	case event.MatchStart:
		s.Add("the match starts")
		if s.Child(&eventtree.InProgress) != nil {
			s.Dst = append(s.Dst[:len(s.Dst)-len("starts")], "is in progress"...)
		}
	case event.MatchEnd:
		matchSentences.AddEnd(&s.Event, s.player)
	case event.Objective:
		s.objective()
	case event.RaceFinish:
		s.whoOr(&evClient, "somebody")
		s.Add(" finished the race")
		s.clock(" after ", &evFinishTime)
	case event.RoundStart:
		s.Add("a round starts")
		s.Number(": ", &evRound)
	case event.RoundEnd:
		s.Add("the round is over")
		s.clock(", the next one starts at ", &evStartsAt)
	case event.Intermission:
		s.Add("intermission")
		s.Text(": ", &evReason)
	case event.Rcon:
		s.whoOr(&evClient, "somebody")
		s.Add(" uses rcon")
		s.Text(" ", &evPassword)
		s.Text(" ", &evCommand)
	case event.RconDenied:
		s.Add("rcon denied")
		s.Text(": ", &evTextClean)
	}
}

// clock adds a server time in seconds, in the format of the list's event times.
func (s *eventSentence) clock(before string, f *dissect.Field) {
	if n := s.Child(f); n != nil {
		s.Add(before)
		s.Dst = strconv.AppendFloat(s.Dst, float64(n.Int())/1000, 'f', 3, 64)
	}
}

// who adds a player's name without colours, or the number.
func (s *eventSentence) who(f *dissect.Field) { s.whoOr(f, "the client") }

func (s *eventSentence) whoOr(f *dissect.Field, unknown string) {
	i := s.Tree.Child(s.Node, f)
	if i < 0 {
		s.Add(unknown)
		return
	}
	s.player(i)
}

func (s *eventSentence) player(node int) {
	p := s.Tree.At(node)
	number, team := p.Get(evClientNum.Key), p.Get(evPlayerTeam.Key)
	switch name := p.Get(evNameClean.Key).Bytes(); {
	case len(name) > 0:
		s.Dst = append(s.Dst, name...)
	case number.Exists():
		s.Add("client ")
		s.Dst = strconv.AppendUint(s.Dst, number.Uint(), 10)
	case team.Exists():
		s.Add(tables.TeamNames.Name(s.Tree.Family, team.Uint()))
	default:
		s.Add("client without a name")
	}
}

func (s *eventSentence) chat() {
	channel := ""
	if n := s.Child(&evChannel); n != nil {
		channel = string(s.Tree.Bytes(n))
	}
	opening, closing := "", ""
	switch channel {
	case event.ChannelTeam, event.ChannelFireteam, event.ChannelLimbo:
		opening, closing = "(", ")"
	case event.ChannelTell:
		opening, closing = "[", "]"
	}
	s.Add(opening)
	switch {
	case channel == event.ChannelConsole:
		s.Add("console")
	case channel == event.ChannelGame:
		s.Text("", &evTextClean)
		return
	default:
		s.whoOr(&evClient, "somebody")
	}
	if s.Child(&evTarget) != nil {
		s.Add(" → ")
		s.who(&evTarget)
	}
	s.Add(closing)
	if n := s.Child(&evLocation); n != nil {
		s.Add(" (")
		s.Dst = append(speech.AppendClean(s.Dst, s.Tree.Bytes(n), s.Tree.Family), ')')
	}
	s.Add(": ")
	s.Text("", &evTextClean)
	s.Text("voice ", &evVoice)
}

func (s *eventSentence) kill() {
	switch {
	case s.Child(&eventtree.Suicide) != nil || s.Child(&evWorld) != nil:
		s.whoOr(&evVictim, "somebody")
		s.Add(" died")
	default:
		s.whoOr(&evKiller, "somebody")
		s.Add(" killed ")
		s.whoOr(&evVictim, "somebody")
	}
	s.Named(" (", &evMeans)
	if s.Child(&evMeans) != nil {
		s.Add(")")
	}
}

func (s *eventSentence) vote() {
	if s.Child(&evClient) != nil {
		s.who(&evClient)
		s.Add(": ")
	}
	s.Named("team ", &evTeam)
	if s.Child(&evTeam) != nil {
		s.Add(": ")
	}
	s.Text("vote ", &evAction)
	s.Text(": ", &evTextClean)
	s.Number(" (yes ", &evYes)
	s.Number(", no ", &evNo)
	s.Add(")")
}

// duel adds who duels whom.
func (s *eventSentence) duel() {
	action := ""
	if n := s.Child(&evAction); n != nil {
		action = string(s.Tree.Bytes(n))
	}
	if action == event.DuelTied {
		s.Add("the duel is a tie")
		return
	}
	s.whoOr(&evClient, "somebody")
	s.Add(map[string]string{event.DuelChallenged: " challenges ", event.DuelStarted: " and ", event.DuelWon: " has defeated "}[action])
	s.whoOr(&evTarget, "somebody")
	switch action {
	case event.DuelChallenged:
		s.Add(" to a duel")
	case event.DuelStarted:
		s.Add(" begin a duel")
	case event.DuelWon:
		s.Add(" in a duel")
	}
}

// objective adds what became of an objective.
func (s *eventSentence) objective() {
	if s.Text("", &evTextClean); s.Child(&evTextClean) != nil {
		return
	}
	if s.Named("", &evTeam); s.Child(&evTeam) != nil {
		s.Add(": ")
	}
	action := ""
	if n := s.Child(&evAction); n != nil {
		action = string(s.Tree.Bytes(n))
	}
	switch action {
	case event.ObjectivePlanted, event.ObjectiveDefused:
		s.Add("dynamite " + action)
		s.clean(" at ", &evObjective)
	default:
		if !s.clean("", &evObjective) {
			s.Add("something")
		}
		s.Add(" " + action)
	}
}

// clean adds a text without colours, with words before it, and reports whether there is any.
func (s *eventSentence) clean(before string, f *dissect.Field) bool {
	n := s.Child(f)
	if n == nil {
		return false
	}
	start := len(s.Dst)
	s.Add(before)
	words := len(s.Dst)
	if s.Dst = speech.AppendClean(s.Dst, s.Tree.Bytes(n), s.Tree.Family); len(s.Dst) == words {
		s.Dst = s.Dst[:start]
		return false
	}
	return true
}
