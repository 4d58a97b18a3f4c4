// Package quake3 dissects the protocol of the Quake III engine family: out-of-band packets, the netchan with
// its fragments, the cipher of the legacy encoding, the scrambled packets of the first engines, and every operation of
// server and client messages. Live sessions are those of Quake III (protocols 43, 66 to 68 and 71), Elite Force (24,
// 26), Return to Castle Wolfenstein (60, 61), Enemy Territory (84 and 284, TV), Jedi Outcast (15, 16), Jedi Academy
// (25, 26), Tremulous (70, 71), World of Padman (72) and Medal of Honor (6, 8, 15 to 17); demos, which contain the
// server's messages, also those of 48, 73, 90 and 91 (Quake Live), 57 to 59, 82 and 83.
//
// A conversation is one client of one server. The context that a message needs (the challenge, the reliable
// commands acknowledged, checksum feeds, baselines and earlier snapshots) is learnt from earlier packets;
// expert entries report what is missing, and the rest is decoded all the same.
//
// One message or structure has one file: its fields, their documentation and source, and the function that
// reads them. What differs between protocols is in package tables.
//
// The facts come from the engines' sources (code/qcommon, code/client and code/server of ioquake3, the same of
// Quake3e and of release 1.32, iortcw, ET: Legacy, jk2mv, OpenJK, tremulous, worldofpadman, openmohaa); the fields name
// file and function.
package quake3

import (
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/demos"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/gamespy"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/router"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
)

const protocolName = "quake3"

// Fields of the record's object.
var (
	rootField = dissect.Field{
		Key: protocolName, Kind: dissect.Object, Scope: dissect.Datagram, Doc: "Quake III engine",
		Children: []*dissect.Field{
			&versionField, &gameField, &encodingField, &sessionField, &keyField, &netchanField, &oob.Field, &gamespy.Field,
			&serverMessageField,
			&clientMessageField, &dissect.Undecoded,
		},
	}
	versionField = dissect.Field{
		Key: "version", Name: "protocol", Kind: dissect.Uint, Doc: "protocol number of the session, absent while unknown",
		Source: "code/qcommon/qcommon.h",
	}
	gameField = dissect.Field{
		Key: "game", Kind: dissect.Label,
		Doc: "the game, if it is not Quake III: rtcw, et, jo, jka, tremulous, wop or mohaa; absent while unknown",
		Source: "gamename of infoResponse and the protocol number; MP/code/qcommon/qcommon.h of iortcw, " +
			"src/qcommon/qcommon.h of ET: Legacy, codemp/qcommon/qcommon.h of OpenJK, src/qcommon/qcommon.h of tremulous, " +
			"code/qcommon/q_shared.h of worldofpadman; ef: Elite Force",
	}
	encodingField = dissect.Field{
		Key: "encoding", Kind: dissect.Label,
		Doc: "legacy: enciphered; native: with a checksum in the header; demo: neither; absent while unknown",
		Source: "Netchan_Setup and its flag compat, code/qcommon/net_chan.c; scrambled, of protocols 24 and 43: each " +
			"packet by itself, Netchan_UnScramblePacket of Lilium Arena Classic",
	}
	sessionField = dissect.Field{
		Key: "session", Kind: dissect.Int, Doc: "number of the connection within the stream, from 0; absent before the first",
	}
)

// A source makes the protocol's conversations.
type source struct {
	worlds  *sync.Pool // of *world; nil: nothing is used again
	oobs    *sync.Pool // of *oob.Packet, the same
	finders *finders   // nil: no keys are recovered
}

// New returns the protocol. Its conversations reuse the memory of earlier ones, some hundred
// kilobytes each, across inputs and engines.
func New() *dissect.Protocol {
	return source{
		worlds:  &sync.Pool{New: func() any { return new(world.World) }},
		oobs:    &sync.Pool{New: func() any { return new(oob.Packet) }},
		finders: &finders{},
	}.protocol()
}

func (s source) protocol() *dissect.Protocol {
	return &dissect.Protocol{
		Name: protocolName,
		Title: "Quake III engine: protocols 43 and 66 to 71 live, demos of 43 to 91; Elite Force, Wolfenstein, " +
			"Enemy Territory, Jedi Outcast and Academy, Tremulous, World of Padman, Medal of Honor",
		Root:     root,
		Dissects: []string{protocolName},

		NewRouter:       func() dissect.Router { return router.New((&probe{}).decodes) },
		NewConversation: func(o dissect.Options) dissect.Conversation { return s.newConversation(o) },
		AppendInfo:      appendInfo,
		Save:            save,
		Restore:         s.restore,
		Rest:            rest,
		End:             func(c dissect.Conversation, rec *dissect.Record) bool { return c.(*conversation).end(rec) },

		OpenRecording: s.openRecording,
		DemoEnd:       demos.AppendEnd(nil),

		Pieces:      s.pieces(),
		EventRoot:   &events.Field,
		EventKinds:  events.Kinds,
		Routine:     []string{"snapshot", "move", "acknowledge", "fragment"},
		AppendEvent: events.AppendSentence,

		Transit:          transit,
		Query:            query,
		Introduction:     introduction,
		AppendSecrets:    appendSecrets,
		AppendIdentities: appendIdentities,

		Carries:     carries,
		AppendParts: appendParts,
		AppendWire:  appendWire,
		LowestFirst: true,

		// A message is a sequence of fields without lengths or sums, so a text in it can be replaced.
		Rewrites: true, RewritesDemos: true,
		KeySearch: func(o *dissect.Options) *dissect.Protocol { return s.limited(o.KeyShare).protocol() },
	}
}

// root returns the record's object with the fields of all games.
func root() *dissect.Field {
	world.Complete()
	return &rootField
}

func (s source) newConversation(o dissect.Options) *conversation {
	c := newConversation(o)
	c.worlds, c.oobs, c.finders = s.worlds, s.oobs, s.finders
	return c
}

// restore returns a conversation that continues from a copy, or from what shrink keeps.
func (s source) restore(o dissect.Options, state any) dissect.Conversation {
	if saved, ok := state.(*conversation); ok {
		c, _ := saved.clone()
		return c
	}
	c := s.newConversation(o)
	switch kept := state.(type) {
	case *keptAgreement:
		c.agreement = kept.agreement()
	case *agreement:
		c.agreement = *kept
	}
	return c
}
