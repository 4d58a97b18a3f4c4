package browse

import (
	"context"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/view/timeline"
)

// A Roster is who plays in the inputs, in the order in which the report has them: players have the same colours there.
type Roster struct {
	progress
	Files []RosterFile `json:"files"`
}

// A RosterFile is who plays in one input.
type RosterFile struct {
	Games   []RosterGame   `json:"games"`
	Clients []RosterClient `json:"clients"` // whose own streams are in the input
}

// A RosterGame is the players of one server.
type RosterGame struct {
	Streams []int          `json:"streams,omitempty"`
	Players []RosterPlayer `json:"players"`
}

// A RosterPlayer is one of them.
type RosterPlayer struct {
	Client int64  `json:"client"` // number on the server, -1 where it is not known
	Name   string `json:"name"`   // without colours
	Team   string `json:"team,omitempty"`
	Plays  bool   `json:"plays,omitempty"` // moves, kills or is killed
}

// A RosterClient is the player of a stream.
type RosterClient struct {
	Stream int    `json:"stream"`
	Name   string `json:"name"`
}

// Roster returns who plays. There are players when it is done.
func (s *Session) Roster() Roster {
	s.mu.Lock()
	j := s.job(&s.panels, "roster", func(ctx context.Context, j *job) error { return s.readRoster(ctx, j) })
	s.mu.Unlock()
	s.index.mu.Lock()
	defer s.index.mu.Unlock()
	return Roster{progress: j.progress(s, len(j.roster)), Files: slices.Clone(j.roster)}
}

// readRoster collects the pictures of each input, and keeps the players.
func (s *Session) readRoster(ctx context.Context, j *job) error {
	for i := range s.sources {
		needs := timeline.Needs()
		collector := timeline.New(timeline.Options{})
		cfg := s.config(i)
		cfg.Workers = 1 // it takes the records one by one
		cfg.Options.Events, cfg.Options.Inputs = needs.Events, needs.Inputs
		cfg.Finish = func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
			collector.Add(rec)
			return dst, nil
		}
		if _, err := s.pass(ctx, i, cfg, passOptions{progress: &j.read}); err != nil && ctx.Err() != nil {
			return err
		}
		file := rosterOf(collector.Data())
		s.index.mu.Lock()
		j.roster = append(j.roster, file)
		s.index.mu.Unlock()
	}
	return nil
}

// rosterOf returns the players of pictures.
func rosterOf(d *timeline.Data) RosterFile {
	file := RosterFile{Games: []RosterGame{}, Clients: []RosterClient{}}
	for _, g := range d.Games {
		game := RosterGame{Streams: g.Streams, Players: []RosterPlayer{}}
		for _, p := range g.Players {
			game.Players = append(game.Players, RosterPlayer{Client: p.Client, Name: p.Clean, Team: p.Team})
		}
		for i := range g.Tracks {
			game.Players[g.Tracks[i].Player].Plays = true
		}
		for i := range g.Events {
			for _, who := range []*int{g.Events[i].Player, g.Events[i].Other} {
				if who != nil && g.Events[i].Kind == event.Kill {
					game.Players[*who].Plays = true
				}
			}
		}
		file.Games = append(file.Games, game)
	}
	for i := range d.Lagometer {
		c := RosterClient{d.Lagometer[i].Stream, d.Lagometer[i].Player}
		if c.Name != "" && !slices.Contains(file.Clients, c) {
			file.Clients = append(file.Clients, c)
		}
	}
	return file
}
