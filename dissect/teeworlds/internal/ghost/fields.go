package ghost

import (
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

const (
	headerSource = "CGhostHeader, src/engine/ghost.h of DDNet"
	chunkSource  = "CGhostRecorder::FlushChunk, src/engine/shared/ghost.cpp of DDNet"
	itemSource   = "src/game/client/components/ghost.h of DDNet"
)

// Field is the object of a record in the protocol's object.
var Field = dissect.Field{
	Key: "ghost", Kind: dissect.Object, Doc: "of a ghost: its header, or one item of what was recorded of the run",
	Source: "src/engine/shared/ghost.cpp of DDNet",
	Children: []*dissect.Field{
		&offsetField, &itemField, &typeField, &countField, &sizeField, &raceTimeField, &headerField, &skinField,
		&characterField, &startField, &unknownField, &dissect.Undecoded,
	},
}

var (
	offsetField = dissect.Field{
		Key: "offset", Kind: dissect.Uint, Unit: "bytes",
		Doc: "position in the file, unpacked, of the header or of the item's chunk",
	}
	itemField = dissect.Field{
		Key: "item", Kind: dissect.Uint, Source: chunkSource, Doc: "number of the item in its chunk, from 0",
	}
	typeField = dissect.Field{
		Key: "type", Kind: dissect.Uint, Bits: 8, Enum: &typeNames, Source: itemSource,
		Doc: "what the items of the chunk are; on the wire with the first one",
	}
	countField = dissect.Field{
		Key: "num_items", Kind: dissect.Uint, Bits: 8, Source: chunkSource,
		Doc: "how many items the chunk has; with the first one only",
	}
	sizeField = dissect.Field{
		Key: "size", Kind: dissect.Uint, Bits: 16, Unit: "bytes", Source: chunkSource,
		Doc: "compressed length of the chunk's items; with the first one only",
	}
	raceTimeField = dissect.Field{
		Key: "race_time", Kind: dissect.Int, Unit: "ms",
		Doc: "since the start: by the tick, or by the number of the character where it has no tick; worked out",
	}

	// Source: GHOSTDATA_TYPE_*, src/game/client/components/ghost.h of DDNet.
	typeNames = dissect.Enum{Tables: [][]string{tables.DDNet: {"skin", "character_no_tick", "character", "start_tick"}}}
)

// The header.
var (
	headerField = dissect.Field{
		Key: "header", Kind: dissect.Object, Doc: "who ran where, and how long it took", Source: headerSource,
		Children: []*dissect.Field{
			&versionField, &ownerField, &mapField, &crcField, &zeroField, &ticksField, &timeField, &shaField,
			&dissect.Undecoded,
		},
		Frame: []*dissect.Field{&magicField},
	}
	magicField = dissect.Field{
		Key: "magic", Kind: dissect.Hex, Bits: versionAt << 3, Framing: dissect.Apart, Source: headerSource,
		Doc: "what every ghost begins with",
	}
	versionField = dissect.Field{Key: "version", Kind: dissect.Uint, Bits: 8, Doc: "version of the format", Source: headerSource}
	ownerField   = dissect.Field{Key: "owner", Kind: dissect.Text, Bits: ownerSize << 3, Doc: "name of the player who ran", Source: headerSource}
	mapField     = dissect.Field{Key: "map_name", Kind: dissect.Text, Bits: mapSize << 3, Doc: "the map", Source: headerSource}
	crcField     = dissect.Field{Key: "map_crc", Kind: dissect.Hex, Bits: 32, Doc: "CRC-32 of the map; before version 6", Source: headerSource}
	zeroField    = dissect.Field{Key: "zeroes", Kind: dissect.Hex, Bits: 32, Doc: "where the CRC-32 of the map was before version 6", Source: headerSource}
	ticksField   = dissect.Field{
		Key: "ticks", Kind: dissect.Uint, Bits: 32, Source: headerSource,
		Doc: "number of the characters in the file, one for each snapshot; 0: the recorder did not finish",
	}
	timeField = dissect.Field{Key: "time", Kind: dissect.Uint, Bits: 32, Unit: "ms", Doc: "how long the run took", Source: headerSource}
	shaField  = dissect.Field{Key: "map_sha256", Kind: dissect.Hex, Bits: shaSize << 3, Doc: "SHA-256 of the map's file; since version 6", Source: headerSource}
)

// The items.
var (
	skinField = dissect.Field{
		Key: "skin", Kind: dissect.Object, Doc: "what the player looks like", Source: "CGhostSkin, " + itemSource,
		Children: []*dissect.Field{&skinNameField, &customField, &bodyField, &feetField, &tables.ExtraIntsField},
	}
	skinNameField = dissect.Field{Key: "name", Name: "m_aSkin", Kind: dissect.Text, Doc: "name of the skin"}
	customField   = dissect.Field{Key: "use_custom_color", Name: "m_UseCustomColor", Kind: dissect.Int, Doc: "1: with colours of the player's own"}
	bodyField     = dissect.Field{Key: "color_body", Name: "m_ColorBody", Kind: dissect.Int, Doc: "colour of the body"}
	feetField     = dissect.Field{Key: "color_feet", Name: "m_ColorFeet", Kind: dissect.Int, Doc: "colour of the feet"}

	characterField = dissect.Field{
		Key: "character", Kind: dissect.Object, Source: "CGhostCharacter, " + itemSource,
		Doc: "where the player is, and what he does; absolute values: the file has differences to the item before",
	}
	startField = dissect.Field{
		Key: "start", Kind: dissect.Object, Doc: "when the run began", Source: itemSource,
		Children: []*dissect.Field{&startTickField, &tables.ExtraIntsField},
	}
	startTickField = dissect.Field{Key: "tick", Kind: dissect.Int, Unit: "ticks", Doc: "the server's tick in which the run began"}

	unknownField = dissect.Field{
		Key: "unknown", Kind: dissect.Object, Doc: "an item of an unknown type", Source: chunkSource,
		Children: []*dissect.Field{&intsField},
	}
	intsField = dissect.Field{Key: "ints", Kind: dissect.List, Children: []*dissect.Field{{Kind: dissect.Int}}, Doc: "its values, absolute"}
)

// skinInts are the ints of a skin's name.
const skinInts = message.MaxTextInts

// Places in a character.
const (
	charX = iota
	charY
	charVelX
	charVelY
	charAngle
	charDirection
	charWeapon
	charHookState
	charHookX
	charHookY
	charAttackTick
	charTick
	charInts
)

// characterKeys are the values of a character in the order of the wire. One of type character_no_tick lacks the last.
var characterKeys = [charInts]string{
	charX: "x", charY: "y", charVelX: "vel_x", charVelY: "vel_y", charAngle: "angle", charDirection: "direction",
	charWeapon: "weapon", charHookState: "hook_state", charHookX: "hook_x", charHookY: "hook_y",
	charAttackTick: "attack_tick", charTick: "tick",
}

// Complete gives a character its fields. Readers and those who ask what a record can contain need them.
var Complete = sync.OnceFunc(func() { characterField.Children = append(characterFields(), &tables.ExtraIntsField) })

// characterFields returns the fields of snapshots' characters that a ghost has.
func characterFields() (fields []*dissect.Field) {
	known := tables.FindField(tables.Objects().Fields, "character").Children
	for _, key := range characterKeys {
		fields = append(fields, tables.FindField(known, key))
	}
	return fields
}
