package open_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/capture"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/keys"
	"github.com/q3dissect/q3dissect/dissect/open"
)

const midsession = "../../samples/quake3/71-midsession.pcap"

// A numbered source has a number of packets, and then an error.
type numbered struct {
	frames, count uint64
	end           error
}

func (n *numbered) Next() (*dissect.Packet, error) {
	if n.frames == n.count {
		return nil, n.end
	}
	n.frames++
	return &dissect.Packet{Frame: n.frames}, nil
}

// Feed ends with the packets, with their error, with a failed engine, and after the packet at which it is told to.
func TestFeed(t *testing.T) {
	t.Parallel()
	broken, full := errors.New("broken"), errors.New("full")
	for _, test := range []struct {
		name         string
		end, failure error // of the packets, and of the first Output
		last         uint64
		packets      uint64 // that the engine gets
		want         error  // of Feed
		closed       error  // of Dissect
	}{
		{"end", io.EOF, nil, 0, 100, nil, nil},
		{"error", broken, nil, 0, 100, broken, broken},
		{"each", io.EOF, nil, 7, 7, nil, nil},
		{"engine", broken, full, 0, 32, nil, full}, // an engine without workers dissects them together
	} {
		cfg := engine.Config{
			All: true,
			Finish: func(_ int, dst []byte, _ *dissect.Record) ([]byte, error) {
				return append(dst, make([]byte, 1<<20)...), nil
			},
			Output: func([]byte) error { return test.failure },
		}
		each := func(p *dissect.Packet) bool { return p.Frame != test.last }
		e, err := engine.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if err := open.Feed(e, &numbered{count: 100, end: test.end}, each); err != test.want {
			t.Errorf("%s: Feed: %v, want %v", test.name, err, test.want)
		}
		if stats, err := e.Close(); stats.Packets != test.packets || err != test.failure || e.Err() != test.failure {
			t.Errorf("%s: %d packets, %v, want %d, %v", test.name, stats.Packets, err, test.packets, test.failure)
		}
		if _, err := open.Dissect(&numbered{count: 100, end: test.end}, cfg, each); err != test.closed {
			t.Errorf("%s: Dissect: %v, want %v", test.name, err, test.closed)
		}
	}
}

// Keys reads its sources once, when the first key is asked for, as one input, and reports what it cannot read.
func TestKeys(t *testing.T) {
	t.Parallel()
	opened, frames, failed := 0, []uint64(nil), map[string]error{}
	source := func(name string) open.Source {
		return open.Source{Name: name, Open: func() (io.ReadCloser, error) {
			opened++
			return os.Open(name)
		}}
	}
	given := &keys.Key{Known: keys.Given}
	k := &open.Keys{
		Options: open.Options{Protocols: all.Protocols()},
		Sources: []open.Source{source("missing"), source(midsession), source(midsession)},
		Given:   func(of keys.Key) *keys.Key { return given },
		Each: func(p *dissect.Packet) bool {
			frames = append(frames, p.Frame)
			return len(frames) < 600
		},
		Failed: func(name string, read bool, err error) {
			if failed[name] = err; read {
				t.Errorf("%s was read", name)
			}
		},
	}
	if opened != 0 {
		t.Error("the sources are read before anybody asks")
	}
	list := k.List()
	if len(list) == 0 || opened != 3 || !errors.Is(failed["missing"], fs.ErrNotExist) || len(failed) != 1 {
		t.Fatalf("%d keys, %d sources were opened, failed: %v", len(list), opened, failed)
	}
	for _, key := range list {
		if found := k.Find(key); found == nil || found.Known != key.Known || found.Challenge != key.Challenge {
			t.Errorf("%v is not found again: %v", key, found)
		}
	}
	if found := k.Find(keys.Key{Stream: 1000}); found != given || opened != 3 {
		t.Errorf("another session: %v, %d sources were opened", found, opened)
	}
	for i, frame := range frames {
		if frame != uint64(i+1) {
			t.Fatalf("packet %d has the number %d", i+1, frame)
		}
	}
	k = &open.Keys{NoRecover: true, Given: k.Given, Sources: k.Sources}
	if k.Find(list[0]) != given || opened != 3 {
		t.Error("NoRecover reads sources")
	}
}

// Readers of captures are Packets.
var _ open.Packets = (*capture.Reader)(nil)
