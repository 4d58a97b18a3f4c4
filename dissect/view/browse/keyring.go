package browse

import (
	"context"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
)

// A keyring recovers the keys of the sessions of one input that began before it: when the first is met, the input is
// read once more for them.
type keyring struct {
	session *Session
	source  int
	once    sync.Once
	mu      sync.Mutex
	found   map[keyName]dissect.SessionKey
}

// A keyName says whose a key is.
type keyName struct {
	protocol        string
	stream, session int
}

func (r *keyring) find(k dissect.SessionKey) *dissect.SessionKey {
	if !r.session.opts.NoRecover {
		r.once.Do(r.recover)
		r.mu.Lock()
		key, ok := r.found[keyName{k.Protocol, k.Stream, k.Session}]
		r.mu.Unlock()
		if ok {
			return &key
		}
	}
	if r.session.opts.Keys != nil {
		return r.session.opts.Keys(k)
	}
	return nil
}

// recover reads the input for nothing but keys. What cannot be read the pass for the rows reports.
func (r *keyring) recover() {
	s := r.session
	r.found = map[keyName]dissect.SessionKey{}
	cfg := dissect.Config{
		Protocols: s.opts.Protocols, Workers: 1, NoTree: true, DecodeAs: s.opts.DecodeAs,
		Finish: func(_ int, dst []byte, _ *dissect.Record) ([]byte, error) { return dst, nil },
		Options: dissect.Options{KeysOnly: true, Keys: s.opts.Keys, KeyFound: func(k dissect.SessionKey) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.found[keyName{k.Protocol, k.Stream, k.Session}] = k
		}},
	}
	_, _ = s.pass(context.WithoutCancel(s.ctx), r.source, cfg, passOptions{})
}
