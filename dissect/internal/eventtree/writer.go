package eventtree

import "github.com/q3dissect/q3dissect/dissect"

// A Writer adds the events of one datagram to its record.
type Writer struct {
	Tree  *dissect.Tree
	Time  int64 // of the game's clock, in milliseconds
	Timed bool  // Time has been set
	Match Clock // nil: no match is known

	description *Description
	clean       []byte
}

// A Description is what the events of a game have of their own.
type Description struct {
	Root      *dissect.Field // describes an event
	MatchTime *dissect.Field // the time of the match; nil for a game without matches

	// Clean appends a text of the game without colours and control characters.
	Clean func(dst, text []byte, family uint8) []byte
}

// A Clock shows which match is on.
type Clock interface {
	// Stamp returns the number of the match in its stream, -1 outside of matches, and its time in milliseconds; timed is
	// false where that is not known. now is the time of the game's clock, if it is known.
	Stamp(now int64, known bool) (match int, time int64, timed bool)
}

// NewWriter returns a writer of a game's events to a tree; nil: the Tree is set later.
func NewWriter(tree *dissect.Tree, d *Description) Writer { return Writer{Tree: tree, description: d} }

// Begin opens an event; End closes it.
func (w *Writer) Begin(kind string) {
	w.Tree.Open(w.description.Root, 0)
	w.Tree.AddLabel(&dissect.EventKind, kind, 0, 0)
	if w.Timed {
		w.Tree.AddInt(&dissect.EventServerTime, w.Time, 0, 0)
	}
	if w.Match == nil {
		return
	}
	if number, clock, timed := w.Match.Stamp(w.Time, w.Timed); number >= 0 {
		w.Tree.Add(&Match, uint64(number), 0, 0)
		if timed && w.Timed {
			w.Number(w.description.MatchTime, clock)
		}
	}
}

// Finish sets the record's time of the match, after its events.
func (w *Writer) Finish(rec *dissect.Record) {
	if w.Match == nil || !w.Timed {
		return
	}
	if number, clock, timed := w.Match.Stamp(w.Time, true); number >= 0 && timed {
		rec.MatchTime = clock
	}
}

// End closes an event.
func (w *Writer) End() { w.Tree.Close(0) }

// Label adds one of a fixed set of words.
func (w *Writer) Label(f *dissect.Field, s string) { w.Tree.AddLabel(f, s, 0, 0) }

// Text adds a text.
func (w *Writer) Text(f *dissect.Field, b []byte) { w.Tree.AddBytes(f, b, 0, 0) }

// Number adds a signed number.
func (w *Writer) Number(f *dissect.Field, v int64) { w.Tree.AddInt(f, v, 0, 0) }

// Flag adds a boolean that is absent when it is false.
func (w *Writer) Flag(f *dissect.Field, v bool) {
	if v {
		w.Tree.AddBool(f, true, 0, 0)
	}
}

// Both adds a text as the game has it, and without colours and control characters.
func (w *Writer) Both(f, cleaned *dissect.Field, b []byte) {
	w.Text(f, b)
	w.clean = w.description.Clean(w.clean[:0], b, w.Tree.Family)
	w.Text(cleaned, w.clean)
}

// Password adds a password, or asterisks unless show.
func (w *Writer) Password(f *dissect.Field, b []byte, show bool) {
	if show {
		w.Text(f, b)
		return
	}
	w.Label(f, dissect.SecretMask)
}

// A Last is the part of the last message of a stream that the record at the end of the input needs.
type Last struct {
	packet    dissect.Packet
	direction dissect.Direction
	firstTime int64
}

// Keep stores the packet of a record, without the slices that it borrows.
func (l *Last) Keep(rec *dissect.Record) {
	l.packet, l.direction, l.firstTime = rec.Packet, rec.Direction, rec.FirstTime
	l.packet.Payload, l.packet.Link, l.packet.Raw, l.packet.IPFragments = nil, nil, nil, nil
}

// Restore copies the packet to the record at the end.
func (l *Last) Restore(rec *dissect.Record) {
	rec.Packet, rec.Direction, rec.FirstTime = l.packet, l.direction, l.firstTime
}
