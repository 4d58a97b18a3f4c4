package open_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// A context ends the reading of captures and recordings: the records before are there, its error comes last.
func TestContext(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"quake3/68-loss.pcap", "quake3/68-kicked.dm_68"} {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		in, err := open.File(sample(name), open.Options{Protocols: all.Protocols(), Context: ctx})
		if err != nil {
			t.Fatal(err)
		}
		count := 0
		var last error
		for _, err := range in.Records(dissect.Options{}) {
			if last = err; err == nil {
				if count++; count == 20 {
					cancel(errors.New("enough"))
				}
			}
		}
		if !errors.Is(last, context.Canceled) || count < 20 || count > 30 {
			t.Errorf("%s: %d records, then %v", name, count, last)
		}
		if _, err := in.Next(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: afterwards %v", name, err)
		}
		if err := in.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A pipe that nobody writes into is not waited for once the context has ended.
func TestContextOfPipe(t *testing.T) {
	t.Parallel()
	name := pipe(t)
	whole, err := os.ReadFile(sample("quake3/68-loss.pcap"))
	if err != nil {
		t.Fatal(err)
	}
	writer := make(chan *os.File, 1)
	go func() {
		w, _ := os.OpenFile(name, os.O_WRONLY, 0)
		_, _ = w.Write(whole[:2000])
		writer <- w
	}()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	in, err := open.File(name, open.Options{Protocols: all.Protocols(), Context: ctx})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer (<-writer).Close() // it stays open, so the pipe has no end
	time.AfterFunc(50*time.Millisecond, cancel)
	count := 0
	for {
		if _, err = in.Next(); err != nil {
			break
		}
		count++
	}
	if !errors.Is(err, context.Canceled) || count == 0 {
		t.Errorf("%d packets, then %v", count, err)
	}
}
