package demos

import (
	"encoding/binary"
	"math"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// Writing demos: the container, and messages that differ from what the server sent. A client that begins to
// record writes a gamestate from its own state (CL_Record_f in code/client/cl_main.c); a part cut out of a demo
// begins with snapshots that are encoded again, since their bases were cut off.

// AppendRecord appends a message with its header.
func AppendRecord(dst []byte, sequence uint32, body []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, sequence)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(body)))
	return append(dst, body...)
}

// end is what follows the last message of a demo: -1 twice, CL_StopRecord_f in code/client/cl_main.c.
var end = [...]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}

// AppendEnd appends what follows the last message of a demo.
func AppendEnd(dst []byte) []byte { return append(dst, end[:]...) }

// A Gamestate is the content of a demo's first message.
type Gamestate struct {
	Acknowledge     int32 // number of the client's last command
	CommandSequence int32 // number of the server's last command
	ClientNum, Feed int32
	FrameTime       float32 // seconds of one frame of the server, for games that have it
	Strings         *[tables.MaxConfigstrings][]byte
}

// WriteGamestate writes a message of one gamestate: the configstrings that are not empty, the baselines, and
// the rest. The result is valid until w is used again.
func WriteGamestate(w *huffcodec.Writer, gen *tables.Generation, g *Gamestate, known *world.World) []byte {
	w.Reset(gen.Coding)
	if !gen.NoAcknowledge {
		w.Bits(uint32(g.Acknowledge), 32)
	}
	w.Bits(tables.SvcGamestate, 8)
	w.Bits(uint32(g.CommandSequence), 32)
	for i, s := range g.Strings {
		if len(s) > 0 {
			w.Bits(tables.SvcConfigstring, 8)
			w.Bits(uint32(i), 16)
			writeText(w, gen, s)
		}
	}
	for number, state := range known.Baselines.All() {
		w.Bits(tables.SvcBaseline, 8)
		world.WriteEntity(w, gen, number, gen.Entity.Null, known.Pool.At(state))
	}
	if gen.Old {
		w.Bits(tables.SvcBad, 8)
		return endMessage(w, gen)
	}
	end := gen.Code(tables.OpEOF)
	w.Bits(end, 8)
	w.Bits(uint32(g.ClientNum), 32)
	w.Bits(uint32(g.Feed), 32)
	if gen.RandomMap {
		w.Bits(0, 16) // its size
	}
	if gen.FrameTime {
		frame := g.FrameTime
		if frame != frame { // unknown
			frame = 0
		}
		w.Bits(math.Float32bits(frame), 32)
	}
	w.Bits(end, 8)
	return endMessage(w, gen)
}

// writeText writes a text and its end, as a game writes its texts.
func writeText(w *huffcodec.Writer, gen *tables.Generation, text []byte) {
	if gen.Scramble == nil {
		w.Bytes(text)
		w.Byte(0)
		return
	}
	for _, c := range text {
		w.Byte(gen.Scramble[c])
	}
	w.Byte(gen.Scramble[0])
}

// endMessage returns the finished message. Old ones end with their last whole byte.
func endMessage(w *huffcodec.Writer, gen *tables.Generation) []byte {
	if gen.Old {
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
	end      int // after the entities
	stop     int // after the last operation
	snapshot *world.Snapshot
}

// complete reports whether everything in the snapshot is known.
func (f *fullSnapshot) complete(gen *tables.Generation, known *world.World) bool {
	s := f.snapshot
	if s == nil || s.Partial || s.Player.Known != gen.Player.AllFields || s.Player.ArraysKnown != world.AllArrays ||
		!known.BaselinesKnown {
		return false
	}
	for _, e := range s.Entities {
		if known.Pool.At(e.State).Known != gen.Entity.AllFields {
			return false
		}
	}
	return true
}

// writeFull rewrites a message with its snapshot coded in full: the player from zero, entities from their
// baselines. Everything else is copied bit for bit. The result is valid until w is used again.
func writeFull(w *huffcodec.Writer, gen *tables.Generation, f *fullSnapshot, known *world.World) []byte {
	w.Reset(gen.Coding)
	w.Copy(f.message, 0, f.deltaAt)
	w.Bits(0, 8)
	r := huffcodec.NewReader(f.message[f.deltaAt>>3:], gen.Coding)
	skipBits(&r, f.deltaAt&7)
	r.Bits(8)
	w.Copy(f.message, f.deltaAt&^7+r.Pos(), f.playerAt)
	world.WritePlayer(w, gen, &f.snapshot.Player)
	for _, e := range f.snapshot.Entities {
		world.WriteEntity(w, gen, e.Number, known.Baseline(e.Number, gen.Entity), known.Pool.At(e.State))
	}
	world.WriteEnd(w, gen)
	end := f.end
	if gen.Old {
		w.Align()
		end = (end + 7) &^ 7
	}
	w.Copy(f.message, end, f.stop)
	return endMessage(w, gen)
}

func skipBits(r *huffcodec.Reader, n int) {
	for range n {
		r.Bit()
	}
}
