package match

import (
	"cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// clock returns the time of the match at an event, in milliseconds; of one that began late the time since its first
// sign.
func (p *Match) clock(e dissect.Value) int64 {
	if now := e.Get(dissect.EventServerTime.Key); p.Late && now.Exists() {
		return max(0, now.Int()-p.Began)
	}
	return e.Get("match_time").Int()
}

// byName returns a player whose number is not known, as in games that name players in sentences alone, of a match whose
// players are not listed; else nil. Such players have numbers below -1.
func (p *Match) byName(v dissect.Value) *Player {
	name := wiretext.String(v.Get("name_clean").Bytes())
	if !p.Unlisted || name == "" {
		return nil
	}
	for _, q := range p.Players {
		if q.Name == name {
			return q
		}
	}
	q := p.player(-2 - int64(len(p.Players)))
	if q != nil {
		q.Name = name
	}
	return q
}

// learn takes what a map_start shows during a match that began late.
func (p *Match) learn(g *Facts) {
	p.MapName, p.Hostname = cmp.Or(p.MapName, g.MapName), cmp.Or(p.Hostname, g.Hostname)
	p.Mode, p.Mod = cmp.Or(p.Mode, g.Mode), cmp.Or(p.Mod, g.Mod)
}

// finishLate stores what is known at the end of a match that began late.
func (p *Match) finishLate(e dissect.Value) {
	p.learn(&Facts{
		MapName: wiretext.String(e.Get("map").Bytes()), Mode: numberName(e.Get("gametype")),
		Mod: wiretext.String(e.Get("mod").Bytes()),
	})
	if e.Get("end_time").Exists() {
		p.Length = max(0, p.ended-p.Began)
	}
}

// wasWarmup reports whether a match that began late may have been a warm-up: players killed each other, nobody scored,
// and then the match was started or called off.
func (p *Match) wasWarmup() bool {
	return p.Late && !p.counts && (p.Reason == event.ReasonRestart || p.Reason == event.ReasonAborted)
}
