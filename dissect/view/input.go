package view

import (
	"cmp"
	"math"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
)

// inputKind is the statistic of how players aim and move, as distributions.
func inputKind() Kind {
	return Kind{
		Name: "input", Usage: "input", Doc: "how each player aims, moves and shoots: distributions of user commands and of " +
			"what snapshots show, no verdicts",
		Needs:   Needs{Tree: true, Events: true, Inputs: true},
		Columns: inputColumns().described(),
		make: withoutArguments("input", func(*Env) Statistic {
			return &inputs{players: newTop[inputKey, player](inputPlayers), names: newPlayerNames()}
		}),
	}
}

// An inputRow is a row of the statistic input: a measure of a player.
type inputRow struct {
	*inputKey
	playerName
	measure
	*histogram
}

func inputColumns() columns[inputRow] {
	// value is a column of a measure with values; others are counts alone.
	value := func(key, doc string, of func(*histogram) any) column[inputRow] {
		return column[inputRow]{numberColumn(key, "", doc), func(r inputRow) any {
			if r.bins == nil {
				return nil
			}
			return of(r.histogram)
		}}
	}
	below := func(c column[inputRow]) column[inputRow] { return column[inputRow]{c.at(BelowLine), c.value} }
	name, clean := nameColumns("the player's last name; absent where the capture does not contain it")
	return columns[inputRow]{
		{fileColumn.at(InHeading), func(r inputRow) any { return orNil(r.file) }},
		{streamColumn.at(InHeading), func(r inputRow) any { return int64(r.stream) }},
		{textColumn("kind", "command: the client's own input, frame by frame; view: the player whose view the snapshots are; seen: another player in them").at(InHeading), func(r inputRow) any { return r.kind.String() }},
		{integerColumn("client_num", "number of the player in the game; absent where the capture does not contain it").at(InHeading), func(r inputRow) any { return onlyIf(r.number >= 0, int64(r.number)) }},
		{name, func(r inputRow) any { return r.name }},
		{clean, func(r inputRow) any { return r.clean }},
		{textColumn("measure", "what was measured, see docs/statistics.md"), func(r inputRow) any { return measureNames[r.measure].name }},
		{textColumn("unit", "of the values"), func(r inputRow) any { return orNil(measureNames[r.measure].unit) }},
		{integerColumn("count", "how many values there are"), func(r inputRow) any { return r.n }},
		below(value("mean", "their mean", func(h *histogram) any { return round(h.sum/float64(h.n), 3) })),
		below(value("min", "the smallest", func(h *histogram) any { return round(h.min, 3) })),
		below(value("p5", "5 % are not above it", func(h *histogram) any { return h.quantile(5) })),
		value("p50", "half of them are not above it", func(h *histogram) any { return h.quantile(50) }),
		value("p95", "95 % are not above it", func(h *histogram) any { return h.quantile(95) }),
		value("p99", "99 % are not above it", func(h *histogram) any { return h.quantile(99) }),
		value("max", "the largest", func(h *histogram) any { return round(h.max, 3) }),
	}
}

// inputPlayers is how many players are kept: each takes up to 50 KB.
const inputPlayers = topKeys / 50

// A measure is a quantity that is measured for each player.
type measure uint8

// The measures, in the order of their rows.
const (
	commandInterval measure = iota
	packetInterval
	packetCommands
	clockRate
	turnSpeed
	turnAcceleration
	attackTurn
	attackTime
	attackInterval
	shotCount
	shotInterval
	shotTurn
	hitCount
	offTarget
	shotOffTarget
	groundSpeed
	measures
)

