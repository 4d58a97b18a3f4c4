package run

import (
	"fmt"
	"runtime"
	"unicode/utf8"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/anonymize"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// checkAnonymize checks --anonymize against the other flags.
func (pl *plan) checkAnonymize() error {
	keep, err := pl.keep()
	switch {
	case err != nil:
		return err
	case !pl.Anonymize.Given() && keep != anonymize.Keep{}:
		return exit.Usagef("--anonymize-chat and --anonymize-files concern --anonymize; give its key")
	case !pl.Anonymize.Given():
		return nil
	case pl.Remove.Given():
		return exit.Usagef("--anonymize replaces names, and chat too unless it is kept, so --remove has nothing to do")
	case pl.Secrets:
		return exit.Usagef("--anonymize cuts passwords and keys, which contradicts --show-secrets")
	case pl.linked:
		return exit.Usagef("--anonymize makes new headers, which have no link layer; leave out --link")
	}
	passphrase, err := pl.Anonymize.Read()
	if err != nil {
		return exit.Usagef("--anonymize: %v", err)
	}
	if n := utf8.RuneCount(passphrase); n < leastPassphrase {
		pl.Complain(fmt.Sprintf("--anonymize: a key of %d characters can be guessed, and the names with it; use %d or more",
			n, leastPassphrase))
	}
	pl.passphrase, pl.kept = passphrase, keep
	return nil
}

// keep reads what --anonymize keeps on demand.
func (pl *plan) keep() (keep anonymize.Keep, err error) {
	for _, choice := range []struct {
		flag, value string
		keep        *bool
	}{{"--anonymize-chat", pl.AnonymizeChat, &keep.Chat}, {"--anonymize-files", pl.AnonymizeFiles, &keep.Files}} {
		switch choice.value {
		case "keep":
			*choice.keep = true
		case "cut", "":
		default:
			return keep, exit.Usagef("%s %s: want keep or cut", choice.flag, choice.value)
		}
	}
	return keep, nil
}

// leastPassphrase is how many characters a key has that gets no warning.
const leastPassphrase = 16

// rewrites reports whether the contents of the inputs are replaced.
func (pl *plan) rewrites() bool { return pl.Anonymize.Given() || pl.Remove.Given() }

// rewriting is the flag that does it.
func (pl *plan) rewriting() string {
	if pl.Remove.Given() {
		return "--remove"
	}
	return "--anonymize"
}

// learn reads all inputs for what identifies people. Errors are reported when the inputs are read again.
func (r *pass) learn(inputs []string) error {
	ids := anonymize.NewRemoving()
	if !r.Remove.Given() {
		ids = anonymize.NewLater(func() anonymize.Key {
			if r.DeriveKey != nil {
				return r.DeriveKey(r.passphrase)
			}
			return anonymize.DeriveKey(r.passphrase)
		})
	}
	r.learnt = map[string]dissect.Options{}
	for _, name := range inputs {
		if name == input.Standard {
			return exit.Usagef("%s reads its input twice; write standard input to a file first", r.rewriting())
		}
		in, err := open.File(name, r.reading())
		if err != nil {
			continue
		}
		cfg := r.plainConfig()
		r.recovering(&cfg, name, false)
		r.learnt[name] = cfg.Options
		_ = ids.LearnFrom(in, cfg)
		in.Close() // it was only read
	}
	if r.Remove.Given() {
		r.replacer = ids.SealRemoving(anonymize.Remove(r.Remove))
		return nil
	}
	r.replacer = ids.Seal(r.kept)
	runtime.GC() // or as much garbage as the key took memory piles up before the next collection
	return nil
}

// plainConfig returns a config that dissects everything and prints nothing.
func (r *pass) plainConfig() engine.Config {
	return engine.Config{Protocols: r.protocols, Workers: int(r.Workers.Value), DecodeAs: r.DecodeAs}
}

// source returns the packets of a named input, rewritten with --anonymize. done is called after the last of them, with
// the account of the input, or nil if it is read again.
func (r *pass) source(in *open.Input, name string) (packets open.Packets, done func(*incomplete.Account)) {
	if r.replacer == nil {
		return in, func(*incomplete.Account) {}
	}
	cfg := r.plainConfig()
	cfg.Options = r.learnt[name]
	reader := anonymize.NewReader(in, r.replacer, cfg)
	return reader, func(account *incomplete.Account) {
		reader.Close()
		if account == nil {
			return
		}
		stats := reader.Stats()
		account.LeaveOut(stats.Dropped)
		r.total.Rewritten += stats.Rewritten
		r.total.Withheld += stats.Dropped
		r.total.Replaced += stats.Replaced
		r.total.Cleared += stats.LeftOut
	}
}
