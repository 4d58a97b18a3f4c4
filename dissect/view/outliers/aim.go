package outliers

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/internal/motion"
)

// A place is where a player is, with the direction of the view: of the last two snapshots.
type place struct {
	at, before [3]float32
	time, prev int64 // of the game's clock
	eye, mid   float32
	since      int64 // when the player came into the snapshots
	known      bool
	noise      noise

	past [pastSeconds]pastPlace // by second, of the last ones
}

// A noise is when and where a player was heard last.
type noise struct {
	at   [3]float32
	time int64
	any  bool
}

// Sounds are heard up to a distance: S_SpatializeOrigin in code/client/snd_dma.c, where the volume falls from 80 units
// (SOUND_FULLVOLUME) to nothing, by 0.0008 a unit (SOUND_ATTENUATE). For hearingSpan a listener knows where it came
// from, in milliseconds.
const (
	hearingRange = 80 + 1/0.0008
	hearingSpan  = 2_000
)

// heard reports whether somebody at a place heard the player lately.
func (p *place) heard(eye [3]float64, now int64) bool {
	n := &p.noise
	if !n.any || now < n.time || now-n.time > hearingSpan {
		return false
	}
	dx, dy, dz := float64(n.at[0])-eye[0], float64(n.at[1])-eye[1], float64(n.at[2])-eye[2]
	return math.Hypot(math.Hypot(dx, dy), dz) <= hearingRange
}

// A pastPlace is where a player was.
type pastPlace struct {
	at    [3]float32
	time  int64
	known bool
}

// pastSeconds is a power of two above lookBack.
const (
	pastSeconds = 16
	lookBack    = 10_000 // ms
)

// ago returns where the player was lookBack before a time; ok is false if that is not known.
func (p *place) ago(time int64) (at [3]float64, ok bool) {
	time -= lookBack
	if time < 0 {
		return at, false
	}
	then := &p.past[time/1000%pastSeconds]
	if !then.known || then.time/1000 != time/1000 {
		return at, false
	}
	for i := range at {
		at[i] = float64(then.at[i])
	}
	return at, true
}

// gone is for how long a player must be missing from the snapshots to appear again, in ms.
const gone = 500

// A scene is where the players of a stream are in its snapshots.
type scene struct {
	places [maxScene]*place // by number; nil: not there
	end    int              // numbers from here on are not there
	own    int              // the player whose view it is; -1: not known
	began  int64
	now    int64
	clear  Clear // in the present map; nil: not known
}

// A Clear reports whether nothing solid is between two points of a map.
type Clear = func(from, to [3]float64) bool

// maxScene is how many players of a scene are followed: more than the games have.
const maxScene = 128

func newScene() *scene { return &scene{own: -1} }

// place returns where a player is, nil if that is not known.
func (s *scene) place(number int) *place {
	if number < 0 || number >= s.end {
		return nil
	}
	return s.places[number]
}

// set notes where a player is.
func (s *scene) set(in *extract.Input) {
	if in.Time < s.now || in.Time > s.now+longPause {
		clear(s.places[:])
		s.began, s.end = in.Time, 0
	}
	s.now = in.Time
	if in.Kind == extract.InputView {
		s.own = in.Player
	}
	if in.Player >= maxScene {
		return
	}
	p := s.places[in.Player]
	if p == nil {
		p = &place{}
		s.places[in.Player], s.end = p, max(s.end, in.Player+1)
	}
	switch {
	case !p.known || in.Time-p.time > gone || jumped(p.at, in.Place, in.Time-p.time):
		p.before, p.prev, p.since = in.Place, in.Time, in.Time
	case in.Time > p.time:
		p.before, p.prev = p.at, p.time
	}
	p.at, p.time, p.eye, p.mid, p.known = in.Place, in.Time, in.Eye, in.Middle, true
	if in.Noise || in.Shots > 0 {
		p.noise = noise{in.Place, in.Time, true}
	}
	if in.Time >= 0 {
		p.past[in.Time/1000%pastSeconds] = pastPlace{in.Place, in.Time, true}
	}
}

// jumped reports whether a player went farther than he can: he came back to life, or went through a teleporter.
func jumped(a, b [3]float32, passed int64) bool {
	const fastest, slack = 2.5, 64 // units in a millisecond, units
	far := math.Hypot(math.Hypot(float64(b[0]-a[0]), float64(b[1]-a[1])), float64(b[2]-a[2]))
	return far > fastest*float64(max(passed, 0))+slack
}

