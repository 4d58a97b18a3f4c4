package modeltest

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
)

// gossip is a toy whose conversations report every attempt at a datagram as an event.
func gossip() *dissect.Protocol {
	t := &toy{name: "toy"}
	p := t.protocol()
	p.NewConversation = func(opts dissect.Options) dissect.Conversation {
		return &gossipConversation{toyConversation: toyConversation{toy: t}, opts: opts}
	}
	p.End = nil
	p.EventRoot = &gossipRoot
	p.AppendEvent = func(dst []byte, t *dissect.Tree, node int) []byte {
		return fmt.Appendf(dst, "%d", t.Nodes[t.Child(node, &dissect.EventServerTime)].Int())
	}
	return p
}

var gossipRoot = dissect.Field{Kind: dissect.Object, Children: []*dissect.Field{&dissect.EventKind, &dissect.EventServerTime}}

type gossipConversation struct {
	toyConversation
	opts dissect.Options
}

func (c *gossipConversation) Dissect(rec *dissect.Record) bool {
	if c.opts.Events {
		rec.Events.Open(&gossipRoot, 0)
		rec.Events.AddLabel(&dissect.EventKind, "datagram", 0, 0)
		rec.Events.AddInt(&dissect.EventServerTime, int64(rec.Frame), 0, 0)
		rec.Events.Close(0)
	}
	return c.toyConversation.Dissect(rec)
}

// TestEvents sends datagrams, some of them wait: every record has the events of the attempt that counts, its
// own ones, and no tree if nobody looks at trees.
func TestEvents(t *testing.T) {
	t.Parallel()
	datagrams := []toyDatagram{
		{kind: toyMine, direction: dissect.ClientToServer, needs: 2},
		{kind: toyMine, direction: dissect.ClientToServer, needs: 1},
		{kind: toyMine, direction: dissect.ServerToClient, brings: 1},
		{kind: toyMine, conv: 2, direction: dissect.ServerToClient},
		{kind: toyMine, direction: dissect.ServerToClient, brings: 2},
		{kind: toyMine, direction: dissect.ClientToServer},
	}
	var want []string
	for i := range datagrams {
		want = append(want, fmt.Sprintf("%d tells %[1]d;", i+1))
	}
	for workers := range 4 {
		for _, events := range []bool{true, false} {
			var got []string
			e, err := engine.New(engine.Config{
				Protocols: []*dissect.Protocol{gossip()}, Workers: workers, NoTree: true, Options: dissect.Options{Events: events},
				Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
					if len(rec.Tree.Nodes) > 0 {
						t.Errorf("frame %d has a tree", rec.Frame)
					}
					dst = fmt.Appendf(dst, "%d tells ", rec.Frame)
					source := rec.Protocol
					for i := 0; i < len(rec.Events.Nodes); i = int(rec.Events.Nodes[i].End) {
						dst = append(source.AppendEvent(dst, &rec.Events, i), ';')
					}
					return append(dst, '\n'), nil
				},
				Output: func(b []byte) error {
					for line := range bytes.Lines(b) {
						got = append(got, string(bytes.TrimSuffix(line, []byte{'\n'})))
					}
					return nil
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			for i, d := range datagrams {
				p := d.packet(uint64(i + 1))
				if err := e.Packet(&p); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := e.Close(); err != nil {
				t.Fatal(err)
			}
			expected := want
			if !events {
				expected = nil
				for i := range datagrams {
					expected = append(expected, fmt.Sprintf("%d tells ", i+1))
				}
			}
			if diff := cmp.Diff(expected, got); diff != "" {
				t.Errorf("%d workers, events %t (-want +got):\n%s", workers, events, diff)
			}
		}
	}
}
