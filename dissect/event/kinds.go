// Package event has the kinds of events that games report, and the words that are the values of their keys.
//
//	if e.Get(dissect.EventKind.Key).String() == event.Kill {
//
// A protocol lists the kinds of its events in EventKinds; docs/events.md describes them with their keys. Kinds that
// several games have mean the same in all of them.
package event

// Who comes and goes.
const (
	ConnectRequest = "connect_request" // a client asks to be let in
	ConnectRefused = "connect_refused" // the server refuses it
	Connect        = "connect"         // a player has connected
	Enter          = "enter"           // a player enters the game, or the next map of it
	Disconnect     = "disconnect"      // a player leaves
	Rename         = "rename"          // a player has another name
	Team           = "team"            // a player changes the team
	Class          = "class"           // a player changes the class
	RaceTeam       = "race_team"       // a player changes the team of a race
	Spectate       = "spectate"        // a player begins or ends watching, or watches another player
	Timeout        = "timeout"         // a player's connection is lost and kept for a return, or is taken up again
)

// Texts of players and servers.
const (
	Chat        = "chat"
	ChatCommand = "chat_command" // a command that a player types into the chat
	Vote        = "vote"         // a vote is called, counted or over
)

// What happens in the game.
const (
	Kill      = "kill"
	Shot      = "shot"      // a player fires; with dissect.Options.ShotEvents alone
	Pickup    = "pickup"    // a player picks up an item
	Flag      = "flag"      // a flag is taken, dropped, returned or captured
	Duel      = "duel"      // a duel of two players within another game
	Objective = "objective" // something is done to an objective of the map
	Freeze    = "freeze"    // a player is frozen or free again
	Teleport  = "teleport"  // a player is somewhere else at once
	Contact   = "contact"   // a player hooks or hammers another
)

// Remarkable moments, where dissect.Options.Highlights asks for them.
const (
	Multikill = "multikill" // a player kills several in a short time, or with one shot
	Midair    = "midair"    // a player kills somebody in the air with a projectile
	Flick     = "flick"     // a player kills with one shot after a quick turn
)

// Races, and runs with a flag.
const (
	RaceStart  = "race_start"  // a player starts a race
	Checkpoint = "checkpoint"  // a player passes a checkpoint
	RaceFinish = "race_finish" // a player finishes a race
	TeamFinish = "team_finish" // all players of a team finish a race
	Run        = "run"         // a run of a race, or with a flag, is over: how long and how fast it was
	Save       = "save"        // a team of a race is saved or loaded
	TeamLock   = "team_lock"   // a team of a race is locked or unlocked
	TeamInvite = "team_invite" // a player is invited to a team of a race
	Swap       = "swap"        // two players ask to change places, or do
	Practice   = "practice"    // a team of a race votes for practice, or practises
)

// Scores.
const (
	Score      = "score"      // the scores of the teams, or the best two of the players, have changed
	Scoreboard = "scoreboard" // the scores of all players
)

// Maps and matches.
const (
	MapStart     = "map_start"
	MapRestart   = "map_restart"
	Warmup       = "warmup" // the warm-up waits for players, or counts down
	MatchStart   = "match_start"
	MatchEnd     = "match_end"
	RoundStart   = "round_start"
	RoundEnd     = "round_end"
	Intermission = "intermission"
	Settings     = "settings" // a setting of the server has changed
)

// Remote control of a server.
const (
	Rcon        = "rcon"         // a client sends a password or a command
	RconGranted = "rcon_granted" // the server accepts the password
	RconDenied  = "rcon_denied"  // the server refuses it
	RconEnded   = "rcon_ended"   // the server ends remote control
)

// Games in which clients ask the server for entities.
const (
	Join          = "join"           // a player asks to be admitted
	Level         = "level"          // a client has loaded a level
	CreateRequest = "create_request" // a client asks for an entity
	Create        = "create"         // the server creates one
	RemoveRequest = "remove_request" // a client asks to remove an entity
	Remove        = "remove"         // the server removes one
)
