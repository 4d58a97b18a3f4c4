package match

import "github.com/q3dissect/q3dissect/dissect"

// A ClassUse is a class that a player had from a time of the match on, in milliseconds.
type ClassUse struct {
	Class       string
	From, Until int64
}

// deeds keeps what a match_end shows of a player beside movement, in a match of a length.
func (q *Player) deeds(w dissect.Value, length int64) {
	q.Revived = w.Get("revived").Int()
	for v := range w.Get("classes").Children() {
		from := v.Get("match_time").Int()
		if n := len(q.Classes); n > 0 {
			q.Classes[n-1].Until = from
		}
		q.Classes = append(q.Classes, ClassUse{numberName(v.Get("class")), from, max(from, length)})
	}
	for v := range w.Get("skills").Children() {
		q.Skills = append(q.Skills, []any{numberName(v.Get("skill")), v.Get("level").Int()})
	}
	for v := range w.Get("force_powers").Children() {
		if q.Powers == nil {
			q.Powers = map[string]int64{}
		}
		q.Powers[numberName(v.Get("force_power"))] = v.Get("uses").Int()
	}
}

// DropDeeds forgets what players did in a match beyond their kills, deaths and scores.
func (p *Match) DropDeeds() {
	for _, q := range p.Players {
		q.With, q.By, q.Items, q.Killed, q.Flags, q.Reported = nil, nil, nil, nil, nil, nil
		q.Weapons, q.Styles, q.Powers, q.Classes, q.Skills = nil, nil, nil, nil, nil
	}
}
