package outliers

// A Side is the end of a measure's values that is unusual.
type Side uint8

// The sides.
const (
	High Side = iota // large values
	Low              // small ones
)

// String returns the word that rows use.
func (s Side) String() string { return [...]string{"high", "low"}[s] }

// A Source is where values come from. Those of one are never compared with those of another.
type Source uint8

// The sources: a client's own user commands, or the states of the game that the server sends.
const (
	Commands Source = iota
	Snapshots
)

// String returns the word that rows use.
func (s Source) String() string { return [...]string{"commands", "snapshots"}[s] }

// A Measure is a quantity with many values for each player.
type Measure struct {
	Key, Unit string
	Side      Side
	// Percent is the percentile that represents a player's values in comparisons, and Least how many values are
	// needed for it.
	Percent, Least int
	Doc            string
}

// A measure is the index of a Measure.
type measure uint8

// The measures, in the order of their rows.
const (
	turnSpeed measure = iota
	shotTurn
	snapGain
	snapReturn
	firstShotTime
	timeOnTarget
	shotOffTarget
	shotCentre
	trackingError
	shotInterval
	pressTime
	pressRhythm
	commandInterval
	frameRate
	frameShare
	frameStep
	packetInterval
	packetCommands
	snapshotLead
	clockRate
	groundTime
	jumpTime
	airGain
	strafeError
	hiddenAim
	hiddenControl
	appearOff
	measures
)

// Measures describe them.
var Measures = [measures]Measure{
	turnSpeed: {
		"turn_speed", "deg/s", High, 99, 500,
		"speed of the crosshair between two moments; respawns and teleporters are left out",
	},
	shotTurn: {
		"shot_turn", "deg", High, 95, 20,
		"the farthest that the crosshair was, in the 100 ms before a shot, from where it was at the shot",
	},
	snapGain: {
		"snap_gain", "deg", High, 95, 20,
		"how much nearer to the middle of the shot's target the crosshair came in the 100 ms before the shot",
	},
	snapReturn: {
		"snap_return", "deg", High, 95, 20,
		"how far the crosshair went to the direction of a shot in 100 ms and back in the next 100 ms: the path beyond the straight one, halved",
	},
	firstShotTime: {
		"first_shot_time", "ms", Low, 50, 10,
		"from the appearance of a player within 45 degrees of the crosshair to the first shot near him",
	},
	timeOnTarget: {
		"time_on_target", "ms", Low, 50, 20,
		"how long the crosshair had been on a player's body when a shot was fired at him; shots that found the crosshair there from the beginning are left out",
	},
	shotOffTarget: {
		"shot_off_target", "deg", Low, 50, 20,
		"angle between the crosshair and the middle of the nearest player at a shot, within 20 degrees",
	},
	shotCentre: {
		"shot_centre", "%", Low, 5, 40,
		"angle between the crosshair and the middle of the nearest player at a shot, in percent of half the width of his body",
	},
	trackingError: {
		"tracking_error", "deg", Low, 50, 10,
		"mean angle between the crosshair and the middle of a player in half a second in which his direction changed by 10 degrees at least",
	},
	shotInterval: {"shot_interval", "ms", Low, 5, 20, "time since the shot before"},
	pressTime:    {"press_time", "ms", Low, 50, 20, "how long the attack button was held"},
	pressRhythm: {
		"press_rhythm", "%", Low, 5, 20,
		"spread of the last eight intervals between presses of the attack button, in percent of their mean",
	},
	commandInterval: {"command_interval", "ms", Low, 50, 500, "time between two user commands by the client's clock"},
	frameRate: {
		"frame_rate", "fps", High, 50, 3,
		"two seconds of commands: com_maxfps of a client whose frames are as far apart as most of these commands",
	},
	frameShare: {
		"frame_share", "%", High, 50, 3,
		"two seconds of commands: how many are as far apart as most of them, to the millisecond",
	},
	frameStep: {
		"frame_step", "%", High, 95, 2,
		"how much the most frequent interval between commands differs from that of the last two seconds with one",
	},
	packetInterval: {"packet_interval", "ms", Low, 5, 200, "time between two datagrams with new commands, by the capture"},
	packetCommands: {"packet_commands", "", High, 99, 200, "new user commands in a datagram"},
	snapshotLead: {
		"snapshot_lead", "ms", High, 50, 200,
		"how far the clock of a datagram's last command is ahead of the newest snapshot that the client has",
	},
	clockRate: {
		"clock_rate", "%", High, 50, 3,
		"how much time passed by the client's clock in five seconds of the capture; 100 is right",
	},
	groundTime: {"ground_time", "ms", Low, 50, 20, "from landing to the next take-off, of those within a second"},
	jumpTime:   {"jump_time", "ms", Low, 50, 20, "how long the jump key was held"},
	airGain: {
		"air_gain", "units/s2", High, 95, 20,
		"gain of speed over ground in the air, over 400 ms and more, per second",
	},
	strafeError: {
		"strafe_error", "deg", Low, 50, 20,
		"flight faster than the player can run: the mean angle between where his keys push and where they would gain most speed",
	},
	hiddenAim: {
		"hidden_aim", "%", High, 50, 5,
		"with a map: ten seconds: of the moments with players behind walls who were not heard lately, in how many the crosshair is within 5 degrees of one",
	},
	hiddenControl: {
		"hidden_control", "%", High, 50, 5,
		"the control of hidden_aim: the same for where these players were ten seconds before",
	},
	appearOff: {
		"appear_off", "deg", Low, 50, 10,
		"with a map: angle between the crosshair and a player who comes into view from behind walls, within 45 degrees",
	},
}
