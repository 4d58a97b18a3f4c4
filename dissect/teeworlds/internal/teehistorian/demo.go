package teehistorian

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/demos"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/events"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// A Demo makes a demo of a file. A snapshot of a tick has the places after it and what the server knew before: a file
// has of each tick first the places, then what arrived, which the next tick shows.
type Demo struct {
	wants  extract.DemoRange
	w      demos.Writer
	head   demos.Header
	people []person
	snap   demos.Snapshot

	began   bool // the header is written
	ddrace  bool // the game's rules are DDNet's
	timed   bool // tick is set
	broken  bool // ticks of the file leap: nothing is known of later ones
	teamed  bool // the teams of the race are to be sent
	tick    int32
	index   uint32
	data    []byte
	players []extract.DemoPlayer
	told    *extract.DemoTold
}

// maxDemoClients is MAX_CLIENTS of DDNet 20.1, src/engine/shared/protocol.h. Demos of 16.4 have 64.
const (
	maxDemoClients = 128
	oldDemoClients = 64
)

// NewDemo returns what makes the wanted part of a file's demo; nil: none is wanted.
func NewDemo(wants *extract.DemoRange) *Demo {
	if wants == nil || wants.Parts != nil {
		return nil
	}
	return &Demo{wants: *wants, w: demos.Writer{Dialect: tables.DDNet}}
}

// Take adds the record that r has just read.
func (d *Demo) Take(rec *dissect.Record, r *Reader) {
	h := Hint(rec.Hint)
	d.data = d.data[:0]
	before := d.w.Chunks
	d.index++
	switch {
	case h.part() == partHeader:
		d.header(r.head)
		return
	case h.part() != partTick:
		return
	case h&hintUntimed != 0 || d.broken || d.timed && h.tick() < d.tick:
		d.broken = true
		rec.Demo = extract.Demo{Message: true, Sequence: d.index, Left: extract.DemoDamaged}
		return
	}
	if h&hintContinued == 0 {
		d.advance(h.tick(), r)
	}
	d.apply(r)
	p := &rec.Demo
	*p = extract.Demo{Message: true, Sequence: d.index, ServerTime: h.tick() * tickMsec, HasTime: true}
	if len(d.data) == 0 {
		if p.Left = extract.DemoOutside; d.wants.Player != "" && !d.w.Begun() && d.inRange(h.tick()) {
			p.Left = extract.DemoNoPlayer
		}
		return
	}
	if !d.began {
		d.began = true
		p.Begin, p.ServerTime = d.begin(), d.w.First*tickMsec
		d.data = slices.Concat(d.head.Append(nil), d.head.MapData, d.data)
	}
	d.head.Seconds = uint32(d.w.Tick-d.w.First) / ticksPerSecond
	d.told.Header = d.head.Append(d.told.Header[:0])
	d.told.Players, d.told.FirstTick, d.told.LastTick = d.players, d.w.First, d.w.Tick
	p.Data, p.Messages = d.data, d.w.Chunks-before
}

// ticksPerSecond is SERVER_TICK_SPEED, src/engine/shared/protocol.h.
const ticksPerSecond = 50

// header keeps what the demo's header has of that of the file.
func (d *Demo) header(head map[string]string) {
	d.head = demos.Header{NetVersion: demos.NetVersion06, Map: head["map_name"], By: "server"}
	if d.wants.Player != "" {
		d.head.By = "client"
	}
	sum, _ := hex.DecodeString(head["map_sha256"]) // what is no sum is none
	copy(d.head.MapSHA256[:], sum)
	crc, _ := strconv.ParseUint(head["map_crc"], 16, 32)
	d.head.MapCRC = uint32(crc)
	d.head.Began, _ = time.Parse("2006-01-02T15:04:05-0700", head["start_time"])
	d.ddrace = strings.HasSuffix(head["game_type"], "DDraceNetwork") // "Test" before it: with commands for tests
}

// begin returns the description of the demo, whose first snapshot is written.
func (d *Demo) begin() *extract.DemoHead {
	d.head.Began = d.head.Began.Add(time.Duration(d.w.First) * tickMsec * time.Millisecond)
	d.told = &extract.DemoTold{Computed: computed[:], Missing: missing[:]}
	if d.wants.Map != nil {
		d.head.MapData = d.wants.Map(d.head.Map, d.head.MapSHA256, d.head.MapCRC)
	}
	d.told.MapInside = d.head.MapData != nil
	return &extract.DemoHead{
		Extension: "demo", Protocol: 6, Map: d.head.Map, Client: d.own(), Rebuilt: true, Told: d.told,
		Player: []byte(d.wants.Player), Clean: []byte(d.wants.Player),
	}
}

// own returns the number of the player whose view the demo is, -1 without one.
func (d *Demo) own() int {
	for i := range d.people {
		if d.isOwn(&d.people[i]) {
			return i
		}
	}
	return -1
}

func (d *Demo) isOwn(p *person) bool {
	return d.wants.Player != "" && p.present && string(p.name) == d.wants.Player
}

// What a demo has that is not in the file as it is, and what it lacks.
var (
	computed = [...]string{
		"speed: the difference of two places, in whole units, as it is without an obstacle",
		"weapon: the gun at the beginning; then hammer and gun as the input chooses them",
		"attack_tick: when the fire button goes down and hammer or gun can shoot",
		"direction, angle: from the input, as if nobody were frozen",
		"deaths: a character that is gone without its player's wish died by the world",
		"team -1: who has no character and asked to spectate, or has had none for 3 s",
		"score: the best finish that the file has; -9999 without one",
		"finish: the server's line in the chat",
		"gameinfo: what a server of DDNet sends",
	}
	missing = [...]string{
		"hook, jumps, freeze, health, armour, ammunition, other weapons than hammer and gun, eyes: not recorded",
		"projectiles, lasers, pickups, doors, sounds: not recorded",
		"chat of players, votes, latency, records of the server's database: not recorded",
		"skins of 0.7 clients: default in their place",
	}
)