var measureNames = [measures]struct{ name, unit string }{
	commandInterval: {"command_interval", "ms"}, packetInterval: {"packet_interval", "ms"},
	packetCommands: {"packet_commands", ""}, clockRate: {"clock_rate", "%"}, turnSpeed: {"turn_speed", "deg/s"},
	turnAcceleration: {"turn_acceleration", "deg/s2"}, attackTurn: {"attack_turn", "deg"},
	attackTime: {"attack_time", "ms"}, attackInterval: {"attack_interval", "ms"}, shotCount: {"shots", ""},
	shotInterval: {"shot_interval", "ms"}, shotTurn: {"shot_turn", "deg"}, hitCount: {"hits", ""},
	offTarget: {"off_target", "deg"}, shotOffTarget: {"shot_off_target", "deg"}, groundSpeed: {"ground_speed", "units/s"},
}

type inputKey struct {
	fileStream
	kind   extract.InputKind
	number int
}

// Times of the game's clock, in milliseconds.
const (
	turnWindow = 100    // in which the turn before an attack is measured
	longPause  = 10_000 // two moments further apart are not compared
	clockSpan  = 1_000  // over which the clock is compared with that of the capture
)

// recentViews is a power of two, and more moments than turnWindow has.
const recentViews = 128

// A player is what was measured of one player.
type player struct {
	dist [measures]histogram
	last extract.Input
	any  bool // last has been set

	speed    float64 // of the last turn
	hasSpeed bool
	views    [recentViews]viewAt // of the last moments, by number
	moments  int

	pressed     int64 // when the attack began, while it lasts
	pressedLast int64 // when the attack before began
	hasPressed  bool
	shotLast    int64
	hasShot     bool

	packetAt           int64 // capture time of the last datagram with commands
	hasPacket          bool
	clockAt, captureAt int64 // where the present span of the clock began
	hasClock           bool
}

type viewAt struct {
	time       int64
	pitch, yaw float32
}

type inputs struct {
	players *top[inputKey, player]
	names   playerNames
}

func (s *inputs) Add(rec *dissect.Record) {
	stream := fileStream{rec.File, rec.Stream}
	s.names.add(rec, stream)
	commands := 0
	var client *player
	for i := range rec.Inputs {
		in := &rec.Inputs[i]
		if in.Kind != extract.InputCommand && !in.HasView {
			continue // only the place is known
		}
		p := s.players.add(inputKey{stream, in.Kind, in.Player}, 1)
		p.add(in)
		if in.Kind == extract.InputCommand {
			commands, client = commands+1, p
		}
	}
	if client != nil {
		client.packet(rec, commands)
	}
}

// packet measures a datagram with new commands.
func (p *player) packet(rec *dissect.Record, commands int) {
	p.dist[packetCommands].put(float64(commands))
	if !rec.HasTime {
		return
	}
	if p.hasPacket && rec.Time-p.packetAt <= longPause*1e6 {
		p.dist[packetInterval].put(float64(rec.Time-p.packetAt) / 1e6)
	}
	game := p.last.Time
	switch passed := rec.Time - p.captureAt; {
	case !p.hasClock || passed < 0 || passed > longPause*1e6 || game < p.clockAt:
		p.clockAt, p.captureAt, p.hasClock = game, rec.Time, true
	case passed >= clockSpan*1e6:
		p.dist[clockRate].put(float64(game-p.clockAt) * 1e6 / float64(passed) * 100)
		p.clockAt, p.captureAt = game, rec.Time
	}
	p.packetAt, p.hasPacket = rec.Time, true
}

// add measures a moment.
func (p *player) add(in *extract.Input) {
	passed := in.Time - p.last.Time
	if !p.any || passed < 0 || passed > longPause || in.Switched {
		*p = player{dist: p.dist, packetAt: p.packetAt, hasPacket: p.hasPacket, last: *in, any: true}
		p.look(in)
		p.press(in, false)
		p.shoot(in)
		p.state(in)
		return
	}
	if in.Kind == extract.InputCommand {
		p.dist[commandInterval].put(float64(passed))
	}
	p.turn(in, float64(passed)/1000)
	p.look(in)
	p.press(in, p.last.Attack && p.last.HasAttack)
	p.shoot(in)
	p.state(in)
	p.last = *in
}

