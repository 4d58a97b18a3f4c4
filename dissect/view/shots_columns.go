package view

import (
	"fmt"
	"strings"

	"github.com/q3dissect/q3dissect/dissect/extract"
)

// A shotPlayer is another player near a shot.
type shotPlayer struct {
	*extract.Target
	name   playerName
	state  shotState
	reason string
}

// A shotRow is a row of the statistic shots.
type shotRow struct {
	*keptShot
	name    playerName
	players []shotPlayer // the nearest one first
}

// A keptShot is a shot with its place in the input.
type keptShot struct {
	fileStream
	extract.Shot
	frame   uint64
	time    int64
	first   int64
	hasTime bool
	mapName string
}

// nearest returns a value of the nearest player, nil if there is none.
func nearest(value func(p *shotPlayer) any) func(shotRow) any {
	return func(r shotRow) any {
		if len(r.players) == 0 {
			return nil
		}
		return value(&r.players[0])
	}
}

func shotColumns() columns[shotRow] {
	name, clean := nameColumns("the shooter's last name")
	units := func(key, doc string) Column { return numberColumn(key, "units", doc) }
	result := textColumn("result", "of the nearest player, against the place that the server traced")
	result.Values = shotStates
	return columns[shotRow]{
		{fileColumn.at(InHeading), func(r shotRow) any { return orNil(r.file) }},
		{streamColumn.at(InHeading), func(r shotRow) any { return int64(r.stream) }},
		{integerColumn("client_num", "number of the shooter in the game").at(InHeading), func(r shotRow) any { return int64(r.Shooter) }},
		{name, func(r shotRow) any { return r.name.name }},
		{clean, func(r shotRow) any { return r.name.clean }},
		{integerColumn("frame", "number of the frame, or of the message in a demo, whose state of the game shows the shot"), func(r shotRow) any { return r.frame }},
		{unitColumn("integer", "game_time", "ms", "the game's clock, of that state"), func(r shotRow) any { return r.Time }},
		{numberColumn("time", "s", "since the first packet of the file; absent in demos").at(InData), func(r shotRow) any { return onlyIf(r.hasTime, round(float64(r.time-r.first)/1e9, 6)) }},
		{startTimeColumn, func(r shotRow) any { return onlyIf(r.hasTime, dateOf(r.time)) }},
		{textColumn("weapon", "as the game calls it"), func(r shotRow) any { return orNil(r.Weapon) }},
		{unitColumn("integer", "command_time", "ms", "the time of the user command that fired, by the game's clock"), func(r shotRow) any { return onlyIf(r.Found, r.Command) }},
		{integerColumn("command_frame", "number of the frame that brought the command").at(InData), func(r shotRow) any { return onlyIf(r.Found, r.CommandFrame) }},
		{Column{Key: "timer_agrees", Type: "boolean", Doc: "the weapon's timer, replayed over the commands, ends as the state has it; absent where there are no commands", Place: InData}, func(r shotRow) any { return onlyIf(r.Found || r.Replayed, r.Replayed) }},
		{unitColumn("integer", "snapshot_time", "ms", "of the newest state of the game that the client had acknowledged when the command left").at(InData), func(r shotRow) any { return onlyIf(r.HasHad, r.Had) }},
		{vectorColumn("muzzle", "where the shot begins").at(InData), func(r shotRow) any { return vectorOf(r.HasMuzzle, r.Muzzle) }},
		{units("muzzle_error", "how far the muzzle may be wrong, apart from rounding").at(InData), func(r shotRow) any { return onlyIf(r.HasMuzzle, round(r.MuzzleError, 2)) }},
		{numberColumn("pitch", "deg", "of the view; down is positive").at(InData), func(r shotRow) any { return onlyIf(r.HasView, round(r.Pitch, 3)) }},
		{numberColumn("yaw", "deg", "of the view").at(InData), func(r shotRow) any { return onlyIf(r.HasView, round(r.Yaw, 3)) }},
		{listColumn("directions", "of each bullet, of length 1, with its spread if that is known", vectorItems...).at(InData), func(r shotRow) any { return raysOf(&r.Shot) }},
		{textColumn("player", "the player nearest to the shot: in the trace, or on the screen where that is not known"), nearest(func(p *shotPlayer) any { return playerLabel(p) })},
		{units("away", "how far that player was"), nearest(func(p *shotPlayer) any { return round(p.Away, 1) })},
		{units("screen", "how far the nearest bullet would have passed beside the player's box as the shooter's screen showed it; negative: through it, so deep"), nearest(func(p *shotPlayer) any { return onlyIf(p.OnScreen, round(p.Screen, 1)) })},
		{units("traced", "the same against the place that the server traced"), nearest(func(p *shotPlayer) any { return onlyIf(p.HasTraced, round(p.Traced, 1)) })},
		{units("traced_error", "how far that may be wrong"), nearest(func(p *shotPlayer) any { return onlyIf(p.HasTraced, round(p.Error, 1)) })},
		{result, nearest(func(p *shotPlayer) any { return string(p.state) })},
		{textColumn("reason", "why it is not decidable"), func(r shotRow) any {
			if len(r.players) == 0 {
				return orNil(r.Why)
			}
			return orNil(r.players[0].reason)
		}},
		{textColumn("rule", "what the server traces others against: \"command time\": where they were at the time of the command; \"one frame ago\"; \"arrival\": where they are when the command arrives").at(InData), func(r shotRow) any { return orNil(r.Rule) }},
		{integerColumn("hits", "by the server's counter of hits, between two states: enemies less team mates; absent where the game's module is not known to count so"), func(r shotRow) any { return onlyIf(r.HasHits, int64(r.Hits)) }},
		{integerColumn("damage", "points of damage by the server's counter, between two states, in games that count these instead of hits: OSP, CPMA").at(InData), func(r shotRow) any { return onlyIf(r.HasDamage, int64(r.Damage)) }},
		{integerColumn("shots_between", "how many shots these two states show: hits is of all of them").at(InData), func(r shotRow) any { return int64(r.Between) }},
		{integerColumn("events_lost", "events of the shooter between them that the states do not show").at(InData), func(r shotRow) any { return onlyIf(r.Lost > 0, int64(r.Lost)) }},
		{Column{Key: "event", Type: "boolean", Doc: "false: the event of the shot was displaced by later ones, and the timer shows it; absent otherwise", Place: InData}, func(r shotRow) any { return onlyIf(r.Unseen, false) }},
		{textColumn("impact", "what the server shows of the bullet: flesh, wall, rail, pellets, missile"), func(r shotRow) any { return impactOf(r, func(i *extract.Impact) any { return i.Kind.String() }) }},
		{vectorColumn("impact_place", "where").at(InData), func(r shotRow) any {
			return impactOf(r, func(i *extract.Impact) any { return vectorOf(true, i.Place) })
		}},
		{integerColumn("impact_client", "number of the player who was hit").at(InData), func(r shotRow) any {
			return impactOf(r, func(i *extract.Impact) any { return onlyIf(i.Target >= 0, int64(i.Target)) })
		}},
		{integerColumn("impact_entity", "number of the entity that shows it").at(InData), func(r shotRow) any {
			return impactOf(r, func(i *extract.Impact) any { return int64(i.Entity) })
		}},
		{integerColumn("seed", "of the pellets' directions").at(InData), func(r shotRow) any {
			return impactOf(r, func(i *extract.Impact) any { return onlyIf(i.Seed >= 0, int64(i.Seed)) })
		}},
		{valuesColumn("killed", "integer", "numbers of the players whom the shooter killed between the two states").at(InData), func(r shotRow) any { return numbersOf(r.Killed) }},
		{listColumn("players", "the living players whose places are known, the nearest to the shot first", shotPlayerItems()...).at(InData), func(r shotRow) any { return r.list() }},
		{textColumn("summary", "the row as a sentence").at(BelowLine), func(r shotRow) any { return r.summary() }},
	}
}

