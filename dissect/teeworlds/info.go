package teeworlds

import (
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/infocolumn"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/connless"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/ghost"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/snapshot"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/teehistorian"
)

// appendInfo appends the list's Info column: a summary of the record without passwords.
func appendInfo(dst []byte, rec *dissect.Record) []byte {
	t := rec.Tree
	if len(t.Nodes) == 0 {
		return dst
	}
	i := infoAppender{infocolumn.NewInfo(dst, t), rec.ShowSecrets}
	if n := contentOf(t); n >= 0 {
		switch t.Nodes[n].Field {
		case &controlField:
			i.control(n)
		case &connless.Field:
			i.connless(n)
		case &chunksField:
			i.chunks(n)
		case &teehistorian.Field:
			teehistorian.AppendInfo(&i.Info, rec, n)
		case &ghost.Field:
			ghost.AppendInfo(&i.Info, n)
		case &demoField:
			i.demoHeader(n)
		}
	}
	if i.Unread(rec); i.Empty() {
		i.Add("nothing")
	}
	return i.Dst
}

// contentOf returns the node that a record is about, or -1. Every record of a demo has the field demo, which only its
// header is about.
func contentOf(t *dissect.Tree) int {
	demo := -1
	for n, end := 1, int(t.Nodes[0].End); n < end; n = int(t.Nodes[n].End) {
		switch t.Nodes[n].Field {
		case &controlField, &connless.Field, &chunksField, &teehistorian.Field, &ghost.Field:
			return n
		case &demoField:
			demo = n
		}
	}
	return demo
}

// An infoAppender summarises a packet.
type infoAppender struct {
	infocolumn.Info
	secrets bool // secret words are shown
}

// space appends the value of a child after a blank: text or number. It reports whether there is one.
func (i *infoAppender) space(parent int, key string) bool {
	n := i.Tree.Find(parent, key)
	if n < 0 {
		return false
	}
	i.Dst = append(i.Dst, ' ')
	switch node := &i.Tree.Nodes[n]; {
	case node.Field.Kind.Number():
		i.Number(node.Int())
	case node.Field.Kind == dissect.Bool:
		i.Dst = strconv.AppendBool(i.Dst, node.Bool())
	case !i.secrets && tables.SecretWords(node.Field) != nil:
		i.Dst = tables.AppendMasked(i.Dst, i.Tree.Bytes(node), tables.SecretWords(node.Field))
	case !node.Field.Kind.Container():
		i.Dst = append(i.Dst, i.Tree.Bytes(node)...)
	}
	return true
}

// only returns the index of the only child that is an object, or -1.
func (i *infoAppender) only(parent int) int {
	for n, end := parent+1, int(i.Tree.Nodes[parent].End); n < end; n = int(i.Tree.Nodes[n].End) {
		if f := i.Tree.Nodes[n].Field; f.Kind == dissect.Object && f != &snapshot.Field {
			return n
		}
	}
	return -1
}

func (i *infoAppender) control(n int) {
	body := i.only(n)
	if body < 0 {
		return
	}
	i.Add(i.Tree.Nodes[body].Field.Key)
	switch i.Tree.Nodes[body].Field {
	case &tokenMessageField:
		if padding := i.Tree.Child(body, &paddingField); padding >= 0 && i.Value(padding) > 0 {
			i.Add(" request")
		}
	case &closeField:
		if i.Tree.Child(body, &reasonField) >= 0 {
			i.Add(":")
			i.space(body, "reason")
		}
	case &unknownControlField:
		i.Add(" control message")
		i.space(body, "id")
	}
}

func (i *infoAppender) connless(n int) {
	body := i.only(n)
	if body < 0 {
		return
	}
	i.Add(i.Tree.Nodes[body].Field.Key)
	for _, key := range [...]string{"name", "version", "map", "game_type", "port", "count", "tag", "protocol"} {
		if key == "version" && i.Tree.Find(body, "name") >= 0 {
			continue
		}
		i.space(body, key)
	}
	if i.Tree.Find(body, "num_clients") >= 0 {
		i.Add(":")
		i.space(body, "num_clients")
		i.Add(" of")
		i.space(body, "max_clients")
		i.Add(" clients")
	}
	for _, key := range [...]string{"servers", "maps"} {
		if list := i.Tree.Find(body, key); list >= 0 {
			i.Add(": ")
			i.Number(int64(i.Tree.Len(list)))
			i.Add(" " + key)
		}
	}
}

// chunks appends the messages. Input timing, which every second packet has, is left out unless
// there is nothing else.
func (i *infoAppender) chunks(list int) {
	quiet, repeated := -1, 0
	for n, end := list+1, int(i.Tree.Nodes[list].End); n < end; n = int(i.Tree.Nodes[n].End) {
		if state := i.Tree.Child(n, &stateField); state >= 0 &&
			string(i.Tree.Bytes(&i.Tree.Nodes[state])) == chunkStateNames[chunkDuplicate] {
			repeated++
			continue
		}
		body := i.only(n)
		if snap := i.Tree.Child(n, &snapshot.Field); snap >= 0 {
			i.Next()
			i.snapshot(snap)
			continue
		}
		if body < 0 {
			continue
		}
		if i.Tree.Nodes[body].Field.Key == "inputtiming" {
			quiet = body
			continue
		}
		i.Next()
		i.message(n, body)
	}
	if !i.Empty() {
		return
	}
	switch {
	case quiet >= 0:
		i.message(-1, quiet)
	case repeated > 0:
		i.Number(int64(repeated))
		i.Add(" repeated")
	case i.Tree.Len(list) == 0:
		i.Add("resend request")
	}
}

