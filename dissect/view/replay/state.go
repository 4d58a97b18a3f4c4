package replay

import "github.com/q3dissect/q3dissect/dissect/extract"

// pack packs a state. Players whose last place is too young have none in it, and a state without anything new is left
// out.
func (r *Recorder) pack(st *state) {
	now := st.time + r.offset
	for _, p := range st.cut {
		t := r.byPlayer[p]
		r.end(t)
		t.due = 0
	}
	wanted := now-r.now > quiet // a state without anything new says that none is missing
	interval := int64(every) << r.budget.slower
	for i := range st.shown {
		s := &st.shown[i]
		if s.Kind != extract.ThingPlayer {
			key := thingKey{s.Kind, s.Number}
			wanted = wanted || (s.Kind == extract.ThingBlast || s.Kind == extract.ThingBeam) && r.open[key] == nil
			continue
		}
		t := r.byPlayer[s.player]
		if s.Jump {
			r.end(t)
			t.due = 0
		}
		// A place that the state shows again is that of an earlier time.
		old := s.PlaceTime != 0 && s.PlaceTime == t.placed && t.open
		if old {
			t.again, t.againNow, t.againRecord = s.Thing, now, st.record
		}
		if st.exact {
			t.due = min(t.due, now)
		}
		wanted = wanted || now >= t.due && !old
	}
	if !wanted {
		return
	}
	number := r.begin(now, st.record)
	size := 0
	for i := range st.shown {
		s := &st.shown[i]
		if s.Kind != extract.ThingPlayer {
			r.see(number, now, s)
			continue
		}
		t := r.byPlayer[s.player]
		if now < t.due || s.PlaceTime != 0 && s.PlaceTime == t.placed && t.open {
			continue
		}
		t.placed, t.placedNow = s.PlaceTime, now
		if t.due += interval; t.due <= now-interval {
			t.due = now + interval
		}
		if st.exact {
			t.due = now
		}
		before := t.size()
		t.add(number, &s.Thing, r.name(s.What))
		size += t.size() - before
	}
	for key, t := range r.open {
		if now-t.seen > unseen {
			t.close()
			delete(r.open, key)
		}
	}
	r.budget.use(size + 3)
}

// begin adds the time of a state, and returns its number.
func (r *Recorder) begin(now int64, record uint64) (number int) {
	r.times.add(now - r.now)
	r.records.add(int64(record) - int64(r.record))
	r.now, r.record = now, record
	r.count++
	return r.count - 1
}

// end ends the run of a player. Who was shown at one place until then has it at both ends.
func (r *Recorder) end(t *track) {
	if t.open && t.againNow > t.placedNow && t.againNow >= r.now {
		number := r.count - 1
		if t.againNow > r.now {
			number = r.begin(t.againNow, t.againRecord)
		}
		before := t.size()
		t.add(number, &t.again, r.name(t.again.What))
		r.budget.use(t.size() - before + 3)
	}
	t.cut()
}

// see adds a thing of a state.
func (r *Recorder) see(number int, now int64, s *shown) {
	key := thingKey{s.Kind, s.Number}
	name := r.name(s.What)
	t := r.open[key]
	still := s.Kind == extract.ThingBlast || s.Kind == extract.ThingBeam
	if t != nil && (t.name != name || still && !near(t.at, s.Place, offLine) || !near(t.lastAt, s.Place, leap) ||
		s.Kind == extract.ThingBeam && !near(t.to, s.To, offLine)) {
		t.close()
		t = nil
	}
	if t == nil {
		if len(r.things) >= maxThings {
			return
		}
		t = &thing{
			kind: s.Kind, name: name, owner: int64(s.player + 1), first: number, last: number, seen: now,
			at: s.Place, to: s.To, from: s.Place, since: now, lastAt: s.Place, lastIn: number, lastNow: now,
		}
		r.open[key] = t
		r.things = append(r.things, t)
		r.budget.use(thingBytes)
		return
	}
	if still {
		t.last, t.seen = number, now
		return
	}
	before := len(t.knots)
	t.move(number, now, s.Place)
	r.budget.use(knotBytes * (len(t.knots) - before))
}

// name returns the index of a name.
func (r *Recorder) name(name string) int64 {
	for i, n := range r.names {
		if n == name {
			return int64(i)
		}
	}
	if len(r.names) >= maxNames {
		return 0
	}
	r.names = append(r.names, name)
	return int64(len(r.names) - 1)
}

// Data ends the recording. to has the index of the player that each is, or is nil. nil: nobody was seen.
func (r *Recorder) Data(to []int) *Replay {
	r.flush(0)
	r.cutAll()
	if to != nil {
		for _, t := range r.tracks {
			t.player = to[t.player]
		}
		for _, t := range r.things {
			if t.owner > 0 {
				t.owner = int64(to[t.owner-1] + 1)
			}
		}
	}
	d := &Replay{
		Map: r.mapNumber, Names: r.names, Count: r.count, Times: string(r.times), Records: string(r.records), Still: r.still,
		Tracks: []Track{}, Things: string(packThings(r.things, r.heights)), ThingCount: len(r.things),
	}
	if ahead := -r.offset; r.clocks == 1 {
		d.Clock = &ahead
	}
	for _, t := range r.tracks {
		if t.count > 0 {
			d.Tracks = append(d.Tracks, t.data())
		}
	}
	if len(d.Tracks) == 0 {
		return nil
	}
	return d
}
