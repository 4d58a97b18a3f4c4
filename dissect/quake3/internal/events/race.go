package events

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/speech"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// DeFRaG's sentences about a finish, on servers and in a player's own game:
//
//	Rom^7 reached the finish line in ^23:38:208^7
//	Time performed by ^2Enter^7 : ^331:432^7 (v1.91.23 beta)
//	Time performed by Chell ^s: 00:54:184
//
// Source: lines of recordings in the comments of DemoCleaner3, ConsoleStringUtils.cs; no reference recording has one.
const (
	finishVerb   = " reached the finish line in "
	finishOpener = "Time performed by "
)

// readFinish parses a line about a finished race and reports the finish. It reports whether the line was one.
func (g *gameView) readFinish(w *eventWriter, line []byte) bool {
	var name, after []byte
	if at := bytes.Index(line, []byte(finishVerb)); at > 0 {
		name, after = bytes.TrimSuffix(line[:at], []byte(speech.White)), line[at+len(finishVerb):]
	} else if rest, ok := bytes.CutPrefix(line, []byte(finishOpener)); ok {
		if at := bytes.LastIndex(rest, []byte(": ")); at > 0 {
			name, after = bytes.TrimRight(rest[:at], " "), rest[at+2:]
			name = bytes.TrimSuffix(bytes.TrimSuffix(name, []byte("^s")), []byte(speech.White))
		}
	}
	time, ok := finishTime(speech.AppendClean(nil, after, g.family))
	if !ok {
		return false
	}
	name = bytes.TrimRight(name, " ")
	client := g.roster.cleanNamed(speech.AppendClean(nil, name, g.family), g.family)
	w.Begin(event.RaceFinish)
	w.client(&evClient, &g.roster, client, name)
	w.Flag(&eventtree.Own, client >= 0 && client == g.own)
	w.Number(&evFinishTime, time)
	w.End()
	g.addRun(w, client, time)
	return true
}

// finishTime reads the time that a text begins with: hours, minutes, seconds and milliseconds, as far as they are
// needed.
func finishTime(text []byte) (ms int64, ok bool) {
	word, _, _ := bytes.Cut(text, []byte(" "))
	parts := bytes.Split(word, []byte(":"))
	if len(parts) < 2 || len(parts) > 4 || len(parts[len(parts)-1]) != 3 {
		return 0, false
	}
	for i, p := range parts {
		v, err := strconv.ParseUint(string(p), 10, 31)
		if err != nil {
			return 0, false
		}
		unit := int64(60)
		if i == len(parts)-1 {
			unit = 1000
		}
		ms = ms*unit + int64(v)
	}
	return ms, true
}

// cleanNamed finds the player with a name without colours; -1: there is none, or more than one.
func (r *roster) cleanNamed(name []byte, family uint8) int {
	found := -1
	var clean []byte
	for i := range r.players {
		p := &r.players[i]
		if !p.present {
			continue
		}
		if clean = speech.AppendClean(clean[:0], p.name, family); bytes.Equal(clean, name) {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

// playsRace reports whether the scores are times: Quake Live's, in milliseconds.
func (m *match) playsRace() bool {
	return m.gametypeName() == "race"
}

// raceResult finds how a race ended: the shortest time is the best. Who has not finished has no time.
//
// Source: CG_GetTimeString, code/cgame/cg_drawtools.c of wolfcamql: no time is negative, or the largest number.
func (g *gameView) raceResult() (r result) {
	r.winner = -1
	b := &g.match.contest.board
	for i := range tables.MaxPlayers {
		if g.roster.plays(i) && b[i].known && b[i].score > 0 && b[i].score < math.MaxInt32 {
			r.scores = append(r.scores, place{i, b[i].score})
		}
	}
	slices.SortStableFunc(r.scores, func(a, b place) int { return cmp.Compare(a.score, b.score) })
	if n := len(r.scores); n == 1 || n > 1 && r.scores[0].score < r.scores[1].score {
		r.winner = r.scores[0].who
	}
	return r
}
