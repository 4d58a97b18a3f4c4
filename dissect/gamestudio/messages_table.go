package gamestudio

import (
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
)

// The sources of the messages.
const (
	lateSource = "manual, prog_cserver (late edition)"
	oldSource  = "A5 Programmer's Manual 5.230, pages 12 to 14 (2002 edition)"
)

// Values that have the same meaning in every message.
var (
	entityIndex = dissect.Field{
		Key: "entity_index", Kind: dissect.Int, Bits: 16, Source: lateSource, Doc: "number of the entity, which the server assigns in SVC_CREATE",
	}
	entityLong = dissect.Field{
		Key: "entity_index", Kind: dissect.Int, Bits: 32, Source: lateSource,
		Doc: "number of the entity: the only one that the manual makes a Long, maybe a leftover of the DirectPlay id; its length is undetermined",
	}
	entityDPID  = dissect.Field{Key: "entity_dpid", Kind: dissect.Int, Bits: 32, Source: oldSource, Doc: "DirectPlay id that names the entity"}
	playerDPID  = dissect.Field{Key: "player_dpid", Kind: dissect.Int, Bits: 32, Source: oldSource, Doc: "DirectPlay id of the player"}
	playerName  = dissect.Field{Key: "player_name", Kind: dissect.Text, Source: lateSource, Doc: "name of the player; text encoding undetermined"}
	fileName    = dissect.Field{Key: "file_name", Kind: dissect.Text, Source: lateSource, Doc: "model or map file; text encoding undetermined"}
	levelName   = dissect.Field{Key: "level_name", Kind: dissect.Text, Source: lateSource, Doc: "level that the client has finished loading; text encoding undetermined"}
	start       = dissect.Field{Key: "start", Kind: dissect.Object, Source: lateSource, Unit: "quants", Doc: "where it begins, always in Positions of three bytes", Children: vector}
	actionIndex = dissect.Field{Key: "action_index", Kind: dissect.Int, Bits: 16, Source: lateSource, Doc: "number of a script action"}
	identifier  = dissect.Field{
		Key: "identifier", Kind: dissect.Int, Bits: 16, Source: lateSource,
		Doc: "the client's number for the entity, repeated in SVC_CREATE (inferred from the name in both messages)",
	}
	varIndex     = dissect.Field{Key: "var_index", Kind: dissect.Int, Bits: 16, Source: lateSource, Doc: "number of the script variable"}
	varLength    = dissect.Field{Key: "var_length", Kind: dissect.Int, Bits: 16, Source: lateSource, Doc: "number of elements in var, four bytes each"}
	varValues    = dissect.Field{Key: "var", Kind: dissect.List, Source: lateSource, Doc: "value of the variable, or elements of the array", Children: []*dissect.Field{&fixedElement}}
	stringIndex  = dissect.Field{Key: "string_index", Kind: dissect.Int, Bits: 16, Source: lateSource, Doc: "number of the script string"}
	stringText   = dissect.Field{Key: "text", Kind: dissect.Text, Source: lateSource, Doc: "content of the string; text encoding undetermined"}
	structOffset = dissect.Field{
		Key: "struct_offset", Kind: dissect.Int, Bits: 16, Unit: "bytes", Source: lateSource,
		Doc: "offset in the engine's entity structure; its layout depends on the version of the engine",
	}
	skillValue      = dissect.Field{Key: "skill", Kind: dissect.Object, Source: lateSource, Doc: "value that is written at struct_offset", Children: fixedParts}
	skillVector     = dissect.Field{Key: "skill", Kind: dissect.List, Source: lateSource, Doc: "three values that are written from struct_offset on", Children: []*dissect.Field{&fixedElement}}
	soundIndex      = dissect.Field{Key: "sound_index", Kind: dissect.Int, Bits: 16, Source: lateSource, Doc: "number of the sound"}
	volume          = dissect.Field{Key: "volume", Kind: dissect.Object, Source: lateSource, Doc: "volume, 0 to 2000; type Scale(2000)", Children: scaleParts}
	soundHandle     = dissect.Field{Key: "sound_handle", Kind: dissect.Int, Bits: 32, Source: lateSource, Doc: "handle of the playing sound"}
	effectNumber    = dissect.Field{Key: "number", Kind: dissect.Int, Bits: 16, Source: lateSource, Doc: "number of particles"}
	velocity        = dissect.Field{Key: "vel", Kind: dissect.Object, Source: lateSource, Doc: "velocity", Children: vector}
	velocityFixed   = dissect.Field{Key: "vel_fixed", Kind: dissect.Object, Doc: "the velocity's 22.10 numbers as transmitted", Children: rawVector}
	protocolVersion = dissect.Field{Key: "protocol_version", Kind: dissect.Uint, Bits: 8, Source: lateSource, Doc: "version of the protocol; meaning of the values undetermined"}
	serverTime      = dissect.Field{Key: "server_time", Kind: dissect.Float, Bits: 32, Source: lateSource, Doc: "the server's clock; unit undetermined"}
	frameTime       = dissect.Field{Key: "frame_time", Kind: dissect.Float, Bits: 32, Source: oldSource, Doc: "a second clock; unit undetermined"}
	syncConstant    = dissect.Field{Key: "sync", Kind: dissect.Uint, Bits: 32, Source: oldSource, Doc: "the constant 0x11191218"}
	functionIndex   = dissect.Field{Key: "function_index", Kind: dissect.Int, Bits: 16, Source: lateSource, Doc: "number of the script function that the client runs for the entity"}
	fileHint        = dissect.Field{
		Key: "file_hint", Kind: dissect.Text,
		Doc: "a hint, not in the message: the file that an earlier message named for this entity",
	}
	playerHint = dissect.Field{
		Key: "player_hint", Kind: dissect.Text,
		Doc: "a hint, not in the message: the name that the client's player gave in an earlier message, or has in DirectPlay",
	}
)

