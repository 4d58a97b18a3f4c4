package directplay8

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// Limits of what is kept of unfinished messages, per direction.
const (
	joinWindow  = 64      // frames that a sender may have under way
	maxJoins    = 32      // pieces at once
	maxJoinSize = 1 << 20 // bytes of all of them
)

// A joinPart is a frame with a part of a message.
type joinPart struct {
	number      uint32 // of the frame
	first, last bool
	kind        byte // user bits
	data        []byte
	frame       uint64
	cut         bool // the capture lacks the part's end
}

// A join is a piece of a message: parts of consecutive frames, without a gap.
type join struct {
	from, to    uint32 // numbers of the first frame and of the one after the last
	first, last bool
	kind        byte
	data        []byte // up to where the capture lacks something
	frames      []uint64
	cut         bool // it lacks the bytes after data
	lost        bool // an expert entry reported that it will not be complete
}

// follow adds data that follows the piece: nothing, if there is a hole before it.
func (m *join) follow(data []byte, cut bool) {
	if !m.cut {
		m.data, m.cut = append(m.data, data...), cut
	}
}

// joins puts together the messages whose parts travel in consecutive frames, in any order. The zero value is
// ready.
type joins struct {
	pieces []join
	done   join // what was completed last; valid until the next call
}

// size is how many bytes are kept.
func (j *joins) size() (n int) {
	for i := range j.pieces {
		n += len(j.pieces[i].data)
	}
	return n
}

// add takes a part that was not seen before, and returns the message that it completes, or nil. newest is the
// highest number that was seen.
func (j *joins) add(rec *dissect.Record, p *joinPart, newest uint32) *join {
	j.expire(rec, newest)
	if j.size()+len(p.data) > maxJoinSize || len(j.pieces) >= maxJoins {
		if len(j.pieces) == 0 {
			return nil
		}
		j.drop(rec, 0)
	}
	at := j.place(p)
	j.merge(at)
	for i := range j.pieces {
		if m := &j.pieces[i]; m.first && m.last {
			j.done = *m
			j.remove(i)
			return &j.done
		}
	}
	return nil
}

// place puts a part at an end of the piece that it continues, or makes it one; it gives the piece.
func (j *joins) place(p *joinPart) int {
	for i := range slices.Backward(j.pieces) { // the newest of two that claim the same frames
		m := &j.pieces[i]
		switch {
		case m.to == p.number && !m.last && !p.first:
			m.follow(p.data, p.cut)
			m.frames = append(m.frames, p.frame)
			m.to, m.last = p.number+1, p.last
			return i
		case m.from == p.number+1 && !m.first && !p.last:
			whole := join{data: append(make([]byte, 0, len(p.data)+len(m.data)), p.data...), cut: p.cut}
			whole.follow(m.data, m.cut)
			m.data, m.cut = whole.data, whole.cut
			m.frames = append([]uint64{p.frame}, m.frames...)
			m.from, m.first, m.kind = p.number, p.first, p.kind
			return i
		}
	}
	j.pieces = append(j.pieces, join{
		from: p.number, to: p.number + 1, first: p.first, last: p.last, kind: p.kind,
		data: append([]byte(nil), p.data...), frames: []uint64{p.frame}, cut: p.cut,
	})
	return len(j.pieces) - 1
}

// merge joins a piece with the one after it, and with the one before.
func (j *joins) merge(at int) {
	for i := range j.pieces {
		if i == at {
			continue
		}
		a, b := &j.pieces[at], &j.pieces[i]
		lower, keep, gone := a, at, i
		if b.to == a.from {
			lower, b, keep, gone = b, a, i, at
		}
		if lower.to != b.from || lower.last || b.first {
			continue
		}
		lower.follow(b.data, b.cut)
		lower.frames = append(lower.frames, b.frames...)
		lower.to, lower.last = b.to, b.last
		j.pieces = append(j.pieces[:gone], j.pieces[gone+1:]...)
		if gone < keep {
			keep--
		}
		j.merge(keep)
		return
	}
}

// expire gives up pieces that the sender cannot continue any more.
func (j *joins) expire(rec *dissect.Record, newest uint32) {
	for i := 0; i < len(j.pieces); {
		if int32(newest-j.pieces[i].to) < joinWindow {
			i++
			continue
		}
		j.drop(rec, i)
	}
}

// lose notes that a frame will not come, which a piece needs. The piece stays: anybody can say so.
func (j *joins) lose(rec *dissect.Record, number uint32) {
	for i := range j.pieces {
		m := &j.pieces[i]
		if !m.lost && (m.to == number && !m.last || m.from == number+1 && !m.first) {
			m.report(rec)
			m.lost = true
			return
		}
	}
}

// drop gives up a piece and reports it.
func (j *joins) drop(rec *dissect.Record, i int) {
	if m := &j.pieces[i]; !m.lost {
		m.report(rec)
	}
	j.remove(i)
}

// report adds an entry that the message was never complete.
func (m *join) report(rec *dissect.Record) {
	rec.Expert(dissect.Warning, expertFragmentLost, nil, 0,
		"a message was never complete: of its frames %d were seen, in packets %v", len(m.frames), m.frames)
}

func (j *joins) remove(i int) {
	j.pieces = append(j.pieces[:i], j.pieces[i+1:]...)
}
