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
	again, ok := open.Again(r)
	if cfg.Options.Recover = !ok && !o.NoRecover; !ok || o.NoRecover {
		return
	}
	keys := &open.Keys{
		Options: o.reading(), Workers: o.Workers, DecodeAs: o.DecodeAs,
		Sources: []open.Source{{Name: o.Name, Open: func() (io.ReadCloser, error) { return io.NopCloser(again), nil }}},
	}
	cfg.Options.Keys = keys.Find
}
