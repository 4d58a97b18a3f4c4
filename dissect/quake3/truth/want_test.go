package truth_test

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// A node is a JSON object as the decoder gives it: leaves are json.Number, string and bool.
type node = map[string]any

// wantMessage builds the message object, as the contract describes it, from a truth line. It takes note
// of what later lines are judged by.
func (s *truthSession) wantMessage(t *truthLine) (key string, message node) {
	message = node{"reliable_acknowledge": t.ReliableAck}
	key = "server_message"
	if t.Dir == "c2s" {
		key = "client_message"
		message["server_id"], message["message_acknowledge"] = t.ServerID, t.MessageAck
	}
	ops := make([]any, len(t.Ops))
	for i := range t.Ops {
		op := &t.Ops[i]
		name, body := s.wantOp(t, op)
		ops[i] = node{name: body}
	}
	message["ops"] = ops
	if t.Binary != "" {
		message["binary"] = t.Binary
	}
	s.after(t)
	return key, message
}

func (s *truthSession) wantOp(t *truthLine, op *truthOp) (string, node) {
	switch op.Op {
	case "eof":
		return "eof", node{}
	case "gamestate":
		s.game = true
		return "gamestate", s.wantGamestate(op)
	case "servercommand", "clientcommand":
		return map[string]string{"servercommand": "server_command", "clientcommand": "client_command"}[op.Op],
			s.wantCommand(t, op)
	case "download":
		return "download", wantDownload(op)
	case "voip":
		return "voip", wantVoip(op)
	case "snapshot":
		return "snapshot", s.wantSnapshot(t, op)
	case "nop", "mapchange":
		return op.Op, node{}
	case "setgame":
		return "setgame", node{"game": op.Text}
	case "ettv_playerstates":
		players := make([]any, len(op.Players))
		for i, p := range op.Players {
			players[i] = node{"client": p.Client, "player_state": p.Player.want()}
		}
		return "ettv_playerstates", node{"players": players}
	case "move":
		return "move", s.wantMove(op)
	case "movenodelta":
		return "move_no_delta", s.wantMove(op)
	}
	return "unknown " + op.Op, nil
}

func (s *truthSession) wantGamestate(op *truthOp) node {
	g := node{
		"server_command_sequence": op.CommandSequence, "client_num": op.ClientNum, "checksum_feed": op.ChecksumFeed,
	}
	var list []any
	for _, key := range slices.SortedFunc(maps.Keys(op.Configstrings),
		func(a, b string) int { return reftest.Number(a) - reftest.Number(b) }) {
		list = append(list, s.wantConfigstring(key, wire(op.Configstrings[key])))
	}
	g["configstrings"] = list
	list = nil
	for i := range op.Baselines {
		b := &op.Baselines[i]
		list = append(list, b.addShared(b.Fields.add(node{"number": b.Number})))
	}
	if list != nil {
		g["baselines"] = list
	}
	list = nil
	for i := range op.CurrentStates {
		b := &op.CurrentStates[i]
		list = append(list, b.addShared(b.Fields.add(node{"number": b.Number})))
	}
	if list != nil {
		g["current_states"] = list
	}
	if op.RandomMap != "" {
		g["random_map"] = node{"size": op.RandomMap}
	}
	return g
}

// CS_PLAYERS of game code, and how many there are: the only infostrings that may begin without a backslash.
const (
	csPlayers  = 544
	maxClients = 64
)

