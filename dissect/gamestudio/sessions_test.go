package gamestudio_test

import (
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/dissecttest"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/gamestudio"
	"github.com/q3dissect/q3dissect/samples/gamestudio/wire"
)

// A sessionKind is an edition, what its bytes depend on, its transport, and what the user claims about the port.
type sessionKind struct {
	edition string
	coding  wire.Coding
	over    func([]wire.Step) []wire.Datagram
	as      string
}

var sessionKinds = []sessionKind{
	{wire.Late, wire.Coding{}, wire.Raw, "gamestudio"},
	{wire.Late, wire.Coding{FixedCoordinates: true}, wire.Raw, "gamestudio"},
	{wire.Late, wire.Coding{ShortRemove: true}, wire.Raw, "gamestudio"},
	{wire.Old2002, wire.Coding{}, wire.Raw, "gamestudio-2002"},
	{wire.Old2002, wire.Coding{FixedCoordinates: true}, wire.Raw, "gamestudio-2002"},
	{wire.Late, wire.Coding{}, wire.OverDirectPlay8, ""},
	{wire.Old2002, wire.Coding{}, func(steps []wire.Step) []wire.Datagram {
		system := wire.Datagram{FromClient: true, Payload: wire.System4(5, []byte{1, 2, 3})}
		return slices.Insert(wire.OverDirectPlay4(steps), 3, system)
	}, ""},
	{wire.Late, wire.Coding{}, func(steps []wire.Step) []wire.Datagram { return wire.OverENet(steps, false, true) }, "gamestudio"},
	{wire.Late, wire.Coding{}, wire.OverENetFirst, "gamestudio"},
}

var gameServer = netip.MustParseAddrPort("192.0.2.1:2300")

var sessions = dissecttest.Sessions{
	Protocol: gamestudio.New(), Beside: protocols(), Kinds: len(sessionKinds), Seeds: 8,
	Write: writeSession,
	Engine: func(kind int, cfg *engine.Config) {
		if as := sessionKinds[kind].as; as != "" {
			cfg.DecodeAs = []engine.DecodeAs{{Port: gameServer.Port(), Name: as}}
		}
	},
	Read: func(rec *dissect.Record) (names []string) {
		for m := range rec.Tree.Top().Get("gamestudio").Get("messages").Children() {
			names = append(names, m.Key())
		}
		return names
	},
	Notes:   []string{"undetermined"},
	Never:   map[string]string{"*.undecoded": "damage alone"},
	Shared:  []string{"flags", "raw", "degrees_swapped", "x", "y", "z"}, // several readings of what no public text decides
	Offsets: true,
}

// TestWrittenSessions: what is written in both editions, raw and in every transport, is read as it was written, and
// every field occurs.
func TestWrittenSessions(t *testing.T) { sessions.Test(t) }

// FuzzSessions damages sessions.
func FuzzSessions(f *testing.F) { sessions.Fuzz(f) }

// A gameWriter writes messages with random values.
type gameWriter struct {
	*rand.Rand
	*wire.Tables
	sessionKind
	steps []wire.Step
	ended bool // after what the newest packet has, nothing can be found
}

// writeSession writes a session: it begins as a short game does, and continues with any messages.
func writeSession(kind int, seed uint64) (list []dissecttest.Sent) {
	tables, err := wire.Reference()
	if err != nil {
		panic(err)
	}
	w := &gameWriter{Rand: rand.New(rand.NewPCG(seed, uint64(kind))), Tables: tables, sessionKind: sessionKinds[kind]}
	begin, err := wire.Session(tables, w.edition, w.coding)
	if err != nil {
		panic(err)
	}
	w.steps = begin[:16]
	var messages []*wire.Message
	for i := range tables.Messages {
		if m := &tables.Messages[i]; m.Edition == w.edition && m.Fields != nil {
			messages = append(messages, m)
		}
	}
	w.Shuffle(len(messages), func(i, j int) { messages[i], messages[j] = messages[j], messages[i] })
	for _, m := range append(messages, messages[:8]...) {
		w.send(m)
	}
	for _, d := range w.over(w.steps) {
		wrote := []string(nil)
		for _, name := range d.Messages {
			wrote = append(wrote, strings.ToLower(name))
		}
		from, to := gameServer, netip.MustParseAddrPort("198.51.100.7:50123")
		if d.FromClient {
			from, to = to, from
		}
		list = append(list, dissecttest.Send(from, to, d.Payload, wrote...))
	}
	return list
}

