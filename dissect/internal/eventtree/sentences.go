package eventtree

import (
	"strconv"

	"github.com/q3dissect/q3dissect/dissect/event"
)

// Keys of events that the sentences need more than once.
const (
	clientKey    = "client"
	targetKey    = "target"
	victimKey    = "victim"
	killerKey    = "killer"
	teamKey      = "team"
	textKey      = "text_clean"
	reasonKey    = "reason"
	actionKey    = "action"
	meansKey     = "means_of_death"
	startsAtKey  = "starts_at"
	objectiveKey = "objective"
	raceTeamKey  = "race_team"
	scoresKey    = "scores"
)

// theClient is the client whose stream it is, if the event does not have its name.
const theClient = "the client"

// Write adds the sentence of the event.
func (s *Sentence) Write() {
	switch kind := string(s.Kind()); kind {
	case event.ConnectRequest:
		s.Who(clientKey, theClient)
		s.Add(" asks to connect")
		s.Number(" with protocol ", "protocol_version")
		s.Text(" with password ", "password")
	case event.ConnectRefused:
		s.Speaker()
		s.Add(" is refused")
		s.Text(": ", textKey)
	case event.Connect:
		s.Who(clientKey, theClient)
		s.Add(" connected")
		s.Flag(" (this client)", Own.Key)
		s.Flag(" (bot)", "bot")
	case event.Enter:
		s.Who(clientKey, theClient)
		if s.Has(InProgress.Key) {
			s.Add(" is in the game")
		} else {
			s.Add(" entered the game")
		}
	case event.Disconnect:
		s.Who(clientKey, theClient)
		s.Add(" left")
		s.Text(": ", reasonKey)
	case event.Rename:
		s.Text("", "old_name_clean")
		s.Add(" is now ")
		s.Who(clientKey, theClient)
	case event.Team:
		s.team()
	case event.Class:
		s.Who(clientKey, theClient)
		s.Add(" is now ")
		s.Named("", "class")
	case event.RaceTeam:
		s.Who(clientKey, theClient)
		s.Number(" is in team ", raceTeamKey)
	case event.Chat:
		s.chat()
	case event.ChatCommand:
		s.Who(clientKey, theClient)
		s.Text(" uses ", Command.Key)
	case event.Vote:
		s.vote()
	case event.Rcon, event.RconGranted, event.RconDenied, event.RconEnded:
		s.rcon(kind)
	default:
		s.play(kind)
	}
}

// play is Write for what happens in the game.
func (s *Sentence) play(kind string) {
	switch kind {
	case event.Kill:
		s.kill()
	case event.Shot:
		s.shot()
	case event.Pickup:
		s.somebody(clientKey)
		s.Add(" picked up ")
		if s.Named("", "item"); !s.Has("item") {
			s.Add("something")
		}
		s.Flag(" (seen late)", "late")
	case event.Flag:
		s.Text("", "flag")
		s.Text(" flag ", actionKey)
		if s.Has(clientKey) {
			s.Add(" by ")
			s.Who(clientKey, theClient)
		}
	case event.Duel:
		s.duel()
	case event.Objective:
		s.objective()
	default:
		if !s.race(kind) && !s.tee(kind) && !s.moment(kind) {
			s.match(kind)
		}
	}
}

// match is Write for maps, matches and scores.
func (s *Sentence) match(kind string) {
	switch kind {
	case event.MapStart:
		s.mapStart()
	case event.MapRestart:
		s.Add("the map starts again")
	case event.Warmup:
		if s.Clock("warm-up, the match starts at ", startsAtKey); !s.Has(startsAtKey) {
			s.Add("warm-up, waiting for players")
		}
	case event.MatchStart:
		switch {
		case s.Has(InProgress.Key) && !s.Has(StartTime.Key):
			s.Add("the match is in progress, it began before the recording")
		case s.Has(InProgress.Key):
			s.Add("the match is in progress")
		default:
			s.Add("the match starts")
		}
	case event.MatchEnd:
		s.matchEnd()
	case event.Score:
		s.score()
	case event.Scoreboard:
		s.scores("")
	case event.RoundStart:
		s.Add("a round starts")
		s.Number(": ", "round")
	case event.RoundEnd:
		s.Add("the round is over")
		if winner := s.Tree.Find(s.Node, "winner"); winner >= 0 {
			s.Add(": ")
			s.playerOrTeam(winner)
			s.Add(" won")
		}
		s.Clock(", the next one starts at ", startsAtKey)
	case event.Settings:
		s.setting()
	case event.Intermission:
		s.Add("intermission")
		s.Text(": ", reasonKey)
	}
}

