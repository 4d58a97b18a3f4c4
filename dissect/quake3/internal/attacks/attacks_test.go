package attacks

import (
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// TestLongCommands: the memory for a command is 1024 characters in Quake III, its server uses 1022 of them, and 2048
// in Medal of Honor, whose server sends parts of a configstring in commands of 2036 (mohaa-17-play).
func TestLongCommands(t *testing.T) {
	for _, tt := range []struct {
		size  int
		long  bool
		found bool
	}{
		{1022, false, false},
		{1023, false, true},
		{2036, false, true},
		{2036, true, false},
		{2047, true, false},
		{2048, true, true},
	} {
		text := []byte("bcs0 1892 \"" + strings.Repeat("x", tt.size-12) + "\"")
		var words token.Words
		words.Split(text)
		for side, found := range map[string][]Found{
			"server": ServerCommand(text, &words, tt.long, nil), "client": ClientCommand(text, &words, tt.long, nil),
		} {
			if (len(found) == 1 && found[0].Code == ExpertLongCommand) != tt.found || len(found) > 1 {
				t.Errorf("%s, %d characters, long %t: %v", side, len(text), tt.long, found)
			}
		}
	}
}
