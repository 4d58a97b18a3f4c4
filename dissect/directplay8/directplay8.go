// Package directplay8 dissects the transport of DirectPlay 8 and 9: discovery, connections with and without
// signatures, data frames, coalesced and split messages, and the core messages with which DirectPlay itself manages
// players and groups. The application's data is handed to a *dissect.Protocol, or shown as bytes.
//
// Voice is shown as bytes. With full signing only the first 256 frames of each side are checked: no
// public text describes how the secrets change after that.
//
// Sources: MC-DPL8R, MC-DPL8CS and MC-DPLHP of Microsoft's open specifications.
package directplay8

import "github.com/q3dissect/q3dissect/dissect"

const protocolName = "directplay8"

// Codes of expert entries that only this transport has, docs/expert.md.
const (
	expertFragmentLost = "fragment_lost"
	expertSignature    = "signature_mismatch"
)

// New returns the protocol.
func New() *dissect.Protocol {
	return &dissect.Protocol{
		Name:     protocolName,
		Title:    "DirectPlay 8: discovery, connections, core messages",
		Root:     func() *dissect.Field { return &rootField },
		Dissects: []string{protocolName},

		NewRouter:       func() dissect.Router { return newRouter(nil) },
		NewConversation: func(dissect.Options) dissect.Conversation { return &conversation{} },
		AppendInfo:      appendInfo,
		Pieces:          pieces,
		Save:            save,
		Restore:         restore,

		NewTransportRouter: func(readers []*dissect.Protocol) dissect.Router { return newRouter(readers) },
		NewCarrier:         func() dissect.Carrier { return &carrier{} },
	}
}

var pieces = []dissect.Piece{{
	Name: protocolName + ".packet", Doc: "a datagram: discovery, a command or a data frame", Decode: decodePacket,
}}

// decodePacket decodes a datagram by itself.
func decodePacket(rec *dissect.Record, o dissect.PieceOptions) {
	rec.Direction = o.Direction
	(&conversation{}).Dissect(rec)
}
