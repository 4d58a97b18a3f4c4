package events

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/snapshot"
)

// tickMsec is how long a tick takes: SERVER_TICK_SPEED in src/engine/shared/protocol.h is 50.
const tickMsec = 20

var description = eventtree.Description{Root: &Root, MatchTime: &evMatchTime, Clean: appendClean}

// appendClean appends a text without control characters.
func appendClean(dst, text []byte, _ uint8) []byte {
	for _, c := range text {
		if c >= ' ' && c != 0x7f {
			dst = append(dst, c)
		}
	}
	return dst
}

// A writer adds events with their players.
type writer struct{ eventtree.Writer }

// setTime takes the time of the newest snapshot.
func (w *writer) setTime(p *snapshot.Reader) {
	tick := p.Latest()
	if w.Timed = tick >= 0; w.Timed {
		w.Time = int64(tick) * tickMsec
	}
}

func (w *writer) number(f *dissect.Field, v int) { w.Number(f, int64(v)) }

// client adds a player by number, with what is known about the player.
func (w *writer) client(f *dissect.Field, r *roster, number int) {
	w.Tree.Open(f, 0)
	w.clientFields(r, number)
	w.Tree.Close(0)
}

// clientFields adds what an object about a player has.
func (w *writer) clientFields(r *roster, number int) {
	w.identity(r, number)
	if p := r.at(number); p != nil && p.team != teamUnknown {
		w.number(&evPlayerTeam, p.team)
	}
}

// identity adds number and name of a player.
func (w *writer) identity(r *roster, number int) {
	w.Tree.Add(&evClientNum, uint64(number), 0, 0)
	if p := r.at(number); p != nil && p.name != nil {
		w.Both(&evName, &evNameClean, p.name)
	}
}

// speaker is client for a player who must be in the game: DDNet lets the server speak with a number that no
// player has.
func (w *writer) speaker(f *dissect.Field, r *roster, number int) {
	if p := r.at(number); p != nil && !p.present {
		r = &roster{}
	}
	w.client(f, r, number)
}

func (w *writer) position(at place) {
	w.Tree.Open(&evPosition, 0)
	w.coordinates(at)
	w.Tree.Close(0)
}

func (w *writer) coordinates(at place) {
	w.number(&evPositionX, int(at.x))
	w.number(&evPositionY, int(at.y))
}

// placeOf adds a position that is known.
func (w *writer) placeOf(at place) {
	if at.known {
		w.position(at)
	}
}
