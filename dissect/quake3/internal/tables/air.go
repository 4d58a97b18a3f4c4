package tables

import "github.com/q3dissect/q3dissect/dissect"

// Physics is how players move in the air.
type Physics uint8

// The physics.
const (
	PhysicsUnknown Physics = iota
	PhysicsQuake3          // "VQ3"
	PhysicsProMode         // "CPM": keys to the side alone, and forward alone, have rules of their own
)

// PhysicsOf returns the physics of a game with a serverinfo.
//
// Source: serverinfos of recordings of CPMA (server_gameplay) and OSP (server_promode); df_promode of DeFRaG:
// DemoCleaner3.
func PhysicsOf(family uint8, serverinfo []byte) Physics {
	if !Games[family].Air {
		return PhysicsUnknown
	}
	switch string(dissect.InfoValue(serverinfo, "server_gameplay")) {
	case "", "VQ3":
	case "CPM":
		return PhysicsProMode
	default:
		return PhysicsUnknown
	}
	for _, key := range [...]string{"server_promode", "df_promode"} {
		if string(dissect.InfoValue(serverinfo, key)) == "1" {
			return PhysicsProMode
		}
	}
	return PhysicsQuake3
}
