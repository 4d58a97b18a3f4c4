package open

import (
	"cmp"
	"io"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/capture"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/keys"
)

// Packets are a series of packets, each valid until the next: an *Input, a *capture.Reader, a dissect.Recording, or
// what changes packets before the engine. The error at a proper end is io.EOF.
type Packets interface {
	Next() (*dissect.Packet, error)
}

// Feed passes packets to an engine, up to their end or until the engine takes no more; Engine.Close returns why.
// each, which may be nil, gets every packet before the engine does and may change it; Feed ends with one for which it
// returns false. The error is that of the packets.
func Feed(e *engine.Engine, packets Packets, each func(*dissect.Packet) bool) error {
	for {
		p, err := packets.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		more := each == nil || each(p)
		if e.Packet(p) != nil || !more {
			return nil
		}
	}
}

// Dissect passes packets to an engine of their own, as Feed does, and closes it. The error is that of the engine, else
// that of the packets.
func Dissect(packets Packets, cfg engine.Config, each func(*dissect.Packet) bool) (engine.Stats, error) {
	e, err := engine.New(cfg)
	if err != nil {
		return engine.Stats{}, err
	}
	err = Feed(e, packets, each)
	stats, failure := e.Close()
	return stats, cmp.Or(failure, err)
}

// A Source is an input that can be opened more than once.
type Source struct {
	Name string // may identify the protocol of a recording
	Open func() (io.ReadCloser, error)
}

// Keys are the keys of the sessions of inputs, for sessions that began before them. They are found by reading the
// inputs for nothing but keys: once, when the first key is asked for. Keys must not be copied.
type Keys struct {
	Options
	Sources   []Source // that continue each other
	Workers   int      // 0: the goroutine that asks does everything; otherwise it reads, and another one dissects
	DecodeAs  []engine.DecodeAs
	NoRecover bool // no key is recovered: Find returns those of Given, List those that the inputs contain

	Share *keys.Share                // of the work of a run with several inputs; nil: there is one
	Given func(keys.Key) *keys.Key   // keys that are known, as of dissect.Options.Keys; may be nil
	Each  func(*dissect.Packet) bool // as each of Feed; may be nil
	// a source cannot be read, or not to its end: read, some of it was; may be nil
	Failed func(name string, read bool, err error)
	Read   func(name string, stats *capture.Stats) // what a source had, before Failed; may be nil

	once  sync.Once
	found keys.Table
}

// Find returns the key of a session, or nil. It is for dissect.Options.Keys.
func (k *Keys) Find(of keys.Key) *keys.Key {
	if !k.NoRecover {
		k.once.Do(k.search)
		if key := k.found.Find(of); key != nil {
			return key
		}
	}
	if k.Given == nil {
		return nil
	}
	return k.Given(of)
}

// List returns the keys of all sessions, as keys.Table has them.
func (k *Keys) List() []keys.Key {
	k.once.Do(k.search)
	return k.found.List()
}

// search reads the sources.
func (k *Keys) search() {
	e, err := engine.New(engine.Config{
		Protocols: k.Protocols, Workers: min(k.Workers, 1), NoTree: true, DecodeAs: k.DecodeAs,
		Finish:  func(_ int, dst []byte, _ *dissect.Record) ([]byte, error) { return dst, nil },
		Options: dissect.Options{KeysOnly: !k.NoRecover, Keys: k.Given, KeyFound: k.found.Add, KeyShare: k.Share},
	})
	if err != nil {
		return // the engine for the records has the same error
	}
	var before, read uint64 // packets of the sources before, and of the present one
	more := true
	each := func(p *dissect.Packet) bool {
		read++
		p.Frame += before
		more = k.Each == nil || k.Each(p)
		return more
	}
	for i := 0; more && i < len(k.Sources); i++ {
		if err := k.feed(e, &k.Sources[i], each); err != nil && k.Failed != nil {
			k.Failed(k.Sources[i].Name, read > 0, err)
		}
		before, read = before+read, 0
	}
	_, _ = e.Close() // nothing is written
}

// feed passes the packets of a source to an engine.
func (k *Keys) feed(e *engine.Engine, s *Source, each func(*dissect.Packet) bool) error {
	f, err := s.Open()
	if err != nil {
		return err
	}
	defer f.Close()
	in, err := New(f, s.Name, k.Options)
	if err != nil {
		return err
	}
	defer in.Close()
	err = Feed(e, in, each)
	if k.Read != nil {
		stats := in.Stats()
		k.Read(s.Name, &stats)
	}
	return err
}

// Again returns a second reader of the rest of r, if r is not affected by it: a file or bytes, but no pipe.
func Again(r io.Reader) (io.Reader, bool) {
	at, ok := r.(interface {
		io.ReaderAt
		io.Seeker
	})
	if !ok {
		return nil, false
	}
	start, err := at.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, false // a pipe
	}
	const whole = 1 << 62 // up to the end
	return io.NewSectionReader(at, start, whole-start), true
}
