// Package docs has the pages that the program itself quotes.
package docs

import "embed"

// Pages are all pages but the lists of fields, for programs that show them to readers: q3dissect itself links none.
//
//go:embed *.md protocols/*.md
var Pages embed.FS

// Events is the page about events: q3dissect help KIND shows the row of a kind.
//
//go:embed events.md
var Events string

// Expert is the page about expert entries: q3dissect help CODE shows the row of a code.
//
//go:embed expert.md
var Expert string
