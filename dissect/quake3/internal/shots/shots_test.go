package shots

import (
	"math"
	"testing"

	_ "github.com/q3dissect/q3dissect/dissect/dissecttest/rapidseed"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"pgregory.net/rapid"
)

// rulesOf returns how the game of a module shoots.
func rulesOf(module string) *tables.Shots { return tables.ShotsOf(tables.Module([]byte(module))) }

// upright is the box of a player who does not crouch, as SV_LinkEntity packs it: 15 to each side, 24 down, 32 up.
const upright = 15 | 24<<8 | 64<<16

// TestTimer: the times follow from PM_Weapon, not from a recording.
func TestTimer(t *testing.T) {
	every := func(msec int32, n int, buttons uint32) (list []command) {
		for i := range n {
			list = append(list, command{
				UserCommand: observe.UserCommand{Weapon: 2, Buttons: buttons}, time: 1000 + msec*int32(i+1),
			})
		}
		return list
	}
	ready := timer{known: true, time: 1000, state: weaponReady, weapon: 2, arms: 1<<2 | 1<<7, ammo: [16]int32{2: 50, 7: 5}}
	for _, tt := range []struct {
		name     string
		change   func(t *timer)
		commands []command
		at       []int32 // times of the commands that fire
		left     int
	}{
		// fires at once; 100 - 7*16 = -12 after seven more commands, which counts; 88 - 6*16 = -8 after six more
		{"16 ms", nil, every(16, 14, buttonAttack), []int32{1016, 1128, 1224}, 100 - 8},
		{"without attack", nil, every(16, 3, 0), nil, 0},
		{"one long command in steps of 66 ms", nil, every(198, 1, buttonAttack), []int32{1198, 1198}, 100 - 32},
		// 100/1.3 = 76; each command is a step of 66 ms and one of 11
		{"haste", func(t *timer) { t.haste = true }, every(77, 2, buttonAttack), []int32{1077, 1154}, 76 - 1 - 11},
		{"no ammunition", func(t *timer) { t.ammo[2] = 0 }, every(16, 1, buttonAttack), nil, 500},
		{"held since he came back", func(t *timer) { t.held = true }, every(16, 2, buttonAttack), nil, 0},
		{"talks", nil, every(16, 1, buttonAttack|buttonTalk), nil, 0},
		{
			"another weapon", func(t *timer) { t.weapon = 7 },
			every(50, 12, buttonAttack),
			// 200 to drop, 250 to raise, one command to be ready
			[]int32{1550},
			50,
		},
	} {
		timer, fired := ready, []int32(nil)
		if tt.change != nil {
			tt.change(&timer)
		}
		for i := range tt.commands {
			for range timer.run(rulesOf("baseq3"), &tt.commands[i], longestStep) {
				fired = append(fired, tt.commands[i].time)
			}
		}
		if len(fired) != len(tt.at) || timer.left != tt.left {
			t.Errorf("%s: fires at %v with %d left, want %v with %d", tt.name, fired, timer.left, tt.at, tt.left)
			continue
		}
		for i := range fired {
			if fired[i] != tt.at[i] {
				t.Errorf("%s: fires at %v, want %v", tt.name, fired, tt.at)
			}
		}
	}
}

// runner returns a Reader with three frames 50 ms apart, from 1000 on. Player 1 runs east with 320 units a second; the
// snapshots are captured a second of the capture after the game's clock.
func runner(change func(r *Reader)) *Reader {
	r := New()
	for i := range 3 {
		at := int64(1000 + 50*i)
		b, _ := boxOf(upright)
		r.frames = append(r.frames, frame{
			message: int32(i + 1), time: at, sent: (at + 1000) * 1e6, timed: true,
			bodies: []body{{
				number: 1, place: [3]float32{float32(16 * i), 100, 0}, velocity: [3]float32{320}, box: b, boxed: true,
			}},
		})
	}
	r.interval, r.lag, r.hasLag = 50, 1e6, true
	r.settings = settings{server: true, game: []byte("baseoa"), delag: 1, own: true, wants: 1}
	r.commands = []command{{
		UserCommand: observe.UserCommand{Time: 1020}, time: 1020, at: (1050 + 1000 + 20) * 1e6, timed: true, had: 2,
	}}
	if change != nil {
		change(r)
	}
	return r
}

