package convert

import (
	"io"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/keys"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// recovering makes the engine recover the keys of sessions that began before the input, as the command does. An
// input with random access is read once more for them, when the first such session is met; in others, the keys
// help from where they are found.
func (o *Options) recovering(cfg *engine.Config, r io.Reader) {
	if o.NoRecover {
		return
	}
	again, ok := rereadable(r)
	if !ok {
		cfg.Options.Recover = true
		return
	}
	found := sync.OnceValue(func() *keys.Table { return o.keys(again) })
	cfg.Options.Keys = func(k keys.Key) *keys.Key { return found().Find(k) }
}

// rereadable returns a second reader of the rest of r, if r is not affected by it.
func rereadable(r io.Reader) (io.Reader, bool) {
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

// keys reads an input only for the keys of its sessions. Read errors are left to the pass for the records.
func (o *Options) keys(r io.Reader) *keys.Table {
	found := new(keys.Table)
	e, err := engine.New(engine.Config{
		Protocols: o.Protocols, Workers: min(o.Workers, 1), NoTree: true, DecodeAs: o.DecodeAs,
		Finish:  func(_ int, dst []byte, _ *dissect.Record) ([]byte, error) { return dst, nil },
		Options: dissect.Options{KeysOnly: true, KeyFound: found.Add},
	})
	if err != nil {
		return found // the engine for the records gives the same error
	}
	if in, err := open.New(r, o.Name, open.Options{Protocols: o.Protocols, DemoProtocol: o.DemoProtocol, All: true}); err == nil {
		for p, err := range in.Packets() {
			if err != nil || e.Packet(p) != nil {
				break
			}
		}
		in.Close() // it was only read
	}
	_, _ = e.Close() // nothing is written
	return found
}