// inRange reports whether a tick is wanted.
func (d *Demo) inRange(tick int32) bool {
	at := int64(tick) * tickMsec
	return (!d.wants.HasFrom || at >= int64(d.wants.From)) && (!d.wants.HasTo || at <= int64(d.wants.To))
}

// advance writes the snapshot of a tick, and first those of the ticks before it that the file does not have: what
// arrived in the last one shows in the next, and nobody moved since.
func (d *Demo) advance(tick int32, r *Reader) {
	if d.timed && tick > d.tick+1 {
		d.still()
		next := d.tick + 1
		if d.wants.HasFrom && !d.w.Begun() { // the beginning of the part may be in the gap
			next = max(next, int32((int64(d.wants.From)+tickMsec-1)/tickMsec))
		}
		if next < tick {
			d.snapshot(next)
		}
		if next < tick-1 && d.w.Begun() && d.inRange(tick-1) {
			d.data = d.w.Mark(d.data, tick-1, false)
		}
	}
	d.place(r, tick)
	d.snapshot(tick)
	d.timed = true
}

// snapshot goes on to a tick, and writes its snapshot if it is wanted.
func (d *Demo) snapshot(tick int32) {
	d.tick = tick
	d.wield(tick)
	first := !d.w.Begun()
	if !d.inRange(tick) || first && d.wants.Player != "" && d.own() < 0 {
		return
	}
	d.snap.Reset()
	d.scene(&d.snap, tick)
	d.data = d.w.Snapshot(d.data, tick, &d.snap)
	if first {
		d.say(-1, introduction)
		d.teamed = true
	}
	if d.teamed {
		d.sendTeams()
	}
}

// introduction is the first line of the chat.
const introduction = "Made of a server's teehistorian file. Recorded: places, aim, names, teams. Worked out: speed, " +
	"weapon, attack. Not in it: hook, freeze, jumps, projectiles, what players said."

// apply takes over what arrived after a tick.
func (d *Demo) apply(r *Reader) {
	for i := range r.Chunks {
		d.chunk(&r.Chunks[i], r)
	}
	for i := range min(len(r.clients), maxDemoClients) {
		if cl := &r.clients[i]; cl.hasInput && (cl.input != d.person(i).input || !d.person(i).steered) {
			d.person(i).steer(&cl.input, d.tick)
		}
	}
}

// person returns the state of a client.
func (d *Demo) person(number int) *person {
	for number >= len(d.people) {
		d.people = append(d.people, newPerson())
	}
	return &d.people[number]
}

// chunk takes over one chunk.
func (d *Demo) chunk(c *events.Chunk, r *Reader) {
	number := int(c.Client)
	if c.Key == "console_command" {
		d.command(c)
		return
	}
	if number < 0 || number >= maxDemoClients {
		return
	}
	p := d.person(number)
	switch c.Key {
	case "cl_startinfo":
		if !p.started { // who joins again keeps all of it: CGameContext::OnStartInfoNetMessage
			p.started = true
			p.dress(c.Body, r.dialectOf(c.Client), true)
			d.meet(number)
		}
	case "cl_changeinfo":
		p.dress(c.Body, r.dialectOf(c.Client), !p.decided)
		d.meet(number)
	case "player_name":
		p.name, p.decided = bytes.Clone(c.Text), true
		d.meet(number)
	case "player_ready":
		p.present = true
	case "drop":
		*p = newPerson()
		d.teamed = true
	case "player_team":
		p.raceTeam = c.Number
		d.sendTeams()
	case "player_finish":
		d.finish(p, c.Number)
	case "cl_setteam":
		p.ask(c.Number, d.tick)
	case "cl_kill":
		p.killed = max(d.tick, 1)
		p.arm() // who is there again in the next tick never was away, by the file
		d.kill(number, weaponSelf)
	case "player_old":
		if p.present && !recent(p.killed, d.tick) {
			d.kill(number, weaponWorld)
		}
	case "cl_emoticon":
		d.emoticon(number, c.Body)
	}
}

// meet adds a player to the manifest.
func (d *Demo) meet(number int) {
	p := d.person(number)
	p.present = true
	known := extract.DemoPlayer{Client: number, Name: string(p.name)}
	if !slices.Contains(d.players, known) && len(d.players) < maxPlayers {
		d.players = append(d.players, known)
	}
}

// maxPlayers is how many names the manifest has of one demo.
const maxPlayers = 4096

// finish adds the server's line about a finish, and a mark of the time line.
//
// CGameTeams::OnFinish, DDNet's src/game/server/teams.cpp.
func (d *Demo) finish(p *person, ticks int32) {
	seconds := float64(ticks) / ticksPerSecond
	if score := -int32(seconds); ticks > 0 && (p.score == noScore || score > p.score) {
		p.score = score
	}
	if d.w.Begun() && d.inRange(d.tick) {
		d.head.Mark(d.tick)
	}
	minutes := math.Floor(seconds / 60)
	d.say(-1, fmt.Sprintf("%s finished in: %d minute(s) %5.2f second(s)", p.name, int(minutes), seconds-60*minutes))
}