func (i *infoAppender) snapshot(n int) {
	i.Add("snapshot")
	i.space(n, "tick")
	base := i.Tree.Child(n, &snapshot.BaseTick)
	tick := i.Tree.Child(n, &snapshot.Tick)
	if base >= 0 && i.Value(base) >= 0 {
		if i.Add(" Δ"); tick >= 0 {
			i.Number(i.Value(tick) - i.Value(base))
		}
	} else {
		i.Add(" full")
	}
	items := i.Tree.Child(n, &snapshot.ItemsField)
	if items < 0 {
		return
	}
	changed, removed := 0, 0
	for k, end := items+1, int(i.Tree.Nodes[items].End); k < end; k = int(i.Tree.Nodes[k].End) {
		if update := i.Tree.Child(k, &snapshot.UpdateField); update >= 0 &&
			string(i.Tree.Bytes(&i.Tree.Nodes[update])) != snapshot.UpdateUnchanged {
			changed++
		}
	}
	if list := i.Tree.Child(n, &snapshot.RemovedField); list >= 0 {
		removed = i.Tree.Len(list)
	}
	i.Add(": ")
	i.Count(changed, "item")
	if removed > 0 {
		i.Add(", ")
		i.Number(int64(removed))
		i.Add(" removed")
	}
}

// infoKeys are the fields that follow the name of a message. All others have their first text or numbers.
var infoKeys = map[string][]string{
	"info":              {"net_version"}, // not the password
	"rcon_auth":         {"name"},        // not the password
	"map_change":        {"map_name"},
	"map_details":       {"map_name"},
	"serverinfo":        {"name", "map", "game_type"},
	"input":             {"intended_tick", "ack_snapshot_tick"},
	"inputtiming":       {"time_left_ms"},
	"snap":              {"tick", "part"},
	"sv_chat":           {"client_id", "message"},
	"sv_killmsg":        {"killer", "victim", "weapon"},
	"sv_clientinfo":     {"client_id", "name", "clan", "team"},
	"sv_clientdrop":     {"client_id", "reason"},
	"sv_emoticon":       {"client_id", "emoticon", "picture"},
	"cl_emoticon":       {"emoticon", "picture"},
	"sv_gamemsg":        {"game_msg_id"},
	"sv_gameinfo":       {"match_current"},
	"sv_voteset":        {"description", "reason"},
	"sv_votestatus":     {"yes", "no", "pass", "total"},
	"sv_skinchange":     {"client_id"},
	"cl_say":            {"message"},
	"cl_callvote":       {"type", "value", "reason"},
	"cl_startinfo":      {"name", "clan"},
	"cl_changeinfo":     {"name", "clan"},
	"cl_skinchange":     {},
	"sv_tuneparams":     {},
	"sv_serversettings": {},
	"clientver":         {"ddnet_version_string"},
	"rcon_cmd_add":      {"name"},
	"sv_commandinfo":    {"name"},
	"sv_command_info":   {"name"},
	"request_map_data":  {"chunk"},
}

// infoValues is the number of values shown after the name of a message that is not in infoKeys.
const infoValues = 3

// message appends one message.
func (i *infoAppender) message(chunk, body int) {
	key := i.Tree.Nodes[body].Field.Key
	if keys, ok := infoKeys[key]; ok {
		i.Add(key)
		for _, k := range keys {
			i.space(body, k)
		}
		return
	}
	if key == "map_data" {
		i.mapData(body)
		return
	}
	if key == message.UnknownField.Key && chunk >= 0 {
		i.Add("message")
		i.space(chunk, "id")
		return
	}
	i.Add(key)
	shown := 0
	for n, end := body+1, int(i.Tree.Nodes[body].End); n < end && shown < infoValues; n = int(i.Tree.Nodes[n].End) {
		f := i.Tree.Nodes[n].Field
		if f.Kind == dissect.Text || f.Kind == dissect.Int || f.Kind == dissect.Bool {
			i.space(body, f.Key)
			shown++
		}
	}
}

func (i *infoAppender) mapData(body int) {
	i.Add("map_data")
	i.space(body, "chunk")
	if data := i.Tree.Find(body, "data"); data >= 0 {
		i.Add(": ")
		i.Number(int64(len(i.Tree.Bytes(&i.Tree.Nodes[data]))))
		i.Add(" bytes")
	}
}

func (i *infoAppender) demoHeader(n int) {
	if i.Tree.Child(n, &demoMapName) < 0 { // a chunk that cannot be read
		return
	}
	i.Add("demo of")
	i.space(n, "map_name")
	i.Add(" by")
	i.space(n, "recorded_by")
	i.Add(",")
	i.space(n, "length")
	i.Add(" s")
}
