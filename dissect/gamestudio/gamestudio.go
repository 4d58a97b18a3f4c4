// Package gamestudio dissects the multiplayer protocol of 3D GameStudio (Acknex), the CLS_ and SVC_
// messages of its two documented editions, and the transports that it rides on or is said to ride on:
// DirectPlay 8, the player messages of DirectPlay 4, ENet 1.0 to 1.3 and, on demand, bare UDP.
//
// DirectPlay 8 and ENet carry hundreds of games. They are dissected for their own sake: their records
// are of the protocols "directplay8" and "enet", and become "gamestudio", with the transport's object
// beside the game's, where the payload is known to be GameStudio's.
//
// No public capture of a GameStudio game was found. What is documented is decoded as documented; what
// is undetermined is shown raw, says so in the record and has an expert entry. Nothing is filled in with
// a likely value. docs/protocols/gamestudio.md has the list.
//
// Sources: the SDK chapter "Client/Server" of the vendor's online manual (the late edition), the same
// chapter of the A5 Programmer's Manual of July 2002 (the 2002 edition), MC-DPL8R, MC-DPL8CS, MC-DPLHP and
// MC-DPL4CS of Microsoft's open specifications, and the headers of the ENet library.
package gamestudio

import "github.com/q3dissect/q3dissect/dissect"

// Names of the protocols.
const (
	gameName  = "gamestudio"
	dplayName = "directplay8"
	enetName  = "enet"
)

// Names of -d that choose more than the protocol.
const (
	asGame2002  = gameName + "-2002" // the 2002 edition from the first packet on
	asGameSendZ = gameName + "-a778" // positions may lack z, as engines from A7.78 on can make them
)

// Codes of expert entries, docs/expert.md.
const (
	expertMalformed          = "malformed"
	expertTruncated          = "truncated"
	expertTruncatedByCapture = "truncated_by_capture"
	expertUndetermined       = "undetermined"
	expertFragmentLost       = "fragment_lost"
	expertFragmentConflict   = "fragment_conflict"
	expertChecksum           = "checksum_mismatch"
	expertSignature          = "signature_mismatch"
	expertPacked             = "payload_packed"
)

// Protocol describes the game's own messages to the dissecting engine.
type Protocol struct{}

// Name is "gamestudio".
func (Protocol) Name() string { return gameName }

// Title is one line for people.
func (Protocol) Title() string { return "3D GameStudio (Acknex): CLS and SVC messages of two editions" }

// Root describes the object "gamestudio" of a record.
func (Protocol) Root() *dissect.Field { return &rootField }

// Dissects lists the names for -d.
func (Protocol) Dissects() []string { return []string{gameName, asGame2002, asGameSendZ} }

// NewRouter makes the part that recognises the datagrams: those of ports that were asked for alone, since
// the messages have no mark. What DirectPlay 8 carries is recognised by DirectPlay8.
func (Protocol) NewRouter() dissect.Router { return newRouter(rawUDP) }

// NewConversation makes the state of one stream.
func (Protocol) NewConversation(opts dissect.Options) dissect.Conversation {
	return newConversation(opts)
}

// DirectPlay8 describes the transport of DirectPlay 8 and 9 to the dissecting engine.
type DirectPlay8 struct{}

// Name is "directplay8".
func (DirectPlay8) Name() string { return dplayName }

// Title is one line for people.
func (DirectPlay8) Title() string { return "DirectPlay 8: discovery, connections, core messages" }

// Root describes the object "directplay8" of a record.
func (DirectPlay8) Root() *dissect.Field { return &dplayField }

// Dissects lists the names for -d.
func (DirectPlay8) Dissects() []string { return []string{dplayName} }

// NewRouter makes the part that recognises the datagrams.
func (DirectPlay8) NewRouter() dissect.Router { return newRouter(directPlay8) }

// NewConversation makes the state of one stream.
func (DirectPlay8) NewConversation(opts dissect.Options) dissect.Conversation {
	return newConversation(opts)
}

// ENet describes the transport ENet to the dissecting engine.
type ENet struct{}

// Name is "enet".
func (ENet) Name() string { return enetName }

// Title is one line for people.
func (ENet) Title() string { return "ENet 1.0 to 1.3" }

// Root describes the object "enet" of a record.
func (ENet) Root() *dissect.Field { return &enetField }

// Dissects lists the names for -d.
func (ENet) Dissects() []string { return []string{enetName} }

// NewRouter makes the part that recognises the datagrams.
func (ENet) NewRouter() dissect.Router { return newRouter(enetUDP) }

// NewConversation makes the state of one stream.
func (ENet) NewConversation(opts dissect.Options) dissect.Conversation {
	return newConversation(opts)
}
