package report

import "errors"

// A plan is the map itself, behind the ways of the players.
type plan struct {
	Name  string     `json:"name"`
	Lines [][4]int32 `json:"lines"` // x1, y1, x2, y2 in the game's units
}

func readPlan(string) (*plan, error) { return nil, errors.New("no map") }
