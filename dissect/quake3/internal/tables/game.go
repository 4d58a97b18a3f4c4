package tables

import "github.com/q3dissect/q3dissect/dissect/quake3/internal/tables/names"

// A Game describes a game of the family, or a mod with numbers of its own: the names of its numbers, and how its
// commands and events are worded. It is a row of Games. What a protocol number determines is in its Generation, and
// what every protocol number of an engine shares in its Rules.
//
// The packages that read messages and make events ask the row; none of them compares with a game.
type Game struct {
	Label string // value of the field "game" of records; "" for Quake III and its mods

	// Modules are the names that the game's module gives itself in serverinfo ("gamename") and the directories it is
	// loaded from ("fs_game"), for games that share a protocol number with Quake III. Bare is how the version in
	// serverinfo begins if both are absent, because a server removed them.
	Modules []string
	Bare    string
	Early   uint8 // the game that the same module is in protocols before 48; 0: none that is known

	Parent uint8 // the game whose names apply where Names has none; 0: none
	Names  Names
	Text   Text
	Match  Match

	View *View // nil: Quake III's

	Shots *Shots // how weapons fire; nil: that is not known

	Air         bool   // players move in the air by the rules of Quake III, or of ProMode
	PlayerEvent uint32 // EF_PLAYER_EVENT in eFlags: the entity of an event names its player; 0: it always does
	// ItemEntity means that the parameter of a pick-up is the number of the item's entity, not of the item.
	ItemEntity bool
}

// Text is how a game words its chat and its messages. The zero value is Quake III's.
type Text struct {
	Chat         ChatForm
	ClientDigits bool // the number of the client, two digits and a blank, precedes the name in a line of chat
	LongColours  bool // ^x and six hexadecimal digits are one colour code
	Keywords     bool // strings of the game come by their names, "@@@PLENTER", for the client to translate
	Marks        bool // "[lof]" and "[lon]" and a colour surround lines
	// PlaceNumbers means that team chat names the place of a player by the number of its configstring (mm2).
	PlaceNumbers bool
	Popups       bool   // messages about objectives refer to configstrings; cpm and cpmi carry announcements
	ClassKey     string // key of a player's class in the player's configstring; "" if the class is not there
	SkillKey     string // key of a player's skills in it, a digit for the level of each; "" if they are not there
	// NameKey and TeamKey are the keys of name and team in the player's configstring; "": n and t.
	NameKey, TeamKey string
	// LateNames means that the players' configstrings come when they enter a map, not with its gamestate.
	LateNames bool
	// Sentences are ends of the server's sentences about a player which other games word differently.
	Sentences []Sentence
	// VoteResult means that a command with the outcome follows the configstrings of a vote.
	VoteResult bool

	// Deaths are the sentences that announce deaths; nil: the game has events for them. BodyParts are the parts of the
	// body that they name.
	Deaths    []DeathSentence
	BodyParts []string
}

// ChatForm is the form of the commands chat and tchat.
type ChatForm uint8

// The forms.
const (
	ChatLine     ChatForm = iota // the line, with the speaker's name
	ChatClient                   // the line, the client, and possibly the position
	ChatMarked                   // a line with marks, and lchat for players who wait for reinforcement
	ChatNumbered                 // the client or -1, the number of the channel, and the text
	ChatPrinted                  // print: the first character is the kind of the line; one kind is chat
)

// A Sentence is how the server's sentence about a player ends, and how Quake III's does.
type Sentence struct{ Ends, Common string }

// A View is how a game's states show the players, where they do not have the fields of Quake III.
type View struct {
	Origin string // an entity's position, without the index
	Flags  string // the player state's flags
	// Masks of these flags: the player watches the game or another player, and the scores are shown to everybody.
	Watches, Scores uint32
	Kills, Best     int // indices in stats of the player's score, and of the best player's
}

// Match is how a game announces matches, rounds and scores. The zero value is Quake III's.
type Match struct {
	// Teams are the numbers of the two teams, the red one first, and Spectators that of those who play in none; 0: 1, 2
	// and 3.
	Teams      [2]int
	Spectators int
	// RoundTypes are the game types that are played in rounds; the map restarts after each. RoundWins
	// are the lines that announce who won. The configstring of the warm-up has the time at which the round began, in
	// seconds; a negative one means that players are missing.
	RoundTypes []string
	RoundWins  []RoundWin
	// TeamEntry is how many words a team has in the list of scores, where teams are entries of the same list as the
	// players; 0: they are not. Wins is the place of its wins among them, in games with rounds.
	TeamEntry, Wins int
	// TeamLimit means that fraglimit is a limit of the teams' scores in every game type with teams.
	TeamLimit bool
	// VersionName means that the name of the game begins the version in serverinfo: there is no gamename.
	VersionName bool

	// CountsToPlay means that the warmup configstring also counts down to the end of a pause and to the next round.
	CountsToPlay bool
	// LevelPauses means that a time-out moves the start of the level into the future.
	LevelPauses bool
	// Timer means that the player state has the time of a run, and bits that change with its start, checkpoints and end.
	Timer bool
	// OwnClock means that the start of the level is not in its configstring: the mod has a clock of its own.
	OwnClock bool
	// FreeSuicides means that a suicide does not lower a score of 0 or less while more than two play.
	FreeSuicides bool
	// Rounds are the game types with rounds that are announced like matches, and Objectives the beginning of the
	// names of those that are won by objectives: their scores decide nothing.
	Rounds     []string
	Objectives string

	Scores       []ScoreLayout // layouts of score commands; nil: scoresQuake3
	WeaponStats  []string      // commands with the weapons of one player by the bits of a mask
	IndexedStats bool          // commands name the players by their places in the last scores
	Arsenal      string        // command with the weapons of one player in the order of the game
}

