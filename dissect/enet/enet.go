// Package enet dissects the transport ENet, 1.0 to 1.3, and Photon's dialect of it: headers, every command, checksums, packets
// compressed by the library's own range coder, and fragmented messages. The application's data is
// handed to a dissect.PayloadReader, or shown as bytes.
//
// Packets compressed by a method of the application's own are shown as bytes: nothing in the packet
// says which method it is.
//
// Sources: the headers and the documentation of the ENet library; for Photon see photon.go.
package enet

import "github.com/q3dissect/q3dissect/dissect"

const protocolName = "enet"

// Codes of expert entries that only this transport has, docs/expert.md.
const (
	expertFragmentLost     = "fragment_lost"
	expertFragmentConflict = "fragment_conflict"
	expertChecksum         = "checksum_mismatch"
	expertPacked           = "payload_packed"
)

// Protocol describes the transport ENet to the dissecting engine.
type Protocol struct{}

// Name is "enet".
func (Protocol) Name() string { return protocolName }

// Title is one line for people.
func (Protocol) Title() string { return "ENet 1.0 to 1.3, Photon" }

// Root describes the object "enet" of a record.
func (Protocol) Root() *dissect.Field { return &rootField }

// Dissects lists the names for -d.
func (Protocol) Dissects() []string { return []string{protocolName, generationNames[photon]} }

// NewRouter makes the part that recognises the datagrams.
func (Protocol) NewRouter() dissect.Router { return newRouter(nil) }

// NewTransportRouter is NewRouter with the readers of payloads.
func (Protocol) NewTransportRouter(readers []dissect.PayloadReader) dissect.Router {
	return newRouter(readers)
}

// NewCarrier makes what recognises the transport on ports of a reader.
func (Protocol) NewCarrier() dissect.Carrier { return &carrier{} }

// NewConversation makes the state of one stream.
func (Protocol) NewConversation(dissect.Options) dissect.Conversation { return &conversation{} }
