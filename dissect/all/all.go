// Package all lists the protocols, one line each. A program that imports it links all of them; one that needs a single
// protocol imports that protocol's package instead.
package all

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/directplay8"
	"github.com/q3dissect/q3dissect/dissect/enet"
	"github.com/q3dissect/q3dissect/dissect/gamestudio"
	"github.com/q3dissect/q3dissect/dissect/quake3"
	"github.com/q3dissect/q3dissect/dissect/teeworlds"
)

// Protocols returns every protocol, in the order in which they are asked whose a datagram is. The slice is
// the caller's.
func Protocols() []*dissect.Protocol {
	return []*dissect.Protocol{
		quake3.New(),
		teeworlds.New(),
		directplay8.New(),
		enet.New(),
		gamestudio.New(),
	}
}