// setting adds which setting has changed.
func (s *Sentence) setting() {
	s.Text("", Setting.Key)
	if !s.Has(SettingBefore.Key) {
		s.Text(" is set: ", SettingAfter.Key)
		return
	}
	s.Text(" was ", SettingBefore.Key)
	if s.Has(SettingAfter.Key) {
		s.Text(", is ", SettingAfter.Key)
	} else {
		s.Add(", is not set")
	}
}

// team adds who joined which team. Games without teams have spectators and players.
func (s *Sentence) team() {
	s.Who(clientKey, theClient)
	switch n, teams := s.Child(teamKey), s.Child("team_game"); {
	case n != nil && n.Int() < 0:
		s.Add(" joined the spectators")
	case teams != nil && !teams.Bool():
		s.Add(" joined the game")
	default:
		s.Named(" joined team ", teamKey)
	}
}

func (s *Sentence) chat() {
	opening, closing := "", ""
	channel := string(s.Bytes("channel"))
	switch channel {
	case event.ChannelTeam, event.ChannelFireteam, event.ChannelLimbo:
		opening, closing = "(", ")"
	case event.ChannelTell:
		opening, closing = "[", "]"
	case event.ChannelGame:
		s.Text("", textKey)
		return
	}
	s.Add(opening)
	if channel == event.ChannelConsole {
		s.Add("console")
	} else {
		s.Speaker()
	}
	if s.Has(targetKey) {
		s.Add(" → ")
		s.Who(targetKey, theClient)
	}
	s.Add(closing)
	if n := s.Child("location"); n != nil {
		s.Add(" (")
		s.Dst = append(s.language.Clean(s.Dst, s.Tree.Bytes(n), s.Tree.Family), ')')
	}
	s.Add(": ")
	if s.Text("", textKey); s.Has(textKey) && s.Has("voice") {
		s.Text(" (voice ", "voice")
		s.Add(")")
		return
	}
	s.Text("voice ", "voice")
}

func (s *Sentence) vote() {
	if s.Has(clientKey) {
		s.Who(clientKey, theClient)
		s.Add(": ")
	}
	s.Named("team ", teamKey)
	s.Flag(": ", teamKey)
	s.Text("vote ", actionKey)
	s.Named(" ", "choice")
	s.Text(": ", textKey)
	switch yes, no := s.Has(Yes.Key), s.Has(No.Key); {
	case yes && no:
		s.Number(" (yes ", Yes.Key)
		s.Number(", no ", No.Key)
		s.Add(")")
	case yes:
		s.Number(" (yes ", Yes.Key)
		s.Add(")")
	case no:
		s.Number(" (no ", No.Key)
		s.Add(")")
	}
}

func (s *Sentence) rcon(kind string) {
	switch s.Speaker(); kind {
	case event.Rcon:
		s.Add(" uses rcon")
		s.Text(" ", "user")
		s.Text(" ", "password")
		s.Text(" ", Command.Key)
	case event.RconGranted:
		s.Add(" may use rcon")
	case event.RconDenied:
		s.Add(" may not use rcon")
		s.Text(": ", textKey)
	case event.RconEnded:
		s.Add(" may not use rcon any more")
	}
}

func (s *Sentence) kill() {
	switch {
	case s.Has("killed_team"):
		s.Number("team ", "killed_team")
		s.Add(" died")
		if s.Has(victimKey) {
			s.Add(", first ")
			s.Who(victimKey, theClient)
		}
	case s.Has(Suicide.Key) || s.Has(World.Key):
		s.somebody(victimKey)
		s.Add(" died")
	case !s.Has(killerKey) && !s.Has(meansKey): // the game shows no cause
		s.somebody(victimKey)
		s.Add(" died")
	default:
		s.somebody(killerKey)
		s.Add(" killed ")
		s.somebody(victimKey)
	}
	if n := s.Child(meansKey); n != nil {
		s.Named(" (", meansKey)
		if weapon := s.Bytes("weapon"); string(weapon) != n.Field.Enum.Name(s.Tree.Family, n.Uint()) {
			s.Text(", ", "weapon")
		}
		s.Text(", ", "body_part")
		s.Add(")")
	}
	s.blame()
}

