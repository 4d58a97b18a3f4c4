package event

import (
	"iter"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
)

// An Event is something that happened in a game: the object of a record's Events, with all its keys, and the record
// that showed it. It is valid as long as the record.
type Event struct {
	dissect.Value
	Record *dissect.Record
	Kind   string // of the constants above
	node   int    // in Record.Events
}

// Of returns the events of a record, in the order in which they happened. Without dissect.Options.Events a record has
// none.
func Of(rec *dissect.Record) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		for i := range rec.Events.Children(dissect.TopLevel) {
			v := rec.Events.At(i)
			if !yield(Event{Value: v, Record: rec, Kind: v.Get(dissect.EventKind.Key).String(), node: i}) {
				return
			}
		}
	}
}

// Node returns the place of the event in Record.Events, as filters take it.
func (e Event) Node() int { return e.node }

// Time returns the time of the capture. false: the input has none, as most demos.
func (e Event) Time() (time.Time, bool) {
	return time.Unix(0, e.Record.Time).UTC(), e.Record.HasTime
}

// ServerTime is the server's clock, from its start or that of the map.
func (e Event) ServerTime() time.Duration {
	return time.Duration(e.Get(dissect.EventServerTime.Key).Int()) * time.Millisecond
}

// Text returns the sentence that the list of events has. Texts of players are in it as they sent them: any bytes.
func (e Event) Text() string {
	source := e.Record.EventSource()
	if source == nil {
		return ""
	}
	return string(source.AppendEvent(nil, &e.Record.Events, e.node))
}

// A Player is somebody in an event, as far as the input says who it is.
type Player struct {
	Known  bool   // the event names a player at all
	Client int    // the server's number of the client
	Name   string // without colours and characters that cannot be seen
	Raw    string // as sent: any bytes
	Team   string // the game's name of it, "red"; "": not known
	Bot    bool
}

// Player returns the player under a key of the event: "client", "killer", "victim".
func (e Event) Player(key string) Player {
	v := e.Get(key)
	return Player{
		Known: v.Exists(), Client: int(v.Get("client_num").Int()), Bot: v.Get("bot").Bool(), Team: v.Get("team").Name(),
		Name: v.Get("name_clean").String(), Raw: v.Get("name").String(),
	}
}

// A Death is an event of kind Kill.
type Death struct {
	Killer  Player // not Known: the world, or nobody whom the input shows
	Victim  Player
	Weapon  string // the game's name of the means of death, "rocket_splash"; "": not known
	Suicide bool
}

// Kill returns what an event of kind Kill says. false: it is another kind.
func (e Event) Kill() (Death, bool) {
	if e.Kind != Kill {
		return Death{}, false
	}
	return Death{
		Killer: e.Player("killer"), Victim: e.Player("victim"), Weapon: e.Get("means_of_death").Name(),
		Suicide: e.Get("suicide").Bool(),
	}, true
}

// A Message is an event of kind Chat.
type Message struct {
	From, To Player // From is not Known where the game or the server speaks
	Channel  string // ChannelSay and the like
	Text     string // without colours and characters that cannot be seen; "" for voice chat
	Raw      string // as sent: any bytes
}

// Chat returns what an event of kind Chat says. false: it is another kind.
func (e Event) Chat() (Message, bool) {
	if e.Kind != Chat {
		return Message{}, false
	}
	return Message{
		From: e.Player("client"), To: e.Player("target"), Channel: e.Get("channel").String(),
		Text: e.Get("text_clean").String(), Raw: e.Get("text").String(),
	}, true
}
