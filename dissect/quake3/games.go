package quake3

import (
	"math/bits"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// legacyGames are protocol numbers whose messages differ, one for each game with a legacy encoding and several for those that
// changed. 0 stands for Quake III with voice, which is what is assumed of a session without connect.
var legacyGames = [...]int{0, 84, 60, 26, 16, 15}

// A gameTrial finds the game of a session whose challenge is known, but not its protocol number: the connect was lost.
// Messages are read by the tables of every game; those that cannot read one are excluded.
type gameTrial struct {
	excluded uint8 // bits by place in legacyGames
	judge    judge
}

// decided reports whether only one game is left.
func (t *gameTrial) decided() bool {
	return t != nil && bits.OnesCount8(t.excluded) == len(legacyGames)-1
}

// chooseGame tries the possible games on a message. It returns true if the message should wait for others: the possible games
// read it differently.
func (c *conversation) chooseGame(m *message) (undecided bool) {
	if c.version != 0 || !c.challengeKnown || c.encoding != netchan.Legacy || m.cut > 0 || m.arrival.Duplicate {
		return false
	}
	if c.trial.decided() {
		return false
	}
	if c.trial == nil {
		c.trial = &gameTrial{}
	}
	t := c.trial
	was := c.snapshots.Generation
	fits, first, same := uint8(0), -1, true
	var meaning []dissect.Node
	for i, version := range legacyGames {
		if t.excluded>>i&1 != 0 {
			continue
		}
		c.snapshots.Generation = tables.GenerationOf(version) // its cipher too
		if !c.decipherMessage(m, 0) {
			c.snapshots.Generation = was
			return false
		}
		tree := t.judge.tree(version, c.body, m.fromClient)
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
	t.excluded = ^fits & (1<<len(legacyGames) - 1)
	c.adopt(tables.GenerationOf(legacyGames[first]))
	return !same
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

// A judge decodes messages on trial, for the router and for the choice of a game.
type judge struct {
	c     *conversation
	rec   dissect.Record
	nodes dissect.Tree
}

// tree returns a plain message as the tables of a protocol read it, or nil if it does not end where they end. It is valid
// until the next call.
func (j *judge) tree(version int, body []byte, fromClient bool) *dissect.Tree {
	for _, riding := range [...]bool{false, true} {
		j.nodes.Reset()
		if j.read(version, body, fromClient, riding, &j.nodes) {
			return &j.nodes
		}
		if !j.c.snapshots.Assumed {
			break
		}
	}
	return nil
}

// read reads a plain message. It reports whether it ends where the message ends.
func (j *judge) read(version int, body []byte, fromClient, riding bool, tree *dissect.Tree) bool {
	if j.c == nil {
		j.c = newConversation(dissect.Options{})
		j.c.restart(false)
	}
	c := j.c
	c.body = append(c.body[:0], body...)
	c.clear = len(c.body)
	c.setVersion(version)
	c.snapshots.AssumeVehicle, c.snapshots.Assumed = riding, false
	j.rec.NoTree, j.rec.Experts = tree == nil, j.rec.Experts[:0]
	if c.read(&j.rec, tree, &message{fromClient: fromClient}, false) != nil {
		return false
	}
	rest := len(body) - (c.dec.Pos()>>3 + 1)
	return rest == 0 || rest == 1 || tree == nil // a download ends twice
}

// decodes reports whether a native message can be decoded to its end.
func (j *judge) decodes(body []byte, fromClient bool) bool {
	for _, version := range [...]int{71, nativeRTCW} {
		if j.read(version, body, fromClient, false, nil) {
			return true
		}
	}
	return false
}