// send adds a message: to the last packet, or in one of its own.
func (w *gameWriter) send(m *wire.Message) {
	fromClient := m.Direction == "client_to_server"
	payload, err := w.Append(nil, m, w.values(m), w.coding)
	if err != nil {
		panic(err)
	}
	last := &w.steps[len(w.steps)-1]
	if w.ended || last.FromClient != fromClient || w.IntN(3) > 0 || len(last.Payload) > 300 {
		w.steps = append(w.steps, wire.Step{FromClient: fromClient, Reliable: w.IntN(2) == 0})
		last = &w.steps[len(w.steps)-1]
	}
	last.Payload = append(slices.Clone(last.Payload), payload...)
	last.Messages = append(slices.Clone(last.Messages), m.Name)
	switch w.ended = true; {
	case w.edition == wire.Old2002 && fromClient && w.IntN(8) == 0: // a row that no public copy shows
		w.steps = append(w.steps, wire.Step{FromClient: true, Payload: []byte{9, 1, 2}})
	case w.edition == wire.Late && w.IntN(10) == 0: // bits that no table assigns
		odd := []wire.Step{
			{Payload: []byte{0x60, 7, 0, 1, 2}, Messages: []string{"SVC_UPDATE1"}},
			{Payload: []byte{0xd1, 7, 0, 200, 1, 2}, Messages: []string{"SVC_UPDATE3"}},
		}
		w.steps = append(w.steps, odd[w.IntN(2)])
	default:
		w.ended = false
	}
}

// values makes those of a message, and of the parameters that an update has.
func (w *gameWriter) values(m *wire.Message) wire.Values {
	v := wire.Values{}
	for i := range m.Fields {
		if f := &m.Fields[i]; f.Type != "UpdateParameters" && f.Value == "" && f.Name != "var_length" {
			v[f.Name] = w.value(f)
		}
	}
	if list, ok := v["var"].([]int64); ok {
		v["var_length"] = int64(len(list))
	}
	if _, ok := v["entity_index"]; ok && w.IntN(2) == 0 {
		v["entity_index"] = int64(7 + w.IntN(3)) // which have files
	}
	if m.Group == 0 {
		return v
	}
	for _, p := range w.Update(m.Edition, m.Group) {
		if w.IntN(2) == 0 {
			for i := range p.Fields {
				v[p.Fields[i].Name] = w.value(&p.Fields[i])
			}
		}
	}
	return v
}

// value makes the raw value of a field, of the width of its type.
func (w *gameWriter) value(f *wire.Field) any {
	switch f.Type {
	case "String":
		return []string{"", "guard.mdl", "a text", "\x1b[31m", "täxt"}[w.IntN(5)]
	case "Float":
		return float32(w.NormFloat64() * 1000)
	}
	number := func() int64 {
		size := 8 * wire.Size(f.Type, w.coding)
		if n := int64(w.IntN(200)) - 50; w.IntN(2) == 0 && size > 8 {
			return n
		}
		n := int64(w.Uint64()) >> (64 - size)
		if f.Type == "Byte" || f.Type == "Scale" {
			n &= 0xff
		}
		return n
	}
	count := f.Count
	if f.CountFrom != "" {
		count = w.IntN(9)
	} else if count == 0 {
		return number()
	}
	list := make([]int64, count)
	for i := range list {
		list[i] = number()
	}
	return list
}