// A message is a message of one or both editions: its object and, by edition, its arguments. The
// arguments are nil if the edition has no such message, or if no public text shows them.
type message struct {
	field     dissect.Field
	code      byte
	arguments [editions][]argument
}

// none is the argument list of a message without arguments.
var none = []argument{}

// newMessage describes a message's object; its children are the arguments of both editions.
func newMessage(key, name, doc string, code byte, current, old []argument) *message {
	m := &message{code: code, arguments: [editions][]argument{late: current, edition2002: old}}
	m.field = dissect.Field{
		Key: key, Name: name, Kind: dissect.Object, Doc: doc, Source: lateSource, Frame: messageFrame,
	}
	if current == nil {
		m.field.Source = oldSource
	}
	seen := map[*dissect.Field]bool{}
	add := func(f *dissect.Field) {
		if !seen[f] {
			seen[f] = true
			m.field.Children = append(m.field.Children, f)
		}
	}
	for _, args := range m.arguments {
		for _, a := range args {
			add(a.field)
			switch a.kind {
			case kindVar:
				add(&varValues)
			case kindVelocity:
				add(&velocityFixed)
			}
			if a.field == &entityIndex || a.field == &entityLong {
				add(&fileHint)
			}
		}
	}
	if strings.HasPrefix(key, "cls_") && code != codeFill {
		add(&playerHint)
	}
	add(&dissect.Undecoded)
	return m
}

// number, text and the like shorten the tables below.
func number(f *dissect.Field) argument { return argument{kind: kindNumber, field: f} }
func text(f *dissect.Field) argument   { return argument{kind: kindString, field: f} }

var (
	varArguments    = []argument{number(&varIndex), {kind: kindVar, field: &varLength}}
	stringArguments = []argument{number(&stringIndex), text(&stringText)}
	skillArguments  = []argument{number(&entityIndex), number(&structOffset), {kind: kindFixed, field: &skillValue}}
	skill3Arguments = []argument{number(&entityIndex), number(&structOffset), {kind: kindFixed3, field: &skillVector}}
	createArguments = []argument{text(&fileName), {kind: kindPosition, field: &start}, number(&actionIndex), number(&identifier)}
	soundArguments  = []argument{number(&entityIndex), number(&soundIndex), {kind: kindScale, field: &volume, scale: 2000}, number(&soundHandle)}
	effectArguments = []argument{number(&actionIndex), number(&effectNumber), {kind: kindPosition, field: &start}, {kind: kindVelocity, field: &velocity}}
	dpid            = number(&playerDPID)
)