// when returns where the player was at a time near the last two snapshots.
func (p *place) when(time int64) [3]float64 {
	return motion.Between(p.before, p.at, p.prev, p.time, time)
}

// A sight is a target as a player sees it.
type sight struct {
	number     int
	off        float64 // degrees between crosshair and middle
	size       float64 // of half the body, in degrees
	yaw, pitch float64 // direction of the target
	since      int64   // when it appeared
	hidden     bool    // walls are between eye and target, by the map
	heard      bool    // it was heard lately; of a hidden one
	then       float64 // as off, of where the target was lookBack before; negative: not known
}

// halfBody is half the width of a body: between half the width and half the height of a player's box,
// code/game/g_client.c.
const halfBody = 18

// A target outside of the cone in which anything is measured has no angles: most are, and angles cost more than all
// else. sightCone is the widest cone but for targets nearer than closeBy, whose bodies are up to 27 degrees wide to
// each side.
const (
	outside       = 180.0
	outsideCosine = 0.69 // of 46.4 degrees
	closeBy       = 36
)

// direction returns where a view points, as a vector of length 1.
func direction(pitch, yaw float64) [3]float64 {
	const radian = math.Pi / 180
	s1, c1 := math.Sincos(pitch * radian)
	s2, c2 := math.Sincos(yaw * radian)
	return [3]float64{c1 * c2, c1 * s2, -s1}
}

// sights appends the targets of a player: those that the newest snapshot has.
func (s *scene) sights(list []sight, in *extract.Input, who int) []sight {
	me := s.place(who)
	if me == nil || s.now-me.time > gone {
		return list
	}
	eye := me.when(in.Time)
	eye[2] += float64(me.eye)
	look := direction(float64(in.Pitch), float64(in.Yaw))
	for number, t := range s.places[:s.end] {
		if number == who || t == nil || t.time != s.now {
			continue
		}
		to := t.when(in.Time)
		to[2] += float64(t.mid)
		dx, dy, dz := to[0]-eye[0], to[1]-eye[1], to[2]-eye[2]
		if square := dx*dx + dy*dy + dz*dz; s.clear == nil && square > closeBy*closeBy &&
			look[0]*dx+look[1]*dy+look[2]*dz < outsideCosine*math.Sqrt(square) {
			list = append(list, sight{number: number, off: outside, since: t.since, then: -1})
			continue
		}
		flat := math.Hypot(dx, dy)
		far := math.Hypot(flat, dz)
		if !(far > 1) { // in it, or no number
			continue
		}
		one := sight{
			number: number, yaw: degrees(math.Atan2(dy, dx)), pitch: -degrees(math.Atan2(dz, flat)),
			size: degrees(math.Atan2(halfBody, far)), since: t.since, then: -1,
		}
		one.off = between(float64(in.Pitch), float64(in.Yaw), one.pitch, one.yaw)
		if s.clear != nil {
			s.behind(&one, t, in, eye, to)
		}
		list = append(list, one)
	}
	return list
}

// behind reports whether walls hide a target: its middle and its head.
func (s *scene) behind(one *sight, t *place, in *extract.Input, eye, to [3]float64) {
	const head = 24 // above the middle: below the top of the box, 32 above a player's origin
	top := [3]float64{to[0], to[1], to[2] + head}
	one.hidden = !s.clear(eye, to) && !s.clear(eye, top)
	then, ok := t.ago(in.Time)
	one.heard = one.hidden && t.heard(eye, in.Time)
	if !one.hidden || one.heard || !ok {
		return
	}
	dx, dy, dz := then[0]-eye[0], then[1]-eye[1], then[2]+float64(t.mid)-eye[2]
	one.then = between(float64(in.Pitch), float64(in.Yaw), -degrees(math.Atan2(dz, math.Hypot(dx, dy))),
		degrees(math.Atan2(dy, dx)))
}

func degrees(radians float64) float64 { return radians * 180 / math.Pi }

// between returns the angle between two directions, in degrees.
func between(pitch, yaw, pitch2, yaw2 float64) float64 {
	const radian = math.Pi / 180
	s1, c1 := math.Sincos(pitch * radian)
	s2, c2 := math.Sincos(pitch2 * radian)
	cos := s1*s2 + c1*c2*math.Cos((yaw-yaw2)*radian)
	return degrees(math.Acos(max(-1, min(1, cos))))
}
