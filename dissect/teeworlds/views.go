package teeworlds

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/connless"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/ghost"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/teehistorian"
)

// ticksPerSecond is SERVER_TICK_SPEED, src/engine/shared/protocol.h.
const ticksPerSecond = 50

// transit reports snapshots, and chunks that arrived twice or were sent again. Packets have no
// numbers, so lost ones cannot be counted. Of teehistorian files and ghosts it reports
// the time.
func transit(rec *dissect.Record, t *dissect.Transit) bool {
	chunks := rec.Root().Get("chunks")
	if rec.Recorded() && teehistorian.Recorded(rec.Hint) { // also of a record without its tree
		tick, ok := teehistorian.Moment(rec.Hint)
		*t = dissect.Transit{Whole: true, Unnumbered: true, HasTime: ok, ServerTime: int64(tick) * 1000 / ticksPerSecond}
		return ok
	}
	if g := rec.Root().Get("ghost"); g.Exists() {
		ghostTime(g, t)
		t.HasTime = t.HasTime && !ghost.Doubted(rec.Hint)
		return true
	}
	if !chunks.Exists() {
		return false
	}
	*t = dissect.Transit{Whole: true, Unnumbered: true}
	for chunk := range chunks.Children() {
		if chunk.Get("state").String() == "duplicate" {
			t.Duplicates++
		}
		if chunk.Get("resend").Bool() {
			t.Resent++
		}
		if s := chunk.Get("snapshot"); s.Exists() {
			tick, base := s.Get("tick").Int(), s.Get("base_tick").Int()
			t.Snapshot, t.HasTime, t.ServerTime = true, s.Get("tick").Exists(), tick*1000/ticksPerSecond
			if base >= 0 && base < tick {
				t.BaseAge = uint32(tick - base)
			}
		}
	}
	return true
}

// ghostTime reports the time of a record of a ghost: the server's where it is known, else that since the start.
func ghostTime(g dissect.Value, t *dissect.Transit) {
	*t = dissect.Transit{Whole: true, Unnumbered: true, HasTime: true}
	tick := g.Get("character").Get("tick")
	if start := g.Get("start").Get("tick"); start.Exists() {
		tick = start
	}
	if t.ServerTime = tick.Int() * 1000 / ticksPerSecond; !tick.Exists() {
		since := g.Get("race_time")
		t.ServerTime, t.HasTime = since.Int(), since.Exists()
	}
}

// carries reports whether a record is part of a handshake, has a vital chunk (who plays, which map, what is said), or a
// snapshot that is no delta. Blocks of the map and inputs do not count: nothing later is read with them.
func carries(rec *dissect.Record) bool {
	root := rec.Root()
	if control := root.Get("control"); control.Exists() {
		return !control.Get(keepaliveField.Key).Exists()
	}
	for chunk := range root.Get(chunksField.Key).Children() {
		if s := chunk.Get("snapshot"); s.Exists() && s.Get("base_tick").Int() < 0 {
			return true
		}
		routine := chunk.Get("map_data").Exists() || chunk.Get("request_map_data").Exists() || chunk.Get("input").Exists()
		if chunk.Get(vitalField.Key).Bool() && !routine {
			return true
		}
	}
	return false
}

// query reports a connectionless message, and the server information in it; and what begins a connection, with its
// answers.
func query(rec *dissect.Record, q *dissect.Query) bool {
	for control := range rec.Root().Get(controlField.Key).Children() {
		*q = dissect.Query{Name: control.Key(), Info: q.Info[:0]}
		asks := q.Name == connectField.Key || q.Name == tokenMessageField.Key
		if rec.Direction != dissect.ServerToClient {
			q.Purpose = dissect.QueryEnters
			return asks
		}
		return asks || q.Name == acceptField.Key || q.Name == connectAcceptField.Key
	}
	for message := range rec.Root().Get("connless").Children() {
		*q = dissect.Query{Name: message.Key(), Info: q.Info[:0]}
		if rec.Direction != dissect.ServerToClient {
			q.Purpose = connless.Purposes[q.Name]
		}
		if q.Name != "info" {
			return true
		}
		for v := range message.Children() {
			if f := v.Field(); !f.Kind.Container() {
				q.Info = append(q.Info, dissect.Pair{Key: []byte(f.Key), Value: []byte(v.String())})
			}
		}
		return true
	}
	return false
}

// introduction reports the name that a client sends when it enters, and later changes of it.
func introduction(rec *dissect.Record, id *dissect.Introduction) bool {
	if rec.Direction != dissect.ClientToServer {
		return false
	}
	for chunk := range rec.Root().Get("chunks").Children() {
		for _, key := range [...]string{"cl_startinfo", "cl_changeinfo"} {
			if name := chunk.Get(key).Get("name"); name.Exists() {
				*id = dissect.Introduction{Name: name.Bytes(), Connect: key == "cl_startinfo"}
				return true
			}
		}
	}
	return false
}

// tileSize is the side of the squares of tilemaps: CCollision::Init in src/game/collision.cpp.
const tileSize = 32
