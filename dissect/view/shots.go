package view

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/view/mapfiles"
	"github.com/q3dissect/q3dissect/dissect/view/outliers"
)

// shotsKind is the statistic of shots.
func shotsKind() Kind {
	return Kind{
		Name: "shots", Usage: "shots[,PLAYER][,TIME[-TIME]]",
		Doc: "each shot: the command that fired, who was near it on the shooter's screen and in the server's trace, and " +
			"what the server answered",
		Needs:   Needs{Events: true, Shots: true, Files: true},
		Columns: shotColumns().described(),
		make: func(args []string, env *Env) (Statistic, error) {
			s := &shotList{named: env.Walls, names: newPlayerNames(), to: math.MaxInt64, most: maxShots}
			if env.Rows > 0 {
				s.most = min(s.most, env.Rows)
			}
			if n := len(args); n > 0 && s.span(args[n-1]) {
				args = args[:n-1]
			}
			s.player = strings.Join(args, ",")
			return s, nil
		},
	}
}

// A shotState is what is known of a shot and a player.
type shotState string

// The states.
const (
	shotThrough    shotState = "through"
	shotBeside     shotState = "beside"
	shotBehindWall shotState = "behind a wall"
	shotInside     shotState = "begins inside"
	shotUndecided  shotState = "not decidable"
)

// shotStates describe the states.
var shotStates = map[string]string{
	string(shotThrough):    "a bullet went through the player's box, as the server traced it",
	string(shotBeside):     "every bullet went beside it",
	string(shotBehindWall): "a bullet ended before it",
	string(shotInside):     "the shot begins inside the player's box: a trace does not stop there",
	string(shotUndecided):  "neither is known; reason says why",
}

// maxShots is how many shots are kept at most: each takes up to 15 KB.
const maxShots = topKeys / 5

// A shotList is the statistic.
type shotList struct {
	list   []keptShot
	most   int // of them
	left   int
	names  playerNames
	maps   mapfiles.Maps
	now    map[fileStream]string               // maps
	named  func(mapName string) outliers.Clear // of --map; nil: none
	player string                              // name or number of the player that is asked for; "": all
	// the game's times that are asked for, in milliseconds
	from, to int64
}

// span takes a time of the game, or two of them, in milliseconds. It reports whether the text is that.
func (s *shotList) span(text string) bool {
	first, last, more := strings.Cut(text, "-")
	from, err := strconv.ParseInt(first, 10, 64)
	if err != nil {
		return false
	}
	to := from
	if more {
		if to, err = strconv.ParseInt(last, 10, 64); err != nil {
			return false
		}
	}
	s.from, s.to = from, to
	return true
}

func (s *shotList) Add(rec *dissect.Record) {
	stream := fileStream{rec.File, rec.Stream}
	s.maps.Add(rec)
	s.names.add(rec, stream)
	for e := range rec.Events.Top().Children() {
		if name := e.Get("map"); name.Exists() {
			if s.now == nil {
				s.now = map[fileStream]string{}
			}
			if _, known := s.now[stream]; known || len(s.now) < topKeys/10 {
				s.now[stream] = name.String()
			}
		}
	}
	for _, shot := range rec.Shots.All() {
		if len(s.list) >= s.most {
			s.left++
			continue
		}
		s.list = append(s.list, keptShot{
			stream, shot, rec.Number(), rec.Time, rec.FirstTime, rec.HasTime, s.now[stream],
		})
	}
}

// clear returns whether nothing solid is between two points of a map; nil: that is not known.
func (s *shotList) clear(mapName string) outliers.Clear {
	if s.named != nil {
		if clear := s.named(mapName); clear != nil {
			return clear
		}
	}
	return s.maps.Clear(mapName)
}

// row returns the row of a shot.
func (s *shotList) row(k *keptShot, clear outliers.Clear) shotRow {
	r := shotRow{keptShot: k, name: s.names.of(k.fileStream, k.Shooter)}
	for i := range k.Targets {
		t := &k.Targets[i]
		p := shotPlayer{Target: t, name: s.names.of(k.fileStream, t.Player)}
		p.state, p.reason = decide(&k.Shot, t, clear)
		r.players = append(r.players, p)
	}
	sortShotPlayers(r.players)
	return r
}

