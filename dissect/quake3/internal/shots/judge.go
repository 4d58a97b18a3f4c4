package shots

import (
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/internal/motion"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// Reasons why it is not known what a shot was traced against.
const (
	whyNoCommand = "no user commands in the input"
	whyFollows   = "the view is another player's"
	whyTimer     = "the weapon's timer does not agree"
	whyMissile   = "a missile flies by itself"
	whyTouch     = "it fires at a touch"
	whyRule      = "the game's rule is not known"
	whyMod       = "a mod, whose rule is not known"
	whyCold      = "the server's settings are not in the input"
	whyWishes    = "the client's settings are not in the input"
	whyFar       = "the capture was not made at the server"
	whyUntimed   = "the input has no times of capture"
	whyGap       = "a snapshot is missing"
	whySeed      = "the directions of its bullets are not known"

	whyUnseen   = "not in the snapshots"
	whyTeleport = "respawned or teleported"
	whyBox      = "its box is not in the snapshots"
)

// The rules, as rows name them.
const (
	ruleCommand = "command time" // the server's frames, at the time of the command
	ruleFrame   = "one frame ago"
	ruleArrival = "arrival"
)

// aim fills in what follows from the command.
func (r *Reader) aim(shot *extract.Shot, c *firing, before, now *own, rules *tables.Shots, gun *tables.Gun) {
	shot.Command, shot.CommandFrame, shot.Found = int64(c.Time), c.frame, true
	shot.Pitch, shot.Yaw, shot.HasView = c.pitch, c.yaw, true
	forward, right, up := axes(c.pitch, c.yaw)
	eyes := now.eyes
	if before.eyes != now.eyes {
		if eyes = max(before.eyes, now.eyes); c.Up < 0 {
			eyes = min(before.eyes, now.eyes)
		}
	}
	origin, wrong := between(before, now, c.time)
	shot.Muzzle, shot.MuzzleError, shot.HasMuzzle = muzzleOf(origin, eyes, forward), wrong, true
	switch gun.Kind {
	case tables.GunBullet:
		if rules.Seeded {
			shot.Rays = []vec{bullet(forward, right, up, int(c.Time)%256, gun.Spread)}
			break
		}
		shot.Rays, shot.Spread = []vec{forward}, float64(gun.Spread)/8192
	case tables.GunPellets:
		if rules.Seeded {
			toward := cut(vec{4096 * forward[0], 4096 * forward[1], 4096 * forward[2]})
			shot.Rays = pellets(toward, int(c.Time)%256, gun)
		}
	default:
		shot.Rays = []vec{forward}
	}
	for i := len(r.frames) - 1; i >= 0; i-- {
		if f := &r.frames[i]; f.message <= c.had {
			shot.Had, shot.HasHad = f.time, true
			break
		}
	}
}

// between returns where the shooter was at the time of a command between two states, and how far that may be wrong, in
// units. Both states have place and speed: the curve between them has both at its ends.
func between(before, now *own, time int32) (place vec, wrong float64) {
	s := motion.Share(int64(before.time), int64(now.time), int64(time))
	seconds := float64(now.time-before.time) / 1000
	straight := motion.Between(before.origin, now.origin, int64(before.time), int64(now.time), int64(time))
	if s == 1 {
		return straight, 0
	}
	a, b := s*s*s-2*s*s+s, s*s*s-s*s
	for i := range place {
		p, q := float64(before.origin[i]), float64(now.origin[i])
		place[i] = p + (3*s*s-2*s*s*s)*(q-p) + seconds*(a*float64(before.velocity[i])+b*float64(now.velocity[i]))
	}
	return place, 1 + length(minus(place, straight))
}

// judge finds where the others were, on the screen and in the trace.
func (r *Reader) judge(shot *extract.Shot, c *firing, now *own, rules *tables.Shots) {
	gun := rules.Gun(shot.Number)
	var look lookup
	shot.Rule, look, shot.Why = r.rule(c, now, rules, &gun, shot)
	if c == nil {
		return
	}
	seen := map[int]bool{}
	for back := 1; back <= len(r.frames); back++ {
		f := &r.frames[len(r.frames)-back]
		if f.time+keptFor < r.newest().time {
			break
		}
		for i := range f.bodies {
			if number := f.bodies[i].number; number != shot.Shooter && !seen[number] {
				seen[number] = true
				shot.Targets = append(shot.Targets, r.target(shot, c, number, look))
			}
		}
	}
}

// keptFor is how long a player who left the snapshots counts as a target, in milliseconds.
const keptFor = 300

// A lookup says where in the frames the server found the others.
type lookup struct {
	at      float64 // time of the game, in milliseconds
	wrong   float64 // of at
	arrival bool    // as they were when the command arrived: after the frame before the newest one
}

// rule returns the rule of the server's trace, or why it cannot be applied.
func (r *Reader) rule(c *firing, now *own, rules *tables.Shots, gun *tables.Gun, shot *extract.Shot) (
	name string, look lookup, why string,
) {
	s := &r.settings
	switch {
	case rules == nil || gun.Kind == tables.GunUnknown:
		return "", look, whyRule
	case gun.Kind == tables.GunMissile:
		return "", look, whyMissile
	case gun.Kind == tables.GunTouch:
		return "", look, whyTouch
	case now.follows || r.client >= 0 && r.client != now.client:
		return "", look, whyFollows
	case len(r.commands) == 0:
		return "", look, whyNoCommand
	case c == nil || !shot.Replayed:
		return "", look, whyTimer
	case !s.server:
		return "", look, whyCold
	case !s.known(rules):
		return "", look, whyMod
	}
	last := &r.frames[len(r.frames)-2] // the command was executed after it and before the newest one
	whole := r.interval > 0 && r.newest().time-last.time == r.interval
	name = ruleArrival
	if rules.Rewind == tables.RewindUnlagged {
		switch {
		case s.delag < 0:
			return "", look, whyMod
		case s.delag != 0 && !s.own:
			return "", look, whyWishes
		case s.delag != 0 && (s.wants&1 != 0 || s.wants&gun.Delag != 0):
			look.at = float64(int64(c.Time) + s.nudge)
			if gun.Kind == tables.GunBeam {
				look.at, look.wrong = look.at+25, 25 // g_lagLightning adds 50 ms, and is not announced
			}
			look.arrival = look.at >= float64(last.time)
			name = ruleCommand
		default:
			name = ruleFrame
		}
	}
	if len(shot.Rays) == 0 {
		return name, look, whySeed
	}
	if name == ruleCommand && !look.arrival {
		return name, look, ""
	}
	far, known := r.distance()
	switch {
	case !c.timed || !last.timed:
		return name, look, whyUntimed
	case !known || far > atServer:
		return name, look, whyFar
	case !whole:
		return name, look, whyGap
	case name == ruleFrame:
		passed := float64(c.at-last.sent) / 1e6
		look.at, look.wrong = float64(last.time-r.interval)+max(0, passed), far+1
		look.arrival = look.at >= float64(last.time)
	case name == ruleArrival:
		look.arrival = true
	}
	return name, look, ""
}

// atServer is how far the capture may be from the server to count as made there, to it and back, in milliseconds: a
// fifth of a frame at the usual rate.
const atServer = 10
