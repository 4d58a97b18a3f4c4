package run

import (
	"errors"
	"io"
	"slices"

	"github.com/spf13/pflag"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	keyfile "github.com/q3dissect/q3dissect/cmd/q3dissect/internal/keys"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	keywork "github.com/q3dissect/q3dissect/dissect/keys"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// RecoveryFlags declares --keys and --no-recover.
func (s *Settings) RecoveryFlags(f *pflag.FlagSet) {
	s.KeyFlags(f)
	f.BoolVar(&s.NoRecover, "no-recover", false, "do not recover keys of sessions that began before the capture")
}

// KeyFlags declares --keys.
func (s *Settings) KeyFlags(f *pflag.FlagSet) {
	f.Var(&s.KeysFile, "keys", "`FILE` of known keys, as q3dissect keys --json prints them")
}

// readGiven reads the file of --keys.
func (pl *plan) readGiven() error {
	if pl.KeysFile == "" {
		return nil
	}
	var err error
	pl.given, err = keyfile.Read(string(pl.KeysFile))
	return err
}

// recovering makes the engine recover the keys of sessions that began before the input. A file is read a second
// time for that, when the first such session is met; a pipe cannot be, so its keys help from where they are
// found.
func (r *pass) recovering(cfg *engine.Config, name string, live bool) {
	inputs := []string{name}
	if r.ContinueInputs {
		inputs = r.sources
	}
	if r.NoRecover || live || r.LineBuffered || r.ContinueInputs && slices.ContainsFunc(r.sources, r.isLive) {
		cfg.Options.Recover, cfg.Options.Keys = !r.NoRecover, r.given.Find
		return
	}
	recovered := r.Keys(inputs, nil)
	recovered.Share = r.searches
	cfg.Options.Keys = recovered.Find
}

// isLive reports whether an input can be read only once.
func (pl *plan) isLive(name string) bool {
	src, err := input.Open(pl.Stdin, name)
	if err != nil {
		return false // reading it reports the error
	}
	defer src.Close()
	return src.Live
}

// KeyShare returns the part of the next input in the search for keys of all inputs.
func (pl *plan) KeyShare() *keywork.Share { return pl.work.Share() }

// Keys are the keys of the sessions of inputs that continue each other, up to the limit of -c. failed is called for an
// input that cannot be read, or not to its end, with the exit status; nil: the pass for the records
// reports it.
func (pl *plan) Keys(inputs []string, failed func(name string, status int, err error)) *open.Keys {
	k := &open.Keys{
		Options: pl.reading(), Workers: 1, DecodeAs: pl.DecodeAs, NoRecover: pl.NoRecover, Given: pl.given.Find,
		Each: func(p *dissect.Packet) bool { return pl.Count.Value == 0 || p.Frame < pl.Count.Value },
	}
	for _, name := range inputs {
		k.Sources = append(k.Sources, open.Source{
			Name: name,
			Open: func() (io.ReadCloser, error) { return input.Open(pl.Stdin, name) },
		})
	}
	if failed != nil {
		k.Failed = func(name string, read bool, err error) {
			failed(name, statusOf(err, read), err)
		}
	}
	return k
}

// statusOf returns the exit status for the error of an input. begun is true if its kind is known.
func statusOf(err error, begun bool) int {
	var fault *dissect.FileError
	if !errors.As(err, &fault) || !begun && (fault.Code == dissect.UnknownFormat || fault.Code == dissect.ReadFailed) {
		return exit.Unreadable
	}
	return exit.BrokenOff
}

// ReasonOf returns the error of an input in words.
func ReasonOf(err error) string {
	var fault *dissect.FileError
	if errors.As(err, &fault) {
		return fault.Error()
	}
	return exit.Reason(err)
}
