package teeworlds

import (
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
)

// AppendInfo appends the list's last column: what a person wants to know of the record. Passwords are not
// shown.
func (Protocol) AppendInfo(dst []byte, rec *dissect.Record) []byte {
	t := rec.Tree
	if len(t.Nodes) == 0 {
		return dst
	}
	i := infoAppender{t: t, dst: dst, start: len(dst)}
	switch {
	case t.Child(0, &controlField) >= 0:
		i.control(t.Child(0, &controlField))
	case t.Child(0, &connlessField) >= 0:
		i.connless(t.Child(0, &connlessField))
	case t.Child(0, &chunksField) >= 0:
		i.chunks(t.Child(0, &chunksField))
	case t.Child(0, &demoField) >= 0:
		i.demoHeader(t.Child(0, &demoField))
	}
	i.unread(rec)
	if len(i.dst) == i.start {
		i.text("nothing")
	}
	return i.dst
}

// An infoAppender tells what a packet holds.
type infoAppender struct {
	t     *dissect.Tree
	dst   []byte
	start int
}

// next separates what comes from what was said.
func (i *infoAppender) next() {
	if len(i.dst) > i.start {
		i.dst = append(i.dst, "; "...)
	}
}

func (i *infoAppender) text(s string)     { i.dst = append(i.dst, s...) }
func (i *infoAppender) number(n int64)    { i.dst = strconv.AppendInt(i.dst, n, 10) }
func (i *infoAppender) value(n int) int64 { return i.t.Nodes[n].Int() }

// space appends the value of a child behind a blank: text or number. It reports whether there is one.
func (i *infoAppender) space(parent int, key string) bool {
	n := i.t.Find(parent, key)
	if n < 0 {
		return false
	}
	i.dst = append(i.dst, ' ')
	switch node := &i.t.Nodes[n]; {
	case node.Field.Kind.Number():
		i.number(node.Int())
	case node.Field.Kind == dissect.Bool:
		i.dst = strconv.AppendBool(i.dst, node.Bool())
	case !node.Field.Kind.Container():
		i.dst = append(i.dst, i.t.Bytes(node)...)
	}
	return true
}

