package main

import (
	"encoding/binary"
	"maps"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/samples/gamestudio/wire"
)

// coreBody is a message's body. That there is no such message cannot happen.
func coreBody(name string, values map[string]any) []byte {
	b, err := wire.CoreMessage(name, values)
	if err != nil {
		panic(err)
	}
	return b
}

// A filler gives the values of core messages, each another number.
type filler uint32

// values are those of a message: all numbers, everything that offsets can point to.
func (f *filler) values(name string) map[string]any {
	values := map[string]any{}
	for _, field := range strings.Fields(wire.Core[name].Layout) {
		*f++
		switch key := strings.TrimRight(field, "@*"); key {
		case "name", "session_name", "password":
			values[key] = wire.Wide("a " + key)
		case "url":
			values[key] = []byte("x-directplay:/port=2302\x00")
		case "alternate_addresses":
			values[key] = slices.Concat(wire.AlternateAddress([]byte{192, 0, 2, 9}, 2302),
				wire.AlternateAddress([]byte{0x20, 1, 0xd, 0xb8, 15: 9}, 2303), wire.AlternateAddress([]byte("odd"), 2304))
		case "instance_guid", "application_guid":
			values[key] = [16]byte(guid)
		case "flags", "info_flags", "group_flags":
			values[key] = uint32(0xff7)
		case "reason":
			values[key] = uint32(4)
		case "result":
			values[key] = uint32(0x80158260)
		case "library_version":
			values[key] = uint32(6)
			if name == "player_connect_info_ex" {
				values[key] = uint32(8)
			}
		case "dpnid", "player_dpnid", "target_dpnid", "requesting_dpnid":
			values[key] = uint32(0x00300001) // whose name the name table has
		default:
			values[key] = uint32(*f)
			if strings.HasSuffix(field, "@") {
				values[key] = []byte("the " + key)
			}
		}
	}
	return values
}

// coalesced is how many messages are in a frame, so that it fits a datagram.
const coalesced = 6

// cores are all messages of DirectPlay itself, in the order of their types, and one of a type that nobody has:
// each in a frame of its own, then coalesced.
func cores() []wire.Datagram {
	client, server := &wire.Peer8{Session: 78, Minor: 6}, &wire.Peer8{Session: 78, Minor: 6, Listener: true}
	var f filler
	list := []wire.Datagram{
		{FromClient: true, Payload: client.Connect()}, {Payload: server.Connected()}, {FromClient: true, Payload: client.Connected()},
	}
	var byClient, byServer [][]byte // once more, coalesced
	add := func(kind uint32, body []byte) {
		list = append(list, wire.Datagram{Payload: server.Core(kind, body)})
		byServer = append(byServer, append(binary.LittleEndian.AppendUint32(nil, kind), body...))
	}
	names := slices.SortedFunc(maps.Keys(wire.Core), func(a, b string) int {
		return int(wire.Core[a].Type)*256 + len(a) - int(wire.Core[b].Type)*256 - len(b)
	})
	add(0xc2, nameTable(&f))
	for _, name := range names {
		m := wire.Core[name]
		switch {
		case m.Type == 0 || m.Type == 0xc2: // structures, and what was sent
		case m.Type < 0xc2:
			body := coreBody(name, f.values(name))
			list = append(list, wire.Datagram{FromClient: true, Payload: client.Core(m.Type, body)})
			byClient = append(byClient, append(binary.LittleEndian.AppendUint32(nil, m.Type), body...))
		default:
			add(m.Type, coreBody(name, f.values(name)))
		}
	}
	var ops []wire.Operation
	for _, name := range names {
		if k := wire.Core[name].Type; k == 0xc6 || k == 0xd0 || k == 0xd1 || k >= 0xd7 && k <= 0xdb {
			ops = append(ops, wire.Operation{Name: name, Body: coreBody(name, f.values(name))})
		}
	}
	add(0xcc, wire.Operations(true, ops...))
	add(0xcc, binary.LittleEndian.AppendUint32(wire.Operations(false, ops[0]), 7)) // and bytes that nothing points to
	add(0xcc, wire.Operations(false, ops[0],
		wire.Operation{Name: "resync_version", Body: coreBody("resync_version", f.values("resync_version"))}))
	add(0xcf, []byte("a body of no known form"))
	for part := range slices.Chunk(byClient, coalesced) {
		list = append(list, wire.Datagram{FromClient: true, Payload: client.CoalesceCore(part...)})
	}
	for part := range slices.Chunk(byServer, coalesced) {
		list = append(list, wire.Datagram{Payload: server.CoalesceCore(part...)})
	}
	return list
}

// nameTable is the body of the message that has it.
func nameTable(f *filler) []byte {
	var b wire.CoreBody
	values := f.values("send_connect_info")
	values["entry_count"], values["membership_count"] = uint32(2), uint32(1)
	for _, part := range []struct {
		name   string
		values map[string]any
	}{
		{"send_connect_info", values},
		{"entry", f.values("entry")},
		{"entry", f.values("entry")},
		{"membership", f.values("membership")},
	} {
		if err := b.Append(part.name, part.values); err != nil {
			panic(err)
		}
	}
	return b.Bytes()
}
