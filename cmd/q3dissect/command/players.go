package command

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/listing"
	"github.com/q3dissect/q3dissect/dissect/view/people"
)

const playersHelp = `q3dissect players lists the people in captures and demos: a line for each, over
all files.

  q3dissect players demos/                        who played most
  q3dissect players demos/ --sort accuracy        who hit most
  q3dissect players demos/ 'kills > 100 and not bot'
  q3dissect players captures/ --json | jq .names  every name of each GUID

A person is a GUID where the recording shows one, else a name and an address,
else a name. id_kind and evidence show how sure that is. Folders are searched
recursively; files of unknown kinds in them are skipped.
`

// newPlayersCommand makes the verb players.
func newPlayersCommand(p *program) *cobra.Command {
	verb := manyVerb[people.Career]{
		use: "players", short: "the people of many files: matches, kills, accuracy", long: playersHelp,
		one: "person", many: "people", sort: "matches", kind: &listing.Careers,
		begin: func() (each func(*listing.Found) []people.Career, rest func() []people.Career) {
			everybody := people.New()
			each = func(f *listing.Found) []people.Career {
				for i := range f.Who {
					everybody.Add(&f.Who[i])
				}
				return nil
			}
			return each, func() []people.Career {
				list := everybody.List()
				if left := everybody.Left(); left > 0 {
					p.Complain(strconv.FormatInt(left, 10) + " appearances of people beyond the 200,000 that are kept")
				}
				return list
			}
		},
	}
	return verb.command(p)
}
