package quake3

import (
	"iter"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/handshake"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// An interpretation is a way to read a message: what its meaning depends on beside its bytes, where more than one is
// possible. All of a message are read from the same state, and the first one that reads it to its end is taken.
type interpretation struct {
	generation *tables.Generation
	riding     bool            // a player for whom it is not known whether he rides a vehicle rides one
	skip       int32           // reliable commands after the one acknowledged; the last is the key
	rival      handshake.Offer // whose challenge begins the key; not known: the session's does
}

// asIs returns the interpretation that is tried first: what is known of the session.
func (c *conversation) asIs() interpretation {
	return interpretation{generation: c.snapshots.Generation, riding: c.snapshots.AssumeVehicle}
}

// others returns the interpretations that are tried when the first one does not read a message to its end, each
// with its reason. Those of another key need bytes that are enciphered with one of the capture.
func (c *conversation) others(m *message, first interpretation, recovered bool) iter.Seq[interpretation] {
	return func(yield func(interpretation) bool) {
		// A delta says nothing of the vehicle where the state before it is not in the capture.
		if other := first; first.generation.Vehicle != nil && c.snapshots.Assumed {
			if other.riding = !first.riding; !yield(other) {
				return
			}
		}
		// The checksum of a session without a handshake shows its challenge, and not its protocol.
		if c.version == 0 && c.encoding == netchan.Native {
			for _, version := range tables.NativeCandidates {
				other := first
				other.generation = tables.GenerationOf(version)
				if other.generation != first.generation && other.generation.Version == version && !yield(other) {
					return
				}
			}
		}
		// Nor do scrambled packets.
		if c.version == 0 && c.encoding == netchan.Scrambled {
			for _, version := range tables.ScrambledCandidates {
				other := first
				other.generation = tables.GenerationOf(version)
				if other.generation != first.generation && !yield(other) {
					return
				}
			}
		}
		// A message that waited for its fragments is enciphered with a later command.
		for other := first; other.skip < c.alternatives(m); {
			if other.skip++; c.hasKey(m, other.skip) && !yield(other) {
				return
			}
		}
		// Anybody can have sent the challenge that the session began with.
		if c.encoding == netchan.Legacy && c.Contested() && !recovered {
			for o := range c.Others(c.challenge) {
				other := first
				if other.rival = o; !yield(other) {
					return
				}
			}
		}
	}
}

// interpret reads a message as an interpretation has it, from the state before the message.
func (c *conversation) interpret(rec *dissect.Record, tree *dissect.Tree, m *message, i *interpretation, keep bool,
) *dissect.Error {
	c.takeBack()
	c.snapshots.Generation, c.snapshots.AssumeVehicle = i.generation, i.riding
	return c.read(rec, tree, m, keep)
}

// decipherAs deciphers a message with the key of an interpretation.
func (c *conversation) decipherAs(m *message, i *interpretation) {
	challenge := c.challenge
	if i.rival.Known {
		c.challenge = i.rival.Challenge
	}
	c.decipherMessage(m, i.skip)
	c.challenge = challenge
}

// take makes an interpretation that read a message to its end the session's.
func (c *conversation) take(i *interpretation, first *interpretation) {
	if i.generation != first.generation {
		c.setFamily()
	}
	if i.rival.Known {
		c.accept(i.rival)
	}
}

// reads reports whether a body can be read to its end as that of a message.
func (c *conversation) reads(m *message, body []byte) (good bool) {
	probe := message{fromClient: m.fromClient, header: m.header, checksumOK: m.checksumOK, body: body}
	if !c.decipherMessage(&probe, 0) {
		return false
	}
	rec := &dissect.Record{NoTree: true}
	first := c.asIs()
	good = c.interpret(rec, nil, &probe, &first, false) == nil
	if !good {
		for i := range c.others(&probe, first, false) {
			c.decipherAs(&probe, &i)
			if good = c.interpret(rec, nil, &probe, &i, false) == nil; good {
				break
			}
		}
	}
	c.settle(&probe, false)
	c.snapshots.Generation, c.snapshots.AssumeVehicle = first.generation, first.riding
	return good
}

// A checkpoint is what was in a record before something that may be taken back.
type checkpoint struct {
	mark    dissect.Mark
	entries int
	damaged bool
}

// An attempt reads a message.
type attempt struct {
	rec         *dissect.Record
	tree        *dissect.Tree
	m           *message
	known, ours bool // the key is known; the checksum is right
	recovered   bool // the key was recovered
	begin       checkpoint
	err         *dissect.Error
	taken       interpretation
}

// whole reports whether the message could be read to its end, or to that of what was captured.
func (t *attempt) whole() bool { return t.known && (t.err == nil || t.m.cut > 0) }

// good reports whether the message is the session's: it could be read, or has the right checksum.
func (t *attempt) good(c *conversation) bool {
	return t.ours && (t.whole() || t.known && c.encoding != netchan.Legacy && c.encoding != netchan.Scrambled)
}

// back takes back what was added to the record since a checkpoint.
func (t *attempt) back(to checkpoint) {
	t.tree.Rollback(to.mark)
	t.rec.Experts, t.rec.Damaged = t.rec.Experts[:to.entries], to.damaged
}

// read shows the header and reads the message.
func (t *attempt) read(c *conversation) {
	rec, tree, m := t.rec, t.tree, t.m
	c.showNetchan(tree, rec, m)
	keep := t.ours && !m.arrival.Behind() && t.known
	c.cut = m.cut
	var after checkpoint // with what is about the packet itself
	after.mark, after.entries, after.damaged = tree.Mark(), len(rec.Experts), rec.Damaged
	t.taken = c.asIs()
	if t.err = c.read(rec, tree, m, keep); t.err == nil {
		return
	}
	if c.rewriter != nil {
		rec.Outline = false // another attempt has another key
	}
	if !t.known {
		return
	}
	first, key, tried := t.taken, t.taken, false
	for i := range c.others(m, first, t.recovered) {
		tried = true
		if i.skip != key.skip || i.rival != key.rival {
			c.decipherAs(m, &i)
			key = i
		}
		t.back(after)
		if t.err = c.interpret(rec, tree, m, &i, keep); t.err == nil {
			t.taken = i
			c.take(&i, &first)
			return
		}
	}
	if !tried {
		return
	}
	if key != first && !t.recovered {
		c.decipherAs(m, &first)
	}
	t.back(after)
	t.err = c.interpret(rec, tree, m, &first, keep)
}

// doubt records the number of a message that could not be read as one in doubt, and shows what that changes.
func (t *attempt) doubt(c *conversation) {
	m, s := t.m, &c.sides[netchan.SideIndex(t.m.fromClient)]
	s.arrivals = m.before
	arrival := s.arrivals.Arrive(m.header.Sequence, false)
	if same := arrival.Behind() == m.arrival.Behind() && arrival.LostBefore == m.arrival.LostBefore; same || t.recovered {
		return
	}
	m.arrival = arrival
	c.settle(m, false)
	t.back(t.begin)
	if t.known {
		c.decipherMessage(m, 0)
	}
	t.read(c)
}
