package web_test

import (
	"encoding/json"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/cmd/internal/web"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/view/timeline"
)

// usedList is where a module takes a list of a game without asking whether it is there; optional is where it asks.
var (
	usedList = regexp.MustCompile(`\bgame\.(\w+)\.(?:map|flatMap|filter|find\w*|some|every|forEach|reduce|includes)\(`)
	optional = regexp.MustCompile(`\bgame\??\.(\w+)\?\.`)
)

// Lists of a game that the report's modules take without asking are there: the page shows a game in which nobody was
// seen for long, and one in which nothing happened.
func TestListsOfGames(t *testing.T) {
	t.Parallel()
	used := map[string]string{} // the module by key
	text := func(name string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".js") {
			return err
		}
		code, err := fs.ReadFile(web.Files(), name)
		for line := range strings.Lines(string(code)) {
			for _, m := range usedList.FindAllStringSubmatch(line, -1) {
				if asked := optional.FindStringSubmatch(line); asked == nil || asked[1] != m[1] {
					used[m[1]] = name
				}
			}
		}
		return err
	}
	if err := fs.WalkDir(web.Files(), "assets/report", text); err != nil {
		t.Fatal(err)
	}
	if used["events"] == "" || used["tracks"] == "" {
		t.Fatalf("the modules use only %v", used)
	}
	for sample, o := range map[string]dissect.Options{
		"quake3/ef-24-play.pcap":    {Events: true, Inputs: true}, // without tracks
		"quake3/68-midsession.pcap": {Events: true, Inputs: true}, // without players
		"teeworlds/ddnet-race.pcap": {Inputs: true},               // without events
	} {
		c := timeline.New(timeline.Options{})
		for rec, err := range open.Records(filepath.Join("../../../samples", sample), all.Protocols(), o) {
			if err != nil {
				t.Fatal(err)
			}
			c.Add(rec)
		}
		text, err := json.Marshal(c.Data().Games)
		if err != nil {
			t.Fatal(err)
		}
		var games []map[string]any
		if err := json.Unmarshal(text, &games); err != nil || len(games) == 0 {
			t.Fatalf("%s: %d games, %v", sample, len(games), err)
		}
		for _, game := range games {
			for key, module := range used {
				if _, ok := game[key].([]any); !ok {
					t.Errorf("%s: %s is no list, and %s takes it for one", sample, key, module)
				}
			}
		}
	}
}
