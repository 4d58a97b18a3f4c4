package shots

import "github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"

// Numbers of PM_Weapon, PM_BeginWeaponChange and PM_FinishWeaponChange, code/game/bg_pmove.c, in milliseconds.
const (
	longestStep  = 66 // a longer command is executed in steps
	longestMove  = 1000
	dropTime     = 200
	raiseTime    = 250
	noAmmoTime   = 500
	buttonAttack = 1
	buttonTalk   = 2
	buttonUse    = 4
)

// States of a weapon: weaponstate_t, code/game/bg_public.h.
const (
	weaponReady = iota
	weaponRaising
	weaponDropping
	weaponFiring
)

// A timer is the part of a player's state that decides when a weapon fires.
type timer struct {
	known  bool
	time   int32 // of the last command
	left   int   // until the weapon can do something again
	state  int
	weapon int
	arms   uint32 // weapons that the player has, by bit
	ammo   [16]int32
	haste  bool
	held   bool // the player came back with the attack button held: it must be released first
	item   bool
}

// run executes a command and returns how often the weapon fires, or -1 if that is not known. step is the longest step,
// in milliseconds.
func (t *timer) run(rules *tables.Shots, c *command, step int32) (shots int) {
	if c.time > t.time+longestMove {
		t.time = c.time - longestMove
	}
	for t.time < c.time {
		passed := min(c.time-t.time, step)
		t.time += passed
		fired, known := t.step(rules, c, int(passed))
		if !known {
			return -1
		}
		if fired {
			shots++
		}
	}
	return shots
}

// step executes one step of a command.
func (t *timer) step(rules *tables.Shots, c *command, passed int) (fired, known bool) {
	buttons, wanted := c.Buttons, int(c.Weapon)
	if buttons&(buttonAttack|buttonUse) == 0 {
		t.held = false
	}
	if buttons&buttonTalk != 0 {
		buttons = buttonTalk
	}
	if t.held {
		return false, true
	}
	if buttons&buttonUse != 0 && t.item {
		return false, false // whether it is used depends on more than this
	}
	if t.left > 0 {
		t.left -= passed
	}
	if (t.left <= 0 || t.state != weaponFiring) && t.weapon != wanted && t.has(wanted) && t.state != weaponDropping {
		t.left += dropTime
		t.state = weaponDropping
	}
	switch {
	case t.left > 0:
		return false, true
	case t.state == weaponDropping:
		t.weapon = 0
		if t.has(wanted) {
			t.weapon = wanted
		}
		t.left += raiseTime
		t.state = weaponRaising
		return false, true
	case t.state == weaponRaising:
		t.state = weaponReady
		return false, true
	case buttons&buttonAttack == 0:
		t.left, t.state = 0, weaponReady
		return false, true
	}
	gun := rules.Gun(t.weapon)
	if gun.Refire == 0 || gun.Kind == tables.GunTouch {
		return false, false
	}
	t.state = weaponFiring
	if t.ammo[t.weapon] == 0 {
		t.left += noAmmoTime
		return false, true
	}
	if t.ammo[t.weapon] > 0 {
		t.ammo[t.weapon]--
	}
	wait := gun.Refire
	if t.haste {
		wait = int(float64(wait) / 1.3)
	}
	t.left += wait
	return true, true
}

// has reports whether the player has a weapon.
func (t *timer) has(weapon int) bool { return weapon > 0 && weapon < 16 && t.arms>>weapon&1 != 0 }
