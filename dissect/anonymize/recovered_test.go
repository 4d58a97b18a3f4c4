package anonymize_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/anonymize"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/keys"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// A capture that begins in a session is written with the keys that were recovered: nearly all its messages are in the
// copy, whose own keys are recovered in turn, and nobody of the original is named in what is read so, nor in
// the keys.
func TestRecovered(t *testing.T) {
	t.Parallel()
	names := []string{"../../samples/quake3/68-midsession.pcap"}
	if !testing.Short() {
		more, err := filepath.Glob(referenceRoot() + "/captures/idtech3/*-play-mid.pcap")
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, more[:min(len(more), reference.Most(1))]...)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			checkRecovered(t, name)
		})
	}
}

func checkRecovered(t *testing.T, name string) {
	found := &open.Keys{
		Options: open.Options{Protocols: all.Protocols(), All: true},
		Sources: []open.Source{{Name: name, Open: func() (io.ReadCloser, error) { return os.Open(name) }}},
	}
	cfg := engine.Config{Protocols: all.Protocols(), Workers: 1, Options: dissect.Options{Keys: found.Find}}
	ids := anonymize.New(anonymize.Key{1})
	if err := ids.LearnFrom(openFile(t, name), cfg); err != nil {
		t.Fatal(err)
	}
	people := &identities{}
	people.addTruth(t, name)
	read := 0
	records(t, openFile(t, name), cfg.Options, func(rec *dissect.Record) {
		people.add(rec)
		if rec.MessageDone && !rec.Undeciphered {
			read++
		}
	})
	reader := anonymize.NewReader(openFile(t, name), ids.Seal(anonymize.Keep{}), cfg)
	again := 0
	keyFound := func(k keys.Key) {
		for i := range k.Commands {
			people.check(t, 0, k.Commands[i].Text)
		}
	}
	records(t, reader, dissect.Options{Recover: true, KeyFound: keyFound}, func(rec *dissect.Record) {
		if rec.Protocol == nil {
			return
		}
		people.check(t, rec.Frame, everyText(rec))
		if rec.MessageDone && !rec.Undeciphered {
			again++
		}
	})
	stats := reader.Stats()
	t.Logf("%d messages read, %d of the copy; %d datagrams written, %d not", read, again, stats.Rewritten, stats.Dropped)
	if stats.Dropped > stats.Rewritten/50 {
		t.Errorf("%d datagrams were written and %d not", stats.Rewritten, stats.Dropped)
	}
	if again < read*3/4 { // in one pass, by which the keys of the first messages are not known yet
		t.Errorf("%d messages became %d", read, again)
	}
}