// vectorItems are the members of a place or direction.
var vectorItems = []Column{
	numberColumn("x", "units", "east"), numberColumn("y", "units", "north"), numberColumn("z", "units", "up"),
}

func vectorColumn(key, doc string) Column { return listColumn(key, doc+": one item", vectorItems...) }

func vectorOf(known bool, list ...[3]float64) any {
	if !known || len(list) == 0 {
		return nil
	}
	l := &List{Items: vectorItems}
	var parts []string
	for _, v := range list {
		l.Rows = append(l.Rows, []any{round(v[0], 6), round(v[1], 6), round(v[2], 6)})
		parts = append(parts, fmt.Sprintf("%s %s %s", Cell(round(v[0], 1)), Cell(round(v[1], 1)), Cell(round(v[2], 1))))
	}
	l.text = strings.Join(parts, ", ")
	return l
}

// raysOf returns the directions of a shot; nil: they are known to a spread alone.
func raysOf(s *extract.Shot) any { return vectorOf(s.Spread == 0 || len(s.Impacts) > 0, s.Rays...) }

func numbersOf(list []int) any {
	if len(list) == 0 {
		return nil
	}
	l := &List{Items: []Column{{Type: "integer"}}}
	var parts []string
	for _, n := range list {
		l.Rows = append(l.Rows, []any{int64(n)})
		parts = append(parts, fmt.Sprint(n))
	}
	l.text = strings.Join(parts, ", ")
	return l
}

