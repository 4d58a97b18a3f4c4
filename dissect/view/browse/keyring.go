package browse

import (
	"context"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/keys"
)

// A keyring recovers the keys of the sessions of one input that began before it: when the first is met, the input is
// read once more for them.
type keyring struct {
	session *Session
	source  int
	once    sync.Once
	found   keys.Table
}

func (r *keyring) find(k keys.Key) *keys.Key {
	if !r.session.opts.NoRecover {
		r.once.Do(r.recover)
		if key := r.found.Find(k); key != nil {
			return key
		}
	}
	if r.session.opts.Keys != nil {
		return r.session.opts.Keys(k)
	}
	return nil
}

// recover reads the input for nothing but keys. The pass for the rows reports what cannot be read.
func (r *keyring) recover() {
	s := r.session
	cfg := engine.Config{
		Protocols: s.opts.Protocols, Workers: 1, NoTree: true, DecodeAs: s.opts.DecodeAs,
		Finish:  func(_ int, dst []byte, _ *dissect.Record) ([]byte, error) { return dst, nil },
		Options: dissect.Options{KeysOnly: true, Keys: s.opts.Keys, KeyFound: r.found.Add},
	}
	_, _ = s.pass(context.WithoutCancel(s.ctx), r.source, cfg, passOptions{})
}
