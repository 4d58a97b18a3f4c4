package outliers

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
)

// Times of the game's clock, in milliseconds.
const (
	longPause   = 10_000 // two moments further apart are not compared
	turnGap     = 250    // two views further apart are not
	turnWindow  = 100    // in which the turn before and after a shot is measured
	firstWithin = 2_000  // of an appearance, in which a shot counts as the first one
	groundMost  = 1_000  // a longer stay on the ground is no jump after a landing
	trackSpan   = 500
	airLeast    = 400
	clockSpan   = 5_000
	clockSlack  = 500 // two datagrams whose clocks differ by more: the client loaded a map, or stood still
	idleTurn    = 10  // degrees that a target's direction must change in trackSpan
)

// Angles, in degrees.
const (
	sightCone = 45 // a target within it appears
	aimCone   = 20 // a shot within it is aimed at the target
	trackCone = 15 // a target within it is tracked
	shotNear  = 3  // a shot within it, or within the body, is near the target
)

// recent is a power of two, and more views than twice turnWindow has.
const recent = 256

// A view is the direction of a player's view at a moment, with where it is in the input.
type view struct {
	pitch, yaw float64
	at         Moment
}

// A player is what was measured of one player.
type player struct {
	series [measures]series
	last   extract.Input
	any    bool
	began  int64 // when the player came, or came back

	views [recent]view
	n     int
	shots []int // views with a shot, whose future is awaited

	pressed     int64 // when the attack began
	hasPressed  bool
	presses     [8]int64 // intervals, the last ones
	pressCount  int
	shot        int64
	hasShot     bool
	jumped      int64
	hasJumped   bool
	landed      int64
	hasLanded   bool
	aloft       int64 // when the flight began, and the speed then
	aloftSpeed  float32
	hasAloft    bool
	targets     [maxScene]target
	track       track
	hidden      hiding
	strafed     strafing
	frames      pace
	clockAt     int64 // when the span of the clock began, by the game and by the capture
	captureAt   int64
	hasClock    bool
	packetGame  int64 // the last datagram with commands, by the same clocks
	packetAt    int64
	hasPacket   bool
	intervalSum int64 // of moments, for the rate
	intervals   int64
}

// A target is what a player has to do with another one.
type target struct {
	seen    int64 // when it was last within the cone
	shown   int64 // when it appeared there
	fresh   bool  // no shot was near it since
	on      bool  // the crosshair is on it
	entered int64 // since when; hasEnter: it was seen coming
	looked  int64 // when the target was last looked at
	came    bool
	hidden  bool // walls were before it
}

// A hiding counts moments with hidden players, until it is ten seconds long.
type hiding struct {
	began       int64
	n, on, then int // moments; the crosshair near one; and near where one was
	known       int // moments for which it is known where they were
}

// A track is a stretch of time in which a player follows one target.
type track struct {
	number  int
	began   int64
	sum     float64
	count   int
	moved   float64
	yaw     float64
	pitch   float64
	running bool
	start   Moment
}

// put adds a value at a moment.
func (p *player) put(m measure, at Moment, value float64) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return
	}
	at.Value = value
	p.series[m].add(Measures[m].Side, at)
}

// restart forgets the moments before, and keeps the values.
func (p *player) restart() {
	*p = player{
		series: p.series, shots: p.shots[:0], captureAt: p.captureAt, clockAt: p.clockAt, hasClock: p.hasClock,
		packetGame: p.packetGame, packetAt: p.packetAt, hasPacket: p.hasPacket,
		intervalSum: p.intervalSum, intervals: p.intervals,
	}
}

// add measures a moment.
func (p *player) add(in *extract.Input, at Moment, sights []sight) {
	passed := in.Time - p.last.Time
	if p.any && passed == 0 && in.Kind != extract.InputCommand {
		return // seen before
	}
	elsewhere := p.last.HasPlace && in.HasPlace && jumped(p.last.Place, in.Place, passed)
	if !p.any || passed < 0 || passed > longPause || elsewhere || in.Switched {
		p.restart()
		p.last, p.any, p.began = *in, true, in.Time
		p.look(in, at)
		return
	}
	if passed <= turnGap {
		p.intervalSum, p.intervals = p.intervalSum+passed, p.intervals+1
	}
	if in.Kind == extract.InputCommand && passed > 0 {
		p.put(commandInterval, at, float64(passed))
		p.pace(passed, at)
	}
	if in.HasView && p.last.HasView && passed > 0 && passed <= turnGap {
		p.put(turnSpeed, at, turned(in, &p.last)*1000/float64(passed))
	}
	p.look(in, at)
	p.settle(in.Time)
	shot := p.press(in, at)
	if in.Kind != extract.InputCommand {
		shot = in.Shots > 0
		p.move(in, at)
	}
	p.sees(in, at, sights, shot)
	if shot {
		p.shoot(in, at)
	}
	p.last = *in
}

// turned returns how far the crosshair went between two moments, in degrees.
func turned(a, b *extract.Input) float64 {
	return between(float64(a.Pitch), float64(a.Yaw), float64(b.Pitch), float64(b.Yaw))
}

// look remembers a view.
func (p *player) look(in *extract.Input, at Moment) {
	if in.HasView {
		p.views[p.n%recent] = view{float64(in.Pitch), float64(in.Yaw), at}
		p.n++
	}
}

