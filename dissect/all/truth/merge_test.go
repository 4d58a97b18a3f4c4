package truth_test

import (
	"bufio"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
	"github.com/q3dissect/q3dissect/dissect/view/merge"
)

// TestMergeEqualsLogs compares what several clients of two servers saw, put together, with the servers' logs, line by
// line: kills and what was said to all.
func TestMergeEqualsLogs(t *testing.T) {
	t.Parallel()
	dir := reference.Folder(t, "captures", "quake3")
	form := reftest.Schema(t, schema.MergedEvents(all.Protocols()))
	got := map[string][]string{}
	seenByAll := 0
	m := merge.NewMerge()
	m.Render = func(rec *dissect.Record, event int) ([]byte, int) {
		return render.AppendMergedEvent(nil, rec, event, render.JSON{})
	}
	m.Show = func(dst []byte, h *merge.Happening) []byte {
		line := string(h.Text[:h.At]) + `"streams":[0],"not_seen_by":[1],` + string(h.Text[h.At:])
		o, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		if err == nil {
			err = form.Validate(o)
		}
		if err != nil {
			t.Errorf("%v in %s", err, line)
		}
		object, err := reftest.Object([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		e := reftest.Event(object)
		server := e.Text("server")
		switch said := h.Kind == "chat" && e.Text("channel") == "say" && e.Text("voice") == ""; {
		case h.Kind == "kill":
			killer := e.Text("killer", "name")
			if e.Text("world") == "true" {
				killer = "<world>"
			}
			got[server] = append(got[server], killer+" killed "+e.Text("victim", "name")+" by MOD_"+
				strings.ToUpper(e.Text("means_of_death_name")))
		case said:
			got[server] = append(got[server], e.Text("client", "name")+": "+e.Text("text"))
		default:
			return dst
		}
		if len(h.NotSeenBy) > 0 {
			t.Errorf("%v do not see %s", h.NotSeenBy, h.Info)
		}
		if len(h.Streams) == 3 {
			seenByAll++
		}
		return dst
	}
	for rec, err := range open.Records(filepath.Join(dir, "q3-multi-3clients-2servers.pcap"), all.Protocols(),
		dissect.Options{Events: true}) {
		if err != nil {
			t.Fatal(err)
		}
		m.Add(nil, rec)
	}
	m.Flush(nil)
	want := map[string][]string{
		"127.0.0.1:28100": logged(t, filepath.Join(dir, "q3-multi.serverX.games.log")),
		"127.0.0.1:28101": logged(t, filepath.Join(dir, "q3-multi.serverY.games.log")),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-log +merged):\n%s", diff)
	}
	if seenByAll != 6 { // three kills and three lines of chat while all three clients of X were there
		t.Errorf("%d seen by three streams", seenByAll)
	}
}

var loggedForm = regexp.MustCompile(`^ *\d+:\d\d (Kill: \d+ \d+ \d+|say): (.*)$`)

// logged returns the lines of a server's log about kills and chat.
func logged(t *testing.T, name string) (lines []string) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if m := loggedForm.FindStringSubmatch(s.Text()); m != nil {
			lines = append(lines, m[2])
		}
	}
	return lines
}