// duelWords are what comes between two players in a duel, and after them, by the action.
var duelWords = map[string][2]string{
	event.DuelChallenged: {" challenges ", " to a duel"},
	event.DuelStarted:    {" and ", " begin a duel"},
	event.DuelWon:        {" has defeated ", " in a duel"},
}

// duel adds who duels whom.
func (s *Sentence) duel() {
	action := s.Bytes(actionKey)
	if string(action) == event.DuelTied {
		s.Add("the duel is a tie")
		return
	}
	words := duelWords[string(action)]
	s.somebody(clientKey)
	s.Add(words[0])
	s.somebody(targetKey)
	s.Add(words[1])
}

// objective adds what was done to an objective.
func (s *Sentence) objective() {
	if s.Has(textKey) {
		s.Text("", textKey)
		return
	}
	s.Named("", teamKey)
	s.Flag(": ", teamKey)
	switch action := s.Bytes(actionKey); string(action) {
	case event.ObjectivePlanted, event.ObjectiveDefused:
		s.Dst = append(append(s.Dst, "dynamite "...), action...)
		s.clean(" at ", objectiveKey)
	default:
		if !s.clean("", objectiveKey) {
			s.Add("something")
		}
		s.Dst = append(append(s.Dst, ' '), action...)
	}
}

// mapStart adds the map and where it is played.
func (s *Sentence) mapStart() {
	s.Text("", "map")
	s.clean(" on ", "hostname")
	s.Named(", ", "gametype")
	if list := s.Tree.Find(s.Node, "players"); list >= 0 {
		n := s.Tree.Len(list)
		s.Add(", " + strconv.Itoa(n) + " player")
		if n != 1 {
			s.Add("s")
		}
	}
}

// score adds the scores of the teams, or the two highest.
func (s *Sentence) score() {
	labels := [...]string{"first ", ", second "}
	if n := s.Child("team_game"); n != nil && n.Bool() {
		labels = [...]string{"red ", ", blue "}
		if s.language.Teams != nil {
			teams := s.language.Teams(s.Tree.Family)
			labels = [...]string{teams[0] + " ", ", " + teams[1] + " "}
		}
	}
	for i, key := range [...]string{"score1", "score2"} {
		s.Add(labels[i])
		if s.Number("", key); !s.Has(key) {
			s.Add("-")
		}
	}
}

// matchEnd adds the winner, the scores, the reason and the duration.
func (s *Sentence) matchEnd() {
	s.Add("the match is over: ")
	if i := s.Tree.Find(s.Node, "winner"); i >= 0 {
		s.playerOrTeam(i)
		s.Add(" won, ")
	}
	if s.Has(scoresKey) {
		s.scores(" ?")
		s.Add(", ")
	}
	s.Text("", reasonKey)
	if n := s.Child("duration"); n != nil {
		seconds := n.Int() / 1000
		s.Dst = strconv.AppendInt(append(s.Dst, " after "...), seconds/60, 10)
		s.Dst = append(s.Dst, ':', byte('0'+seconds%60/10), byte('0'+seconds%10))
	}
	if n := s.Child(Complete.Key); n != nil && !n.Bool() {
		s.Add(" (not all of it is there)")
	}
}

// scores adds the scores of players or teams. unknown is what follows the name of one without a score.
func (s *Sentence) scores(unknown string) {
	list := s.Tree.Find(s.Node, scoresKey)
	if list < 0 {
		return
	}
	for i, end := list+1, int(s.Tree.Nodes[list].End); i < end; i = int(s.Tree.Nodes[i].End) {
		if i > list+1 {
			s.Add(", ")
		}
		s.playerOrTeam(i)
		if n := s.Tree.Find(i, "score"); n >= 0 {
			s.Dst = strconv.AppendInt(append(s.Dst, ' '), s.Tree.Nodes[n].Int(), 10)
		} else {
			s.Add(unknown)
		}
	}
}
