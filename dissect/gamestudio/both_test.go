package gamestudio

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/directplay8"
	"github.com/q3dissect/q3dissect/dissect/enet"
)

// A both is a conversation and the reader of what it carries, if there is one, as the engine runs them.
type both struct {
	protocol *dissect.Protocol
	conv     dissect.Conversation
	reading  *dissect.Reading
	reader   *payloadReader
}

// newBoth makes a conversation of a protocol; with reads the game reads its payloads, as a hint does.
func newBoth(protocol *dissect.Protocol, reads bool, h hint, opts dissect.Options) *both {
	b := &both{protocol: protocol, conv: protocol.NewConversation(opts)}
	if c, ok := b.conv.(*conversation); ok {
		b.reader = &c.reader
	} else if reads {
		b.reading, b.reader = &dissect.Reading{Reader: New(), Hint: uint64(h)}, &payloadReader{opts: opts}
	}
	return b
}

func (b *both) dissect(rec *dissect.Record) {
	rec.Protocol, rec.Reading = b.protocol, b.reading
	b.conv.Dissect(rec)
	if b.reading != nil && b.reader.readPayloads(rec) {
		rec.Protocol = b.reading.Reader
	}
}

// routersOf returns the routers of the game and its transports, as the engine makes them.
func routersOf(tb testing.TB) (list []dissect.Router) {
	tb.Helper()
	readers := []*dissect.Protocol{New()}
	carriers := []dissect.Carrier{directplay8.New().NewCarrier(), enet.New().NewCarrier()}
	return []dissect.Router{
		New().NewPayloadRouter(carriers), directplay8.New().NewTransportRouter(readers),
		enet.New().NewTransportRouter(readers),
	}
}