// TestTraced: where the server finds player 1, who is at 0, 16 and 32 at 1000, 1050 and 1100. The command of 1020
// arrives 20 ms after the frame of 1050. The rules are those of G_DoTimeShiftFor and of id's game.
func TestTraced(t *testing.T) {
	const step = 16.0 / 50
	for _, tt := range []struct {
		name   string
		gun    int
		change func(r *Reader)
		rule   string
		x      float64
		wrong  float64
		why    string
	}{
		{name: "the command's time", gun: 2, rule: ruleCommand, x: 20 * step},
		{
			name: "with a nudge", gun: 2, change: func(r *Reader) { r.settings.nudge = -10 },
			rule: ruleCommand, x: 10 * step,
		},
		{
			name: "for this weapon", gun: 2, change: func(r *Reader) { r.settings.wants = 2 },
			rule: ruleCommand, x: 20 * step,
		},
		{
			name: "for another weapon", gun: 2, change: func(r *Reader) { r.settings.wants = 16 },
			rule: ruleFrame, x: 20 * step, wrong: 2 * step,
		},
		// 1050 - 50 + 20
		{
			name: "one frame ago", gun: 2, change: func(r *Reader) { r.settings.delag = 0 },
			rule: ruleFrame, x: 20 * step, wrong: 2 * step,
		},
		{
			name: "later in the frame", gun: 2, change: func(r *Reader) { r.settings.delag = 0; r.commands[0].at += 15e6 },
			rule: ruleFrame, x: 35 * step, wrong: 2 * step,
		},
		{
			name: "lightning, whose handicap is not announced", gun: 6,
			rule: ruleCommand, x: 45 * step, wrong: 25 * step,
		},
		{
			name: "no rewind", gun: 7, change: func(r *Reader) { r.settings.game = []byte("baseq3") },
			rule: ruleArrival, x: 16, wrong: 16 + rounding,
		},
		{
			name: "no rewind, a bot", gun: 7, change: func(r *Reader) { r.settings.game, r.bots[1] = []byte("baseq3"), true },
			rule: ruleArrival, x: 16, wrong: rounding,
		},
		{
			name: "a clock ahead of the server", gun: 2, change: func(r *Reader) { r.settings.nudge = 100 },
			rule: ruleCommand, x: 16, wrong: 16 + rounding,
		},

		{
			name: "a client's capture, one frame ago", gun: 2, change: func(r *Reader) { r.settings.delag, r.lag = 0, 80e6 },
			rule: ruleFrame, why: whyFar,
		},
		{
			name: "a client's capture, the command's time", gun: 2, change: func(r *Reader) { r.lag = 80e6 },
			rule: ruleCommand, x: 20 * step,
		},
		{
			name: "a demo", gun: 2, change: func(r *Reader) { r.settings.delag, r.commands[0].timed = 0, false },
			rule: ruleFrame, why: whyUntimed,
		},
		{
			name: "no settings of the server", gun: 2, change: func(r *Reader) { r.settings.server = false },
			why: whyCold,
		},
		{
			name: "no settings of the client", gun: 2, change: func(r *Reader) { r.settings.own = false },
			why: whyWishes,
		},
		{
			name: "another module", gun: 2, change: func(r *Reader) { r.settings.game = []byte("excessiveplus") },
			why: whyMod,
		},
		{name: "a directory of a mod", gun: 2, change: func(r *Reader) { r.settings.mod = true }, why: whyMod},
		{name: "a rocket", gun: 5, why: whyMissile},
		{
			name: "a snapshot less", gun: 2,
			change: func(r *Reader) { r.settings.delag = 0; r.frames[1].time, r.frames[0].time = 1000, 950 },
			rule:   ruleFrame, why: whyGap,
		},
		{
			name: "not there", gun: 2, change: func(r *Reader) { r.frames[0].bodies = nil },
			rule: ruleCommand, why: whyUnseen,
		},
		{
			name: "he came back meanwhile", gun: 2, change: func(r *Reader) { r.frames[1].bodies[0].teleport = flagTeleport },
			rule: ruleCommand, why: whyTeleport,
		},
		{
			name: "he came back after it", gun: 2, change: func(r *Reader) { r.frames[2].bodies[0].teleport = flagTeleport },
			rule: ruleCommand, why: whyTeleport,
		},
	} {
		r := runner(tt.change)
		rules := rulesOf(string(r.settings.game))
		if rules == nil {
			rules = rulesOf("baseoa")
		}
		shot := extract.Shot{Number: tt.gun, Replayed: true, Rays: []vec{{0, 1, 0}}}
		fired := firing{command: &r.commands[0], weapon: tt.gun}
		rule, look, why := r.rule(&fired, &own{}, rules, &rules.Weapons[tt.gun], &shot)
		var place vec
		var wrong float64
		if why == "" {
			place, _, wrong, why = r.traced(1, look)
		}
		switch {
		case rule != tt.rule || why != tt.why:
			t.Errorf("%s: rule %q, %q; want %q, %q", tt.name, rule, why, tt.rule, tt.why)
		case why == "" && (math.Abs(place[0]-tt.x) > 1e-6 || place[1] != 100):
			t.Errorf("%s: at %v, want %.2f", tt.name, place, tt.x)
		case why == "" && (wrong > tt.wrong+1e-6 || wrong < tt.wrong*0.99-1e-6):
			t.Errorf("%s: %.3f units uncertain, want %.3f", tt.name, wrong, tt.wrong)
		}
	}
}

