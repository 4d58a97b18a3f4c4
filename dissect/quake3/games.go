package quake3

import (
	"math/bits"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// candidates are the protocol numbers of legacy sessions, with 0 for Quake III: that with voice is assumed of a session
// without connect.
var candidates = func() (list [len(tables.LegacyCandidates) + len(tables.SidedCandidates)]int) {
	copy(list[:], slices.Concat(tables.LegacyCandidates[:], tables.SidedCandidates[:]))
	list[0] = 0
	return list
}()

// A gameChoice finds the game of a session whose challenge is known, but not its protocol number: the connect was lost.
// Messages are read by the tables of every candidate; those that cannot read one are excluded.
type gameChoice struct {
	excluded uint8 // bits by place in candidates
	probe    probe
}

// decided reports whether only one game is left.
func (t *gameChoice) decided() bool {
	return t != nil && bits.OnesCount8(t.excluded) == len(candidates)-1
}

// chooseGame tries the possible games on a message. It returns true if the message should wait for others: the possible
// games read it differently.
func (c *conversation) chooseGame(m *message) (undecided bool) {
	if c.version != 0 || !c.challengeKnown || c.encoding != netchan.Legacy || m.cut > 0 || m.arrival.Duplicate {
		return false
	}
	if c.choice.decided() {
		return false
	}
	if c.choice == nil {
		c.choice = &gameChoice{excluded: c.excluded()}
	}
	t := c.choice
	was := c.snapshots.Generation
	fits, first, same := uint8(0), -1, true
	var meaning []dissect.Node
	for i, version := range candidates {
		if t.excluded>>i&1 != 0 {
			continue
		}
		c.snapshots.Generation = tables.GenerationOf(version) // its cipher too
		if !c.decipherMessage(m, 0) {
			c.snapshots.Generation = was
			return false
		}
		tree := t.probe.tree(version, c.body, m.fromClient)
		if tree == nil {
			continue
		}
		fits |= 1 << i
		if first < 0 {
			first, meaning = i, slices.Clone(tree.Nodes)
		}
		same = same && slices.Equal(meaning, tree.Nodes)
	}
	c.snapshots.Generation = was
	if fits == 0 {
		return false
	}
	t.excluded = ^fits & (1<<len(candidates) - 1)
	c.adopt(tables.GenerationOf(candidates[first]))
	return !same
}

// excluded returns the candidates whose out-of-band packets have another form than those of the session.
func (c *conversation) excluded() (mask uint8) {
	for i, version := range candidates {
		if tables.GenerationOf(version).Sided != (c.Declared == tables.GameOfSided) {
			mask |= 1 << i
		}
	}
	return mask
}

// adopt continues with the tables of another game.
func (c *conversation) adopt(gen *tables.Generation) {
	if c.snapshots.Generation == gen {
		return
	}
	c.snapshots.Generation = gen
	c.server.widen(gen.CommandWindow)
	c.client.widen(gen.CommandWindow)
	c.setFamily()
}

// A probe decodes messages tentatively, for the router and for the choice of a game.
type probe struct {
	c     *conversation
	rec   dissect.Record
	nodes dissect.Tree
}

// tree returns a plain message as the tables of a protocol read it, or nil if it does not end where they end. It is
// valid until the next call.
func (p *probe) tree(version int, body []byte, fromClient bool) *dissect.Tree {
	for _, riding := range [...]bool{false, true} {
		p.nodes.Reset()
		if p.read(version, body, fromClient, riding, &p.nodes) {
			return &p.nodes
		}
		if !p.c.snapshots.Assumed {
			break
		}
	}
	return nil
}

// read reads a plain message. It reports whether it ends where the message ends.
func (p *probe) read(version int, body []byte, fromClient, riding bool, tree *dissect.Tree) bool {
	if p.c == nil {
		p.c = newConversation(dissect.Options{})
		p.c.restart(false)
	}
	c := p.c
	c.body = append(c.body[:0], body...)
	c.clear = len(c.body)
	c.setVersion(version)
	if c.encoding = netchan.Unknown; c.snapshots.Generation.Scrambled {
		c.encoding = netchan.Scrambled
	}
	c.snapshots.AssumeVehicle, c.snapshots.Assumed = riding, false
	p.rec.NoTree, p.rec.Experts = tree == nil, p.rec.Experts[:0]
	if c.read(&p.rec, tree, &message{fromClient: fromClient}, false) != nil {
		return false
	}
	rest := len(body) - (c.dec.Pos()>>3 + 1)
	return rest == 0 || rest == 1 || tree == nil // a download ends twice
}

// decodes reports whether a message of an encoding without a key can be decoded to its end.
func (p *probe) decodes(enc netchan.Encoding, body []byte, fromClient bool) bool {
	versions := tables.NativeCandidates
	if enc == netchan.Scrambled {
		versions = tables.ScrambledCandidates
	}
	for _, version := range versions {
		if p.read(version, body, fromClient, false, nil) {
			return true
		}
	}
	return false
}
