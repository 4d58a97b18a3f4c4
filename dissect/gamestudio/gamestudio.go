// Package gamestudio dissects the multiplayer protocol of 3D GameStudio (Acknex): the CLS_ and SVC_ messages of its
// two documented editions. They are payloads of transports: DirectPlay 8, ENet, the player messages of DirectPlay 4,
// which are part of this package, and, on demand, bare UDP.
//
// No public capture of a GameStudio game was found. Messages are decoded as documented. Where the
// documents leave something open, the bytes are shown raw, the record marks them and has an expert
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

// New returns the protocol. Over a transport it is a reader of payloads; its own router recognises DirectPlay 4, and
// the ports that the user named, since the messages have no magic number.
func New() *dissect.Protocol {
	p := &dissect.Protocol{
		Name:     gameName,
		Title:    "3D GameStudio (Acknex): CLS and SVC messages of two editions",
		Root:     func() *dissect.Field { return &rootField },
		Dissects: []string{gameName, asGame2002, asGameSendZ},

		NewConversation: func(
			o dissect.Options,
		) dissect.Conversation {
			return &conversation{reader: payloadReader{opts: o}}
		},
		AppendInfo: appendInfo,

		Pieces:      pieces,
		EventRoot:   &eventField,
		EventKinds:  eventKinds[:],
		AppendEvent: appendEvent,

		PayloadDetectors: payloadDetectors,
		NewPayloadReader: func(o dissect.Options) func(*dissect.Record) bool {
			return (&payloadReader{opts: o}).
				readPayloads
		},
	}
	p.NewRouter = func() dissect.Router { return newRouter(p, nil) }
	p.NewPayloadRouter = func(carriers []dissect.Carrier) dissect.Router { return newRouter(p, carriers) }
	return p
}

// payloadDetectors recognises the messages in connections of DirectPlay 8, which the engine used.
// ENet carries too many other games to recognise messages without a magic number: there the user
// has to name the port.
func payloadDetectors(transport string) func() dissect.PayloadDetector {
	if transport != engineTransport {
		return nil
	}
	shared := &checker{}
	return func() dissect.PayloadDetector { return newEvidence(shared) }
}

// engineTransport is the transport that the engine uses according to the manual.
const engineTransport = "directplay8"
