package dissect

// An EventSource is a Protocol that also finds what happens in its games: who killed whom, who said what, which
// map is played. With Options.Events its conversations put the events of each datagram into Record.Events, one
// Object after the other, in the order in which they happened.
//
// Events are described by Fields, like records, so that views treat both alike.
type EventSource interface {
	Protocol
	// EventRoot describes an event: an Object whose children are all keys that an event can have, EventKind
	// and EventServerTime first. Where games share a key they share its type.
	EventRoot() *Field
	// AppendEvent appends a description of one event. node is its index in events. Texts of the game's players
	// are appended as they are: the caller makes them safe to print.
	AppendEvent(dst []byte, events *Tree, node int) []byte
}

// Fields that every event of every game has.
var (
	EventKind = Field{
		Key: "event", Kind: Label, Doc: "what happened, see docs/events.md",
	}
	EventServerTime = Field{
		Key: "server_time", Kind: Int, Unit: "ms",
		Doc: "time of the game's clock; absent while no state of the game was seen",
	}
)
