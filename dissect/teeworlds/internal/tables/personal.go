package tables

import (
	"strings"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
)

// personalPaths are the fields of messages and objects whose whole value identifies a person. The
// client chooses a connection_id, and uses it for all its connections to a server including
// dummies.
var personalPaths = map[string]dissect.Personal{
	"cl_startinfo.name": dissect.PersonName, "cl_startinfo.clan": dissect.PersonName,
	"cl_changeinfo.name": dissect.PersonName, "cl_changeinfo.clan": dissect.PersonName,
	"sv_clientinfo.name": dissect.PersonName, "sv_clientinfo.clan": dissect.PersonName,
	"clientinfo.name": dissect.PersonName, "clientinfo.clan": dissect.PersonName,
	"de_clientinfo.name": dissect.PersonName, "de_clientinfo.clan": dissect.PersonName,
	"de_cliententer.name": dissect.PersonName, "de_clientleave.name": dissect.PersonName,
	"sv_save_code.save_requester": dissect.PersonName, "rcon_auth.name": dissect.PersonName,
	"sv_save_code.server_name": dissect.PersonUnknown,
	"clientver.connection_id":  dissect.PersonGUID,
}

// personal returns personalPaths by field.
var personal = sync.OnceValue(func() map[*dissect.Field]dissect.Personal {
	fields := make(map[*dissect.Field]dissect.Personal, len(personalPaths))
	for path, p := range personalPaths {
		fields[fieldOf(path)] = p
	}
	return fields
})

// fieldOf returns the field of a message or object with path "key.key". It panics if there is none.
func fieldOf(path string) *dissect.Field {
	parent, key, _ := strings.Cut(path, ".")
	for _, fields := range [][]*dissect.Field{Messages().Fields, Objects().Fields} {
		if f := FindField(fields, parent); f != nil {
			if child := FindField(f.Children, key); child != nil {
				return child
			}
		}
	}
	panic("tables: there is no field " + path)
}

// Personal returns what a field of a message or an object identifies.
func Personal(f *dissect.Field) dissect.Personal {
	if f.Secret {
		return dissect.PersonSecret
	}
	return personal()[f]
}

// Fields whose texts are commands, with their words, and those of chat and files.
var (
	RconCommand = sync.OnceValue(func() *dissect.Field { return fieldOf("rcon_cmd.command") })
	RconLine    = sync.OnceValue(func() *dissect.Field { return fieldOf("rcon_line.line") })
	Say         = sync.OnceValue(func() *dissect.Field { return fieldOf("cl_say.message") })
	Chat        = sync.OnceValue(func() *dissect.Field { return fieldOf("sv_chat.message") })
	ChatClient  = sync.OnceValue(func() *dissect.Field { return fieldOf("sv_chat.client_id") }) // -1: the server speaks
	MapData     = sync.OnceValue(func() *dissect.Field { return fieldOf("map_data.data") })
)
