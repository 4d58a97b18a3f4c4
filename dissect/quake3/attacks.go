package quake3

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/attacks"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/router"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// addFloods adds entries about more commands for remote control and connects than anybody needs.
func (c *conversation) addFloods(rec *dissect.Record) {
	if c.oob.Kind == oob.Rcon && rec.HasTime && c.passwords.Flooded(rec.Time) {
		rec.Expert(dissect.Warning, attacks.ExpertRconFlood, nil, 0,
			"more commands for remote control than a server reads of one address: somebody guesses, or floods")
	}
	if router.Hint(rec.Hint).Floods() {
		rec.Expert(dissect.Warning, attacks.ExpertConnectFlood, nil, 0,
			"more connects of one address than players make: they fill the server, or keep it busy")
	}
}

// inspectCommand looks for attacks in a reliable command that was just read. Without a tree there are no entries.
func (c *conversation) inspectCommand(d *decode.Decoder, text []byte, fromClient bool) {
	if d.Tree() == nil {
		return
	}
	words, long := &c.reader.words, c.snapshots.Generation.LongCommands
	words.Split(text) // an outline has them not split
	if fromClient {
		c.found = attacks.ClientCommand(text, words, long, c.found)
	} else {
		c.found = attacks.ServerCommand(text, words, long, c.found)
	}
}

// inspectConfigstring looks for attacks in a configstring.
func (c *conversation) inspectConfigstring(d *decode.Decoder, index int, value []byte) {
	if d.Tree() == nil {
		return
	}
	c.found = attacks.Configstring(value, c.found)
	if index == tables.SysteminfoIndex {
		c.found = attacks.SystemInfo(value, c.found)
	}
}

// addAttacks adds entries about the attacks in a message that was read to its end.
func (c *conversation) addAttacks(rec *dissect.Record) {
	for _, f := range c.found {
		rec.Expert(dissect.Warning, f.Code, nil, 0, "%s", f.Text)
	}
}
