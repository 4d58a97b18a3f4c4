package events

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// limits are the conditions that end a match; 0: no limit.
//
// CheckExitRules, code/game/g_main.c; Quake Live's are keys of its serverinfo, found in recordings.
type limits struct {
	time, frags, captures, rounds, scores, mercy int32 // time in minutes
	overtime                                     int32 // length of an overtime in seconds
}

func (l *limits) setServerinfo(info []byte) {
	for _, k := range [...]struct {
		key string
		to  *int32
	}{
		{"timelimit", &l.time},
		{"fraglimit", &l.frags},
		{"capturelimit", &l.captures},
		{"roundlimit", &l.rounds},
		{"scorelimit", &l.scores},
		{"mercylimit", &l.mercy},
		{"g_overtime", &l.overtime},
	} {
		*k.to, _ = token.Atoi(dissect.InfoValue(info, k.key))
	}
}

// setGameInfo reads CPMA's limits: tl in minutes, sl of the score, to of an overtime in minutes.
func (l *limits) setGameInfo(info []byte) {
	if v, ok := token.Atoi(dissect.InfoValue(info, "tl")); ok {
		l.time = v
	}
	if v, ok := token.Atoi(dissect.InfoValue(info, "sl")); ok {
		l.scores = v
	}
	if v, ok := token.Atoi(dissect.InfoValue(info, "to")); ok {
		l.overtime = v * 60
	}
}

// reasonTime is how long before the end the server announces the reason, in milliseconds.
const reasonTime = 3000

// limitWords are the limits in the server's words.
var limitWords = [...]struct{ word, reason string }{
	{"timelimit", event.ReasonTimelimit},
	{"fraglimit", event.ReasonFraglimit},
	{"capturelimit", event.ReasonCapturelimit},
	{"roundlimit", event.ReasonRoundlimit},
	{"scorelimit", event.ReasonScorelimit},
	{"mercy", event.ReasonMercy},
	{"forfeit", event.ReasonForfeit},
}

// whyOver finds why a match that ran to its end is over: by the server's words, else by the limit that was
// reached. It counts overtimes; with one, a match that ended by time ended by overtime or by sudden death.
func (m *match) whyOver(length int32) string {
	c := &m.contest
	elapsed, full := int64(length), int64(m.limits.time)*60000
	const slack = 5000 // from the end of the time to the intermission
	if over := elapsed - full; full > 0 && m.limits.overtime > 0 && !c.suddenDeath && !m.playsRounds() {
		period := int64(m.limits.overtime) * 1000
		c.overtimes = max(c.overtimes, int((over-slack+period-1)/period))
	}
	reason := ""
	announcement := bytes.ToLower(c.announcement)
	for _, l := range limitWords {
		if reason == "" && bytes.Contains(announcement, []byte(l.word)) {
			reason = l.reason
		}
	}
	if reason == "" {
		reason = m.limitReached(full > 0 && elapsed >= full-1000)
	}
	switch {
	case reason != event.ReasonTimelimit:
	case c.suddenDeath:
		reason = event.ReasonSuddenDeath
	case c.overtimes > 0:
		reason = event.ReasonOvertime
	}
	return reason
}

// playsRounds reports whether the match is played in rounds, which are finished when the time is up.
func (m *match) playsRounds() bool {
	switch m.gametypeName() {
	case "ca", "ctfs", "ad", "ft", "red_rover", "elimination", "ctf_elimination", "lms":
		return true
	}
	return false
}

// limitReached returns the limit that the scores or the time have reached; "": none.
func (m *match) limitReached(timeIsUp bool) string {
	c := &m.contest
	best := max(c.kept[0], c.kept[1])
	lead := best - min(c.kept[0], c.kept[1])
	team, known := m.teamGame()
	reached := func(limit int32) bool { return known && limit > 0 && best >= limit }
	switch name := m.gametypeName(); {
	case (!team || name == "team" || m.rules().Match.TeamLimit) && reached(m.limits.frags):
		return event.ReasonFraglimit
	case (name == "ctf" || name == "1fctf" || name == "obelisk" || name == "harvester" || name == "cty") &&
		reached(m.limits.captures):
		return event.ReasonCapturelimit
	case (name == "ca" || name == "ft") && reached(m.limits.rounds):
		return event.ReasonRoundlimit
	case team && reached(m.limits.scores):
		return event.ReasonScorelimit
	case team && known && m.limits.mercy > 0 && c.has == [2]bool{true, true} && lead >= m.limits.mercy:
		return event.ReasonMercy
	case timeIsUp:
		return event.ReasonTimelimit
	}
	return ""
}

// limitHit remembers the reason for which the match ends, LogExit and CheckExitRules in code/game/g_main.c:
// "Timelimit hit.", "Red hit the capturelimit.", "Sarge hit the fraglimit."; Quake Live adds a forfeit.
func (m *match) limitHit(sentence []byte, now int32) {
	if bytes.HasSuffix(sentence, []byte("limit.")) || bytes.HasSuffix(sentence, []byte("limit hit.")) ||
		bytes.HasSuffix(sentence, []byte("has been forfeited.")) || bytes.HasSuffix(sentence, []byte("limit hit")) {
		m.reason, m.reasonAt = append(m.reason[:0], sentence...), now
		m.forfeited = bytes.HasSuffix(sentence, []byte("has been forfeited."))
	}
}

// suddenDeath is CPMA's announcement that the next frag decides, shown in the middle of the screen.
const suddenDeath = "Sudden Death Overtime!"

// announce reads a text that the game shows in the middle of the screen.
func (m *match) announce(line []byte) {
	if bytes.Contains(line, []byte(suddenDeath)) {
		m.contest.suddenDeath = true
	}
}
