package match

// Merge returns the match that a group of streams shows. What everybody is told is from the first stream, which shows
// the most of it; what depends on the view is from the stream that shows the most of that player.
func Merge(group []*Match) *Match {
	if len(group) == 1 {
		return group[0]
	}
	all := *group[0]
	all.Players = make(map[int64]*Player, len(all.Players))
	for number, q := range group[0].Players {
		one := *q
		one.Items = most(nil, q.Items)
		one.Styles, one.Powers = most(nil, q.Styles), most(nil, q.Powers)
		all.Players[number] = &one
	}
	for _, p := range group[1:] {
		all.learn(&p.Facts)
		for number, q := range p.Players {
			one := all.Players[number]
			switch {
			case one == nil:
				one := *q
				all.Players[number] = &one
			case one.Name == q.Name || one.Name == "" || q.Name == "":
				one.join(q)
			}
		}
	}
	return &all
}

// join takes what another stream shows of a player that this one does not.
func (q *Player) join(o *Player) {
	if q.Name == "" {
		q.Name = o.Name
	}
	if q.Team == "" {
		q.Team = o.Team
	}
	if !q.Scored {
		q.Score, q.Scored = o.Score, o.Scored
	}
	q.Items, q.Styles, q.Powers = most(q.Items, o.Items), most(q.Styles, o.Styles), most(q.Powers, o.Powers)
	if o.ShotsSeen > q.ShotsSeen {
		q.ShotsSeen, q.HitsSeen = o.ShotsSeen, o.HitsSeen
	}
	if o.Seen > q.Seen {
		q.Seen, q.Distance = o.Seen, o.Distance
	}
	if len(q.Weapons) == 0 {
		q.Weapons = o.Weapons
	}
	if len(q.Reported) == 0 {
		q.Reported = o.Reported
	}
	if len(q.Classes) == 0 {
		q.Classes = o.Classes
	}
	if len(q.Skills) == 0 {
		q.Skills = o.Skills
	}
	q.Revived, q.Bot, q.Played = max(q.Revived, o.Revived), q.Bot || o.Bot, max(q.Played, o.Played)
}

// most returns the larger of two counts for each name, in a map of its own.
func most(a, b map[string]int64) map[string]int64 {
	if len(b) == 0 {
		return a
	}
	all := make(map[string]int64, len(a)+len(b))
	for _, counts := range [...]map[string]int64{a, b} {
		for name, n := range counts {
			all[name] = max(all[name], n)
		}
	}
	return all
}
