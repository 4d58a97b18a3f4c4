package tables

// A ScoreLayout describes where the numbers of a score command are: leading words, then the same number of words for
// each player; the first is the client.
type ScoreLayout struct {
	Name    string // of the command
	Count   int    // word with the number of players; 0: there is none, or it does not count all of them
	Teams   int    // word with the score of the red team, before that of the blue one; 0: there are none
	Head    int    // words before the first player
	Each    int    // words of a player
	Weapons int    // place of the weapons, which are the last words of a player; 0: none
	Places  ScorePlaces
}

// ScorePlaces are the places of the numbers in the words of a player; 0: there is none.
type ScorePlaces [ScoreColumns]int8

// A ScoreColumn is a number that score commands give for a player.
type ScoreColumn uint8

// The columns.
const (
	ColumnScore ScoreColumn = iota
	ColumnPing
	ColumnMinutes
	ColumnKills
	ColumnDeaths
	ColumnSuicides
	ColumnAccuracy
	ColumnGiven    // damage done to others
	ColumnReceived // damage taken
	ColumnTeamKills
	ColumnXP     // experience
	ScoreColumns // how many there are
)

// ScoreLayouts returns the layouts of a game's score commands.
func (g *Game) ScoreLayouts() []ScoreLayout {
	if g.Match.Scores == nil {
		return scoresQuake3
	}
	return g.Match.Scores
}
