package tables

// Shots is how a game's weapons fire and what its server traces a shot against, as far as that is known.
type Shots struct {
	// Rewind is the place of other players in the trace.
	Rewind Rewind
	// Seeded means that the spread of bullets follows from the time of the command that fires.
	Seeded  bool
	Weapons []Gun // by number
}

// A Rewind is a rule for the place of other players in the trace of a shot.
type Rewind uint8

// The rules.
const (
	// RewindNone: where they are when the packet with the command arrives.
	RewindNone Rewind = iota
	// RewindUnlagged: where they were at the time of the command, or less than a frame ago, by settings of server and
	// client.
	RewindUnlagged
)

// A Gun is how one weapon fires.
type Gun struct {
	Refire int // from one shot to the next, in milliseconds; 0: the weapon's timer is not known
	Kind   GunKind
	Spread int // of bullets, in units at a distance of 8192
	Range  int // units; 0: unlimited
	Count  int // bullets of a shot
	Delag  int // bit of the userinfo key cg_delag that rewinds for this weapon alone (unlagged)
}

// A GunKind is what leaves a weapon.
type GunKind uint8

// The kinds.
const (
	GunUnknown GunKind = iota
	GunBullet
	GunPellets // bullets whose directions follow from the seed of an event
	GunRail
	GunBeam
	GunMissile // an entity of its own
	GunTouch   // it fires only if it touches somebody
)

// shotsQuake3 are the weapons of Quake III and Team Arena.
//
// Source: PM_Weapon, code/game/bg_pmove.c, for the times; Bullet_Fire, weapon_supershotgun_fire, Weapon_LightningFire,
// weapon_railgun_fire, code/game/g_weapon.c, DEFAULT_SHOTGUN_SPREAD and DEFAULT_SHOTGUN_COUNT, code/game/bg_public.h.
var shotsQuake3 = Shots{Weapons: []Gun{
	1:  {Refire: 400, Kind: GunTouch, Range: 32},
	2:  {Refire: 100, Kind: GunBullet, Spread: 200, Count: 1},
	3:  {Refire: 1000, Kind: GunPellets, Spread: 700, Count: 11},
	4:  {Refire: 800, Kind: GunMissile},
	5:  {Refire: 800, Kind: GunMissile},
	6:  {Refire: 50, Kind: GunBeam, Range: 768},
	7:  {Refire: 1500, Kind: GunRail, Range: 8192},
	8:  {Refire: 100, Kind: GunMissile},
	9:  {Refire: 200, Kind: GunMissile},
	10: {Refire: 400, Kind: GunMissile},
	11: {Refire: 1000, Kind: GunMissile},
	12: {Refire: 800, Kind: GunMissile},
	13: {Refire: 30, Kind: GunBullet, Spread: 600, Count: 1},
}}

// shotsOpenArena are the weapons of OpenArena, which has unlagged.
//
// Source: as of Quake III, in OpenArena's sources; wpflags in G_DoTimeShiftFor, code/game/g_unlagged.c.
var shotsOpenArena = func() Shots {
	s := Shots{Rewind: RewindUnlagged, Seeded: true, Weapons: append([]Gun(nil), shotsQuake3.Weapons...)}
	for weapon, bit := range map[int]int{2: 2, 3: 4, 6: 8, 7: 16, 11: 32, 13: 64} {
		s.Weapons[weapon].Delag = bit
	}
	return s
}()

// Gun returns a weapon; the zero Gun: it is not known.
func (s *Shots) Gun(number int) (gun Gun) {
	if s != nil && number < len(s.Weapons) {
		gun = s.Weapons[number]
	}
	return gun
}

// ShotsOf returns how a family's game shoots; nil: that is not known.
func ShotsOf(family uint8) *Shots { return Games[family].Shots }
