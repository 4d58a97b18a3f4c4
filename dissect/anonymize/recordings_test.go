package anonymize_test

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/anonymize"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// Demos of Teeworlds and DDNet, ghosts and teehistorian files are written with other names as files and read again:
// there are as many messages at the same ticks, the same happens, and nothing that identified somebody is left.
func TestRecordingsOfTeeworlds(t *testing.T) {
	t.Parallel()
	const samples = "../../samples/teeworlds/"
	patterns := []string{samples + "*.demo", samples + "*.gho", samples + "*.teehistorian"}
	if !testing.Short() {
		root := referenceRoot()
		patterns = append(patterns, root+"/captures/teehistorian/ghosts/*.gho",
			root+"/captures/teehistorian/*/*.teehistorian", root+"/captures/teeworlds/dd06-full.d/*.demo",
			root+"/captures/teeworlds/tw07-admin.d/*.demo")
	}
	eachFile(t, 3, patterns, func(string) bool { return false }, checkRecording)
}

// happened returns what happened in a recording, without words, and the ticks of its messages.
func happened(t *testing.T, src open.Packets, each func(*dissect.Record)) (events, ticks []string) {
	t.Helper()
	records(t, src, dissect.Options{Events: true}, func(rec *dissect.Record) {
		root := rec.Root()
		ticks = append(ticks, fmt.Sprint(root.Lookup("demo.tick"), root.Lookup("demo.keyframe"), root.Lookup("demo.type"),
			root.Lookup("teehistorian.tick"), root.Lookup("ghost.character.tick"), rec.Damaged))
		for e := range event.Of(rec) {
			events = append(events, fmt.Sprint(e.Kind, " ", e.ServerTime(), " ", e.Get("finish_time"), " ", e.Get("team"), " ",
				e.Get("race_team"), " ", e.Get("score"), " ", e.Get("client").Get("client_num")))
		}
		each(rec)
	})
	return events, ticks
}

func checkRecording(t *testing.T, name string) {
	cfg := engine.Config{Protocols: all.Protocols(), Workers: 1}
	ids := anonymize.New(anonymize.Key{1})
	brokenOff(t, ids.LearnFrom(openFile(t, name), cfg))
	people := map[string]bool{}
	events, ticks := happened(t, beginningOf(openFile(t, name)), func(rec *dissect.Record) {
		for _, id := range rec.Protocol.AppendIdentities(nil, rec) {
			if len(id.Text) >= 3 {
				people[string(id.Text)] = true
			}
		}
	})
	in := openFile(t, name)
	var file bytes.Buffer
	reader := anonymize.NewReader(beginningOf(in), ids.Seal(anonymize.Keep{}), cfg)
	for p, err := reader.Next(); err != io.EOF; p, err = reader.Next() {
		if err != nil {
			brokenOff(t, err)
			break
		}
		if !p.Recorded() {
			t.Fatalf("message %d is left out", p.Frame)
		}
		if b := p.Payload; p.File == nil {
			file.Write(b)
		} else {
			file.Write(p.File)
		}
	}
	file.Write(in.Tail())
	raw := bytes.Clone(file.Bytes())
	again, err := open.New(&file, name, open.Options{Protocols: all.Protocols()})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	var texts [][]byte
	eventsAfter, ticksAfter := happened(t, beginningOf(again), func(rec *dissect.Record) {
		for i := range rec.Tree.Nodes {
			if n := &rec.Tree.Nodes[i]; n.Field.Kind == dissect.Text {
				texts = append(texts, bytes.Clone(rec.Tree.Bytes(n)))
			}
		}
	})
	if diff := cmp.Diff(events, eventsAfter); diff != "" {
		t.Errorf("what happened (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(ticks, ticksAfter); diff != "" {
		t.Errorf("ticks (-want +got):\n%s", diff)
	}
	for who := range people {
		found := func(b []byte) bool { return bytes.Equal(b, []byte(who)) }
		if slices.ContainsFunc(texts, found) || len(who) > 5 && bytes.Contains(raw, []byte(who)) {
			t.Errorf("%q is still there", who)
		}
	}
	t.Logf("%d messages, %d events, %d who are not in the copy", len(ticks), len(events), len(people))
}
