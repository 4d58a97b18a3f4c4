package extract

import "time"

// Highlights are the rules by which remarkable moments are found: the events multikill, midair and flick.
type Highlights struct {
	// A multikill is at least Kills kills of one player, each at most Window after the one before, without a death, a
	// suicide or the kill of a team mate between them; or OneShot kills of one shot.
	Kills, OneShot int
	Window         time.Duration
	// A midair is a kill by a projectile that hit a player who had been in the air for Air, at least Distance units away
	// from where it was shot.
	Distance float64
	Air      time.Duration
	// A flick is a kill by an instant shot after the killer's view turned by Angle degrees or more, at Speed degrees per
	// second or more, within the last two snapshots.
	Angle, Speed float64
}

// UsualHighlights are the rules if nobody asks for others.
func UsualHighlights() Highlights {
	return Highlights{Kills: 3, OneShot: 2, Window: 5 * time.Second, Distance: 300, Angle: 40, Speed: 800}
}
