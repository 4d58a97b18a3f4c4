package snapshot

// Anybody can send a snapshot with any tick. One that is far from the others counts when a second one follows near it;
// until then everything that was known before is kept.

const (
	// restartTicks is how far ticks may step back before it counts as a restart.
	restartTicks = 500
	// farTicks is how far ticks may step ahead. A server that has lost the base sends every 50 ticks.
	farTicks = 100
)

// near reports whether a tick can follow another one in a session.
func near(tick, after int32) bool {
	ahead := int64(tick) - int64(after)
	return ahead >= -restartTicks && ahead <= farTicks
}

// A past is what was known before ticks may have restarted.
type past struct {
	history  history
	partials partials
}

// A doubt is about the newest tick.
type doubt struct {
	before int32 // the newest tick before it
	exists bool
	past   *past // nil: the tick is ahead
	stale  bool  // the last snapshot came after a newer one
}

// arrive records the tick of a snapshot. stale reports whether a newer one came before it, and aside that the snapshot
// must not replace others yet.
func (p *Reader) arrive(tick int32) (stale, aside bool) {
	if p.doubt.exists {
		p.decide(tick)
	}
	was := p.doubt.stale
	p.doubt.stale = false
	switch ahead := int64(tick) - int64(p.newest); {
	case p.newest < 0:
		p.newest = max(p.newest, tick)
	case ahead < -restartTicks: // the message that announces it was not seen
		p.doubt = doubt{before: p.newest, exists: true, past: &past{p.history, p.partials}}
		p.history, p.partials = history{}, partials{}
		p.newest = max(-1, tick)
	case ahead > farTicks:
		p.doubt = doubt{before: p.newest, exists: true}
		p.newest = tick
		return false, true
	case ahead < 0:
		if p.doubt.stale = true; was {
			p.history.settle()
			return true, false
		}
		return true, p.history.covers(tick)
	default:
		p.newest = tick
	}
	return false, false
}

// decide ends a doubt with the next tick.
func (p *Reader) decide(tick int32) {
	d := &p.doubt
	switch counts := !near(tick, d.before) && near(tick, p.newest); {
	case counts && d.past == nil:
		p.history.settle()
	case counts:
	default:
		if d.past != nil {
			p.history, p.partials = d.past.history, d.past.partials
		}
		p.newest = d.before
	}
	*d = doubt{}
}

// store keeps a snapshot for later ones.
func (p *Reader) store(s *snapshotHead, snap *snapshot) {
	if s.aside {
		p.history.set(aside, s.tick, snap)
		return
	}
	p.history.put(s.tick, snap)
}

// overtaken reports whether a part of a snapshot comes too late for a client, which has one of a newer snapshot. A
// forged part far ahead delays no others.
func (p *Reader) overtaken(tick int32) bool {
	a := &p.parts
	if !a.active || tick >= a.tick {
		return false
	}
	return near(a.tick, tick) || p.newest < 0 || !near(tick, p.newest) || near(a.tick, p.newest)
}
