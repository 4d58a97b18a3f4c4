// Package gamestudio dissects the multiplayer protocol of 3D GameStudio (Acknex): the CLS_ and SVC_ messages of its
// two documented editions. They are payloads of transports: DirectPlay 8, ENet, the player messages of DirectPlay 4,
// which are part of this package, and, on demand, bare UDP.
//
// No public capture of a GameStudio game was found. Messages are decoded as documented. Where the
// documents leave something open, the bytes are shown raw, the record says so and has an expert
// entry; nothing is filled in with a likely value. docs/protocols/gamestudio.md has the list.
//
// Sources: the SDK chapter "Client/Server" of the vendor's online manual (the late edition), the same
// chapter of the A5 Programmer's Manual of July 2002 (the 2002 edition), and MC-DPL4CS of Microsoft's open
// specifications.
package gamestudio

import "github.com/q3dissect/q3dissect/dissect"

const gameName = "gamestudio"

// Names for -d that choose a variant of the protocol.
const (
	asGame2002  = gameName + "-2002" // the 2002 edition from the first packet on
	asGameSendZ = gameName + "-a778" // positions may lack z, as engines from A7.78 on can send them
)

// Codes of expert entries that only this protocol has, docs/expert.md.
const (
	expertUndetermined = "undetermined"
	expertPacked       = "payload_packed"
)

// Protocol describes the game's messages to the dissecting engine. Over a transport it is a reader of payloads.
type Protocol struct{}

// Name is "gamestudio".
func (Protocol) Name() string { return gameName }

// Title is one line for people.
func (Protocol) Title() string { return "3D GameStudio (Acknex): CLS and SVC messages of two editions" }

// Root describes the object "gamestudio" of a record.
func (Protocol) Root() *dissect.Field { return &rootField }

// Dissects lists the names for -d.
func (Protocol) Dissects() []string { return []string{gameName, asGame2002, asGameSendZ} }

// NewRouter makes the part that recognises datagrams whose transport has no router of its own:
// DirectPlay 4, and the ports that the user named, since the messages have no magic number.
func (Protocol) NewRouter() dissect.Router { return newRouter(nil) }

// NewPayloadRouter is NewRouter for ports whose datagrams a transport may carry.
func (Protocol) NewPayloadRouter(carriers []dissect.Carrier) dissect.Router {
	return newRouter(carriers)
}

// NewPayloadJudge recognises the messages in connections of DirectPlay 8, which the engine used.
// ENet carries too many other games to recognise messages without a magic number: there the user
// has to name the port.
func (Protocol) NewPayloadJudge(transport string) dissect.PayloadJudge {
	if transport != engineTransport {
		return nil
	}
	return &judge{}
}

// engineTransport is the transport that the engine uses according to the manual.
const engineTransport = "directplay8"

// NewPayloadConversation makes the state of the payloads of one connection.
func (Protocol) NewPayloadConversation(opts dissect.Options) dissect.PayloadConversation {
	return &payloadReader{opts: opts}
}

// NewConversation makes the state of one stream without a transport of its own.
func (Protocol) NewConversation(opts dissect.Options) dissect.Conversation {
	return &conversation{reader: payloadReader{opts: opts}}
}
