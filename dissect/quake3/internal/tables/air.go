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

// RunOf returns how is run by a serverinfo of DeFRaG: the physics, vq3 or cpm, and the mode. Both are empty in other
// games, and a mode that is not known is.
//
// Source: df_promode and defrag_gametype as DemoCleaner3 (GameInfo.cs) and other programs for its demos read them: 1 to
// 3 of one player, 5 to 7 of several on a server.
func RunOf(family uint8, serverinfo []byte) (physics, mode string) {
	if !Games[family].Match.Timer || len(dissect.InfoValue(serverinfo, "df_promode")) == 0 {
		return "", ""
	}
	switch string(dissect.InfoValue(serverinfo, "defrag_gametype")) {
	case "1":
		mode = "offline"
	case "2":
		mode = "offline_freestyle"
	case "3":
		mode = "offline_fastcaps"
	case "5":
		mode = "online"
	case "6":
		mode = "online_freestyle"
	case "7":
		mode = "online_fastcaps"
	}
	if PhysicsOf(family, serverinfo) == PhysicsProMode {
		return "cpm", mode
	}
	return "vq3", mode
}

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