// impactOf returns a value of the first impact, nil if there is none.
func impactOf(r shotRow, value func(*extract.Impact) any) any {
	if len(r.Impacts) == 0 {
		return nil
	}
	return value(&r.Impacts[0])
}

func playerLabel(p *shotPlayer) any {
	if p.name.clean != nil {
		return p.name.clean
	}
	return fmt.Sprintf("#%d", p.Player)
}

// shotPlayerItems are the columns of one player.
func shotPlayerItems() []Column {
	state := textColumn("result", "as in the row")
	state.Values = shotStates
	return []Column{
		integerColumn("client_num", "number of the player"), textColumn("name", "the last name"),
		numberColumn("away", "units", "how far the player was"),
		numberColumn("screen_angle", "deg", "between the view and the middle of the player on the screen"),
		numberColumn("screen", "units", "as in the row"), numberColumn("traced", "units", "as in the row"),
		numberColumn("traced_error", "units", "as in the row"), state, textColumn("reason", "as in the row"),
		numberColumn("moved", "units", "between the player's places on the screen and in the trace"),
		listColumn("place", "that the server traced: one item", vectorItems...),
	}
}

func (r *shotRow) list() any {
	if len(r.players) == 0 {
		return nil
	}
	l := &List{Items: shotPlayerItems()}
	var parts []string
	for i := range r.players {
		p := &r.players[i]
		l.Rows = append(l.Rows, []any{
			int64(p.Player), p.name.name, round(p.Away, 1), onlyIf(p.OnScreen, round(p.Angle, 2)),
			onlyIf(p.OnScreen, round(p.Screen, 2)), onlyIf(p.HasTraced, round(p.Traced, 2)),
			onlyIf(p.HasTraced, round(p.Error, 2)), string(p.state), orNil(p.reason),
			onlyIf(p.HasTraced && p.OnScreen, round(p.Moved, 2)), vectorOf(p.HasTraced, p.Place),
		})
		parts = append(parts, fmt.Sprintf("%v %s", playerLabel(p), p.state))
	}
	l.text = strings.Join(parts, ", ")
	return l
}

// summary returns the row as a sentence: margins and reasons, and no verdict.
func (r *shotRow) summary() string {
	var b strings.Builder
	b.WriteString(r.Weapon)
	if r.Found {
		fmt.Fprintf(&b, " of the command of %d ms", r.Command)
	}
	if len(r.players) > 0 {
		p := &r.players[0]
		if p.OnScreen {
			fmt.Fprintf(&b, ": on the shooter's screen it passes %v %s", playerLabel(p), margin(p.Screen))
		} else {
			fmt.Fprintf(&b, ": the shooter's screen did not show %v", playerLabel(p))
		}
		if p.HasTraced {
			fmt.Fprintf(&b, "; the server traced %s, uncertain by %.1f", margin(p.Traced), p.Error)
		}
		switch p.state {
		case shotUndecided:
			b.WriteString("; not decidable: " + p.reason)
		case shotBehindWall:
			b.WriteString("; it ended before that player")
		case shotInside:
			b.WriteString("; it begins inside that player's box, where a trace does not stop")
		}
	} else if r.Why != "" {
		b.WriteString(": what the server traced is not decidable: " + r.Why)
	}
	return b.String() + "; " + r.answered()
}

// margin words a distance.
func margin(units float64) string {
	if units < 0 {
		return fmt.Sprintf("through by %.1f units", -units)
	}
	return fmt.Sprintf("beside by %.1f units", units)
}

// answered words what the server answered.
func (r *shotRow) answered() string {
	said := "the server shows no impact"
	if len(r.Impacts) > 0 {
		i := &r.Impacts[0]
		said = "the server shows: " + i.Kind.String()
		if i.Target >= 0 {
			said += fmt.Sprintf(" of player %d", i.Target)
		}
	}
	switch {
	case r.HasHits:
		said += fmt.Sprintf(", its counter of hits changes by %d", r.Hits)
	case r.HasDamage:
		said += fmt.Sprintf(", its counter of damage changes by %d", r.Damage)
	}
	if (r.HasHits || r.HasDamage) && r.Between > 1 {
		said += fmt.Sprintf(" with %d shots", r.Between)
	}
	for _, n := range r.Killed {
		said += fmt.Sprintf(", the shooter kills player %d", n)
	}
	return said
}
