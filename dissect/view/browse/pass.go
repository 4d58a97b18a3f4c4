package browse

import (
	"context"
	"io"
	"sync/atomic"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// read makes the index of all inputs. What is wrong with an input is kept with it.
func (s *Session) read(ctx context.Context) error {
	for i := range s.sources {
		writers := make([]rowWriter, s.finishers())
		for w := range writers {
			writers[w].readings = s.index.readings
		}
		cfg := s.config(i)
		cfg.Saver, cfg.Outline = s.saved.saver(i), true
		var firstTime atomic.Int64
		cfg.Finish = func(worker int, dst []byte, rec *dissect.Record) ([]byte, error) {
			firstTime.Store(rec.FirstTime)
			return writers[worker].append(dst, rec, i), nil
		}
		cfg.Output = func(b []byte) error {
			s.index.setFirstTime(i, firstTime.Load())
			return s.index.add(b)
		}
		stats, err := s.pass(ctx, i, cfg, passOptions{
			progress: &s.index.read,
			begun:    func(recording bool) { s.index.begin(i, recording) },
		})
		fault := ""
		if err != nil && ctx.Err() == nil {
			fault = err.Error()
		}
		s.index.end(i, &stats, fault)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// setFirstTime notes the time of the first packet of an input.
func (x *index) setFirstTime(file int, at int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.files[file].firstTime = at
}

// config is what every pass over an input begins with: its records are the same in each.
func (s *Session) config(source int) engine.Config {
	return engine.Config{
		Protocols: s.opts.Protocols, Workers: s.opts.Workers, All: s.opts.All, DecodeAs: s.opts.DecodeAs,
		Memory: s.opts.Memory, Options: dissect.Options{
			State: s.opts.State, Secrets: s.opts.Secrets,
			Keys: s.keys[source].Find,
		},
	}
}

// finishers is how many goroutines call Finish of a pass.
func (s *Session) finishers() int { return max(s.opts.Workers, 1) }

// recordFile is Record.File of an input.
func (s *Session) recordFile(source int) string {
	if len(s.sources) == 1 {
		return ""
	}
	return s.sources[source].Name
}

// pauseEvery is how many packets are read between two pauses.
const pauseEvery = 256

// passOptions are what passes differ in.
type passOptions struct {
	link     bool
	raw      bool                 // packets have their original bytes
	progress *atomic.Int64        // bytes that were read are added; may be nil
	begun    func(recording bool) // called when the kind of the input is known; may be nil
}

// pass reads an input to its end, or until ctx is done, and dissects it.
func (s *Session) pass(ctx context.Context, source int, cfg engine.Config,
	o passOptions,
) (stats engine.Stats, err error) {
	from := s.sources[source]
	f, err := from.Open()
	if err != nil {
		return stats, err
	}
	defer f.Close()
	counted := &countedReader{from: f, read: o.progress}
	reading := s.reading(o.link)
	reading.Raw = o.raw
	in, err := open.New(counted, from.Name, reading)
	if err != nil {
		return stats, err
	}
	defer in.Close()
	if _, recording := in.Recording(); o.begun != nil {
		o.begun(recording)
	}
	cfg.File = s.recordFile(source)
	stats, err = open.Dissect(in, cfg, s.pausing(ctx))
	if err == nil {
		err = ctx.Err()
	}
	return stats, err
}

// reading is how inputs are read.
func (s *Session) reading(link bool) open.Options {
	return open.Options{Protocols: s.opts.Protocols, DemoProtocol: s.opts.DemoProtocol, All: true, Link: link}
}

// pausing returns what a pass calls for each packet, until ctx is done.
func (s *Session) pausing(ctx context.Context) func(*dissect.Packet) bool {
	n := 0
	return func(*dissect.Packet) bool {
		if n++; n%pauseEvery == 0 && s.opts.Pause != nil {
			s.opts.Pause()
		}
		return ctx.Err() == nil
	}
}

// A countedReader counts what is read.
type countedReader struct {
	from io.Reader
	read *atomic.Int64
}

func (r *countedReader) Read(b []byte) (int, error) {
	n, err := r.from.Read(b)
	if r.read != nil {
		r.read.Add(int64(n))
	}
	return n, err
}
