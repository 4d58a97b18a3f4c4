package router

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
)

// decodes replaces the test of a native message, which it passes by its length alone.
func decodes(_ netchan.Encoding, body []byte, _ bool) bool { return len(body)%3 != 0 }

// A thorough router does not look quickly at anything.
type thorough struct{ *Router }

func (r thorough) Route(p *dissect.Packet, now int64, last bool) dissect.Route {
	_, claimed := r.claims.Of(p)
	return r.examine(p, now, claimed, last)
}

// TestForeignAtALook: a router that passes over foreign datagrams at a look answers like one that examines all of
// them.
func TestForeignAtALook(t *testing.T) {
	t.Parallel()
	enginetest.SameRoutes(t,
		func() dissect.Router { return New(decodes) },
		func() dissect.Router { return thorough{New(decodes)} },
		"../../../../samples/quake3/68-natrebind.pcap",
		"../../../../samples/quake3/68-connect-play.pcap",
		"../../../../samples/quake3/71-midsession.pcap",
		"../../../../samples/quake3/71-ipv6-chat.pcap",
		"../../../../samples/quake3/oob.pcap",
		"../../../../samples/teeworlds/07-midsession.pcap",
		"../../../../samples/gamestudio/enet-cube2.pcap",
	)
}
