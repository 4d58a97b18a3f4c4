package directplay8_test

import (
	"maps"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/samples/gamestudio/wire"
)

// coreNames are the messages of DirectPlay itself without their own lists.
var coreNames = slices.DeleteFunc(slices.Sorted(maps.Keys(wire.Core)), func(name string) bool {
	return wire.Core[name].Type == 0 || name == "send_connect_info"
})

// operationNames are those that change the name table.
var operationNames = []string{
	"instruct_connect", "add_player", "destroy_player", "create_group", "destroy_group", "add_player_to_group",
	"delete_player_from_group", "update_info",
}

// core writes a message of DirectPlay itself.
func (w *sessionWriter) core() (number uint32, body []byte) {
	switch w.IntN(12) {
	case 0, 1:
		return 0xc2, w.nameTable()
	case 2, 3:
		return 0xcc, w.operations()
	case 4:
		return 0xdc, w.bytes(7) // which the specification does not have
	}
	name := w.names[w.next%len(w.names)]
	w.next++
	body = w.message(name)
	if len(body) > 0 && name != "req_process_completion" && name != "req_destroy_group" && w.one(6) {
		body = append(body, 1, 2, 3) // to which nothing points
	}
	return wire.Core[name].Type, body
}

// message writes the body of a message.
func (w *sessionWriter) message(name string) []byte {
	body, err := wire.CoreMessage(name, w.values(name))
	if err != nil {
		panic(err)
	}
	return body
}

// values makes those of a message or a structure.
func (w *sessionWriter) values(name string) map[string]any {
	values := map[string]any{}
	for _, field := range strings.Fields(wire.Core[name].Layout) {
		switch key := strings.TrimRight(field, "@*"); {
		case strings.HasSuffix(field, "@"):
			values[key] = w.pointed(key)
		case strings.HasSuffix(field, "*"):
			values[key] = [16]byte(w.bytes(16))
		case key == "library_version":
			values[key] = map[bool]uint32{true: 8, false: 2}[name == "player_connect_info_ex"]
		case key == "result":
			values[key] = []uint32{0x80158410, 0x80004005, w.Uint32()}[w.IntN(3)]
		case strings.HasSuffix(key, "dpnid"):
			values[key] = w.players[w.IntN(len(w.players))]
		case strings.HasSuffix(key, "_count"):
		default:
			values[key] = w.Uint32() >> w.IntN(32)
		}
	}
	return values
}

// pointed makes what an offset points to, or nothing.
func (w *sessionWriter) pointed(key string) (b []byte) {
	switch {
	case key == "alternate_addresses":
		for range w.IntN(4) {
			switch w.IntN(3) {
			case 0:
				b = append(b, wire.AlternateAddress(w.bytes(4), 2302)...)
			case 1:
				b = append(b, wire.AlternateAddress(w.bytes(16), 2302)...)
			default:
				b = append(b, 9, 6, 8, 254, 1, 2, 3, 4, 5, 6)
			}
		}
		return b
	case w.one(3):
		return nil
	case key == "name" || key == "session_name" || key == "password":
		return wire.Wide([]string{"Sue", "Jöran", "\u001b[31m", "another player"}[w.IntN(4)])
	case key == "url":
		return []byte("x-directplay:/hostname=192.0.2.9;port=2302\x00")
	}
	return w.bytes(w.IntN(20))
}

// nameTable writes the body of DN_SEND_CONNECT_INFO.
func (w *sessionWriter) nameTable() []byte {
	var b wire.CoreBody
	entries, members := w.IntN(4), w.IntN(4)
	values := w.values("send_connect_info")
	values["entry_count"], values["membership_count"] = uint32(entries), uint32(members)
	err := b.Append("send_connect_info", values)
	for range entries {
		err = firstError(err, b.Append("entry", w.values("entry")))
	}
	for range members {
		err = firstError(err, b.Append("membership", w.values("membership")))
	}
	if err != nil {
		panic(err)
	}
	return b.Bytes()
}

func firstError(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// operations writes the body of DN_ACK_NAMETABLE_OP.
func (w *sessionWriter) operations() []byte {
	var ops []wire.Operation
	inRow := w.one(2)
	for range 1 + w.IntN(4) {
		name := operationNames[w.IntN(len(operationNames))]
		if !inRow && w.one(5) {
			name = "nametable_version" // which is none of the operations
		}
		ops = append(ops, wire.Operation{Name: name, Body: w.message(name)})
	}
	return wire.Operations(inRow, ops...)
}
