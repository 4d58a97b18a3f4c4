package gamestudio

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/cursor"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
)

// endTerminate is the reason of a disconnect by the server, in addition to the transports' reasons.
const endTerminate = "terminate_session"

// eventField describes an event. Each kind has the keys that its message provides. The unit of the
// clock is undetermined, so there is no server_time.
var (
	eventField = dissect.Field{
		Kind: dissect.Object, Doc: "what happened in a game of GameStudio",
		Children: []*dissect.Field{
			&dissect.EventKind, &dissect.EventServerTime, &eventPlayer, &eventLevel, &eventEntity,
			&eventFile, &eventIdentifier, &eventReason,
		},
	}
	eventPlayer     = dissect.Field{Key: "player_name", Kind: dissect.Text, Doc: "join: name that the player asked to be admitted with; else a hint from earlier messages, absent where none told it"}
	eventLevel      = dissect.Field{Key: "level_name", Kind: dissect.Text, Doc: "level: the one that the client has loaded"}
	eventEntity     = dissect.Field{Key: "entity_index", Kind: dissect.Int, Doc: "number of the entity"}
	eventFile       = dissect.Field{Key: "file_name", Kind: dissect.Text, Doc: "model or map file of the entity; but for create_request a hint from earlier messages, absent where none told it"}
	eventIdentifier = dissect.Field{Key: "identifier", Kind: dissect.Int, Doc: "the client's number for the entity"}
	eventReason     = dissect.Field{
		Key: "reason", Kind: dissect.Label,
		Doc: "disconnect: what ended the transport's connection: end_stream, hard_disconnect, terminate_session, disconnect",
	}
)

var eventKinds = [...]string{
	event.Join, event.Level, event.CreateRequest, event.Create, event.RemoveRequest,
	event.Remove, event.Disconnect,
}

// Events have no texts with colours and no matches, and no event leaves out who acts.
var (
	description = eventtree.Description{Root: &eventField}
	language    eventtree.Language
)

// appendEvent appends a description of one event.
func appendEvent(dst []byte, events *dissect.Tree, node int) []byte {
	s := sentence{eventtree.NewSentence(dst, events, node, &language)}
	switch string(s.Kind()) {
	case event.Join:
		s.player(" asks to join")
	case event.Level:
		s.player(" has loaded ")
		s.name(&eventLevel)
	case event.CreateRequest:
		s.player(" asks for ")
		s.name(&eventFile)
	case event.Disconnect:
		if s.player(" leaves"); string(s.Bytes(eventReason.Key)) == endTerminate {
			s.Add(", sent away by the server")
		}
	case event.Create:
		s.entity()
		s.Add(" created")
	case event.RemoveRequest:
		s.player(" asks to remove ")
		s.entity()
	case event.Remove:
		s.entity()
		s.Add(" removed")
	}
	return s.Dst
}

// A sentence describes an event in words.
type sentence struct{ eventtree.Sentence }

// player adds what the player does.
func (s *sentence) player(does string) {
	if !s.Has(eventPlayer.Key) {
		s.Add("a client")
	}
	s.name(&eventPlayer)
	s.Add(does)
}

// name adds a name as it is.
func (s *sentence) name(f *dissect.Field) { s.Dst = append(s.Dst, s.Bytes(f.Key)...) }

// entity adds the number of the entity and its file.
func (s *sentence) entity() {
	s.Number("entity ", eventEntity.Key)
	if s.Has(eventFile.Key) {
		s.Add(" (")
		s.name(&eventFile)
		s.Add(")")
	}
}

// addEvent adds the event of a message to the record. body is the message without its code.
func (w *walker) addEvent(code byte, body []byte) {
	dpid, args := w.dpid(code, body)
	t := &w.events
	switch {
	case w.d.fromClient && code == codeJoin:
		t.Begin(event.Join)
		t.Text(&eventPlayer, terminated(args))
	case w.d.fromClient && code == codeLevel:
		w.begin(event.Level, dpid)
		t.Text(&eventLevel, terminated(body))
	case w.d.fromClient && code == codeCreate:
		w.begin(event.CreateRequest, dpid)
		t.Text(&eventFile, terminated(args))
		t.Number(&eventIdentifier, int64(int16(cursor.Little(body[len(body)-2:]))))
	case w.d.fromClient && code == codeRemove && w.d.edition == late: // in the 2002 edition it has a DirectPlay id instead
		w.begin(event.RemoveRequest, dpid)
		w.entity(int16(cursor.Little(body[:2])))
	case !w.d.fromClient && code == codeCreate:
		t.Begin(event.Create)
		w.entity(int16(cursor.Little(body[:2])))
		t.Number(&eventIdentifier, int64(int16(cursor.Little(body[2:4]))))
	case !w.d.fromClient && code == codeRemove:
		t.Begin(event.Remove)
		w.entity(int16(cursor.Little(body[:2])))
	default:
		return
	}
	t.End()
}

// begin begins the event of a player's action, with the player's name if an earlier message had it.
func (w *walker) begin(kind string, dpid []byte) {
	w.events.Begin(kind)
	if name := w.hints.who(dpid); name != "" {
		w.events.Label(&eventPlayer, name)
	}
}

// entity adds an entity, with its file if that is known.
func (w *walker) entity(index int16) {
	w.events.Number(&eventEntity, int64(index))
	if name := w.hints.files[index]; name != "" {
		w.events.Label(&eventFile, name)
	}
}

// terminated returns a text up to its zero byte.
func terminated(b []byte) []byte { return b[:bytes.IndexByte(b, 0)] }
