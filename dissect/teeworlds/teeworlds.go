// Package teeworlds dissects the protocol of Teeworlds 0.7 and 0.6 and of DDNet: packet headers with their tokens,
// control packets, chunks with every system and game message, snapshots, and the connectionless packets of browsers,
// servers and master servers.
//
// A conversation is one pair of endpoints. The router finds its dialect from the handshake or, in
// mid-session, by a heuristic. Snapshots are reassembled from their parts, deltas are applied to their
// base, and the result is compared with the checksum that the server sends.
//
// packet.go has the headers, chunk.go and control.go the payloads. Below internal, tables has the
// fields and names of every dialect, and message reads messages and objects with them; snapshot,
// connless, events, files, teehistorian and ghost hold what their names say.
//
// The facts come from the games' sources (src/engine/shared, src/engine/client, src/engine/server and
// datasrc of Teeworlds 0.6.5 and 0.7.5 and of DDNet 16 and 20); the fields name file and function.
package teeworlds

import (
	"slices"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/connless"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/events"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/ghost"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/snapshot"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/teehistorian"
)

const protocolName = "teeworlds"

// Fields of the record's object.
var (
	rootField = dissect.Field{
		Key: protocolName, Kind: dissect.Object, Scope: dissect.Datagram, Doc: "Teeworlds and DDNet",
		Children: []*dissect.Field{
			&versionField, &demoField, &flagsField, &ackField, &numChunksField, &tokenField, &tailTokenField,
			&responseTokenField, &extraField, &controlField, &connless.Field, &chunksField, &teehistorian.Field, &ghost.Field,
			&trailingField, &dissect.Undecoded,
		},
		Frame: []*dissect.Field{&flagBitsField, &connlessMark, &messagePart},
	}
	versionField = dissect.Field{
		Key: "version", Kind: dissect.Label, Source: "NET_VERSION and the packet headers, src/engine/shared/network.h",
		Doc: "0.7; 0.6; ddnet: 0.6 with DDNet's extensions; absent while unknown",
	}
)

// root returns the record's object with the fields of all messages and objects. Packets are read without
// it: a value has its own field.
var root = sync.OnceValue(func() *dissect.Field {
	head := []*dissect.Field{&vitalField, &resendField, &sizeField, &sequenceField, &stateField}
	chunkField.Children = slices.Concat(head, message.Fields(), []*dissect.Field{&snapshot.Field})
	snapshot.Complete()
	teehistorian.Complete()
	ghost.Complete()
	return &rootField
})

// New returns the protocol. Its conversations without a session share the memory of their packets, across inputs and
// engines.
func New() *dissect.Protocol {
	packets := &sync.Pool{New: func() any { return new(packet) }}
	return &dissect.Protocol{
		Name:  protocolName,
		Title: "Teeworlds 0.7 and 0.6, DDNet",
		Root:  root,
		// the family, whose dialect is then detected, and each dialect
		Dissects: []string{protocolName, "teeworlds-0.7", "teeworlds-0.6", "ddnet"},

		NewRouter: func() dissect.Router { return newRouter() },
		NewConversation: func(o dissect.Options) dissect.Conversation {
			c := newConversation(o)
			c.packets = packets
			return c
		},
		AppendInfo: appendInfo,
		Pieces:     pieces,
		Save:       save,
		Restore:    restore,
		Rest:       rest,
		End:        func(c dissect.Conversation, rec *dissect.Record) bool { return c.(*conversation).events.End(rec) },

		OpenRecording: openRecording,
		DemoEnd:       []byte{}, // the last chunk is the end

		EventRoot:   &events.Root,
		EventKinds:  events.Kinds,
		Routine:     []string{"snapshot", "input", "map_data", "request_map_data", "keep_alive"},
		AppendEvent: events.AppendSentence,

		Carries:          carries,
		Transit:          transit,
		Query:            query,
		Introduction:     introduction,
		AppendSecrets:    appendSecrets,
		AppendIdentities: appendIdentities,
		TileSize:         tileSize,
		TickMsec:         1000 / ticksPerSecond,

		AppendWire:    appendWire,
		RewritesDemos: true,
		Rewrites:      true, // chunks have explicit lengths, and the checksums of snapshots follow from their values
	}
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
