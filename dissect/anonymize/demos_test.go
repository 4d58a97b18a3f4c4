package anonymize_test

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/anonymize"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// isDemo matches names of demos of the Quake III family.
var isDemo = regexp.MustCompile(`\.(dm_?[0-9]+|tv_84)$`)

// Every demo of the samples, and of the reference folder, is written with other texts as a file and read again: it is
// a demo of the same protocol whose messages have the same fields and numbers, in which each text became the same one
// everywhere. The numbers of the originals are compared with those of the games' own decoders in quake3/truth.
func TestDemos(t *testing.T) {
	t.Parallel()
	patterns := []string{"../../samples/quake3/*"}
	if !testing.Short() {
		root := referenceRoot()
		patterns = append(patterns, root+"/demos/*/*", root+"/captures/*/*")
	}
	eachFile(t, 1, patterns, func(name string) bool { return !isDemo.MatchString(name) }, checkDemo)
}

// A message is what a test keeps of a record of a demo.
type message struct {
	shape   string
	texts   []string // with their fields
	damaged bool
}

func messagesOf(t *testing.T, src open.Packets, each func(*dissect.Record)) (list []message, version string) {
	t.Helper()
	records(t, src, dissect.Options{}, func(rec *dissect.Record) {
		m := message{shape: shapeOf(rec, false), damaged: rec.Damaged}
		for i := range rec.Tree.Nodes {
			n := &rec.Tree.Nodes[i]
			if n.Field.Kind == dissect.Text && n.Bits > 0 { // the words of a command follow from it
				m.texts = append(m.texts, n.Field.Key+"="+string(rec.Tree.Bytes(n)))
			}
		}
		if version == "" {
			version = rec.Lookup("version").String()
		}
		list = append(list, m)
		each(rec)
	})
	return list, version
}

// beforeFault returns what the shape of a damaged message of a demo has of the operations before the one with the
// fault: a copy has no more of it.
func beforeFault(shape string) string {
	shape, _, _ = strings.Cut(shape, "undecoded")
	shape, _, _ = strings.Cut(shape, "\nmalformed")
	return shape
}

func checkDemo(t *testing.T, name string) {
	cfg := engine.Config{Protocols: all.Protocols(), Workers: 1}
	ids := anonymize.New(anonymize.Key{1})
	brokenOff(t, ids.LearnFrom(openFile(t, name), cfg))
	people := &identities{}
	before, version := messagesOf(t, beginningOf(openFile(t, name)), people.add)
	in := openFile(t, name)
	var file bytes.Buffer
	var places []int // in before, of the messages that are in the file
	reader := anonymize.NewReader(beginningOf(in), ids.Seal(anonymize.Keep{}), cfg)
	for p, err := reader.Next(); err != io.EOF; p, err = reader.Next() {
		if err != nil {
			brokenOff(t, err)
			break
		}
		if p.Recorded() {
			file.Write(p.Payload)
			places = append(places, int(p.Frame)-1)
		}
	}
	file.Write(in.Recorder().DemoEnd)
	again, err := open.New(&file, name, open.Options{Protocols: all.Protocols()})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	after, versionAfter := messagesOf(t, again, func(rec *dissect.Record) { people.check(t, rec.Frame, everyText(rec)) })
	if len(after) != len(places) || version != versionAfter {
		t.Fatalf("%d messages of protocol %s became %d of %s", len(places), version, len(after), versionAfter)
	}
	became := map[string]string{}
	whole := true // no message before was left out, which the next ones can show
	for i, place := range places {
		was, is := &before[place], &after[i]
		if was.damaged && is.damaged {
			is.shape = beforeFault(is.shape)
			if strings.HasPrefix(was.shape, is.shape) && len(is.texts) <= len(was.texts) {
				*was = message{is.shape, was.texts[:len(is.texts)], true} // what could be read before the fault
			}
		}
		if whole = whole && i == place; whole && was.shape != is.shape || len(was.texts) != len(is.texts) {
			t.Errorf("message %d:\n%s\nbecame\n%s", place, was.shape, is.shape)
			break
		}
		for k, text := range was.texts {
			if other, ok := became[text]; ok && other != is.texts[k] {
				t.Errorf("message %d: %q became %q and %q", place, text, other, is.texts[k])
			}
			became[text] = is.texts[k]
		}
	}
	t.Logf("%d of %d messages, %d texts", len(after), len(before), len(became))
}