func (s *shotList) Tables() []Table {
	clears := map[string]outliers.Clear{}
	rows := func(yield func(shotRow) bool) {
		for i := range s.list {
			k := &s.list[i]
			if !s.wanted(k) {
				continue
			}
			clear, known := clears[k.mapName]
			if !known {
				clear = s.clear(k.mapName)
				clears[k.mapName] = clear
			}
			if !yield(s.row(k, clear)) {
				return
			}
		}
	}
	var notes []string
	if s.left > 0 {
		notes = append(notes, fmt.Sprintf("more than %d shots: %d later ones are left out", s.most, s.left))
	}
	unknown := ""
	if s.player != "" {
		var note string
		if note, unknown = s.withoutShots(); note != "" {
			notes = append(notes, note)
		}
	}
	t := shotColumns().table("shots", rows, notes)
	t.Unknown = unknown
	if s.player == "" && s.from == 0 && s.to == math.MaxInt64 { // people read the sentences of few shots
		t.Columns[len(t.Columns)-1].Place = InData
	}
	return []Table{t}
}

// wanted reports whether a shot is of the player and the time that are asked for: of the command or of the state.
func (s *shotList) wanted(k *keptShot) bool {
	if in := func(time int64) bool { return s.from <= time && time <= s.to }; !in(k.Time) && !(k.Found && in(k.Command)) {
		return false
	}
	if s.player == "" {
		return true
	}
	p := s.shooter(k)
	return p.Is(s.player)
}

// shooter returns the player who fired.
func (s *shotList) shooter(k *keptShot) outliers.Player {
	return playerOf(k.Shooter, s.names.of(k.fileStream, k.Shooter))
}

func playerOf(number int, called playerName) outliers.Player {
	p := outliers.Player{Number: number}
	if called.name != nil {
		p.Name, p.Clean = fmt.Sprint(called.name), fmt.Sprint(called.clean)
		p.Names = []string{p.Name, p.Clean}
	}
	return p
}

// withoutShots explains why the requested player has no shot: a note if the input has the player, and otherwise that
// nobody has that name.
func (s *shotList) withoutShots() (note, unknown string) {
	var all []outliers.Player
	for i := range s.list {
		p := s.shooter(&s.list[i])
		if p.Is(s.player) {
			return "", ""
		}
		all = append(all, p)
	}
	for c := range s.names.list.inOrder() {
		p := playerOf(int(c.key.number), c.value)
		switch {
		case !p.Is(s.player):
			all = append(all, p)
		case s.left > 0: // it may be among these
			return "", ""
		default:
			return "the input shows no shot of " + s.player + ": only players whose own view is recorded have shots", ""
		}
	}
	return "", unknownPlayer(s.player, all)
}

// Reasons why a margin does not decide.
const (
	reasonMargin = "the margin is within the uncertainty"
	reasonWall   = "no impact and no map"
	reasonClose  = "the muzzle may be inside the box"
)

// decide returns what a margin says.
func decide(k *extract.Shot, t *extract.Target, clear outliers.Clear) (shotState, string) {
	switch {
	case t.Why != "":
		return shotUndecided, t.Why
	case !t.HasTraced:
		return shotUndecided, k.Why
	case math.Abs(t.Traced) <= t.Error:
		return shotUndecided, reasonMargin
	case t.Traced > 0:
		return shotBeside, ""
	}
	switch {
	case math.Abs(t.Apart) <= t.Error:
		return shotUndecided, reasonClose
	case t.Apart < 0:
		return shotInside, ""
	}
	entry := distance(k.Muzzle, t.Entry)
	if len(k.Impacts) > 0 && k.Impacts[0].Kind <= extract.ImpactRail && len(k.Rays) == 1 {
		end := distance(k.Muzzle, k.Impacts[0].Place)
		const rounded = 2 // units: impacts are whole numbers
		switch {
		case k.Impacts[0].Target == t.Player || end > entry+t.Error+rounded:
			return shotThrough, ""
		case end < entry-t.Error-rounded:
			return shotBehindWall, ""
		}
		return shotUndecided, reasonMargin
	}
	switch {
	case clear == nil:
		return shotUndecided, reasonWall
	case !clear(k.Muzzle, t.Entry):
		return shotBehindWall, ""
	}
	return shotThrough, ""
}

func distance(a, b [3]float64) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}

// sortShotPlayers puts the players nearest to the shot first.
func sortShotPlayers(list []shotPlayer) {
	slices.SortStableFunc(list, func(a, b shotPlayer) int { return extract.Nearer(a.Target, b.Target) })
}