// only gives the index of the only child that is an object, or -1.
func (i *infoAppender) only(parent int) int {
	for n, end := parent+1, int(i.t.Nodes[parent].End); n < end; n = int(i.t.Nodes[n].End) {
		if f := i.t.Nodes[n].Field; f.Kind == dissect.Object && f != &snapshotField {
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
	i.text(i.t.Nodes[body].Field.Key)
	switch i.t.Nodes[body].Field {
	case &tokenMessageField:
		if padding := i.t.Child(body, &paddingField); padding >= 0 && i.value(padding) > 0 {
			i.text(" request")
		}
	case &closeField:
		if i.t.Child(body, &reasonField) >= 0 {
			i.text(":")
			i.space(body, "reason")
		}
	case &unknownControlField:
		i.text(" control message")
		i.space(body, "id")
	}
}

func (i *infoAppender) connless(n int) {
	body := i.only(n)
	if body < 0 {
		return
	}
	i.text(i.t.Nodes[body].Field.Key)
	for _, key := range [...]string{"name", "version", "map", "game_type", "port", "count", "tag"} {
		if key == "version" && i.t.Find(body, "name") >= 0 {
			continue
		}
		i.space(body, key)
	}
	if i.t.Find(body, "num_clients") >= 0 {
		i.text(":")
		i.space(body, "num_clients")
		i.text(" of")
		i.space(body, "max_clients")
		i.text(" clients")
	}
	for _, key := range [...]string{"servers", "maps"} {
		if list := i.t.Find(body, key); list >= 0 {
			i.text(": ")
			i.number(int64(i.t.Len(list)))
			i.text(" " + key)
		}
	}
}

// chunks tells the messages. Of what every second packet carries, the timing of inputs, only where there is
// nothing else.
func (i *infoAppender) chunks(list int) {
	quiet, repeated := -1, 0
	for n, end := list+1, int(i.t.Nodes[list].End); n < end; n = int(i.t.Nodes[n].End) {
		if state := i.t.Child(n, &stateField); state >= 0 && string(i.t.Bytes(&i.t.Nodes[state])) == chunkStateNames[chunkDuplicate] {
			repeated++
			continue
		}
		body := i.only(n)
		if snap := i.t.Child(n, &snapshotField); snap >= 0 {
			i.next()
			i.snapshot(snap)
			continue
		}
		if body < 0 {
			continue
		}
		if i.t.Nodes[body].Field.Key == "inputtiming" {
			quiet = body
			continue
		}
		i.next()
		i.message(n, body)
	}
	if len(i.dst) > i.start {
		return
	}
	switch {
	case quiet >= 0:
		i.message(-1, quiet)
	case repeated > 0:
		i.number(int64(repeated))
		i.text(" repeated")
	case i.t.Len(list) == 0:
		i.text("resend request")
	}
}

func (i *infoAppender) snapshot(n int) {
	i.text("snapshot")
	i.space(n, "tick")
	base := i.t.Child(n, &snapBaseTick)
	tick := i.t.Child(n, &snapTick)
	if base >= 0 && i.value(base) >= 0 {
		i.text(" Δ")
		i.number(i.value(tick) - i.value(base))
	} else {
		i.text(" full")
	}
	items := i.t.Child(n, &itemsField)
	if items < 0 {
		return
	}
	changed, removed := 0, 0
	for k, end := items+1, int(i.t.Nodes[items].End); k < end; k = int(i.t.Nodes[k].End) {
		if update := i.t.Child(k, &itemUpdate); update >= 0 && string(i.t.Bytes(&i.t.Nodes[update])) != updateUnchanged {
			changed++
		}
	}
	if list := i.t.Child(n, &removedField); list >= 0 {
		removed = i.t.Len(list)
	}
	i.text(": ")
	i.number(int64(changed))
	if changed == 1 {
		i.text(" item")
	} else {
		i.text(" items")
	}
	if removed > 0 {
		i.text(", ")
		i.number(int64(removed))
		i.text(" removed")
	}
}

// infoKeys are what is told of a message beside its name. All others have their first text or numbers.
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
	"sv_emoticon":       {"client_id", "emoticon"},
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

// infoValues is how many values are told of a message that infoKeys does not have.
const infoValues = 3

// message tells one message.
func (i *infoAppender) message(chunk, body int) {
	key := i.t.Nodes[body].Field.Key
	if keys, ok := infoKeys[key]; ok {
		i.text(key)
		for _, k := range keys {
			i.space(body, k)
		}
		return
	}
	if key == "map_data" {
		i.mapData(body)
		return
	}
	if key == unknownMessageField.Key && chunk >= 0 {
		i.text("message")
		i.space(chunk, "id")
		return
	}
	i.text(key)
	told := 0
	for n, end := body+1, int(i.t.Nodes[body].End); n < end && told < infoValues; n = int(i.t.Nodes[n].End) {
		f := i.t.Nodes[n].Field
		if f.Kind == dissect.Text || f.Kind == dissect.Int || f.Kind == dissect.Bool {
			i.space(body, f.Key)
			told++
		}
	}
}

func (i *infoAppender) mapData(body int) {
	i.text("map_data")
	i.space(body, "chunk")
	if data := i.t.Find(body, "data"); data >= 0 {
		i.text(": ")
		i.number(int64(len(i.t.Bytes(&i.t.Nodes[data]))))
		i.text(" bytes")
	}
}

func (i *infoAppender) demoHeader(n int) {
	i.text("demo of")
	i.space(n, "map_name")
	i.text(" by")
	i.space(n, "recorded_by")
	i.text(",")
	i.space(n, "length")
	i.text(" s")
}

// unread says so when a part could not be decoded.
func (i *infoAppender) unread(rec *dissect.Record) {
	for _, e := range rec.Experts {
		if e.Severity >= dissect.Warning {
			i.text(" [")
			i.text(e.Code)
			i.text("]")
			return
		}
	}
}
