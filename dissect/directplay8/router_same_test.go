package directplay8

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
)

// A thorough router does not look quickly at anything.
type thorough struct{ *router }

func (r thorough) Route(p *dissect.Packet, now int64, last bool) dissect.Route {
	return r.examine(p, now, last)
}

// TestForeignAtALook: a router that passes over foreign datagrams at a look answers like one that examines all of
// them.
func TestForeignAtALook(t *testing.T) {
	t.Parallel()
	enginetest.SameRoutes(t,
		func() dissect.Router { return newRouter(nil) },
		func() dissect.Router { return thorough{newRouter(nil)} },
		"../../samples/gamestudio/synthetic-directplay8.pcap",
		"../../samples/gamestudio/synthetic-directplay8-frames.pcap",
		"../../samples/gamestudio/synthetic-directplay8-signed.pcap",
		"../../samples/gamestudio/synthetic-directplay8-loss.pcap",
		"../../samples/gamestudio/enet-cube2.pcap",
		"../../samples/quake3/68-connect-play.pcap",
	)
}
