package view_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/view"
)

// A Talk has the lines of the Conversation, one row for each.
func TestTalk(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"quake3/68-natrebind.pcap", "teeworlds/07-ctf.demo"} {
		talk, lines := view.NewTalk(), view.Conversation{Form: "text"}
		var rows, text []byte
		f, err := os.Open("../../samples/" + file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		in, err := open.New(f, file, open.Options{Protocols: all.Protocols()})
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		_, err = open.Dissect(in, engine.Config{
			Protocols: all.Protocols(), Workers: 1,
			Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
				if rec.Protocol == nil || rec.Stream > 0 {
					return dst, nil
				}
				prepared, mark := talk.Prepare(nil, rec)
				rows = talk.Append(rows, rec, prepared, mark)
				prepared, mark = lines.Prepare(nil, rec)
				text = lines.Append(text, rec, prepared, mark)
				return dst, nil
			},
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		rows, text = talk.Rest(rows), lines.Rest(text)
		_, body, _ := strings.Cut(string(text), "\n\n")
		want := strings.Split(strings.TrimSpace(body), "\n")
		got := bytes.Split(bytes.TrimSpace(rows), []byte("\n"))
		if len(got) != len(want) || len(want) < 10 {
			t.Fatalf("%s: %d rows, want %d", file, len(got), len(want))
		}
		for i, line := range got {
			var row struct {
				Frame      uint64
				Time       *float64
				From, Text string
				Routine    bool
			}
			if err := json.Unmarshal(line, &row); err != nil {
				t.Fatal(err)
			}
			at := strconv.FormatUint(row.Frame, 10)
			if row.Time != nil {
				at = strconv.FormatFloat(*row.Time, 'f', 3, 64)
			}
			sign := map[string]string{"": "→ ", "client": "→ ", "server": "← "}[row.From]
			if row.Routine {
				sign = "⋯ "
			}
			text := strings.ReplaceAll(row.Text, "\n", `\x0a`)
			fields := strings.Fields(want[i])
			if fields[0] != at || fields[1]+" " != sign || !strings.Contains(strings.ReplaceAll(want[i], `\x19`, "\x19"), text) {
				t.Errorf("%s: row %s, want %q", file, line, want[i])
			}
		}
	}
}
