// Package motion says where something was between two states of a game.
package motion

// Between returns the place at a time between two others, on a straight line: where a client shows it, and where a
// server that keeps the states of its frames finds it. Before the first and after the last time it is there.
//
// CG_InterpolateEntityPosition in code/cgame/cg_ents.c; TimeShiftLerp in code/game/g_unlagged.c of OpenArena.
func Between(first, last [3]float32, from, to, at int64) (place [3]float64) {
	share := Share(from, to, at)
	for i := range place {
		place[i] = float64(first[i]) + share*float64(last[i]-first[i])
	}
	return place
}

// Share returns how much of a span has passed at a time: 0 to 1.
func Share(from, to, at int64) float64 {
	if to <= from {
		return 1
	}
	return float64(min(max(at, from), to)-from) / float64(to-from)
}
