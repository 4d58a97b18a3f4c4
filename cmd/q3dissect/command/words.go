package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/help"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/view"
)

// otherWords are words for which people look here, and what does the same.
var otherWords = map[string]string{
	"stats": statisticsWords, "stat": statisticsWords, "statistics": statisticsWords, "summary": statisticsWords,
	"list": listWords, "show": listWords, "print": listWords, "read": listWords, "dump": listWords, "packets": listWords,
	"info": matchesWords, "matches": matchesWords, "scan": matchesWords, "index": matchesWords,
	"search": searchWords, "grep": searchWords, "find": searchWords,
	"filter":  "a filter is the last argument: q3dissect FILE FILTER; q3dissect help filters",
	"extract": "what is inside is written by q3dissect export demo, files or messages",
	"cut":     "parts of demos are written by q3dissect export demo --from --to",
	"convert": formWords, "parse": formWords, "parquet": "tables are -T parquet -o DIR",
	"anonymise": anonymizeWords, "anonymize": anonymizeWords,
	"merge": "streams of a game are joined by q3dissect events FILE --merge",
	"diff":  "two captures are compared by q3dissect compare A B",
	"html":  "a page is q3dissect report FILE -o PAGE.html",
	"open":  browserWords, "serve": browserWords, "gui": browserWords,
	"heatmap": "the heat map is in q3dissect report FILE -o PAGE.html",
	"cheats":  momentsWords, "aimbot": momentsWords, "highlights": momentsWords,
	"evidence": "evidence of a run is written by --evidence FILE",
	"follow":   "one stream is q3dissect FILE -q -z follow,STREAM",
}

const (
	statisticsWords = "statistics are q3dissect FILE -q -z NAME; q3dissect help stats lists them"
	listWords       = "the list of packets is q3dissect FILE, without a verb"
	matchesWords    = "the matches of files and folders are q3dissect catalogue PATH"
	searchWords     = "a search is a filter: q3dissect FILE 'info contains \"WORD\"'"
	formWords       = "other forms are --json, -T and -w"
	anonymizeWords  = "names are replaced by q3dissect FILE --anonymize KEY -w OUT"
	browserWords    = "a browser shows a file with q3dissect view FILE"
	momentsWords    = "unusual moments are q3dissect moments FILE"
)

// meaning returns what a word names that is no verb, and how to ask for it; "" if it names nothing.
func (p *program) meaning(root *cobra.Command, word string) string {
	word = strings.ToLower(word)
	singular := strings.TrimSuffix(word, "s")
	for _, k := range append(view.Kinds(), view.FollowKind()) {
		if k.Name == word || k.Name == singular || k.Name == word+"s" {
			return fmt.Sprintf("%s is a statistic: q3dissect FILE -q -z %s", k.Name, k.Usage)
		}
	}
	if other := otherWords[word]; other != "" {
		return other
	}
	for _, c := range root.Commands() {
		for _, sub := range c.Commands() {
			if !c.Hidden && (sub.Name() == word || sub.Name() == singular) {
				return sub.Name() + " is below the verb " + c.Name() + ": " + sub.CommandPath()
			}
		}
	}
	for _, kind := range dissect.EventKinds(p.protocols) {
		if kind == word || kind == singular {
			return fmt.Sprintf("%s is a kind of event: q3dissect events FILE 'event == %q'", kind, kind)
		}
	}
	if columns := columnsCalled(word); len(columns) > 0 {
		return fmt.Sprintf("%s is a column of the statistic %s: q3dissect FILE -q -z %[2]s", word, columns[0].statistic)
	}
	return ""
}

// A statisticColumn is a column of a statistic.
type statisticColumn struct {
	statistic string
	view.Column
}

// columnsCalled returns the columns of statistics with a key.
func columnsCalled(key string) (list []statisticColumn) {
	for _, k := range view.Kinds() {
		for _, c := range k.Columns {
			if c.Key == key {
				list = append(list, statisticColumn{k.Name, c})
			}
		}
	}
	return list
}

// columnPage is the page about a column of statistics.
func columnPage(key string) string {
	var b strings.Builder
	for _, c := range columnsCalled(key) {
		unit := ""
		if c.Unit != "" {
			unit = " (" + c.Unit + ")"
		}
		fmt.Fprintf(&b, "%s: a column of the statistic %s%s\n\n", key, c.statistic, unit)
		b.WriteString(help.Paragraph(c.Doc))
		fmt.Fprintf(&b, "\n  q3dissect FILE -q -z %s\n\n", c.statistic)
	}
	return b.String()
}

// flagPage is the page about a flag, with or without its dashes: what it does, by command.
func flagPage(root *cobra.Command, name string) string {
	name = strings.TrimLeft(name, "-")
	var pages []string
	by := map[string][]string{} // commands by page
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		f := c.Flags().Lookup(name)
		if len(name) == 1 {
			f = c.Flags().ShorthandLookup(name)
		}
		if f != nil && !f.Hidden {
			page := help.Flag(f)
			if by[page] == nil {
				pages = append(pages, page)
			}
			by[page] = append(by[page], c.CommandPath())
		}
		for _, sub := range help.VisibleCommands(c) {
			visit(sub)
		}
	}
	visit(root)
	var b strings.Builder
	for _, page := range pages {
		b.WriteString(help.Paragraph("a flag of " + strings.Join(slices.Compact(by[page]), ", ")))
		b.WriteString("\n" + page + "\n")
	}
	return b.String()
}
