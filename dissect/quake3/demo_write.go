package quake3

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/q3dissect/q3dissect/huffcodec"
)

// Writing demos: the container, and the messages that are not as the server sent them. A client that begins
// to record puts a gamestate together from what it knows (CL_Record_f in code/client/cl_main.c); a demo
// that is cut begins with snapshots that are coded anew, without the bases that the cut took away.

// appendDemoRecord appends a message with its header.
func appendDemoRecord(dst []byte, sequence uint32, body []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, sequence)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(body)))
	return append(dst, body...)
}

// DemoEnd is what stands behind the last message of a demo: -1 twice, CL_StopRecord_f in
// code/client/cl_main.c.
func (Protocol) DemoEnd() []byte { return []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff} }

// A demoGamestate is what the first message of a demo says.
type demoGamestate struct {
	acknowledge     int32 // number of the client's last command
	commandSequence int32 // number of the server's last command
	clientNum, feed int32
	strings         *[maxConfigstrings][]byte
}

// writeGamestate writes a message of one gamestate: the configstrings that are not empty, the baselines,
// and what follows them. The result is the writer's.
func (gen *generation) writeGamestate(w *huffcodec.Writer, g *demoGamestate, world *world) []byte {
	w.Reset(gen.coding)
	if !gen.noAcknowledge {
		w.Bits(uint32(g.acknowledge), 32)
	}
	w.Bits(svcGamestate, 8)
	w.Bits(uint32(g.commandSequence), 32)
	for i, s := range g.strings {
		if len(s) > 0 {
			w.Bits(svcConfigstring, 8)
			w.Bits(uint32(i), 16)
			w.Bytes(s)
			w.Byte(0)
		}
	}
	for i, state := range world.baselines {
		if state != 0 {
			w.Bits(svcBaseline, 8)
			gen.writeEntity(w, int32(i), gen.entity.zero, world.pool.at(state-1))
		}
	}
	if gen.old {
		w.Bits(svcBad, 8)
		return gen.endMessage(w)
	}
	w.Bits(svcEOF, 8)
	w.Bits(uint32(g.clientNum), 32)
	w.Bits(uint32(g.feed), 32)
	w.Bits(svcEOF, 8)
	return gen.endMessage(w)
}

// endMessage gives the message that was written. Old ones end with their last whole byte.
func (gen *generation) endMessage(w *huffcodec.Writer) []byte {
	if gen.old {
		w.Align()
		return w.Data()[:w.Pos()>>3]
	}
	return w.Data()
}

// A fullSnapshot is a message whose snapshot is to be coded without a base. Positions are in bits of the
// message.
type fullSnapshot struct {
	message  []byte
	deltaAt  int // of deltaNum
	playerAt int // of the player state
	end      int // behind the entities
	stop     int // behind the last operation
	snapshot *snapshot
}

// complete reports whether everything in the snapshot is known.
func (f *fullSnapshot) complete(gen *generation, world *world) bool {
	s := f.snapshot
	if s == nil || s.partial || s.player.known != gen.player.all || s.player.arraysKnown != allArrays || !world.baselinesKnown {
		return false
	}
	for _, e := range s.entities {
		if world.pool.at(e.state).known != gen.entity.all {
			return false
		}
	}
	return true
}

// writeFull writes a message again with its snapshot coded in full: the player from zero, entities from
// their baselines. Everything else stays bit for bit. The result is the writer's.
func (gen *generation) writeFull(w *huffcodec.Writer, f *fullSnapshot, world *world) []byte {
	w.Reset(gen.coding)
	copyBits(w, f.message, 0, f.deltaAt)
	w.Bits(0, 8)
	r := huffcodec.NewReader(f.message[f.deltaAt>>3:], gen.coding)
	skipBits(&r, f.deltaAt&7)
	r.Bits(8)
	copyBits(w, f.message, f.deltaAt&^7+r.Pos(), f.playerAt)
	gen.writePlayer(w, &f.snapshot.player)
	for _, e := range f.snapshot.entities {
		gen.writeEntity(w, e.number, world.baseline(e.number, gen.entity), world.pool.at(e.state))
	}
	w.Bits(entityNumNone, entityNumBits)
	end := f.end
	if gen.old {
		w.Align()
		end = (end + 7) &^ 7
	}
	copyBits(w, f.message, end, f.stop)
	return gen.endMessage(w)
}

// rawGroup is as many bits as a field has without a symbol in every coding.
const rawGroup = 7

