package convert

import (
	"io"

	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// recovering makes the engine recover the keys of sessions that began before the input, as the command does. An
// input with random access is read once more for them, when the first such session is met; in others, the keys
// help from where they are found.
func (o *Options) recovering(cfg *engine.Config, r io.Reader) {
	again, ok := rereadable(r)
	if cfg.Options.Recover = !ok && !o.NoRecover; !ok || o.NoRecover {
		return
	}
	keys := &open.Keys{
		Options: o.reading(), Workers: o.Workers, DecodeAs: o.DecodeAs,
		Sources: []open.Source{{Name: o.Name, Open: func() (io.ReadCloser, error) { return io.NopCloser(again), nil }}},
	}
	cfg.Options.Keys = keys.Find
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
