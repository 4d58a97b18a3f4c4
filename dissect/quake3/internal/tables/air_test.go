package tables

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
)

// TestRunOf: physics and mode of DeFRaG, by the numbers that the programs for its demos know.
func TestRunOf(t *testing.T) {
	t.Parallel()
	for info, want := range map[string][2]string{
		`\gamename\defrag\df_promode\1\defrag_gametype\5`:                   {"cpm", "online"},
		`\gamename\defrag\df_promode\0\defrag_gametype\1\g_gametype\4`:      {"vq3", "offline"},
		`\gamename\defrag\df_promode\0\defrag_gametype\7`:                   {"vq3", "online_fastcaps"},
		`\gamename\defrag\df_promode\1\defrag_gametype\6`:                   {"cpm", "online_freestyle"},
		`\gamename\defrag\df_promode\1\defrag_gametype\2`:                   {"cpm", "offline_freestyle"},
		`\gamename\defrag\df_promode\1\defrag_gametype\3`:                   {"cpm", "offline_fastcaps"},
		`\gamename\defrag\df_promode\1\defrag_gametype\4`:                   {"cpm", ""}, // reserved
		`\gamename\defrag\defrag_gametype\5`:                                {"", ""},
		`\gamename\baseq3\df_promode\1\defrag_gametype\5`:                   {"", ""},
		`\gamename\cpma\server_gameplay\CPM\df_promode\1\defrag_gametype\5`: {"", ""},
	} {
		physics, mode := RunOf(Module(dissect.InfoValue([]byte(info), "gamename")), []byte(info))
		if got := [2]string{physics, mode}; got != want {
			t.Errorf("%s: %q, want %q", info, got, want)
		}
	}
}
