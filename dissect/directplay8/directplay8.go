// Package directplay8 dissects the transport of DirectPlay 8 and 9: discovery, connections with and without
// signatures, data frames, coalesced and split messages, and the core messages with which DirectPlay itself manages
// players and groups. The application's data is handed to a dissect.PayloadReader, or shown as bytes.
//
// Voice is shown as bytes. With full signing only the first 256 frames of each side are checked: no
// public text says how the secrets change after that.
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

// Protocol describes the transport of DirectPlay 8 and 9 to the dissecting engine.
type Protocol struct{}

// Name is "directplay8".
func (Protocol) Name() string { return protocolName }

// Title is one line for people.
func (Protocol) Title() string { return "DirectPlay 8: discovery, connections, core messages" }

// Root describes the object "directplay8" of a record.
func (Protocol) Root() *dissect.Field { return &rootField }

// Dissects lists the names for -d.
func (Protocol) Dissects() []string { return []string{protocolName} }

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
