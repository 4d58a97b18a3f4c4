// Package enet dissects the transport ENet, 1.0 to 1.3, and Photon's dialect of it: headers, every command, checksums,
// packets compressed by the library's own range coder, and fragmented messages. The application's data is handed to a
// *dissect.Protocol, or shown as bytes.
//
// Packets compressed by a method of the application's own are shown as bytes: nothing in the packet
// names the method.
//
// Sources: the headers and the documentation of the ENet library; for Photon see photon.go.
package enet

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

const protocolName = "enet"

// Codes of expert entries that only this transport has, docs/expert.md.
const (
	expertFragmentLost     = "fragment_lost"
	expertFragmentConflict = "fragment_conflict"
	expertChecksum         = "checksum_mismatch"
	expertPacked           = "payload_packed"
)

// New returns the protocol.
func New() *dissect.Protocol {
	return &dissect.Protocol{
		Name:     protocolName,
		Routine:  []string{"acknowledge", "ping"},
		Title:    "ENet 1.0 to 1.3, Photon",
		Root:     func() *dissect.Field { return &rootField },
		Dissects: []string{protocolName, generationNames[photon]},

		NewRouter:       func() dissect.Router { return newRouter(nil) },
		NewConversation: func(dissect.Options) dissect.Conversation { return &conversation{} },
		AppendInfo:      appendInfo,
		Pieces:          pieces,
		Save:            save,
		Restore:         restore,
		Rest:            rest,

		NewTransportRouter: func(readers []*dissect.Protocol) dissect.Router { return newRouter(readers) },
		NewCarrier:         func() dissect.Carrier { return &carrier{} },
	}
}

var pieces = []dissect.Piece{{
	Name: protocolName + ".packet", Doc: "a datagram of any version of ENet, or Photon", Versions: generationNames[:],
	Decode: decodePacket,
}}

// decodePacket decodes a datagram by itself.
func decodePacket(rec *dissect.Record, o dissect.PieceOptions) {
	rec.Direction = o.Direction
	rec.Hint = uint64(max(0, slices.Index(generationNames[:], o.Version)))
	(&conversation{}).Dissect(rec)
}
