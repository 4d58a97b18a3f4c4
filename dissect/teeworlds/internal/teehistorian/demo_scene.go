package teehistorian

import (
	"math"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/demos"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// A person is what a demo shows of a client.
type person struct {
	present  bool // in the game
	started  bool // it said who it is
	decided  bool // the server records the names that it accepts
	name     []byte
	clan     []byte
	skin     []byte
	country  int32
	custom   int32 // colours
	body     int32
	feet     int32
	score    int32
	raceTeam int32

	alive          bool
	x, y           int32
	speedX, speedY int32 // since the tick before

	steered     bool // input is set
	input       [InputInts]int32
	weapon      int32
	queued      int32 // the weapon that comes when the present one can shoot again; -1: none
	reloaded    int32 // tick from which on the weapon can shoot
	attackTick  int32
	killed      int32 // tick in which the client killed itself; 0: it did not
	asked, team int32 // tick in which the team was chosen, and the team
	gone        int32 // tick since which there is no character; 0: since the beginning
}

// noScore is the score of who has not finished: CGameContext of DDNet, for clients that show times as scores.
const noScore = -9999

// Places in an input, CNetObj_PlayerInput.
const (
	inputDirection = 0
	inputTargetX   = 1
	inputTargetY   = 2
	inputFire      = 4
	inputWanted    = 7
	inputNext      = 8
	inputPrev      = 9
)

// Weapons, and what kills without one: src/game/server/gamecontext.h and datasrc of 0.6.
const (
	weaponHammer = 0
	weaponGun    = 1
	weaponSelf   = -2
	weaponWorld  = -1
)

// fireDelay is how long hammer and gun cannot shoot again, in ticks: hammer_fire_delay and gun_fire_delay are 125 ms.
const fireDelay = 125 / tickMsec

// respawnTicks is after how many ticks who plays has a character again, with some more: CPlayer::Tick.
const respawnTicks = 150

func newPerson() person { return person{score: noScore, weapon: weaponGun, queued: -1} }

// ask keeps the team that a client, or a command about it, asks for.
func (p *person) ask(team, tick int32) { p.asked, p.team = max(tick, 1), team }

// recent reports whether a request explains what the places of this tick show.
func recent(at, tick int32) bool { return at > 0 && tick-at >= 0 && tick-at <= 3 }

// dress takes over how a client looks, and its name if that counts.
func (p *person) dress(body []byte, d tables.Dialect, named bool) {
	var u message.Unpacker
	u.Reset(body, 0)
	u.Int()
	name, clan, country := u.String(), u.String(), u.Int()
	if u.Failed() {
		return
	}
	if named {
		p.name = append([]byte(nil), name...)
	}
	p.clan, p.country = append([]byte(nil), clan...), country
	p.skin, p.custom, p.body, p.feet = []byte("default"), 0, 0, 0
	if d == tables.V07 { // skins of another kind
		return
	}
	skin, custom, bodyColor, feet := u.String(), u.Int(), u.Int(), u.Int()
	if !u.Failed() {
		p.skin, p.custom, p.body, p.feet = append([]byte(nil), skin...), custom&1, bodyColor, feet
	}
}

// arm gives a client what a new character has.
func (p *person) arm() { p.weapon, p.queued, p.reloaded, p.attackTick = weaponGun, -1, 0, 0 }

// still means that nobody moved in a tick.
func (d *Demo) still() {
	for i := range d.people {
		d.people[i].speedX, d.people[i].speedY = 0, 0
	}
}

// place takes over the places after a tick.
func (d *Demo) place(r *Reader, tick int32) {
	for i := range min(len(r.clients), maxDemoClients) {
		cl, p := &r.clients[i], d.person(i)
		switch {
		case !cl.alive && (p.alive || p.gone == 0):
			p.alive, p.gone = false, max(tick, 1)
			continue
		case !cl.alive:
			continue
		case !p.alive:
			p.x, p.y = cl.x, cl.y
			p.arm()
		}
		p.alive, p.speedX, p.speedY = true, cl.x-p.x, cl.y-p.y
		p.x, p.y = cl.x, cl.y
	}
}

// steer takes over an input, which counts from the tick after.
//
// CCharacter::HandleWeaponSwitch and FireWeapon, DDNet's src/game/server/entities/character.cpp.
func (p *person) steer(input *[InputInts]int32, tick int32) {
	before := p.input
	p.input = *input
	if !p.steered {
		p.steered = true
		return
	}
	wanted := p.weapon
	if p.queued >= 0 {
		wanted = p.queued
	}
	// hammer and gun are the only ones that everybody has: each step goes to the other one
	if (presses(before[inputNext], input[inputNext])+presses(before[inputPrev], input[inputPrev]))&1 == 1 {
		wanted = weaponHammer + weaponGun - wanted
	}
	if w := input[inputWanted] - 1; w == weaponHammer || w == weaponGun {
		wanted = w
	}
	if wanted != p.weapon {
		p.queued = wanted
	}
	if presses(before[inputFire], input[inputFire]) > 0 && tick >= p.reloaded {
		p.attackTick, p.reloaded = tick, tick+fireDelay
	}
}

// presses returns how often a button was pressed. An input counts both pressing and releasing, with six bits.
//
// CountInput, src/game/server/entities/character.cpp.
func presses(before, after int32) (n int) {
	const mask = 0x3f
	for i := before & mask; i != after&mask; {
		if i = (i + 1) & mask; i&1 == 1 {
			n++
		}
	}
	return n
}

// wield lets everybody change the weapon in a tick.
func (d *Demo) wield(tick int32) {
	for i := range d.people {
		p := &d.people[i]
		if p.queued >= 0 && tick >= p.reloaded {
			p.weapon, p.queued = p.queued, -1
		}
	}
}

// Numbers and sizes of objects: datasrc/network.py of 0.6.
const (
	objectGameInfo   = 6
	objectCharacter  = 9
	objectPlayerInfo = 10
	objectClientInfo = 11

	gameInfoInts   = 8
	characterInts  = 22
	playerInfoInts = 5
	clientInfoInts = 17

	typeGameInfoEx = 0x7fff // the first number of an object with a UUID
)

var gameInfoEx = tables.UUIDOf("gameinfo@netobj.ddnet.tw")

// What a server of DDNet says about its rules in GameInfoEx, 16.4 and 20.1 alike; 16.4's version. CGameContext::OnSnap
// and CPlayer::Snap, src/game/server.
const (
	gameInfoFlags   = 247983155
	gameInfoVersion = 8
	gameInfoFlags2  = 64
)

// scene adds the items of a snapshot.
func (d *Demo) scene(s *demos.Snapshot, tick int32) {
	if d.ddrace {
		s.AddType(typeGameInfoEx, gameInfoEx)
		v := s.Add(typeGameInfoEx, 0, 3)
		v[0], v[1], v[2] = gameInfoFlags, gameInfoVersion, gameInfoFlags2
	}
	s.Add(objectGameInfo, 0, gameInfoInts)[gameInfoInts-1] = 1 // round_current
	for i := range d.people {
		p := &d.people[i]
		if !p.present && !p.alive || d.wants.Alone && !d.isOwn(p) {
			continue
		}
		p.addInfo(s, i, d.isOwn(p), tick)
		if p.alive {
			p.addCharacter(s, i)
		}
	}
}

// addInfo adds who a client is.
func (p *person) addInfo(s *demos.Snapshot, number int, own bool, tick int32) {
	v := s.Add(objectClientInfo, number, clientInfoInts)
	name := p.name
	if len(name) == 0 { // players need one to be shown
		name = strconv.AppendInt([]byte("client "), int64(number), 10)
	}
	putText(v[0:4], name)
	putText(v[4:7], p.clan)
	v[7] = p.country
	putText(v[8:14], p.skin)
	v[14], v[15], v[16] = p.custom, p.body, p.feet
	v = s.Add(objectPlayerInfo, number, playerInfoInts)
	if own {
		v[0] = 1
	}
	v[1], v[3] = int32(number), p.score
	if !p.alive && (p.team < 0 && p.asked > 0 || p.gone > 0 && tick-p.gone > respawnTicks) {
		v[2] = -1
	}
}

// putText writes a text. The game writes a zero as the last byte.
func putText(ints []int32, text []byte) {
	message.PutText(ints, text)
	ints[len(ints)-1] &^= 0xff
}

// addCharacter adds the character of a client.
func (p *person) addCharacter(s *demos.Snapshot, number int) {
	v := s.Add(objectCharacter, number, characterInts)
	// v[0], the tick, is 0: the place is that of the snapshot
	v[1], v[2] = p.x, p.y
	v[3], v[4] = speed(p.speedX), speed(p.speedY)
	v[5] = angle(p.input[inputTargetX], p.input[inputTargetY])
	v[6] = max(-1, min(1, p.input[inputDirection]))
	v[8] = -1 // nobody is hooked
	v[11], v[12] = p.x, p.y
	v[15] = p.input[playerFlags] & 0xff
	v[19] = p.weapon
	v[21] = p.attackTick
}

// speed returns what a snapshot has for so many units in a tick. It is none that a jump to another place makes.
func speed(units int32) int32 {
	const fastest = 6000 // CCharacterCore::Move, src/game/gamecore.cpp of DDNet
	if units > fastest || units < -fastest {
		return 0
	}
	return units * 256
}

// angle returns the direction of the crosshair as a snapshot has it, from -π/2 to 3π/2.
//
// CCharacterCore::Tick, src/game/gamecore.cpp of DDNet; CCharacter::OnDirectInput.
func angle(x, y int32) int32 {
	if x == 0 && y == 0 {
		y = -1
	}
	a := float32(math.Atan2(float64(y), float64(x)))
	if a < -float32(math.Pi)/2 {
		a += 2 * float32(math.Pi)
	}
	return int32(a * 256)
}
