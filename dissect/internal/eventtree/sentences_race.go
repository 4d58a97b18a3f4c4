package eventtree

import (
	"fmt"

	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/quantity"
)

const byKey = "by"

// race is Write for races and runs with a flag. It reports whether the event is about one.
func (s *Sentence) race(kind string) bool {
	switch kind {
	case event.RaceStart:
		s.Who(clientKey, theClient)
		if s.Has(InProgress.Key) {
			s.Add(" is on the way, started")
		} else {
			s.Add(" started")
		}
		s.Clock(" at ", StartTime.Key)
	case event.Checkpoint:
		s.Who(clientKey, theClient)
		s.Number(" passes checkpoint ", RaceCheckpoint.Key)
		s.duration(" after ", RaceTime.Key)
		s.seconds(" (", RaceDiff.Key)
		s.Flag(" s to the best)", RaceDiff.Key)
	case event.RaceFinish:
		s.Who(clientKey, theClient)
		s.Add(" finished")
		s.duration(" in ", FinishTime.Key)
		s.Flag(", the player's best", "record_personal")
		s.Flag(", the server's best", "record_server")
	case event.TeamFinish:
		s.Number("team ", raceTeamKey)
		s.Add(" finished")
		s.duration(" in ", FinishTime.Key)
		s.members(": ")
	case event.Run:
		s.run()
	case event.Save:
		s.teamOfRace()
		s.Add(saveWords[string(s.Bytes(actionKey))])
		if s.Has(clientKey) {
			s.Add(" by ")
			s.Who(clientKey, theClient)
		}
	case event.TeamLock, event.TeamInvite, event.Swap, event.Practice:
		s.raceTeam(kind)
	default:
		return false
	}
	return true
}

// saveWords describe what became of a team, by the action.
var saveWords = map[string]string{
	event.SaveSaved: " is saved", event.SaveNotSaved: " could not be saved",
	event.SaveLoaded: " is loaded", event.SaveNotLoaded: " could not be loaded",
}

// raceTeam adds what a player does about a team of a race.
func (s *Sentence) raceTeam(kind string) {
	action := string(s.Bytes(actionKey))
	if action == event.PracticeEnabled {
		s.teamOfRace()
		s.Add(" practises")
		return
	}
	s.somebody(clientKey)
	switch {
	case kind == event.TeamInvite:
		s.Add(" invites ")
		s.somebody(targetKey)
		s.Number(" to team ", raceTeamKey)
		return
	case kind == event.Swap:
		s.Add(swapWords[action])
		s.somebody(targetKey)
		return
	case kind == event.Practice:
		s.Add(" votes for practice of")
	default:
		s.Text(" ", actionKey)
	}
	if s.Number(" team ", raceTeamKey); !s.Has(raceTeamKey) {
		s.Add(" the team")
	}
}

// teamOfRace adds the number of a team; it is unknown if the capture lacks the message that gave it.
func (s *Sentence) teamOfRace() {
	if s.Number("team ", raceTeamKey); !s.Has(raceTeamKey) {
		s.Add("a team")
	}
}

// swapWords are what comes between two players who swap, by the action.
var swapWords = map[string]string{
	event.SwapRequested: " wants to swap with ", event.SwapCancelled: " no longer wants to swap with ",
	event.SwapSwapped: " has swapped with ",
}

// run adds how long and how fast a run was.
func (s *Sentence) run() {
	switch {
	case string(s.Bytes(Course.Key)) != event.CourseFlag:
		s.Who(clientKey, theClient)
		s.Add(" ran the race")
		s.duration(" in ", RunTime.Key)
	default:
		s.somebody(clientKey)
		s.Text(" had the ", "flag")
		s.Add(" flag")
		s.duration(" for ", RunTime.Key)
		s.Text(", ", actionKey)
		s.Flag(" after a drop", FromDrop.Key)
	}
	s.whole(": ", Distance.Key)
	s.Flag(" units", Distance.Key)
	s.whole(" at ", Speed.Key)
	s.Flag(" units/s", Speed.Key)
	s.whole(", at most ", TopSpeed.Key)
}

// tee is Write for what happens to characters of Teeworlds. It reports whether the event is about that.
func (s *Sentence) tee(kind string) bool {
	action := string(s.Bytes(actionKey))
	switch kind {
	case event.Freeze:
		s.somebody(clientKey)
		if action == event.FreezeFrozen {
			s.Add(" is frozen")
			s.Flag(" deep", "deep")
		} else {
			s.Add(" is free again")
			s.duration(" after ", "frozen_time")
		}
		s.blame()
	case event.Teleport:
		s.somebody(clientKey)
		s.Add(" is somewhere else at once")
	case event.Contact:
		s.somebody(clientKey)
		s.Text(" ", actionKey)
		s.Add(" ")
		s.somebody(targetKey)
	case event.Spectate:
		s.Who(clientKey, theClient)
		switch {
		case action == event.SpectateBegan:
			s.Add(" begins to watch")
		case action == event.SpectateEnded:
			s.Add(" plays again")
		case s.Has(targetKey):
			s.Add(" watches ")
			s.somebody(targetKey)
		default:
			s.Add(" watches nobody")
		}
	case event.Timeout:
		s.somebody(clientKey)
		if action == event.TimeoutProtected {
			s.Add(" lost the connection, the place is kept")
		} else {
			s.Add(" takes the kept place of a lost connection")
		}
	default:
		return false
	}
	return true
}

// blame adds who touched the player before.
func (s *Sentence) blame() {
	if s.Has(byKey) {
		s.Add(", after contact with ")
		s.somebody(byKey)
	}
}

// duration adds a time as 1:02.345 with words before it.
func (s *Sentence) duration(before, key string) {
	if n := s.Child(key); n != nil {
		s.Add(before)
		s.Add(quantity.Race(n.Int()))
	}
}

// seconds adds a difference of time with its sign.
func (s *Sentence) seconds(before, key string) {
	if n := s.Child(key); n != nil {
		s.Add(before)
		s.Dst = fmt.Appendf(s.Dst, "%+.3f", float64(n.Int())/1000)
	}
}

// whole adds a number without decimals.
func (s *Sentence) whole(before, key string) {
	if n := s.Child(key); n != nil {
		s.Add(before)
		s.Dst = fmt.Appendf(s.Dst, "%.0f", n.Float())
	}
}

// members adds the players of a list.
func (s *Sentence) members(before string) {
	list := s.Tree.Find(s.Node, "players")
	if list < 0 {
		return
	}
	for i, end := list+1, int(s.Tree.Nodes[list].End); i < end; i = int(s.Tree.Nodes[i].End) {
		s.Add(before)
		s.playerOrTeam(i)
		before = ", "
	}
}
