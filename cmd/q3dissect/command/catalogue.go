package command

import (
	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/listing"
	"github.com/q3dissect/q3dissect/dissect/view/catalogue"
)

const catalogueHelp = `q3dissect catalogue lists the matches of captures and demos: when, what was
played where, who won and how.

  q3dissect catalogue demos/                      a line for each match below
  q3dissect catalogue demos/ --json               one JSON object per match
  q3dissect catalogue demos/ captures/ --csv      for a spreadsheet
  q3dissect catalogue demos/ --sort date          the oldest first
  q3dissect catalogue demos/ 'map == "cpm24" and duration > 5m'

Folders are searched recursively; files of unknown kinds in them are skipped.
docs/matches.md explains the columns.
`

// newCatalogueCommand makes the verb catalogue.
func newCatalogueCommand(p *program) *cobra.Command {
	verb := manyVerb[catalogue.Listing]{
		use: "catalogue", short: "the matches of many files", long: catalogueHelp,
		one: "match", many: "matches", kind: &listing.Matches, copies: true,
		begin: func() (each func(*listing.Found) []catalogue.Listing, rest func() []catalogue.Listing) {
			return func(f *listing.Found) []catalogue.Listing { return f.Lines }, nil
		},
	}
	return verb.command(p)
}