// TestScreen: the client had the snapshots of 1000 and 1050, so its screen showed the places from one to the other.
func TestScreen(t *testing.T) {
	for _, tt := range []struct {
		had  int32
		time int32
		x    float64
	}{{2, 1020, 6.4}, {1, 1020, 0}, {2, 1090, 16}, {3, 1090, 16 + 12.8}, {3, 990, 0}} {
		r := runner(nil)
		r.commands[0].had, r.commands[0].Time = tt.had, tt.time
		place, _, ok := r.onScreen(&firing{command: &r.commands[0]}, 1)
		if !ok || math.Abs(place[0]-tt.x) > 1e-5 {
			t.Errorf("command %d with snapshot %d: at %v, want %v", tt.time, tt.had, place[0], tt.x)
		}
	}
}

// TestBeside measures along the axes by hand.
func TestBeside(t *testing.T) {
	b, _ := boxOf(upright)
	crouched, _ := boxOf(15 | 24<<8 | 48<<16)
	for _, tt := range []struct {
		name       string
		box        box
		start, ray vec
		off, entry float64
	}{
		{"through the middle", b, vec{-100, 0, 4}, vec{1, 0, 0}, -15, 85},
		{"5 from the side", b, vec{-100, 10, 4}, vec{1, 0, 0}, -5, 85},
		{"5 beside", b, vec{-100, 20, 4}, vec{1, 0, 0}, 5, 85},
		{"over the head", b, vec{-100, 0, 40}, vec{1, 0, 0}, 8, 85},
		{"over one who crouches", crouched, vec{-100, 0, 40}, vec{1, 0, 0}, 24, 85},
		{"beside a corner", b, vec{-100, 18, 36}, vec{1, 0, 0}, 5, 85},
		{"across the edge", b, vec{-100, 0, 4}, vec{math.Sqrt2 / 2, math.Sqrt2 / 2, 0}, 100*math.Sqrt2/2 - 15*math.Sqrt2, 85 / math.Sqrt2 * 1},
		{"the other way", b, vec{-100, 0, 4}, vec{-1, 0, 0}, 85, 0},
	} {
		off, entry := tt.box.beside(vec{}, tt.start, tt.ray)
		if math.Abs(off-tt.off) > 1e-9 || tt.off < 0 && math.Abs(entry-tt.entry) > 1e-9 {
			t.Errorf("%s: %v at %v, want %v at %v", tt.name, off, entry, tt.off, tt.entry)
		}
	}
}

// TestBesideEverywhere: a ray enters a box exactly where it passes inside the outline, and a box that is moved by the
// margin is touched.
func TestBesideEverywhere(t *testing.T) {
	t.Parallel()
	b, _ := boxOf(upright)
	rapid.Check(t, func(t *rapid.T) {
		axis := func(name string, most float64) vec {
			g := rapid.Float64Range(-most, most)
			return vec{g.Draw(t, name+" x"), g.Draw(t, name+" y"), g.Draw(t, name+" z")}
		}
		place, ray := axis("place", 500), axis("ray", 1)
		if length(ray) < 0.1 {
			return
		}
		ray = unit(ray)
		off, _ := b.beside(place, vec{}, ray)
		if dot(along(place, 1, b.middle()), ray) < 60 {
			return // behind the start, or around it
		}
		if _, enters := b.enter(place, vec{}, ray); enters != (off <= 0) && math.Abs(off) > 1e-6 {
			t.Fatalf("margin %v, enters %v", off, enters)
		}
		// a box that grows by less than the margin is not hit, and one that shrinks by less than the depth is
		grow := func(by float64) box {
			g := b
			for i := range g.mins {
				g.mins[i], g.maxs[i] = g.mins[i]-by, g.maxs[i]+by
			}
			return g
		}
		if _, enters := grow(off/math.Sqrt(3)*0.999).enter(place, vec{}, ray); enters && off > 1e-6 {
			t.Fatalf("margin %v, but a box that is larger by less is hit", off)
		}
		if _, enters := grow(off+1e-6).enter(place, vec{}, ray); !enters && off > 1e-6 {
			t.Fatalf("margin %v, but a box that is larger by it is not hit", off)
		}
	})
}
