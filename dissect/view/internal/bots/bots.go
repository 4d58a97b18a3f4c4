// Package bots finds in events which players are bots.
package bots

import (
	"iter"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
)

// In returns the client numbers of the players of whom an event shows whether they are bots: who connects, and who is
// in the game when the map begins. A player without the mark is none, so a number that a person takes over is not a
// bot's any more.
func In(e dissect.Value) iter.Seq2[int64, bool] {
	return func(yield func(int64, bool) bool) {
		switch e.Get(dissect.EventKind.Key).String() {
		case event.Connect:
			if number := e.Lookup("client.client_num"); number.Exists() {
				yield(number.Int(), e.Get("bot").Bool())
			}
		case event.MapStart:
			for p := range e.Get("players").Children() {
				if number := p.Get("client_num"); number.Exists() && !yield(number.Int(), p.Get("bot").Bool()) {
					return
				}
			}
		}
	}
}
