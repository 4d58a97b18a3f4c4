package router

import (
	"hash/fnv"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
)

// players is what several players at one address need: a client repeats its connect every three seconds until it is
// answered, CL_CheckForResend in code/client/cl_main.c.
var players = dissect.RateLimit{Burst: 32, Period: time.Second}

// floodHint marks a connect that is one of too many. It is beyond what else a Hint has.
const floodHint = 1 << 48

// Floods reports whether the datagram is a connect, and its address has made more than players do.
func (h Hint) Floods() bool { return h&floodHint != 0 }

// floods are the buckets of addresses that connect to a server, as many as memory is meant for: of two that share a
// place the later one has it, so a flood of forged addresses takes no more. Places do not depend on the run.
type floods [1 << 10]struct {
	owner  uint64 // server and address; two have the same in one of 2^64 cases
	bucket dissect.LeakyBucket
}

// flooded counts a connect of an address, and reports whether there are too many.
func (r *Router) flooded(a *datagram) bool {
	if r.floods == nil {
		r.floods = new(floods)
	}
	h := fnv.New64a()
	client, server := a.Src.Addr().As16(), a.Dst.Addr().As16()
	h.Write(client[:])
	h.Write(server[:])
	h.Write([]byte{byte(a.Dst.Port()), byte(a.Dst.Port() >> 8)})
	owner := h.Sum64()
	place := &r.floods[owner%uint64(len(r.floods))]
	if place.owner != owner {
		place.owner, place.bucket = owner, dissect.LeakyBucket{}
	}
	return !place.bucket.Admits(a.now, players)
}
