package anonymize_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/anonymize"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// A told recording is what its events and texts say.
type toldRecording struct {
	events, chat []string // sentences; those of the chat apart
	kinds, ticks []string
	texts        []string // of all fields
	names        map[string]bool
}

func toldOf(t *testing.T, src open.Packets) *toldRecording {
	t.Helper()
	r := &toldRecording{names: map[string]bool{}}
	r.kinds, r.ticks = happened(t, beginningOf(src), func(rec *dissect.Record) {
		for _, id := range rec.Protocol.AppendIdentities(nil, rec) {
			if id.Personal == dissect.PersonName && len(id.Text) >= 3 {
				r.names[string(id.Text)] = true
			}
		}
		for i := range rec.Tree.Nodes {
			if n := &rec.Tree.Nodes[i]; n.Field.Kind == dissect.Text {
				r.texts = append(r.texts, string(rec.Tree.Bytes(n)))
			}
		}
		for e := range event.Of(rec) {
			switch said := e.Kind == event.Chat && !e.Get("voice").Exists(); {
			case said && e.Get("client").Exists():
				r.chat = append(r.chat, e.Get("text").String())
			case !said:
				r.events = append(r.events, e.Text())
			}
		}
	})
	return r
}

// without returns what is told of a copy without something.
func without(t *testing.T, name string, what anonymize.Remove) *toldRecording {
	t.Helper()
	cfg := engine.Config{Protocols: all.Protocols(), Workers: 1}
	ids := anonymize.NewRemoving()
	brokenOff(t, ids.LearnFrom(openFile(t, name), cfg))
	in := openFile(t, name)
	var file bytes.Buffer
	reader := anonymize.NewReader(beginningOf(in), ids.SealRemoving(what), cfg)
	for p, err := reader.Next(); err != io.EOF; p, err = reader.Next() {
		switch {
		case err != nil:
			brokenOff(t, err)
		case !p.Recorded():
			t.Fatalf("message %d is left out", p.Frame)
		case p.File != nil:
			file.Write(p.File)
		default:
			file.Write(p.Payload)
		}
		if err != nil {
			break
		}
	}
	file.Write(in.Tail())
	again, err := open.New(&file, name, open.Options{Protocols: all.Protocols()})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	return toldOf(t, again)
}

// hasWord reports whether a text has a name by itself: the map labrace stays where a player is called lab.
func hasWord(text, who string) bool {
	inside := func(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' }
	for at := 0; ; at++ {
		i := strings.Index(text[at:], who)
		if i < 0 {
			return false
		}
		at += i
		if end := at + len(who); (at == 0 || !inside(text[at-1])) && (end == len(text) || !inside(text[end])) {
			return true
		}
	}
}

// A copy without chat shows everything else as before, and one without names all but these.
func TestRemove(t *testing.T) {
	t.Parallel()
	const samples = "../../samples/"
	patterns := []string{
		samples + "teeworlds/*.demo", samples + "teeworlds/*.gho", samples + "teeworlds/*.teehistorian",
		samples + "quake3/*.dm_*",
	}
	if !testing.Short() {
		patterns = append(patterns, referenceRoot()+"/captures/teeworlds/tw07-admin.d/alice*.demo",
			referenceRoot()+"/captures/teeworlds/dd06-full.d/*labdm1*.demo")
	}
	eachFile(t, 5, patterns, func(string) bool { return false }, func(t *testing.T, name string) {
		whole := toldOf(t, openFile(t, name))
		silent, nameless := without(t, name, anonymize.Remove{Chat: true}), without(t, name, anonymize.Remove{Names: true})
		for _, diff := range []string{
			cmp.Diff(whole.events, silent.events), cmp.Diff(whole.kinds, silent.kinds), cmp.Diff(whole.ticks, silent.ticks),
			cmp.Diff(whole.kinds, nameless.kinds), cmp.Diff(whole.ticks, nameless.ticks),
		} {
			if diff != "" {
				t.Errorf("another game (-want +got):\n%s", diff)
			}
		}
		if len(silent.chat) != len(whole.chat) || len(nameless.chat) != len(whole.chat) {
			t.Fatalf("%d and %d lines of chat, want %d", len(silent.chat), len(nameless.chat), len(whole.chat))
		}
		for i, line := range whole.chat {
			mentions := func(name string) bool { return strings.Contains(line, name) }
			for who := range whole.names {
				if mentions(who) {
					mentions = func(string) bool { return true }
				}
			}
			if !mentions("\x00") && nameless.chat[i] != line {
				t.Errorf("without names %q is %q", line, nameless.chat[i])
			}
			if strings.ContainsFunc(silent.chat[i], unicode.IsLetter) {
				t.Errorf("without chat %q is %q", line, silent.chat[i])
			}
		}
		for who := range whole.names {
			if slices.ContainsFunc(nameless.texts, func(text string) bool { return hasWord(text, who) }) {
				t.Errorf("%q is still there", who)
			}
		}
		t.Logf("%d events, %d lines of chat, %d names", len(whole.events), len(whole.chat), len(whole.names))
	})
}
