package browse

import (
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
)

// Readings number the readers of payloads that tickets name, so that a row on disk can.
type readings struct {
	protocols []*dissect.Protocol
	mu        sync.Mutex
	numbers   map[*dissect.Reading]int
	list      []*dissect.Reading
}

func newReadings(protocols []*dissect.Protocol) *readings {
	return &readings{protocols: protocols, numbers: map[*dissect.Reading]int{nil: 0}, list: []*dissect.Reading{nil}}
}

func (r *readings) number(reading *dissect.Reading) int {
	if reading == nil {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	n, ok := r.numbers[reading]
	if !ok {
		n = len(r.list)
		r.numbers[reading], r.list = n, append(r.list, reading)
	}
	return n
}

func (r *readings) at(n uint64) *dissect.Reading {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n >= uint64(len(r.list)) {
		return nil
	}
	return r.list[n]
}

// recorder is the name of a protocol by its place.
func (r *readings) recorder(router int) string {
	if router < 0 || router >= len(r.protocols) {
		return ""
	}
	return r.protocols[router].Name
}
