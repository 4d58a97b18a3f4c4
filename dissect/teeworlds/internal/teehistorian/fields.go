package teehistorian

import (
	"slices"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

const (
	writerSource  = "src/game/server/teehistorian.cpp of DDNet"
	tickSource    = "WriteTick and EnsureTickWrittenPlayerData, " + writerSource
	playerSource  = "RecordPlayer, " + writerSource
	inputSource   = "RecordPlayerInput, " + writerSource
	messageSource = "RecordPlayerMessage, " + writerSource
	commandSource = "RecordConsoleCommand, " + writerSource
	extraSource   = "WriteExtra, " + writerSource
)

// Field is the object of a record in the protocol's object.
var Field = dissect.Field{
	Key: "teehistorian", Kind: dissect.Object,
	Doc: "record of a teehistorian file: its header, or the chunks of one tick of the server", Source: writerSource,
	Children: []*dissect.Field{
		&offsetField, &tickField, &continuedField, &headerField, &chunksField,
		&trailingField, &dissect.Undecoded,
	},
}

var (
	offsetField = dissect.Field{
		Key: "offset", Kind: dissect.Uint, Unit: "bytes",
		Doc: "position in the file, unpacked, of the record's first byte: positions in the record count from there",
	}
	tickField = dissect.Field{
		Key: "tick", Kind: dissect.Int, Unit: "ticks", Source: tickSource,
		Doc: "the server's tick, 50 a second from 0 at each map load; ticks in which nothing happened and nobody moved are " +
			"not in the file",
	}
	continuedField = dissect.Field{
		Key: "continued", Kind: dissect.Bool,
		Doc: "true: the record before this one has the first chunks of the tick; absent otherwise",
	}
	chunksField = dissect.Field{
		Key: "chunks", Kind: dissect.Choices, Source: writerSource, Children: chunkFields(),
		Doc: "what happened in the tick, in the order of the file: where everybody is after the tick, what arrived, teams, " +
			"then inputs for the next tick",
	}
	trailingField = dissect.Field{Key: "trailing", Kind: dissect.Hex, Doc: "bytes after the end mark; nothing reads them"}
)

// chunkFields returns the fields of every type of chunks.
func chunkFields() (fields []*dissect.Field) {
	for i := range chunkTable {
		fields = append(fields, &chunkTable[i].field)
	}
	for i := range extraTable {
		fields = append(fields, &extraTable[i].field)
	}
	fields = append(fields, &unknownExField)
	for _, f := range fields {
		f.Frame = []*dissect.Field{&typeField}
	}
	return fields
}

// Fields that several chunks have.
var (
	clientField = dissect.Field{
		Key: "client_id", Kind: dissect.Int, Source: writerSource, Doc: "number of the client on the server, 0 to 127",
	}
	sizeField = dissect.Field{Key: "size", Kind: dissect.Uint, Unit: "bytes", Source: writerSource, Doc: "length of the rest of the chunk"}
	xField    = dissect.Field{
		Key: "x", Kind: dissect.Int, Unit: "1/32 tile", Source: playerSource,
		Doc: "position after the tick, from the map's left edge; player_diff and player_old have it with --state only, " +
			"computed from the " +
			"earlier chunks",
	}
	yField = dissect.Field{
		Key: "y", Kind: dissect.Int, Unit: "1/32 tile", Source: playerSource,
		Doc: "position after the tick, from the map's top edge; player_diff and player_old have it with --state only, " +
			"computed from the " +
			"earlier chunks",
	}
	dxField = dissect.Field{Key: "dx", Kind: dissect.Int, Unit: "1/32 tile", Source: playerSource, Doc: "how far the player moved to the right since the last chunk with a position; negative: to the left"}
	dyField = dissect.Field{Key: "dy", Kind: dissect.Int, Unit: "1/32 tile", Source: playerSource, Doc: "how far the player moved down since the last chunk with a position; negative: up"}
	dtField = dissect.Field{Key: "dt", Kind: dissect.Int, Unit: "ticks", Source: tickSource, Doc: "number of ticks without a record before this one"}

	reasonField = dissect.Field{Key: "reason", Kind: dissect.Text, Source: "RecordPlayerDrop, " + writerSource, Doc: "why the client left; empty if it left by itself"}

	flagsField = dissect.Field{
		Key: "flags", Kind: dissect.Int, Source: commandSource, Enum: &commandFlags,
		Doc: "which commands the console allowed: server for rcon, the server's own console and votes, chat for chat " +
			"commands",
	}
	callerField = dissect.Field{
		Key: "client_id", Kind: dissect.Int, Source: commandSource, Enum: &callers,
		Doc: "who ran the command: a client's number; -1: the server's console, econ or a vote; -2: the game, as by a " +
			"map's settings; -3: nobody",
	}
	commandField = dissect.Field{Key: "command", Kind: dissect.Text, Source: commandSource, Doc: "name of the command"}
	countField   = dissect.Field{Key: "num_arguments", Kind: dissect.Int, Source: commandSource, Doc: "number of the arguments"}
	// ArgumentsField is the list of a command's arguments.
	ArgumentsField = dissect.Field{
		Key: "arguments", Kind: dissect.List, Source: commandSource, Children: []*dissect.Field{&argumentField},
		Doc: "the arguments as the console parsed them: without quotes, the rest of a line in one",
	}
	argumentField = dissect.Field{Kind: dissect.Text}

	// diffField and inputField are CNetObj_PlayerInput, as differences and as values.
	diffField = dissect.Field{
		Key: "diff", Kind: dissect.Object, Source: inputSource,
		Doc: "differences to the client's previous input, modulo 2^32",
	}
	inputField = dissect.Field{
		Key: "input", Kind: dissect.Object, Source: inputSource,
		Doc: "the input, which the server applies in the next tick; input_diff has it with --state only, computed from " +
			"the earlier chunks",
	}

	uuidField = dissect.Field{
		Key: "uuid", Kind: dissect.Hex, Bits: tables.UUIDBytes << 3, Source: extraSource,
		Doc: "UUID of the extra chunk's type",
	}
	restField = dissect.Field{Key: "rest", Kind: dissect.Hex, Source: extraSource, Doc: "bytes after the last known field, of a later version"}
	dataField = dissect.Field{Key: "data", Kind: dissect.Hex, Source: extraSource, Doc: "content of the chunk"}

	unknownExField = dissect.Field{
		Key: "unknown_ex", Kind: dissect.Object, Source: extraSource, Doc: "an extra chunk of an unknown type",
		Children: []*dissect.Field{&uuidField, &sizeField, &dataField},
	}
)

// inputKeys are the fields of CNetObj_PlayerInput in the order of the wire.
var inputKeys = [InputInts]string{
	"direction", "target_x", "target_y", "jump", "fire", "hook", "player_flags", "wanted_weapon",
	"next_weapon", "prev_weapon",
}

// Complete gives the fields of inputs and messages what they can contain. Readers and those who ask for it need that.
var Complete = sync.OnceFunc(func() {
	diffField.Children = append(diffs(), &dissect.Undecoded)
	inputField.Children = append(inputFields(), &dissect.Undecoded)
	message := &chunkTable[-chunkMessage]
	message.field.Children = append(fieldsOf(message.parts), storedMessages()...)
})

// inputFields returns the fields of an input, which are those of the message of clients.
func inputFields() (fields []*dissect.Field) {
	known := tables.FindField(tables.Objects().Fields, "playerinput").Children
	for _, key := range inputKeys {
		fields = append(fields, tables.FindField(known, key))
	}
	return fields
}

func diffs() (fields []*dissect.Field) {
	for _, f := range inputFields() {
		fields = append(fields, &dissect.Field{Key: f.Key, Name: f.Name, Kind: dissect.Int, Doc: "difference of " +
			f.Key, Source: inputSource})
	}
	return fields
}

// Numbers that have names in every version. The tables are by dialect, and a file's is DDNet's.
var (
	// Source: CFGFLAG_*, src/engine/shared/config.h of DDNet.
	commandFlags = dissect.Enum{Mask: true, Tables: [][]string{tables.DDNet: {
		"save", "client", "server", "store", "master", "econ", "test", "chat", "game", "nonteehistoric",
	}}}
	// Source: IConsole::CLIENT_ID_*, src/engine/console.h of DDNet.
	callers = dissect.Enum{First: -3, Tables: [][]string{tables.DDNet: {"no_game", "game", "server"}}}
	// Source: AUTHED_*, src/engine/console.h of DDNet.
	levels = dissect.Enum{Tables: [][]string{tables.DDNet: {"none", "helper", "moderator", "admin"}}}
)

// storedMessages are the fields of a message: what identifies it, and the messages of the game that clients send.
func storedMessages() []*dissect.Field {
	sent := tables.ClientFields()
	return slices.DeleteFunc(message.Fields(), func(f *dissect.Field) bool {
		return slices.Contains(tables.Messages().Fields, f) && !sent[f]
	})
}