// clientMessages are sent by clients. In every public copy of the 2002 edition the rows for level,
// variable and string are cut off.
var clientMessages = []*message{
	newMessage("cls_fill", "CLS_FILL", "padding of a packet", 0x01, nil, none),
	newMessage("cls_join", "CLS_JOIN", "asks the server to be admitted under a name", 0x02,
		[]argument{text(&playerName)}, []argument{dpid, text(&playerName)}),
	newMessage("cls_create", "CLS_CREATE", "asks the server to create an entity that belongs to the client", 0x03,
		createArguments, append([]argument{dpid}, createArguments...)),
	newMessage("cls_remove", "CLS_REMOVE", "asks the server to remove an entity", 0x04,
		[]argument{number(&entityLong)}, []argument{number(&entityDPID)}),
	newMessage("cls_ping", "CLS_PING", "reports that the client is still there", 0x07, none, []argument{dpid}),
	newMessage("cls_level", "CLS_LEVEL", "reports which level the client has loaded", 0x09, []argument{text(&levelName)}, nil),
	newMessage("cls_var", "CLS_VAR", "copies a script variable or array to the server", 0x0a, varArguments, nil),
	newMessage("cls_string", "CLS_STRING", "copies a script string to the server", 0x0b, stringArguments, nil),
	newMessage("cls_skill", "CLS_SKILL", "writes a value of an entity on the server", 0x0e,
		skillArguments, append([]argument{number(&entityDPID)}, skillArguments[1:]...)),
	newMessage("cls_skill3", "CLS_SKILL3", "writes three values of an entity on the server", 0x0f,
		skill3Arguments, append([]argument{number(&entityDPID)}, skill3Arguments[1:]...)),
}

// serverMessages are sent by the server, in addition to updates.
var serverMessages = []*message{
	newMessage("svc_fill", "SVC_FILL", "padding: packets are brought up to eight bytes", 0x01, nil, none),
	newMessage("svc_create", "SVC_CREATE", "the number of a new entity; file and place follow in updates", 0x03,
		[]argument{number(&entityIndex), number(&identifier)}, []argument{number(&entityIndex), number(&identifier)}),
	newMessage("svc_remove", "SVC_REMOVE", "the server removed an entity", 0x04,
		[]argument{number(&entityIndex)}, []argument{number(&entityIndex)}),
	newMessage("svc_entsound", "SVC_ENTSOUND", "starts a sound at an entity", 0x05, soundArguments, soundArguments),
	newMessage("svc_effect", "SVC_EFFECT", "starts a particle or beam effect", 0x06, effectArguments, effectArguments),
	newMessage("svc_info", "SVC_INFO", "protocol version and clock", 0x07,
		[]argument{number(&protocolVersion), {kind: kindFloat, field: &serverTime}},
		[]argument{
			{kind: kindSync, field: &syncConstant},
			number(&protocolVersion),
			{kind: kindFloat, field: &serverTime},
			{kind: kindFloat, field: &frameTime},
		}),
	newMessage("svc_var", "SVC_VAR", "copies a script variable or array to the client", 0x0a, varArguments, varArguments),
	newMessage("svc_string", "SVC_STRING", "copies a script string to the client", 0x0b, stringArguments, stringArguments),
	newMessage("svc_skill", "SVC_SKILL", "writes a value of an entity on the client", 0x0e, skillArguments, skillArguments),
	newMessage("svc_skill3", "SVC_SKILL3", "writes three values of an entity on the client", 0x0f, skill3Arguments, skill3Arguments),
	newMessage("svc_local", "SVC_LOCAL", "runs a script function for an entity on the client", 0x12,
		[]argument{number(&entityIndex), number(&functionIndex)}, nil),
}
