package demos

import (
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// Demos of sessions that began before the input: they begin with the first full snapshot, after a gamestate of what
// was learnt until then. An engine plays them, and draws nothing where a configstring or baseline is missing.

// readAcknowledged takes from a client's message which command of the server it has.
func (d *Reader) readAcknowledged(m *observe.Message) {
	if !d.midgame || !m.Counts {
		return
	}
	r := huffcodec.NewReader(m.Body, m.Reader.Generation.Coding)
	r.Bits(32) // server id
	r.Bits(32) // message acknowledged
	if ack := int32(r.Bits(32)); !r.Failed() {
		d.clientAck = max(d.clientAck, ack)
	}
}

// beginOfPieces begins a demo with the last message, whose snapshot is full.
func (d *Reader) beginOfPieces(p *extract.Demo, snap *world.Snapshot) {
	m, gen := d.m, d.m.Reader.Generation
	d.sent = sentGamestate{client: clientNumber(gen, snap)}
	g := Gamestate{
		CommandSequence: max(d.commandSequence, d.clientAck), ClientNum: max(d.sent.client, 0),
		Strings: d.strings,
	}
	for i := range m.Changes {
		if c := &m.Changes[i]; c.Kind == observe.Command {
			g.CommandSequence = min(g.CommandSequence, c.Number-1)
		}
	}
	if r := huffcodec.NewReader(m.Body, gen.Coding); !gen.NoAcknowledge {
		g.Acknowledge = int32(r.Bits(32))
	}
	if d.strings == nil {
		d.strings = new([tables.MaxConfigstrings][]byte)
		g.Strings = d.strings
	}
	gamestate := WriteGamestate(&d.writer, gen, &g, m.World)
	if len(gamestate) > gen.MaxMessage {
		p.Left = extract.DemoTooLarge
		return
	}
	d.out = AppendRecord(d.out[:0], m.Sequence-1, gamestate)
	d.out = AppendRecord(d.out, m.Sequence, m.Body)
	head := &extract.DemoHead{Rebuilt: true, Unknown: []string{"baselines", "checksum_feed", "configstrings"}}
	if d.sent.client < 0 {
		head.Unknown = append(head.Unknown, "client_num")
	}
	d.describe(head)
	p.Begin, p.Data, p.Messages = head, d.out, 2
	d.phase, d.first, d.active, d.again = writing, m.Sequence, false, false
}

// clientNumber returns the number of the client whose state a full snapshot has, -1 if it is not known.
func clientNumber(gen *tables.Generation, snap *world.Snapshot) int32 {
	if gen.Player.Wide {
		if v, ok := snap.Player.At(gen.Player.Place("clientNum")); ok {
			return int32(v)
		}
		return -1
	}
	slot := gen.Player.Slot("clientNum")
	if slot.Mask == 0 || snap.Player.Known&slot.Mask == 0 {
		return -1
	}
	return int32(slot.Value(&snap.Player.Values))
}
