package command

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/flags"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/listing"
	"github.com/q3dissect/q3dissect/dissect/view/highlights"
)

const highlightsHelp = `q3dissect highlights lists multikills, midairs and flicks of captures and demos,
the rarest of all the files first.

  q3dissect highlights demos/                     a line for each
  q3dissect highlights demos/ 'event == "midair" and viewed'
  q3dissect highlights demos/ --multikill 4,3s    four kills, 3 s between two
  q3dissect highlights demos/ --json | jq .info

as_rare counts how many of its kind in all the files are at least as remarkable:
by kills, distance or angle. docs/highlights.md has the rules. Folders are
searched recursively. A demo of each is made by q3dissect export demo --around.
`

// newHighlightsCommand makes the verb highlights.
func newHighlightsCommand(p *program) *cobra.Command {
	verb := manyVerb[highlights.Highlight]{
		use: "highlights", short: "remarkable moments of many files, the rarest first", long: highlightsHelp,
		one: "moment", many: "moments", sort: "as_rare", kind: &listing.Moments, rules: &flags.Highlights{},
		begin: func() (each func(*listing.Found) []highlights.Highlight, rest func() []highlights.Highlight) {
			moments := highlights.NewList()
			each = func(f *listing.Found) []highlights.Highlight {
				moments.Add(f.Moments, f.Left)
				return nil
			}
			return each, func() []highlights.Highlight {
				if left := moments.Left(); left > 0 {
					p.Complain(strconv.FormatInt(left, 10) + " moments beyond the 200,000 that are kept, 20,000 of a file")
				}
				return moments.Sorted()
			}
		},
	}
	return verb.command(p)
}
