package run

import (
	"errors"
	"io"
	"slices"
	"sync"

	"github.com/spf13/pflag"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	keyfile "github.com/q3dissect/q3dissect/cmd/q3dissect/internal/keys"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/keys"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// RecoveryFlags declares the flags of keys.
func (s *Settings) RecoveryFlags(f *pflag.FlagSet) {
	s.KeyFlags(f)
	f.BoolVar(&s.NoRecover, "no-recover", false, "recover no keys of sessions that began before the capture")
}

func (s *Settings) KeyFlags(f *pflag.FlagSet) {
	f.Var(&s.KeysFile, "keys", "`FILE`: keys that are known, as the verb keys prints them with --json")
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
	cfg.Options.Keys = r.given.Find
	if r.NoRecover {
		return
	}
	if live || r.LineBuffered || r.ContinueInputs && slices.ContainsFunc(r.sources, r.isLive) {
		cfg.Options.Recover = true
		return
	}
	inputs := []string{name}
	if r.ContinueInputs {
		inputs = r.sources
	}
	found := sync.OnceValue(func() *keys.Table { return r.Keys(inputs, func(string, int, string) {}) })
	cfg.Options.Keys = func(k keys.Key) *keys.Key {
		if key := found().Find(k); key != nil {
			return key
		}
		return r.given.Find(k)
	}
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

// Keys reads inputs only for the keys of their sessions. failed is called for an input that cannot be read, or not to its end,
// with the exit status and the reason; the pass for the records has its own.
func (pl *plan) Keys(inputs []string, failed func(name string, status int, reason string)) *keys.Table {
	found := new(keys.Table)
	cfg := engine.Config{
		Protocols: pl.protocols, Workers: 1, NoTree: true, DecodeAs: pl.DecodeAs,
		Finish:  func(_ int, dst []byte, _ *dissect.Record) ([]byte, error) { return dst, nil },
		Options: dissect.Options{KeysOnly: !pl.NoRecover, Keys: pl.given.Find, KeyFound: found.Add},
	}
	e, err := engine.New(cfg)
	if err != nil {
		panic(err) // the plan checked the protocols of -d
	}
	var offset uint64
	for _, name := range inputs {
		n, err := pl.feed(e, name, offset)
		if offset += n; err == errEnough {
			break
		}
		if err != nil {
			status, reason := faultOf(err, n > 0)
			failed(name, status, reason)
		}
	}
	_, _ = e.Close() // nothing is written
	return found
}

// faultOf returns the exit status for the error of an input, and its reason. begun is true if its kind is known.
func faultOf(err error, begun bool) (status int, reason string) {
	var fault *dissect.FileError
	switch {
	case !errors.As(err, &fault):
		return exit.Unreadable, exit.Reason(err)
	case !begun && (fault.Code == dissect.UnknownFormat || fault.Code == dissect.ReadFailed):
		return exit.Unreadable, input.Reason(fault)
	}
	return exit.BrokenOff, fault.Error()
}

// errEnough means that the limit of -c is reached, or that the engine takes no more.
var errEnough = errors.New("enough")

// feed passes the packets of an input to an engine, up to the limit of -c, and returns their number.
func (pl *plan) feed(e *engine.Engine, name string, offset uint64) (uint64, error) {
	src, err := input.Open(pl.Stdin, name)
	if err != nil {
		return 0, err
	}
	defer src.Close()
	in, err := open.New(src, name, open.Options{Protocols: pl.protocols, DemoProtocol: int(pl.DemoProtocol.Value), All: true})
	if err != nil {
		return 0, err
	}
	defer in.Close()
	var n uint64
	for {
		p, err := in.Next()
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		n++
		p.Frame += offset
		if e.Packet(p) != nil || pl.Count.Value > 0 && p.Frame >= pl.Count.Value {
			return n, errEnough
		}
	}
}