// copyBits copies bits as they stand.
func copyBits(w *huffcodec.Writer, data []byte, from, to int) {
	if from >= to {
		return
	}
	r := huffcodec.NewReader(data[from>>3:], huffcodec.Raw)
	skipBits(&r, from&7)
	for left := to - from; left > 0; left -= rawGroup {
		n := min(left, rawGroup)
		w.Bits(r.Bits(n), n)
	}
}

func skipBits(r *huffcodec.Reader, n int) {
	for range n {
		r.Bit()
	}
}

// writeEntity writes an entity of a list or a baseline, number first, as a delta of another state:
// MSG_WriteDeltaEntity with force in code/qcommon/msg.c.
func (gen *generation) writeEntity(w *huffcodec.Writer, number int32, from, to *entityState) {
	w.Bits(uint32(number), entityNumBits)
	w.Bit(false) // not removed
	if from.values == to.values {
		w.Bit(false)
		return
	}
	w.Bit(true)
	if gen.old {
		gen.entity.writeMasked(w, &from.values, &to.values, gen.maskTail)
	} else {
		gen.entity.writePrefix(w, &from.values, &to.values, true)
	}
}

// writePlayer writes a player state as a delta of the all-zero one: MSG_WriteDeltaPlayerstate in
// code/qcommon/msg.c.
func (gen *generation) writePlayer(w *huffcodec.Writer, p *playerState) {
	var zero deltaValues
	var masks [statArrays]uint16
	any := false
	for i := range p.arrays {
		for j, v := range p.arrays[i] {
			if v != 0 {
				masks[i] |= 1 << j
				any = true
			}
		}
	}
	if gen.old {
		gen.player.writeChosen(w, &zero, &p.values)
	} else {
		gen.player.writePrefix(w, &zero, &p.values, false)
		if w.Bit(any); !any {
			return
		}
	}
	for i, mask := range masks {
		if w.Bit(mask != 0); mask == 0 {
			continue
		}
		w.Bits(uint32(mask), arrayLength)
		for m := mask; m != 0; m &= m - 1 {
			w.Bits(uint32(p.arrays[i][bits.TrailingZeros16(m)]), playerArrays[i].Children[0].Bits)
		}
	}
}

// writePrefix is the reverse of readPrefix.
func (t *deltaTable) writePrefix(w *huffcodec.Writer, from, to *deltaValues, zeroBit bool) {
	n := len(t.wire)
	for n > 0 && from[n-1] == to[n-1] {
		n--
	}
	w.Bits(uint32(n), 8)
	for i := range t.wire[:n] {
		if w.Bit(from[i] != to[i]); from[i] == to[i] {
			continue
		}
		if zeroBit {
			if w.Bit(to[i] != 0); to[i] == 0 {
				continue
			}
		}
		t.wire[i].writeValue(w, to[i])
	}
}

// writeChosen writes a bit for every field, and the value where it changed: the player state of 43 and 48.
func (t *deltaTable) writeChosen(w *huffcodec.Writer, from, to *deltaValues) {
	for i := range t.wire {
		if w.Bit(from[i] != to[i]); from[i] != to[i] {
			t.wire[i].writeValue(w, to[i])
		}
	}
}

// writeMasked is the reverse of readMasked, with the mask written out.
func (t *deltaTable) writeMasked(w *huffcodec.Writer, from, to *deltaValues, tail int) {
	var mask uint64
	for i := range t.wire {
		if from[i] != to[i] {
			mask |= 1 << i
		}
	}
	w.Bits(uint32(presetMasks)-1, 5)
	w.Bits(uint32(mask)&(1<<24-1), 24)
	w.Bits(uint32(mask>>24)&(1<<24-1), 24)
	w.Bits(uint32(mask>>48), tail)
	for ; mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros64(mask)
		t.wire[i].writeValue(w, to[i])
	}
}

// writeValue is the reverse of readValue.
func (f *wireField) writeValue(w *huffcodec.Writer, v uint32) {
	switch {
	case f.bits == 0:
		writeFloat(w, v)
	case f.bits < 0:
		w.Bits(v, int(-f.bits))
	default:
		w.Bits(v, int(f.bits))
	}
}

// writeFloat is the reverse of readFloat. What the short form has no place for keeps its bits, minus zero
// among it.
func writeFloat(w *huffcodec.Writer, v uint32) {
	f := math.Float32frombits(v)
	if f >= -floatIntBias && f < floatIntBias && math.Float32bits(float32(int32(f))) == v {
		w.Bit(false)
		w.Bits(uint32(int32(f)+floatIntBias), floatIntBits)
		return
	}
	w.Bit(true)
	w.Bits(v, 32)
}