func (s *truthSession) wantConfigstring(index string, value []byte) node {
	n := reftest.Number(index)
	cs := node{"index": json.Number(index)}
	reftest.AddText(cs, "value", value)
	// Before the server information names the game, it is not known which configstrings are the players'.
	first, many := csPlayers, maxClients
	version, known := s.byMessages, s.game || s.byMessages != ""
	if s.game && s.connect != nil {
		version = s.connect.version
	}
	switch version {
	case "60", "61", "rtcw":
		first = 576
	case "84", "284", "et":
		first = 689
	case "26", "jka":
		first, many = 1131, 32
	case "15", "16":
		many = 32
	}
	player := known && n >= first && n < first+many && strings.ContainsRune(string(value), '\\')
	if strings.HasPrefix(string(value), `\`) || player {
		addInfo(cs, "info", value)
	}
	return cs
}

// wantCommand builds a reliable command. What an earlier message carried is marked as repeated.
func (s *truthSession) wantCommand(t *truthLine, op *truthOp) node {
	text := wire(op.Text)
	c := node{"sequence": op.Number}
	reftest.AddText(c, "command", text)
	if s.carried[t.Dir][op.Number] {
		c["repeat"] = true
	}
	words := tokenize(text)
	if len(words) == 0 {
		return c
	}
	reftest.AddText(c, "name", words[0])
	addTexts(c, "arguments", words[1:])
	switch name := string(words[0]); {
	case t.Dir == "c2s" && name == "userinfo" && len(words) > 1:
		addInfo(c, "info", words[1])
	case t.Dir == "s2c" && name == "cs" && len(words) > 1:
		// The client takes all words from the third on, joined by blanks: Cmd_ArgsFrom in code/qcommon/cmd.c.
		s.game = s.game || string(words[1]) == "0"
		c["configstring"] = s.wantConfigstring(string(words[1]), []byte(join(words[2:], " ")))
	}
	return c
}

func wantDownload(op *truthOp) node {
	if op.Error != "" {
		return node{"block": op.Block, "file_size": op.FileSize, "error": op.Error}
	}
	if op.URL != "" { // block -1 of Enemy Territory, which is read without a sign
		return node{"block": decimal(uint16(math.MaxUint16)), "file_size": op.FileSize, "flags": op.Flags, "url": op.URL}
	}
	d := node{"block": op.Block, "size": op.Size, "data": dataMark(op.Size, op.CRC32)}
	if op.FileSize != "" {
		d["file_size"] = op.FileSize
	}
	return d
}

func wantVoip(op *truthOp) node {
	v := node{
		"codec": op.Codec, "generation": op.Generation, "sequence": op.Sequence, "frames": op.Frames, "flags": op.Flags,
		"size": op.Size, "data": dataMark(op.Size, op.CRC32),
	}
	if op.Sender != "" {
		v["sender"] = op.Sender
	}
	if op.Recipients != "" {
		v["recipients"] = op.Recipients
	}
	return v
}

func (s *truthSession) wantSnapshot(t *truthLine, op *truthOp) node {
	snap := node{
		"server_time": op.Time, "delta_num": op.Delta, "snap_flags": op.Flags, "area_mask": op.AreaMask,
		"player_state": op.Player.want(),
	}
	delta := uint32(reftest.Number(op.Delta))
	if delta != 0 && t.Sequence > delta {
		snap["base_sequence"] = decimal(t.Sequence - delta)
	}
	if op.Vehicle != nil {
		snap["vehicle_state"] = op.Vehicle.want()
	}
	entities := make([]any, len(op.Entities))
	for i := range op.Entities {
		e := &op.Entities[i]
		want := e.Fields.add(node{"number": e.Number, "update": e.Kind})
		if e.Kind == "nochange" {
			want["update"] = e.Source
		}
		entities[i] = e.addShared(want)
	}
	snap["entities"] = entities
	s.wantUnknown(t, op, entities)
	return snap
}

func (p *truthPlayer) want() node {
	state := p.Fields.add(node{})
	if p.Pilot {
		state["pilot"] = true
	}
	for _, a := range []struct {
		key    string
		values truthFields
	}{
		{"stats", p.Stats},
		{"persistant", p.Persistant},
		{"ammo", p.Ammo},
		{"powerups", p.Powerups},
		{"holdable", p.Holdable},
		{"ammoclip", p.Ammoclip},
	} {
		if len(a.values) == 0 {
			continue
		}
		array := node{}
		for index, v := range a.values {
			array[index] = v
		}
		state[a.key] = array
	}
	return state
}

// wantMove builds user commands, whose values are full ones in the truth as in the records.
func (s *truthSession) wantMove(op *truthOp) node {
	list := make([]any, len(op.Commands))
	for i := range op.Commands {
		u := &op.Commands[i]
		cmd := node{
			"server_time": u.ServerTime,
			"angles":      node{"pitch": u.Angles[0], "yaw": u.Angles[1], "roll": u.Angles[2]},
			"forwardmove": u.ForwardMove, "rightmove": u.RightMove, "upmove": u.UpMove, "buttons": u.Buttons, "weapon": u.Weapon,
		}
		for key, v := range map[string]json.Number{
			"wbuttons": u.Wbuttons, "holdable": u.Holdable, "wolfkick": u.Wolfkick, "mp_setup": u.MpSetup, "flags": u.Flags,
			"double_tap": u.DoubleTap, "ident_client": u.IdentClient, "forcesel": u.ForceSel, "invensel": u.InvenSel,
			"generic_cmd": u.GenericCmd,
		} {
			if v != "" {
				cmd[key] = v
			}
		}
		if slices.Contains(s.moved, u.key()) {
			cmd["repeat"] = true
		}
		list[i] = cmd
	}
	return node{"count": op.Count, "user_commands": list}
}

// addShared adds what is sent beside an entity to a TV server.
func (e *truthEntity) addShared(into node) node {
	switch shared := e.Shared.(type) {
	case string:
		into["shared_removed"] = true
	case map[string]any:
		if len(shared) == 0 {
			break
		}
		fields := truthFields{}
		for name, v := range shared {
			fields[name] = v.(json.Number)
		}
		into["shared"] = fields.add(node{})
	}
	return into
}

// add puts changed fields where the contract's rules for names put them.
func (f truthFields) add(into node) node {
	for name, v := range f {
		at, path := into, fieldPath(name)
		for _, key := range path[:len(path)-1] {
			inner, _ := at[key].(node)
			if inner == nil {
				inner = node{}
				at[key] = inner
			}
			at = inner
		}
		at[path[len(path)-1]] = v
	}
	return into
}

// angleNames are the vectors whose elements are pitch, yaw and roll.
var angleNames = []string{"viewangles", "delta_angles", "angles", "angles2", "apos.trBase", "apos.trDelta"}

// fieldPath turns an engine's name into keys: pos.trBase[0] is pos, tr_base, x.
func fieldPath(name string) []string {
	base, index, vector := strings.Cut(strings.TrimSuffix(name, "]"), "[")
	path := strings.Split(base, ".")
	for i, part := range path {
		path[i] = snake(part)
	}
	switch {
	case !vector:
	case strings.HasPrefix(index, "FP_"):
		path[len(path)-1] += "_" + strings.ToLower(strings.TrimPrefix(index, "FP_"))
	case base == "customRGBA":
		path = append(path, [...]string{"r", "g", "b", "a"}[reftest.Number(index)])
	case base == "events" || base == "eventParms" || base == "weapons":
		path = append(path, index)
	case slices.Contains(angleNames, base):
		path = append(path, [...]string{"pitch", "yaw", "roll"}[reftest.Number(index)])
	default:
		path = append(path, [...]string{"x", "y", "z"}[reftest.Number(index)])
	}
	return path
}

// snake splits a name where a capital follows a small letter.
func snake(name string) string {
	var b []byte
	for i := range len(name) {
		c := name[i]
		if c >= 'A' && c <= 'Z' {
			if i > 0 && name[i-1] >= 'a' && name[i-1] <= 'z' {
				b = append(b, '_')
			}
			c += 'a' - 'A'
		}
		b = append(b, c)
	}
	return string(b)
}
