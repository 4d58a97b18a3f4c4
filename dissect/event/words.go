package event

// Values of the key "action".
const (
	VoteCalled = "called"
	VoteCast   = "cast"
	VotePassed = "passed"
	VoteFailed = "failed"
	VoteEnded  = "ended"

	FlagTaken    = "taken"
	FlagDropped  = "dropped"
	FlagReturned = "returned"
	FlagCaptured = "captured"

	WarmupWaiting   = "waiting" // for players
	WarmupCountdown = "countdown"

	DuelChallenged = "challenged"
	DuelStarted    = "started"
	DuelWon        = "won"
	DuelTied       = "tied"

	ObjectivePlanted     = "planted" // dynamite
	ObjectiveDefused     = "defused"
	ObjectiveConstructed = "constructed"
	ObjectiveDamaged     = "damaged"
	ObjectiveDestroyed   = "destroyed"
	ObjectiveStolen      = "stolen"
	ObjectiveReturned    = "returned"
	ObjectiveAnnounced   = "announced" // by the map
	ObjectiveCompleted   = "completed"

	SaveSaved     = "saved"
	SaveNotSaved  = "not_saved"
	SaveLoaded    = "loaded"
	SaveNotLoaded = "not_loaded"

	FreezeFrozen   = "frozen"
	FreezeUnfrozen = "unfrozen"

	ContactHooked   = "hooked"
	ContactHammered = "hammered"

	TeamLocked   = "locked"
	TeamUnlocked = "unlocked"

	SwapRequested = "requested"
	SwapCancelled = "cancelled"
	SwapSwapped   = "swapped"

	PracticeVoted   = "voted" // a player votes for it
	PracticeEnabled = "enabled"

	SpectateBegan   = "began"
	SpectateEnded   = "ended"
	SpectateWatches = "watches" // another player, or nobody

	TimeoutProtected = "protected" // the connection is lost, the player's place is kept
	TimeoutReclaimed = "reclaimed" // the player takes the place again

	RunFinished = "finished" // a race; the outcomes of runs with a flag are the actions of flags
)

// Values of the key "course" of a run.
const (
	CourseRace = "race"
	CourseFlag = "flag"
)

// Values of the key "channel" of a chat event.
const (
	ChannelSay      = "say"
	ChannelTeam     = "team"
	ChannelTell     = "tell"
	ChannelConsole  = "console"  // the server's own words
	ChannelGame     = "game"     // the game's words about a player
	ChannelFireteam = "fireteam" // a group within a team
	ChannelLimbo    = "limbo"    // players who wait for reinforcement
)

// Values of the key "reason" of a match_end: why a match ended.
const (
	ReasonTimelimit    = "timelimit"
	ReasonFraglimit    = "fraglimit"
	ReasonCapturelimit = "capturelimit"
	ReasonRoundlimit   = "roundlimit"
	ReasonScorelimit   = "scorelimit"
	ReasonMercy        = "mercy"
	ReasonObjectives   = "objectives"
	ReasonForfeit      = "forfeit"
	ReasonOvertime     = "overtime"
	ReasonSuddenDeath  = "sudden_death"
	ReasonAborted      = "aborted"
	ReasonRestart      = "restart"
	ReasonMapChange    = "map_change"
	ReasonClientLeft   = "client_left"   // the client whose stream it is; the match may go on
	ReasonRecordingEnd = "recording_end" // the input ends before the match
	ReasonUnknown      = "unknown"
)

// CountsFrags reports whether the score of a player is the number of kills in a game type of Quake III and the games
// made from it, one less for each death without a killer.
func CountsFrags(gametype string) bool {
	switch gametype {
	case "ffa", "tournament", "duel", "powerduel":
		return true
	}
	return false
}