// turn measures how fast the view turns, and how much that changes.
func (p *player) turn(in *extract.Input, seconds float64) {
	if !in.HasView || !p.last.HasView || seconds <= 0 {
		p.hasSpeed = false
		return
	}
	speed := angleBetween(in.Pitch, in.Yaw, p.last.Pitch, p.last.Yaw) / seconds
	p.dist[turnSpeed].put(speed)
	if p.hasSpeed {
		p.dist[turnAcceleration].put(math.Abs(speed-p.speed) / seconds)
	}
	p.speed, p.hasSpeed = speed, true
}

// angleBetween returns the angle that the crosshair moves between two views, in degrees, the short way round on both
// axes.
func angleBetween(pitch, yaw, pitch2, yaw2 float32) float64 {
	return math.Hypot(math.Remainder(float64(pitch-pitch2), 360), math.Remainder(float64(yaw-yaw2), 360))
}

// look remembers a view.
func (p *player) look(in *extract.Input) {
	if in.HasView {
		p.views[p.moments%recentViews] = viewAt{in.Time, in.Pitch, in.Yaw}
		p.moments++
	}
}

// snap returns the largest turn to the present view from one at most turnWindow ago: how far the crosshair
// moved in the last moment. ok is false if there is none.
func (p *player) snap() (degrees float64, ok bool) {
	if p.moments < 2 {
		return 0, false
	}
	now := p.views[(p.moments-1)%recentViews]
	for i := p.moments - 2; i >= 0 && p.moments-i <= recentViews; i-- {
		v := p.views[i%recentViews]
		if now.time-v.time > turnWindow {
			break
		}
		degrees, ok = max(degrees, angleBetween(now.pitch, now.yaw, v.pitch, v.yaw)), true
	}
	return degrees, ok
}

// press measures the attack button.
func (p *player) press(in *extract.Input, before bool) {
	switch {
	case !in.HasAttack || in.Attack == before:
	case in.Attack:
		if degrees, ok := p.snap(); ok && in.HasView {
			p.dist[attackTurn].put(degrees)
		}
		if p.hasPressed {
			p.dist[attackInterval].put(float64(in.Time - p.pressedLast))
		}
		p.pressed, p.pressedLast, p.hasPressed = in.Time, in.Time, true
	case p.hasPressed:
		p.dist[attackTime].put(float64(in.Time - p.pressed))
	}
}

// shoot measures shots and hits.
func (p *player) shoot(in *extract.Input) {
	for range in.Shots {
		p.dist[shotCount].n++
	}
	p.dist[hitCount].n += uint64(in.Hits)
	if in.Shots == 0 {
		return
	}
	if degrees, ok := p.snap(); ok && in.HasView {
		p.dist[shotTurn].put(degrees)
	}
	if p.hasShot {
		p.dist[shotInterval].put(float64(in.Time - p.shotLast))
	}
	p.shotLast, p.hasShot = in.Time, true
	if in.HasTarget {
		p.dist[shotOffTarget].put(float64(in.OffTarget))
	}
}

// state measures what a single moment shows.
func (p *player) state(in *extract.Input) {
	if in.HasSpeed {
		p.dist[groundSpeed].put(float64(in.Speed))
	}
	if in.HasTarget {
		p.dist[offTarget].put(float64(in.OffTarget))
	}
}

func (s *inputs) Tables() []Table {
	order := func(a, b *counted[inputKey, player]) int {
		return cmp.Or(cmp.Compare(a.key.file, b.key.file), cmp.Compare(a.key.stream, b.key.stream),
			cmp.Compare(a.key.kind, b.key.kind), cmp.Compare(a.key.number, b.key.number))
	}
	rows := func(yield func(inputRow) bool) {
		for c := range s.players.all(order) {
			name := s.names.of(c.key.fileStream, c.key.number)
			for m := range measures {
				if h := &c.value.dist[m]; h.n > 0 && !yield(inputRow{&c.key, name, m, h}) {
					return
				}
			}
		}
	}
	return []Table{inputColumns().table("input", rows, s.players.notes("players"))}
}
