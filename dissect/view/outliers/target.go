package outliers

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect/extract"
)

// sees measures how a player aims at the others.
func (p *player) sees(in *extract.Input, at Moment, sights []sight, shot bool) {
	if !in.HasView || len(sights) == 0 {
		p.track.running = false
		return
	}
	p.hide(in, at, sights)
	nearest := &sights[0]
	for i := range sights {
		s := &sights[i]
		p.appear(in, at, s)
		if s.off < nearest.off {
			nearest = s
		}
	}
	if shot {
		for i := range sights {
			p.firstShot(in, at, &sights[i])
		}
		p.aimed(in, at, nearest)
	}
	p.follow(in, at, nearest)
}

// appear notes that a target comes into sight, and onto the crosshair.
func (p *player) appear(in *extract.Input, at Moment, s *sight) {
	t := &p.targets[s.number]
	known := t.looked > 0 && in.Time-t.looked <= turnGap
	if s.off <= sightCone && !s.hidden {
		if t.seen == 0 || in.Time-t.seen > gone || s.since > t.seen {
			// a target that is there when the player himself comes did not appear
			t.shown, t.fresh = in.Time, in.Time-p.began > gone
			if t.fresh && t.hidden && known {
				p.put(appearOff, at, s.off)
			}
		}
		t.seen = in.Time
	}
	t.hidden = s.hidden
	on := s.off <= s.size
	if on && !t.on {
		t.entered, t.came = in.Time, known
	}
	t.on, t.looked = on, in.Time
}

// firstShot measures how long a target had been in sight when the first shot went near it.
func (p *player) firstShot(in *extract.Input, at Moment, s *sight) {
	t := &p.targets[s.number]
	if s.off > max(shotNear, s.size) || !t.fresh {
		return
	}
	t.fresh = false
	if time := in.Time - t.shown; time <= firstWithin {
		p.put(firstShotTime, at, float64(time))
	}
}

// aimed measures a shot at the nearest target.
func (p *player) aimed(in *extract.Input, at Moment, s *sight) {
	if s.off > aimCone {
		return
	}
	p.put(shotOffTarget, at, s.off)
	p.put(shotCentre, at, s.off/s.size*100)
	if t := &p.targets[s.number]; t.on && t.came {
		p.put(timeOnTarget, at, float64(in.Time-t.entered))
	}
	now, most := p.n-1, s.off
	for i := now - 1; i >= 0 && now-i < recent && in.Time-p.views[i%recent].at.Game <= turnWindow; i-- {
		v := &p.views[i%recent]
		most = max(most, between(v.pitch, v.yaw, s.pitch, s.yaw))
	}
	p.put(snapGain, at, most-s.off)
}

// follow measures how exactly the crosshair follows a target that moves.
func (p *player) follow(in *extract.Input, at Moment, s *sight) {
	t := &p.track
	if s.off > trackCone {
		t.running = false
		return
	}
	if !t.running || t.number != s.number || in.Time-p.last.Time > turnGap {
		*t = track{number: s.number, began: in.Time, running: true, yaw: s.yaw, pitch: s.pitch, start: at}
	}
	t.moved += math.Abs(between(s.pitch, s.yaw, t.pitch, t.yaw))
	t.yaw, t.pitch = s.yaw, s.pitch
	t.sum, t.count = t.sum+s.off, t.count+1
	if in.Time-t.began >= trackSpan {
		if t.moved >= idleTurn && t.count >= 5 {
			p.put(trackingError, at, t.sum/float64(t.count))
		}
		t.running = false
	}
}

// hide measures how much a player aims at those whom walls hide, and whom he did not hear lately.
func (p *player) hide(in *extract.Input, at Moment, sights []sight) {
	const (
		span = 10_000 // ms
		cone = 5      // degrees
		most = 50     // moments at least
	)
	h := &p.hidden
	if in.Time-h.began >= span || in.Time < h.began {
		if h.n >= most && h.known >= most {
			p.put(hiddenAim, at, 100*float64(h.on)/float64(h.n))
			p.put(hiddenControl, at, 100*float64(h.then)/float64(h.known))
		}
		*h = hiding{began: in.Time}
	}
	any, on, known, then := false, false, false, false
	for i := range sights {
		s := &sights[i]
		secret := s.hidden && !s.heard
		any, on = any || secret, on || secret && s.off <= cone
		known, then = known || s.then >= 0, then || s.then >= 0 && s.then <= cone
	}
	for _, c := range [...]struct {
		yes   bool
		count *int
	}{{any, &h.n}, {on, &h.on}, {known, &h.known}, {then, &h.then}} {
		if c.yes {
			*c.count++
		}
	}
}
