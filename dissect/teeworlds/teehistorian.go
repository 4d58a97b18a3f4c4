package teeworlds

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/teehistorian"
)

// dissectTeehistorian decodes a record of a teehistorian file.
func (c *conversation) dissectTeehistorian(rec *dissect.Record) {
	if c.historian == nil {
		c.historian = teehistorian.NewReader(c.wants.state, c.wants.inputs, c.events != nil)
	}
	rec.Direction = dissect.Undecidable // a server's notes, for nobody
	t := rec.Decoding()
	t.Open(&rootField, 0)
	t.AddLabel(&versionField, tables.DDNet.String(), 0, 0)
	c.historian.Dissect(rec, t)
	c.events.Tick(rec, teehistorian.Tick(rec.Hint), c.historian.Chunks, isSecretCommand)
	if t != nil {
		t.CloseAll(len(rec.Payload) << 3)
		t.Family = uint8(tables.DDNet)
	}
}

// chatSecretCommands are the commands of the chat, without the slash, whose arguments are secrets: the code of /timeout
// takes over a player's place, and mods have accounts.
var chatSecretCommands = []string{"timeout", "login", "register", "changepassword"}

// isSecretCommand reports whether the arguments of a command in a teehistorian file are secrets.
func isSecretCommand(command []byte) bool {
	return isOneOf(command, chatSecretCommands) || isOneOf(command, rconSecrets)
}

// appendSecrets finds the secrets in a teehistorian file: arguments of commands.
func appendSecrets(dst []dissect.Secret, rec *dissect.Record) []dissect.Secret {
	if !rec.Recorded() || !teehistorian.Recorded(rec.Hint) {
		return dst
	}
	return teehistorian.AppendSecrets(dst, rec, isSecretCommand)
}
