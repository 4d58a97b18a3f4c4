package main

import (
	"errors"
	"io"
	"slices"
	"sync"

	"github.com/spf13/pflag"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// defineRecovery declares the flags of keys.
func (s *settings) defineRecovery(f *pflag.FlagSet) {
	s.defineKeys(f)
	f.BoolVar(&s.noRecover, "no-recover", false, "recover no keys of sessions that began before the capture")
}

func (s *settings) defineKeys(f *pflag.FlagSet) {
	f.StringVar(&s.keysFile, "keys", "", "`FILE`: keys that are known, as the verb keys prints them with --json")
}

// readGiven reads the file of --keys.
func (pl *plan) readGiven() error {
	if pl.keysFile == "" {
		return nil
	}
	var err error
	pl.given, err = readKeys(pl.keysFile)
	return err
}

// recovering makes the engine recover the keys of sessions that began before the input. A file is read
// once more for them, when the first such session is met; a pipe cannot be, and what comes later profits.
func (r *run) recovering(cfg *dissect.Config, name string, live bool) {
	if len(r.given) > 0 {
		cfg.Options.Keys = r.given.find
	}
	if r.noRecover {
		return
	}
	if live || r.lineBuffered || r.continueInputs && slices.ContainsFunc(r.sources, r.isLive) {
		cfg.Options.Recover = true
		return
	}
	inputs := []string{name}
	if r.continueInputs {
		inputs = r.sources
	}
	found := sync.OnceValue(func() keyList { return r.findKeys(inputs) })
	cfg.Options.Keys = func(k dissect.SessionKey) *dissect.SessionKey {
		if key := found().at(k); key != nil {
			return key
		}
		return r.given.find(k)
	}
}

// isLive reports whether an input can be read only once.
func (pl *plan) isLive(name string) bool {
	src, err := pl.open(name)
	if err != nil {
		return false // whoever reads it complains
	}
	defer src.close()
	return src.live
}

// A keyList is how the keys of sessions are known.
type keyList []dissect.SessionKey

// at gives the entry of a session of the same input.
func (l keyList) at(k dissect.SessionKey) *dissect.SessionKey {
	for i := range l {
		if l[i].Protocol == k.Protocol && l[i].Stream == k.Stream && l[i].Session == k.Session {
			return &l[i]
		}
	}
	return nil
}

// find gives the entry of a session of whatever input: between the same endpoints.
func (l keyList) find(k dissect.SessionKey) *dissect.SessionKey {
	for i := range l {
		if e := &l[i]; e.Server == k.Server && (!e.Client.IsValid() || e.Client == k.Client) && (e.Session < 0 || e.Session == k.Session) {
			return e
		}
	}
	return nil
}

// findKeys reads inputs for nothing but the keys of their sessions. What cannot be read is left to whoever
// reads for the records.
func (pl *plan) findKeys(inputs []string) keyList {
	var list keyList
	cfg := dissect.Config{
		Protocols: pl.protocols, Workers: 1, NoTree: true, DecodeAs: pl.decodeAs,
		Finish: func(_ int, dst []byte, _ *dissect.Record) ([]byte, error) { return dst, nil },
		Options: dissect.Options{KeysOnly: true, KeyFound: func(k dissect.SessionKey) {
			if e := list.at(k); e != nil {
				*e = k
			} else {
				list = append(list, k)
			}
		}},
	}
	if len(pl.given) > 0 {
		cfg.Options.Keys = pl.given.find
	}
	engine, err := dissect.NewEngine(cfg)
	if err != nil {
		panic(err) // the plan checked the protocols of -d
	}
	var offset uint64
	for _, name := range inputs {
		n, err := pl.feed(engine, name, offset)
		if offset += n; err != nil {
			break
		}
	}
	_, _ = engine.Close() // nothing is written
	slices.SortFunc(list, func(a, b dissect.SessionKey) int {
		if a.Stream != b.Stream {
			return a.Stream - b.Stream
		}
		return a.Session - b.Session
	})
	return list
}

// feed gives the packets of an input to an engine, as far as they are wanted (-c). It gives their number.
func (pl *plan) feed(engine *dissect.Engine, name string, offset uint64) (uint64, error) {
	src, err := pl.open(name)
	if err != nil {
		return 0, err
	}
	defer src.close()
	in, err := open.New(src, name, open.Options{Protocols: pl.protocols, DemoProtocol: int(pl.demoProtocol.value), All: true})
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
		if engine.Packet(p) != nil || pl.count.value > 0 && p.Frame >= pl.count.value {
			return n, errors.New("enough")
		}
	}
}