// shoot measures a shot and the turn before it.
func (p *player) shoot(in *extract.Input, at Moment) {
	if p.hasShot {
		p.put(shotInterval, at, float64(in.Time-p.shot))
	}
	p.shot, p.hasShot = in.Time, true
	if !in.HasView {
		return
	}
	now, most, ok := p.n-1, 0.0, false
	for i := now - 1; i >= 0 && now-i < recent && in.Time-p.views[i%recent].at.Game <= turnWindow; i-- {
		most, ok = max(most, p.apart(now, i)), true
	}
	if ok {
		p.put(shotTurn, at, most)
		if len(p.shots) < recent/2 {
			p.shots = append(p.shots, now)
		}
	}
}

// apart returns the angle between two remembered views.
func (p *player) apart(a, b int) float64 {
	v, w := &p.views[a%recent], &p.views[b%recent]
	return between(v.pitch, v.yaw, w.pitch, w.yaw)
}

// settle measures the movement to a shot and back, once the time after the shot has passed.
func (p *player) settle(now int64) {
	for len(p.shots) > 0 {
		shot := p.shots[0]
		at := p.views[shot%recent].at
		if p.n-shot >= recent/2 { // its past is forgotten
			p.shots = p.shots[1:]
			continue
		}
		if now-at.Game < turnWindow {
			return
		}
		p.shots = p.shots[1:]
		before, after := -1, -1
		for i := shot - 1; i >= 0 && shot-i < recent/2 && at.Game-p.views[i%recent].at.Game <= turnWindow; i-- {
			before = i
		}
		for i := shot + 1; i < p.n && p.views[i%recent].at.Game-at.Game <= turnWindow; i++ {
			after = i
		}
		if before >= 0 && after >= 0 {
			p.put(snapReturn, at, (p.apart(before, shot)+p.apart(shot, after)-p.apart(before, after))/2)
		}
	}
}

// press measures the attack button and the jump key of a command, and reports whether the attack begins.
func (p *player) press(in *extract.Input, at Moment) (pressed bool) {
	if in.HasJump && p.last.HasJump && in.Jump != p.last.Jump {
		if !in.Jump && p.hasJumped {
			p.put(jumpTime, at, float64(in.Time-p.jumped))
		}
		p.jumped, p.hasJumped = in.Time, in.Jump
	}
	switch {
	case !in.HasAttack || !p.last.HasAttack || in.Attack == p.last.Attack:
	case in.Attack:
		if p.pressed > 0 {
			p.presses[p.pressCount%len(p.presses)] = in.Time - p.pressed
			p.pressCount++
			p.rhythm(at)
		}
		p.pressed, p.hasPressed = in.Time, true
		return true
	case p.hasPressed:
		p.put(pressTime, at, float64(in.Time-p.pressed))
	}
	return false
}

// rhythm measures how regular the last presses are.
func (p *player) rhythm(at Moment) {
	if p.pressCount < len(p.presses) {
		return
	}
	sum, squares, n := 0.0, 0.0, float64(len(p.presses))
	for _, v := range p.presses {
		if v > 3*1000 {
			return // a pause
		}
		sum, squares = sum+float64(v), squares+float64(v)*float64(v)
	}
	if mean := sum / n; mean > 0 {
		p.put(pressRhythm, at, math.Sqrt(max(0, squares/n-mean*mean))/mean*100)
	}
}

// move measures landings, jumps and the gain of speed in the air.
func (p *player) move(in *extract.Input, at Moment) {
	if !in.HasGround || !p.last.HasGround {
		p.hasLanded, p.hasAloft = false, false
		return
	}
	switch {
	case in.Ground && !p.last.Ground:
		p.landed, p.hasLanded = in.Time, true
	case !in.Ground && p.last.Ground:
		if stay := in.Time - p.landed; p.hasLanded && stay <= groundMost {
			p.put(groundTime, at, float64(stay))
		}
		p.hasLanded = false
		p.aloft, p.aloftSpeed, p.hasAloft = in.Time, in.Speed, in.HasSpeed
		p.strafed = strafing{}
	}
	p.strafed.add(in)
	if in.Ground && p.hasAloft {
		if time := p.last.Time - p.aloft; time >= airLeast && p.last.HasSpeed {
			p.put(airGain, at, float64(p.last.Speed-p.aloftSpeed)*1000/float64(time))
			if p.strafed.n >= leastStrafed {
				p.put(strafeError, at, p.strafed.mean())
			}
		}
		p.hasAloft = false
	}
}

// packet measures a datagram with new commands.
func (p *player) packet(rec *dissect.Record, at Moment, commands int) {
	p.put(packetCommands, at, float64(commands))
	if p.last.HasLead {
		p.put(snapshotLead, at, float64(p.last.Lead))
	}
	if !rec.HasTime {
		return
	}
	if passed := rec.Time - p.packetAt; p.hasPacket && passed >= 0 && passed <= longPause*1e6 {
		p.put(packetInterval, at, float64(passed)/1e6)
	}
	p.hasPacket = true
	game := p.last.Time
	stopped := math.Abs(float64(game-p.packetGame)-float64(rec.Time-p.packetAt)/1e6) > clockSlack
	p.packetGame, p.packetAt = game, rec.Time
	switch passed := rec.Time - p.captureAt; {
	case !p.hasClock || stopped || passed < 0 || passed > 2*clockSpan*1e6:
		p.clockAt, p.captureAt, p.hasClock = game, rec.Time, true
	case passed >= clockSpan*1e6:
		p.put(clockRate, at, float64(game-p.clockAt)*1e8/float64(passed))
		p.clockAt, p.captureAt = game, rec.Time
	}
}
