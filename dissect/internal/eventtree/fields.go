// Package eventtree has what the games share to put events into the trees of records and into words: fields, a writer
// and sentences. Package event has the kinds.
//
//	evKicked = eventtree.Field(eventtree.Kicked, "", "CServer::ConKick, src/engine/server/server.cpp")
package eventtree

import "github.com/q3dissect/q3dissect/dissect"

// Fields that mean the same in all games.
var (
	OldName = dissect.Field{Key: "old_name", Kind: dissect.Text, Doc: "rename: the name before"}
	Suicide = dissect.Field{Key: "suicide", Kind: dissect.Bool, Doc: "kill: true where killer and victim are the same; absent otherwise"}

	Match = dissect.Field{
		Key: "match", Kind: dissect.Uint,
		Doc: "number of the match in the input, from 0: from its start until its result; absent outside of matches",
	}
	InProgress = dissect.Field{
		Key: "in_progress", Kind: dissect.Bool,
		Doc: "true for what had begun before: of match_start a match, of map_start a map, of enter a player's stay; " +
			"absent otherwise",
	}
	EndTime  = dissect.Field{Key: "end_time", Kind: dissect.Int, Unit: "ms", Doc: "match_end: server time at which the match was over; multikill, midair, flick: of the last kill"}
	Complete = dissect.Field{Key: "complete", Kind: dissect.Bool, Doc: "match_end: the beginning and the end of the match were seen"}
	Distance = dissect.Field{
		Key: "distance", Kind: dissect.Float, Unit: "units",
		Doc: "match_end, run: the player's path while snapshots showed him, without teleports; midair: from where it was " +
			"shot to where it hit",
	}
	Setting       = dissect.Field{Key: "setting", Kind: dissect.Text, Doc: "settings: its name"}
	SettingBefore = dissect.Field{Key: "before", Kind: dissect.Text, Doc: "settings: its value before; absent: it had none"}
	SettingAfter  = dissect.Field{Key: "after", Kind: dissect.Text, Doc: "settings: its value since; absent: it has none"}

	SeenTime = dissect.Field{Key: "seen_time", Kind: dissect.Int, Unit: "ms", Doc: "match_end, run: for how long they did"}
)

// Fields of races, and of runs with a flag.
var (
	Course   = dissect.Field{Key: "course", Kind: dissect.Label, Doc: "run: race, or flag"}
	RaceTime = dissect.Field{
		Key: "race_time", Kind: dissect.Int, Unit: "ms", Doc: "checkpoint: time since the start of the race",
	}
	RaceDiff = dissect.Field{
		Key: "race_diff", Kind: dissect.Int, Unit: "ms",
		Doc: "checkpoint: difference to the player's best race there, negative: faster; absent where the server has none",
	}
	RaceCheckpoint = dissect.Field{
		Key: "checkpoint", Kind: dissect.Uint, Doc: "checkpoint: how many of this race were seen, this one included",
	}
	RunTime = dissect.Field{
		Key: "run_time", Kind: dissect.Int, Unit: "ms",
		Doc: "run: how long it took; of a capture since the flag was first taken, where the server counts so",
	}
	FromDrop = dissect.Field{
		Key: "from_drop", Kind: dissect.Bool,
		Doc: "run: true where the flag lay where somebody had dropped it when the player took it: no ranking has the run; " +
			"absent otherwise",
	}
	Speed = dissect.Field{
		Key: "speed", Kind: dissect.Float, Unit: "units/s",
		Doc: "run: distance through seen_time",
	}
	TopSpeed = dissect.Field{
		Key: "top_speed", Kind: dissect.Float, Unit: "units/s",
		Doc: "run: highest speed between two snapshots",
	}
)

// Fields of remarkable moments.
var (
	Viewed = dissect.Field{
		Key: "viewed", Kind: dissect.Bool,
		Doc: "multikill, midair, flick: true where the view of the recording is that of the player; absent otherwise",
	}
	Streak  = dissect.Field{Key: "kills", Kind: dissect.Int, Doc: "multikill: how many"}
	Window  = dissect.Field{Key: "window", Kind: dissect.Int, Unit: "ms", Doc: "multikill: from the first kill to the last"}
	OneShot = dissect.Field{
		Key: "one_shot", Kind: dissect.Int, Doc: "multikill: how many of them were of one shot; absent: each had its own",
	}
	AirTime = dissect.Field{
		Key: "air_time", Kind: dissect.Int, Unit: "ms", Doc: "midair: for how long snapshots had shown the victim in the air",
	}
	Angle = dissect.Field{Key: "angle", Kind: dissect.Float, Unit: "degrees", Doc: "flick: how far the view turned"}
)

// Fields whose values come from a different place in every game. Field completes them.
var (
	ClientNum = dissect.Field{Key: "client_num", Kind: dissect.Uint, Doc: "number of the client; absent where only the name is known"}
	Own       = dissect.Field{Key: "own", Kind: dissect.Bool, Doc: "true: it is about the client whose stream it is; absent otherwise"}
	World     = dissect.Field{Key: "world", Kind: dissect.Bool, Doc: "kill: true where no player did it; absent otherwise"}
	Yes       = dissect.Field{Key: "yes", Kind: dissect.Int, Doc: "vote: votes for it so far"}
	No        = dissect.Field{Key: "no", Kind: dissect.Int, Doc: "vote: votes against it so far"}
	Kicked    = dissect.Field{Key: "kicked", Kind: dissect.Bool, Doc: "disconnect: true for a kick; absent otherwise"}
	Command   = dissect.Field{Key: "command", Kind: dissect.Text, Doc: "rcon: the console command"}
	Map       = dissect.Field{Key: "map", Kind: dissect.Text, Doc: "map_start, match_start, match_end: name of the map"}
	Score     = dissect.Field{Key: "score", Kind: dissect.Int, Doc: "the player's or team's score"}
	StartTime = dissect.Field{
		Key: "start_time", Kind: dissect.Int, Unit: "ms",
		Doc: "match_start, match_end, race_start: server time at which the match or the run began; multikill: of the first " +
			"kill, midair: of the shot, flick: of the turn",
	}
	Date = dissect.Field{
		Key: "date", Kind: dissect.Text,
		Doc: "map_start, match_start: when it began, by the clock of the server or of who recorded it, as RFC 3339; " +
			"without a zone where that is not known; absent where the game does not say it",
	}
	FinishTime = dissect.Field{Key: "finish_time", Kind: dissect.Int, Unit: "ms", Doc: "race_finish: how long it took"}
)

// Field returns a game's description of a field: the engine's name, "" where it is the key, and the source.
func Field(shared dissect.Field, name, source string) dissect.Field {
	shared.Name, shared.Source = name, source
	return shared
}

// Winner returns the field of who won a match. children describe a player or team of the game.
func Winner(children ...*dissect.Field) dissect.Field {
	return Player("winner", "match_end: the player or team that won; absent for a draw and where it is not known",
		children)
}

// Player returns the field of a player. doc describes who the player is; children describe a player of the game.
func Player(key, doc string, children []*dissect.Field) dissect.Field {
	return dissect.Field{Key: key, Kind: dissect.Object, Doc: doc, Children: children}
}
