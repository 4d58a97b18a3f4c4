// Package teeworlds dissects the protocol of Teeworlds 0.7 and 0.6 and of DDNet: packet headers with their tokens,
// control packets, chunks with every system and game message, snapshots, and the connectionless packets of browsers,
// servers and master servers.
//
// A conversation is one pair of endpoints. The router finds its dialect from the handshake or, in
// mid-session, by trial. Snapshots are reassembled from their parts, deltas are applied to their
// base, and the result is compared with the checksum that the server sends.
//
// packet.go has the headers, chunk.go and control.go the payloads. Below internal, tables has the
// fields and names of every dialect, and message reads messages and objects with them; snapshot,
// connless, events, files and teehistorian are what their names say.
//
// The facts come from the games' sources (src/engine/shared, src/engine/client, src/engine/server and
// datasrc of Teeworlds 0.6.5 and 0.7.5 and of DDNet 16 and 20); the fields name file and function.
package teeworlds

import (
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/connless"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/events"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/teehistorian"
)

const protocolName = "teeworlds"

// Fields of the record's object.
var (
	rootField = dissect.Field{
		Key: protocolName, Kind: dissect.Object, Scope: dissect.Datagram, Doc: "Teeworlds and DDNet",
		Children: []*dissect.Field{
			&versionField, &demoField, &flagsField, &ackField, &numChunksField, &tokenField, &tailTokenField, &responseTokenField, &extraField,
			&controlField, &connless.Field, &chunksField, &teehistorian.Field, &trailingField, &dissect.Undecoded,
		},
	}
	versionField = dissect.Field{
		Key: "version", Kind: dissect.Label, Source: "NET_VERSION and the packet headers, src/engine/shared/network.h",
		Doc: "0.7; 0.6; ddnet: 0.6 with DDNet's extensions; absent while unknown",
	}
)

// Protocol describes the family to the dissecting engine.
type Protocol struct {
	packets *sync.Pool // of *packet; nil: not shared
}

// New returns the protocol. Its conversations without a session share the memory of their packets, across inputs and
// engines.
func New() Protocol {
	return Protocol{packets: &sync.Pool{New: func() any { return new(packet) }}}
}

// Name is "teeworlds".
func (Protocol) Name() string { return protocolName }

// Title is one line for people.
func (Protocol) Title() string { return "Teeworlds 0.7 and 0.6, DDNet" }

// Root describes the object "teeworlds" of a record.
func (Protocol) Root() *dissect.Field { return &rootField }

// Dissects lists the names for -d: the family, whose dialect is then detected, and each dialect.
func (Protocol) Dissects() []string {
	return []string{protocolName, "teeworlds-0.7", "teeworlds-0.6", "ddnet"}
}

// dialectOf returns the dialect of a name for -d.
func dialectOf(name string) tables.Dialect {
	switch name {
	case "teeworlds-0.7":
		return tables.V07
	case "teeworlds-0.6":
		return tables.V06
	case "ddnet":
		return tables.DDNet
	}
	return tables.Unknown
}

// EventRoot describes an event.
func (Protocol) EventRoot() *dissect.Field { return &events.Root }

// EventKinds implements dissect.EventSource.
func (Protocol) EventKinds() []string { return events.Kinds }

// AppendEvent appends a description of an event.
func (Protocol) AppendEvent(dst []byte, tree *dissect.Tree, node int) []byte {
	return events.Append(dst, tree, node)
}

// NewRouter makes the part that recognises the datagrams.
func (Protocol) NewRouter() dissect.Router { return newRouter() }

// NewConversation makes the state of one stream.
func (p Protocol) NewConversation(opts dissect.Options) dissect.Conversation {
	c := newConversation(opts)
	c.packets = p.packets
	return c
}
