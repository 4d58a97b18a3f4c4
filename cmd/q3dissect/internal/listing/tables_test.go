package listing

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/table"
	"github.com/q3dissect/q3dissect/dissect/view/catalogue"
)

// TestListingsFitTheTerminal shows the matches of a file in terminals of three widths.
func TestListingsFitTheTerminal(t *testing.T) {
	number, length, complete, won, lost := int64(0), int64(939_500), false, int64(15), int64(13)
	lines := []catalogue.Listing{
		{
			File: "demos/2014/a-long-name-of-a-recording-of-a-match-of-two-teams-in-which-much-happened.dm_73",
			Mod:  "baseqz", Map: "shiningforces", Gametype: "ad", Date: "2012-05-02T00:25:01Z", DateFrom: "game", Match: &number,
			Duration: &length, Complete: &complete, Reason: "scorelimit", Scores: []catalogue.ListingScore{
				{Name: "blue", Score: &won},
				{Name: "red", Score: &lost},
			}, Damaged: 2,
		},
		{Map: "run_cheez4", Gametype: "ffa", Finishes: []catalogue.ListingFinish{{Name: "Rom", Time: 218208}, {Name: "Enter", Time: 3_917_896}}},
	}
	for width, want := range map[int]string{
		80: `
demos/2014/a-long-name-of-a-recording-of-a-match-of-two-teams-in-which-much-happened.dm_73
baseqz [2 damaged]
  2012-05-02Z  game     ad         shiningforc…  15:39  blue 15, red 13
                                                        (scorelimit, incomplete)
                        ffa        run_cheez4           Rom 3:38.208, Enter
                                                        65:17.896 (race)
`,
		120: `
demos/2014/a-long-name-of-a-recording-of-a-match-of-two-teams-in-which-much-happened.dm_73  baseqz [2 damaged]
  2012-05-02 00:25Z  game     ad         shiningforces  15:39  blue 15, red 13 (scorelimit, incomplete)
                              ffa        run_cheez4            Rom 3:38.208, Enter 65:17.896 (race)
`,
	} {
		got := string(appendFile(nil, lines, table.Style{Width: width}))
		if diff := cmp.Diff(strings.TrimPrefix(want, "\n"), got); diff != "" {
			t.Errorf("%d columns (-want +got):\n%s", width, diff)
		}
	}
	for width := 1; width < 200; width++ {
		for i, line := range strings.Split(string(appendFile(nil, lines, table.Style{Width: width})), "\n") {
			if wide := len([]rune(line)); i > 1 && width > 66 && wide > width {
				t.Errorf("%d columns: a line of %d: %s", width, wide, line)
			}
		}
	}
}
