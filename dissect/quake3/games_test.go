package quake3

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
)

// TestDeclaredGame: what a server answers to getinfo and getstatus decides between games with one protocol number, before its
// gamestate does. A game without the number does not.
func TestDeclaredGame(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		answer  string
		number  int
		version int // of the row
		game    string
	}{
		{"statusResponse\n\\version\\tremulous 1.3.0 linux-x86_64\\protocol\\71\n0 50 \"Ann\"\n", 71, -71, "tremulous"},
		{"statusResponse\n\\version\\tremulous gpp1r2146-1 linux-i386\n", 70, -70, "tremulous"},
		{"infoResponse\n\\gamename\\WorldofPadman\\protocol\\72", 72, -72, "wop"},
		{"infoResponse\n\\gamename\\Quake3Arena\\protocol\\71", 71, 71, ""},
		{"statusResponse\n\\mapname\\q3dm17\n5 50 \"\\version\\tremulous 1\"\n", 71, 71, ""}, // a player's name
		{"infoResponse\n\\gamename\\WorldofPadman\\protocol\\71", 71, 71, ""},
		{"print\n\\gamename\\WorldofPadman", 72, 71, ""},
	} {
		c := newConversation(dissect.Options{})
		var p oob.Packet
		p.Parse([]byte("\xff\xff\xff\xff" + tt.answer))
		c.handshake(&p)
		k := c.compact()
		c.agreement = k.agreement() // as after a while without packets
		c.restart(false)
		c.setVersion(tt.number)
		if got := c.snapshots.Generation.Version; got != tt.version || c.game() != tt.game {
			t.Errorf("%q, %d: row %d, game %q, want %d, %q", tt.answer, tt.number, got, c.game(), tt.version, tt.game)
		}
	}
}
