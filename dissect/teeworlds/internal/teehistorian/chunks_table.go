package teehistorian

import (
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// A partKind is how a part of a chunk is coded.
type partKind uint8

// The kinds.
const (
	partInt partKind = iota
	partFlag
	partText
	partUUID
	partRaw // up to the end of an extra
)

// A part is one value of a chunk.
type part struct {
	field *dissect.Field
	kind  partKind
}

// A chunk describes one type of chunks.
type chunk struct {
	kind  chunkType
	field dissect.Field
	parts []part // the values that a loop can read; the others are read by Reader
}

// An extra describes one type of extra chunks.
type extra struct {
	uuid  tables.UUID
	field dissect.Field
	parts []part
}

// chunkTable has the types of chunks, by the number of the type.
//
// Source: src/game/server/teehistorian.cpp of DDNet.
var chunkTable = [...]chunk{
	makeChunk(0, "player_diff", "a player moved", playerSource, []*dissect.Field{&xField, &yField}, number(&clientField), number(&dxField), number(&dyField)),
	makeChunk(chunkFinish, "finish", "the end mark: the server stopped, or loads another map", writerSource, nil),
	makeChunk(chunkTickSkip, "tick_skip", "ticks in which nothing was recorded", tickSource, nil, number(&dtField)),
	makeChunk(chunkPlayerNew, "player_new", "a player spawned: position of the new character", playerSource, nil, number(&clientField), number(&xField), number(&yField)),
	makeChunk(chunkPlayerOld, "player_old", "a player's character is gone: it died, or the player left or watches", "RecordDeadPlayer, "+writerSource, []*dissect.Field{&xField, &yField}, number(&clientField)),
	makeChunk(chunkInputDiff, "input_diff", "a client's input changed", inputSource, []*dissect.Field{&diffField, &inputField}, number(&clientField)),
	makeChunk(chunkInputNew, "input_new", "the first input of a client", inputSource, []*dissect.Field{&inputField}, number(&clientField)),
	makeChunk(chunkMessage, "message", "a message of a client, as it was sent; chat, votes and calls of votes are not recorded", messageSource, nil, number(&clientField), number(&sizeField)),
	makeChunk(chunkJoin, "join", "a client connected", "RecordPlayerJoin, "+writerSource, nil, number(&clientField)),
	makeChunk(chunkDrop, "drop", "a client left", "RecordPlayerDrop, "+writerSource, nil, number(&clientField), text(&reasonField)),
	makeChunk(chunkConsoleCommand, "console_command", "a command that somebody ran", commandSource, []*dissect.Field{&countField, &ArgumentsField}, number(&callerField), number(&flagsField), text(&commandField)),
}

// makeChunk makes a type of chunks. others are its fields beside those of the parts.
func makeChunk(kind chunkType, key, doc, source string, others []*dissect.Field, parts ...part) chunk {
	c := chunk{kind: kind, parts: parts, field: dissect.Field{Key: key, Kind: dissect.Object, Doc: doc, Source: source}}
	c.field.Children = append(fieldsOf(parts), others...)
	if !slices.Contains(c.field.Children, &dissect.Undecoded) {
		c.field.Children = append(c.field.Children, &dissect.Undecoded)
	}
	return c
}

// extraTable has the extra chunks of version 2.22.
//
// Source: src/engine/shared/teehistorian_ex_chunks.h of DDNet 20.1, and the functions Record* of
// src/game/server/teehistorian.cpp.
var extraTable = [...]extra{
	makeExtra("test@ddnet.tw", "a test of the format"),
	makeExtra("ddnetver-old@ddnet.tw", "version of an older client, as a number only", number(&clientField), number(&ddnetVersion)),
	makeExtra("ddnetver@ddnet.tw", "version of a client", number(&clientField), uuid(&connectionID), number(&ddnetVersion), text(&ddnetVersionString)),
	makeExtra("auth-init@ddnet.tw", "a client is logged in to rcon since the map before", number(&clientField), number(&levelField), text(&authName)),
	makeExtra("auth-login@ddnet.tw", "a client logged in to rcon", number(&clientField), number(&levelField), text(&authName)),
	makeExtra("auth-logout@ddnet.tw", "a client logged out of rcon", number(&clientField)),
	makeExtra("joinver6@ddnet.tw", "a client connects with 0.6's protocol", number(&clientField)),
	makeExtra("joinver7@ddnet.tw", "a client connects with 0.7's protocol", number(&clientField)),
	makeExtra("player-swap@ddnet.tw", "two players swapped their characters", number(&clientField1), number(&clientField2)),
	makeExtra("save-success@ddnet.tw", "a team was saved", number(&teamField), uuid(&saveID), text(&saveField)),
	makeExtra("save-failure@ddnet.tw", "a team could not be saved", number(&teamField)),
	makeExtra("load-success@ddnet.tw", "a saved team was loaded", number(&teamField), uuid(&saveID), text(&saveField)),
	makeExtra("load-failure@ddnet.tw", "no team could be loaded", number(&teamField)),
	makeExtra("player-team@ddnet.tw", "a player changed the team of the race", number(&clientField), number(&teamField)),
	makeExtra("team-practice@ddnet.tw", "a team switched practice mode on or off", number(&teamField), flag(&practiceField)),
	makeExtra("player-ready@ddnet.tw", "a client has loaded the map and is in the game", number(&clientField)),
	makeExtra("rejoinver6@ddnet.org", "a client connects again from the same address and port, and keeps number and character", number(&clientField)),
	makeExtra("antibot@ddnet.org", "data of the closed anti-bot module", raw(&dataField)),
	makeExtra("player-name@ddnet.org", "the name that the server gave a player", number(&clientField), text(&nameField)),
	makeExtra("player-finish@ddnet.org", "a player finished the race", number(&clientField), number(&timeField)),
	makeExtra("team-finish@ddnet.org", "a team finished the race", number(&teamField), number(&timeField)),
}

// Fields of extras.
var (
	clientField1 = dissect.Field{Key: "client_id1", Kind: dissect.Int, Source: extraSource, Doc: "number of one player"}
	clientField2 = dissect.Field{Key: "client_id2", Kind: dissect.Int, Source: extraSource, Doc: "number of the other player"}
	ddnetVersion = dissect.Field{Key: "ddnet_version", Kind: dissect.Int, Source: "RecordDDNetVersion, " + writerSource, Doc: "version of the client: 16040 for 16.4"}
	connectionID = dissect.Field{
		Key: "connection_id", Kind: dissect.Hex, Bits: tables.UUIDBytes << 3, Source: "RecordDDNetVersion, " + writerSource,
		Doc: "random number, the same in all connections of one client",
	}
	ddnetVersionString = dissect.Field{Key: "ddnet_version_string", Kind: dissect.Text, Source: "RecordDDNetVersion, " + writerSource, Doc: "version of the client as text"}
	levelField         = dissect.Field{Key: "level", Kind: dissect.Int, Enum: &levels, Source: "RecordAuthLogin, " + writerSource, Doc: "rights of the client in the remote console"}
	authName           = dissect.Field{
		Key: "name", Kind: dissect.Text, Source: "RecordAuthLogin, " + writerSource,
		Doc: "name of the key that was used: default_admin, default_mod and default_helper for the plain passwords",
	}
	teamField     = dissect.Field{Key: "team", Kind: dissect.Int, Source: extraSource, Doc: "number of the race's team; 0: none"}
	saveID        = dissect.Field{Key: "save_id", Kind: dissect.Hex, Bits: tables.UUIDBytes << 3, Source: "RecordTeamSaveSuccess, " + writerSource, Doc: "identifies what was saved: the same when it is loaded"}
	saveField     = dissect.Field{Key: "save", Kind: dissect.Text, Source: "CSaveTeam::GetString, src/game/server/save.cpp of DDNet", Doc: "what was saved: state and name of every player, in lines of values between tabs"}
	practiceField = dissect.Field{Key: "practice", Kind: dissect.Bool, Source: extraSource, Doc: "true: practice mode is on, false: off"}
	nameField     = dissect.Field{Key: "name", Kind: dissect.Text, Source: extraSource, Doc: "name of the player"}
	timeField     = dissect.Field{Key: "time_ticks", Kind: dissect.Int, Unit: "ticks", Source: extraSource, Doc: "time of the run, in ticks of 1/50 s"}
)

func number(f *dissect.Field) part { return part{f, partInt} }
func flag(f *dissect.Field) part   { return part{f, partFlag} }
func text(f *dissect.Field) part   { return part{f, partText} }
func uuid(f *dissect.Field) part   { return part{f, partUUID} }
func raw(f *dissect.Field) part    { return part{f, partRaw} }

func fieldsOf(parts []part) (fields []*dissect.Field) {
	for _, p := range parts {
		fields = append(fields, p.field)
	}
	return fields
}

// makeExtra makes a type of extra chunks; the key is the name without its domain.
func makeExtra(name, doc string, parts ...part) extra {
	key, _, _ := strings.Cut(name, "@")
	e := extra{uuid: tables.UUIDOf("teehistorian-" + name), parts: parts}
	e.field = dissect.Field{
		Key: strings.ReplaceAll(key, "-", "_"), Name: "teehistorian-" + name, Kind: dissect.Object, Doc: doc,
		Source: "src/engine/shared/teehistorian_ex_chunks.h of DDNet",
	}
	e.field.Children = slices.Concat([]*dissect.Field{&uuidField, &sizeField}, fieldsOf(parts), []*dissect.Field{&restField, &dissect.Undecoded})
	return e
}
