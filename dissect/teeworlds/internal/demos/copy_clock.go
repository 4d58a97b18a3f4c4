package demos

import "encoding/binary"

// A clock has the ticks of a demo. One that leaps is counted from the tick before.
type clock struct {
	legacy     bool
	tick, step int32 // the last one, and the last step
	known      bool
	doubted    bool  // the last full tick leapt
	near       int32 // what the reader has in its place
}

// at returns the tick of a chunk. ok is false if it is not known.
func (k *clock) at(c *Chunk, m *mended) (tick int32, ok bool) {
	switch {
	case !c.Doubted && (!c.Timed || !IsTick(int64(c.Tick))):
		return 0, false
	case !c.Doubted:
		k.count(c.Marks) // for the step alone
		k.tick, k.known, k.doubted = c.Tick, true, false
		return c.Tick, true
	}
	if !k.doubted {
		m.leaps++
	}
	before := k.near
	k.doubted, k.near = true, c.Tick
	switch {
	case !k.known:
		return c.Tick, IsTick(int64(c.Tick))
	case c.Odd: // the markers can mean several things
		k.tick += max(0, c.Tick-before)
	default:
		k.count(c.Marks)
	}
	return k.tick, IsTick(int64(k.tick))
}

// count follows markers, with a usual step in place of a full tick.
func (k *clock) count(marks string) {
	for b := []byte(marks); len(b) > 0; {
		step, full := split(b[0], k.legacy)
		switch {
		case !full:
			b = b[1:]
			k.step = step
		case len(b) < markerBytes:
			return
		default:
			step = min(max(k.step, 1), usualStep)
			b = b[markerBytes:]
		}
		k.tick += step
	}
}

// usualStep is how far the snapshots of a client are apart; in a place that is still it may be more.
const usualStep = 2

// markerBytes is the length of a marker with a full tick.
const markerBytes = 5

// Split returns what the first byte of a marker says in a version of the format: a step, or that a full tick follows.
func Split(first byte, version int) (step int32, full bool) {
	return split(first, version < shortTicks)
}

func split(first byte, legacy bool) (step int32, full bool) {
	if legacy {
		step = int32(first & (maxTickStep | ShortTick))
		return step, step == 0
	}
	return int32(first & maxTickStep), first&ShortTick == 0
}

// walk follows markers from a tick on; -1: there was none. ok is false unless each leads to a later tick, and the first
// one of the demo is a full tick. key means that the last one, and no other, is that of a keyframe.
//
// CDemoPlayer::ReadChunkHeader, src/engine/shared/demo.cpp of DDNet.
func walk(marks string, legacy bool, from int32) (to int32, key, ok bool) {
	to = from
	for b := []byte(marks); len(b) > 0; {
		if key {
			return 0, false, false
		}
		first := b[0]
		key = first&Keyframe != 0
		step, full := split(first, legacy)
		next := int64(to) + int64(step)
		switch {
		case full && len(b) < markerBytes:
			return 0, false, false
		case full:
			next = int64(int32(binary.BigEndian.Uint32(b[1:])))
			b = b[markerBytes:]
		case to < 0 || key:
			return 0, false, false
		default:
			b = b[1:]
		}
		if next <= int64(to) || !IsTick(next) {
			return 0, false, false
		}
		to = int32(next)
	}
	return to, key, marks != ""
}