// A RoundWin is a line that announces the winner of a round, a team or nobody (0).
type RoundWin struct {
	Line string
	Team int
}

// Names are the names of a game's numbers, by number, and of its flags, by bit. A game without a table has its
// parent's.
type Names struct {
	EntityTypes     []string // below ET_EVENTS; withEvents adds the events
	Events          []string // entity_event_t
	Weapons         []string
	MeansOfDeath    []string
	Items           []string // bg_itemlist: the class names of map entities
	Powerups        []string
	Stats           []string
	Persistant      []string
	PmTypes         []string
	PmFlags         []string
	EFlags          []string
	Animations      []string
	WeaponStates    []string
	PlayerClasses   []string
	Skills          []string
	Gametypes       []string
	Teams           []string
	TeamSounds      []string // parameters of event "global_team_sound"
	TrTypes         []string // only where an engine has numbers of its own, like the next
	Buttons         []string
	Holdables       []string
	Wbuttons        []string
	DoubleTaps      []string
	AIStates        []string
	Hints           []string
	AIChars         []string
	AnimMoveTypes   []string
	SaberMoves      []string
	ForcePowers     []string
	GenericCommands []string
	HandExtends     []string
	SaberStyles     []string
	SaberBlocked    []string
	NPCClasses      []string
	DuelTeams       []string
	EFlags2         []string
	BrokenLimbs     []string
	DownloadBlocks  []string // from WWWBlock on
	WeaponCommands  []string // in the buttons of a user command
	ViewAnimations  []string // of the weapon in the view
	CGameTypes      []string // messages for the game's module

	// Configstrings are the spans of configstrings, which no game has from its parent. 0 and 1 are the engine's.
	Configstrings []names.ConfigSpan
}

// A DeathSentence is one way in which a game announces a death in words: those after the victim's name, and those
// after the killer's.
type DeathSentence struct {
	Words, Then string
	By          DeathBy
	Means       string // in the game's MeansOfDeath; "": the words do not name one
	Weapon      string // what killed, as far as the words name it
}

// DeathBy is who causes a death.
type DeathBy uint8

// The causes. A cause may be unknown: "died" and "cratered" are said of both falls and suicides.
const (
	DeathByUnknown DeathBy = iota
	DeathByPlayer          // the killer's name follows
	DeathBySelf
	DeathByWorld
)

// Games are the rows of the games, by number. A parent precedes its children.
var Games = [NumFamilies]Game{
	familyBaseQ3:        gameBaseQ3,
	familyMissionPack:   gameMissionPack,
	familyDM3:           gameDM3,
	FamilyQuakeLive73:   gameQuakeLive73,
	familyQuakeLive90:   gameQuakeLive90,
	FamilyQuakeLive91:   gameQuakeLive91,
	FamilyCPMA:          gameCPMA,
	FamilyOSP:           gameOSP,
	FamilyOpenArena:     gameOpenArena,
	FamilyRTCW:          gameRTCW,
	FamilyET:            gameET,
	FamilyOutcast:       gameOutcast,
	FamilyAcademy:       gameAcademy,
	FamilyTremulous:     gameTremulous,
	FamilyPadman:        gamePadman,
	FamilyUrbanTerror40: gameUrbanTerror40,
	FamilyUrbanTerror42: gameUrbanTerror42,
	FamilySmokinGuns:    gameSmokinGuns,
	FamilyAllied:        gameAllied,
	FamilySpearhead:     gameSpearhead,
	FamilyDefrag:        gameDefrag,
	FamilyEliteForce:    gameEliteForce,
	familyOpenArena43:   gameOpenArena43,
}

// Numbers of the games in Games. They are also the numbers of tables in the Enums of this package.
const (
	familyUnknown     uint8 = iota // a mod whose tables are not known, or no serverinfo seen: the engine's own names only
	familyBaseQ3                   // Quake III Arena, protocols 48 to 71
	familyMissionPack              // Team Arena
	familyDM3                      // Quake III Arena before 1.27, protocol 43
	FamilyQuakeLive73
	familyQuakeLive90
	FamilyQuakeLive91
	FamilyCPMA
	FamilyOSP
	FamilyOpenArena     // OpenArena 0.8.8; builds after it have another order of stats and more animations
	FamilyRTCW          // Return to Castle Wolfenstein
	FamilyET            // Wolfenstein: Enemy Territory
	FamilyOutcast       // Jedi Outcast
	FamilyAcademy       // Jedi Academy
	FamilyTremulous     // Tremulous 1.2 and 1.3
	FamilyPadman        // World of Padman 1.7
	FamilyUrbanTerror40 // Urban Terror 4.0 and 4.1
	FamilyUrbanTerror42 // Urban Terror 4.2 and 4.3
	FamilySmokinGuns    // Smokin' Guns 1.1
	FamilyAllied        // Medal of Honor: Allied Assault
	FamilySpearhead     // its expansions Spearhead and Breakthrough
	FamilyDefrag        // DeFRaG
	FamilyEliteForce    // Star Trek Voyager: Elite Force
	familyOpenArena43   // OpenArena in protocol 43
	NumFamilies
)
