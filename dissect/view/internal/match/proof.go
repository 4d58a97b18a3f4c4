package match

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/view/merge"
	"github.com/q3dissect/q3dissect/dissect/view/people"
)

// prove keeps a sample of the events of the match.
func (p *Match) prove(kind string, e dissect.Value) {
	clock := e.Get(dissect.EventServerTime.Key)
	if !clock.Exists() {
		return
	}
	if proof := merge.Proof(kind, e); proof != "" {
		p.proved.Add(kind, proof, clock.Int())
	}
}

// AsSeen returns the match as this recording shows it.
func (p *Match) AsSeen() people.MatchSeen {
	seen := p.proved
	seen.Map, seen.Hostname, seen.Began, seen.Length = p.MapName, p.Hostname, p.Began, p.Length
	seen.Complete, seen.Result, seen.Server, seen.Zero = p.Complete, p.Winner != "", p.Server, p.Zero
	return seen
}
