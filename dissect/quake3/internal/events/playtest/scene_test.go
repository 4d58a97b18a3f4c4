package playtest

import (
	"math"
	"testing"
)

// entities are those of a snapshot, by number, with their fields by the engine's names.
type entities = map[uint32]map[string]uint32

// A cast has the numbers of a game that the tests of snapshots need: entityType_t, entity_event_t and pmtype_t.
type cast struct {
	protocol                    int
	gamename                    string
	events                      uint32 // ET_EVENTS
	obituary, pickup, announced uint32
	intermission                uint32
	sound                       uint32 // EV_GLOBAL_TEAM_SOUND; 0: none
}

// casts are by the games' headers: code/game/bg_public.h of the game and, for 43 and Quake Live, the tables of
// uberdemotools; MP/code/game/bg_public.h of iortcw, src/game/bg_public.h of ET: Legacy and of jk2mv,
// codemp/game/bg_public.h of OpenJK.
var casts = []cast{
	{43, "baseq3", 12, 58, 19, 20, 5, 0},
	{68, "baseq3", 13, 60, 19, 20, 5, 47},
	{71, "baseoa", 13, 60, 19, 20, 5, 47},
	{68, "cpma", 13, 60, 19, 20, 5, 47},
	{68, "osp", 13, 60, 19, 20, 5, 47},
	{73, "", 13, 58, 15, 16, 5, 44},
	{90, "", 13, 58, 15, 16, 5, 44},
	{91, "", 13, 58, 15, 16, 5, 44},
	{60, "", 40, 85, 30, 32, 5, 0},
	{84, "", 62, 68, 28, 30, 5, 0},
	{16, "", 16, 81, 20, 21, 6, 0},
	{26, "", 18, 93, 22, 23, 7, 0},
}

// on is a stage with the game, in which a match is on.
func (c *cast) on(t testing.TB) *stage { return game(t, c.protocol, c.gamename, 0).say().forget() }

// TestSnapshotsOfEveryGame shows a kill, a pick-up, the announcement of another one and the intermission in each game.
func TestSnapshotsOfEveryGame(t *testing.T) {
	for _, c := range casts {
		s := c.on(t).frame(shown(entities{
			80: {
				"eType": c.events + c.obituary, "otherEntityNum": 0, "otherEntityNum2": 1, "eventParm": 1,
				"pos.trBase[0]": math.Float32bits(7),
			},
		}))
		s.wantObjects("kill{killer{client_num=1 name=^1Bo^7b team=2} victim{client_num=0 name=Anna team=1 position{x=0 y=0 " +
			"z=0}} means_of_death=1 position{x=7 y=0 z=0}}")

		item := c.protocol == 16 || c.protocol == 26 // the parameter is the item's entity
		picked := map[string]uint32{
			"eType": c.events + c.pickup, "otherEntityNum": 2, "eventParm": 5, "pos.trBase[1]": math.Float32bits(3),
		}
		switch c.protocol { // EF_PLAYER_EVENT; the games of Wolfenstein have none
		case 60, 84:
		case 26:
			picked["eFlags"] = 0x20
		default:
			picked["eFlags"] = 0x10
		}
		if item {
			picked["eventParm"] = 300
			s.frame(shown(entities{300: {"eType": 2, "modelindex": 5}})).want()
		}
		s.frame(shown(entities{81: picked})).wantObjects(
			"pickup{client{client_num=2 name=Carl team=1} item=5 position{x=0 y=3 z=0}}")
		s.frame(shown(entities{82: {"eType": c.events + c.announced, "eventParm": 6}})).
			wantObjects("pickup{item=6 global=true}")
		s.frame(testState{player: map[string]uint32{"pm_type": c.intermission - 1}}).want()
		s.frame(testState{player: map[string]uint32{"pm_type": c.intermission}}).wantObjects("intermission{}")
		if c.sound != 0 { // of blue's capture, GTS_BLUE_CAPTURE
			s.frame(shown(entities{83: {"eType": c.events + c.sound, "eventParm": 1}})).
				wantObjects("flag{action=captured flag=red}")
		}
		if t.Failed() {
			t.Fatalf("protocol %d %s", c.protocol, c.gamename)
		}
	}
}

// TestOneEventOrTwo shows an obituary and, in the next snapshots, something at the same entity number. G_TempEntity
// takes the number again when the event has had its time, EVENT_VALID_MSEC.
func TestOneEventOrTwo(t *testing.T) {
	first := map[string]uint32{
		"eType": 13 + 60, "otherEntityNum": 0, "otherEntityNum2": 1, "eventParm": 10,
		"clientNum": 5, "pos.trBase[0]": 1, "pos.trBase[1]": 2, "pos.trBase[2]": 3,
	}
	for _, tt := range []struct {
		name   string
		pause  int32 // before the next snapshot
		field  string
		value  uint32
		events int
	}{
		{"the same", 50, "", 0, 1},
		{"the same after 300 ms", 300, "", 0, 1},
		{"the same after more", 301, "", 0, 2},
		{"the same at the same time", 0, "", 0, 1},
		{"the same, of a clock that began anew", -1, "", 0, 2},
		{"another event", 50, "eType", 13 + 19, 2},
		{"another means of death", 50, "eventParm", 11, 2},
		{"another victim", 50, "otherEntityNum", 2, 2},
		{"another killer", 50, "otherEntityNum2", 2, 2},
		{"another client", 50, "clientNum", 6, 2},
		{"another place, x", 50, "pos.trBase[0]", 4, 2},
		{"another place, y", 50, "pos.trBase[1]", 4, 2},
		{"another place, z", 50, "pos.trBase[2]", 4, 2},
		{"another angle", 50, "apos.trBase[0]", 4, 1},
	} {
		next := map[string]uint32{}
		for k, v := range first {
			next[k] = v
		}
		if tt.field != "" {
			next[tt.field] = tt.value
		}
		s := game(t, 68, "baseq3", 0).say().forget().frame(shown(entities{80: first}))
		s.pause(tt.pause - 50).frame(shown(entities{80: next}))
		if len(s.lines) != tt.events {
			t.Errorf("%s: %d events, want %d: %q", tt.name, len(s.lines), tt.events, s.lines)
		}
	}
	// An event counts until 300 ms after the last snapshot that had it.
	game(t, 68, "baseq3", 0).say().forget().frame(shown(entities{80: first})).pause(150).frame(shown(entities{80: first})).
		pause(150).frame(shown(entities{80: first})).want("kill: Bob killed Anna (railgun)")
	// After a long pause nothing is remembered.
	s := game(t, 68, "baseq3", 0).say().forget().frame(shown(entities{80: first})).forget()
	s.reader.Idle()
	s.frame(shown(entities{80: first})).want("kill: Bob killed Anna (railgun)")
}

// TestWithoutBase has snapshots whose base is lost: what they do not send is not known, and what needs it is not
// reported. Of a kill the number of a player that is not sent is 0.
func TestWithoutBase(t *testing.T) {
	type fields = map[string]uint32
	quake, et, academy := casts[1], casts[9], casts[11]
	for _, tt := range []struct {
		name   string
		cast   *cast
		entity fields
		want   string
	}{
		{"no type", &quake, fields{"otherEntityNum": 0, "otherEntityNum2": 1, "eventParm": 10}, ""},
		{"a kill", &quake, fields{"eType": 13 + 60}, "kill{killer{client_num=0 name=Anna team=1} victim{client_num=0 name=Anna team=1} suicide=true inferred=true}"},
		{"its victim", &quake, fields{"eType": 13 + 60, "otherEntityNum": 2}, "kill{killer{client_num=0 name=Anna team=1} victim{client_num=2 name=Carl team=1} inferred=true}"},
		{"its killer", &quake, fields{"eType": 13 + 60, "otherEntityNum2": 2}, "kill{killer{client_num=2 name=Carl team=1} victim{client_num=0 name=Anna team=1} inferred=true}"},
		{"the world", &quake, fields{"eType": 13 + 60, "otherEntityNum2": 1022}, "kill{victim{client_num=0 name=Anna team=1} world=true inferred=true}"},
		{"the first entity that is no player", &quake, fields{"eType": 13 + 60, "otherEntityNum2": 64}, "kill{victim{client_num=0 name=Anna team=1} world=true inferred=true}"},
		{"the last player", &quake, fields{"eType": 13 + 60, "otherEntityNum2": 63}, "kill{killer{client_num=63} victim{client_num=0 name=Anna team=1} inferred=true}"},
		{"protocol 43 has more", &casts[0], fields{"eType": 12 + 58, "otherEntityNum2": 127}, "kill{killer{client_num=127} victim{client_num=0 name=Anna team=1} inferred=true}"},
		{"suicide", &quake, fields{"eType": 13 + 60, "otherEntityNum": 0, "otherEntityNum2": 0}, "kill{killer{client_num=0 name=Anna team=1} victim{client_num=0 name=Anna team=1} suicide=true}"},
		{"a part of the place", &quake, fields{"eType": 13 + 60, "pos.trBase[0]": 1, "pos.trBase[1]": 1}, "kill{killer{client_num=0 name=Anna team=1} victim{client_num=0 name=Anna team=1} suicide=true inferred=true}"},
		{"another part of it", &quake, fields{"eType": 13 + 60, "pos.trBase[1]": 1, "pos.trBase[2]": 1}, "kill{killer{client_num=0 name=Anna team=1} victim{client_num=0 name=Anna team=1} suicide=true inferred=true}"},
		{"its last part", &quake, fields{"eType": 13 + 60, "pos.trBase[2]": 1}, "kill{killer{client_num=0 name=Anna team=1} victim{client_num=0 name=Anna team=1} suicide=true inferred=true}"},
		{"a victim that is no player", &quake, fields{"eType": 13 + 60, "otherEntityNum": 128}, "kill{killer{client_num=0 name=Anna team=1} victim{client_num=128} inferred=true}"},
		{"a victim without a name", &quake, fields{"eType": 13 + 60, "otherEntityNum": 5}, "kill{killer{client_num=0 name=Anna team=1} victim{client_num=5} inferred=true}"},
		{"the origin, of an entity without a place", &quake, fields{"eType": 13 + 60, "pos.trBase[0]": 0, "pos.trBase[1]": 0, "pos.trBase[2]": 0}, "kill{killer{client_num=0 name=Anna team=1} victim{client_num=0 name=Anna team=1} suicide=true inferred=true}"},
		{"a place", &quake, fields{"eType": 13 + 60, "pos.trBase[0]": 0, "pos.trBase[1]": 0, "pos.trBase[2]": math.Float32bits(1)}, "kill{killer{client_num=0 name=Anna team=1} victim{client_num=0 name=Anna team=1} suicide=true position{x=0 y=0 z=1} inferred=true}"},
		{"a pick-up", &quake, fields{"eType": 13 + 19, "eFlags": 0x10, "otherEntityNum": 2, "eventParm": 5}, "pickup{client{client_num=2 name=Carl team=1} item=5}"},
		{"a pick-up of the first client", &quake, fields{"eType": 13 + 19, "eFlags": 0x10, "otherEntityNum": 0, "eventParm": 5}, "pickup{client{client_num=0 name=Anna team=1} item=5}"},
		{"a pick-up whose flags are not sent", &quake, fields{"eType": 13 + 19, "otherEntityNum": 2, "eventParm": 5}, "pickup{item=5}"},
		{"a pick-up that names nobody", &quake, fields{"eType": 13 + 19, "eFlags": 0x20, "otherEntityNum": 2, "eventParm": 5}, "pickup{item=5}"},
		{"a pick-up of Wolfenstein", &et, fields{"eType": 62 + 28, "otherEntityNum": 0, "eventParm": 5}, "pickup{client{client_num=0 name=Anna team=1} item=5}"},
		{"a pick-up with another flag", &quake, fields{"eType": 13 + 19, "eFlags": 1, "otherEntityNum": 2, "eventParm": 5}, "pickup{item=5}"},
		{"one in Jedi Academy", &academy, fields{"eType": 18 + 22, "eFlags": 1, "otherEntityNum": 2, "eventParm": 5}, "pickup{}"},
		{"a pick-up without item", &quake, fields{"eType": 13 + 19, "otherEntityNum": 2}, ""},
		{"a pick-up without player", &quake, fields{"eType": 13 + 19, "eventParm": 5}, ""},
		{"an announcement without item", &quake, fields{"eType": 13 + 20}, ""},
		{"a sound that is not known", &quake, fields{"eType": 13 + 47}, ""},
		{"the sound of red's capture", &quake, fields{"eType": 13 + 47, "eventParm": 0}, "flag{action=captured flag=blue}"},
		{"a popup message", &et, fields{"eType": 62 + 124, "effect1Time": 0, "effect2Time": 0, "effect3Time": 1, "density": 0}, "objective{action=planted}"},
		{"a popup message without type", &et, fields{"eType": 62 + 124, "effect2Time": 0, "effect3Time": 1, "density": 0}, ""},
		{"a popup message of what", &et, fields{"eType": 62 + 124, "effect1Time": 0, "effect3Time": 1, "density": 0}, ""},
		{"a popup message of which", &et, fields{"eType": 62 + 124, "effect1Time": 0, "effect2Time": 0, "density": 0}, ""},
		{"a popup message of whom", &et, fields{"eType": 62 + 124, "effect1Time": 0, "effect2Time": 0, "effect3Time": 1}, ""},
		{"a flag that was taken", &academy, fields{"eType": 18 + 99, "eventParm": 4, "trickedentindex": 2, "trickedentindex2": 1}, "flag{action=taken client{client_num=2 name=Carl team=1} flag=red}"},
		{"by nobody knows whom", &academy, fields{"eType": 18 + 99, "eventParm": 4, "trickedentindex2": 2}, "flag{action=taken flag=blue}"},
		{"of nobody knows whose team", &academy, fields{"eType": 18 + 99, "eventParm": 4, "trickedentindex": 2}, ""},
		{"an objective", &academy, fields{"eType": 18 + 102, "eventParm": 1, "weapon": 2, "trickedentindex": 4}, "objective{action=completed client{client_num=2 name=Carl team=1} objective=4 team=1}"},
		{"by nobody knows whom", &academy, fields{"eType": 18 + 102, "eventParm": 1, "trickedentindex": 4}, "objective{action=completed objective=4 team=1}"},
		{"by the first client", &academy, fields{"eType": 18 + 102, "eventParm": 2, "weapon": 0, "trickedentindex": 4}, "objective{action=completed client{client_num=0 name=Anna team=1} objective=4 team=2}"},
		{"by what is no client", &academy, fields{"eType": 18 + 102, "eventParm": 2, "weapon": 128, "trickedentindex": 4}, "objective{action=completed objective=4 team=2}"},
		{"by neither side", &academy, fields{"eType": 18 + 102, "eventParm": 3, "weapon": 0, "trickedentindex": 4}, ""},
		{"an objective without number", &academy, fields{"eType": 18 + 102, "eventParm": 1, "weapon": 2}, ""},
		{"an objective without team", &academy, fields{"eType": 18 + 102, "weapon": 2, "trickedentindex": 4}, ""},
	} {
		s := tt.cast.on(t)
		s.lost = true
		var want []string
		if tt.want != "" {
			want = []string{tt.want}
		}
		if s.frame(shown(entities{80: tt.entity})).wantObjects(want...); t.Failed() {
			t.Fatal(tt.name)
		}
	}
	// Values that become known complete the event, and distinguish it from another one.
	s := quake.on(t)
	s.lost = true
	s.frame(shown(entities{80: {"eType": 13 + 60, "otherEntityNum": 0}})).
		frame(shown(entities{80: {"eType": 13 + 60, "otherEntityNum": 0, "otherEntityNum2": 1}}))
	s.want("kill: Anna died")
	s.frame(shown(entities{80: {"eType": 13 + 60, "otherEntityNum2": 2}})).want("kill: Carl killed Anna")
}

// TestItemsOfEntities: pick-ups of Jedi Academy name the entity of the item, which shows what it was.
func TestItemsOfEntities(t *testing.T) {
	s := casts[11].on(t)
	pick := func(number, entity uint32) testState {
		return shown(entities{number: {"eType": 18 + 22, "eFlags": 0x20, "otherEntityNum": 2, "eventParm": entity}})
	}
	s.frame(shown(entities{
		300: {"eType": 2, "modelindex": 5}, 301: {"eType": 2, "modelindex": 6},
		302: {"eType": 3, "modelindex": 7},
	}))
	s.frame(pick(80, 301)).frame(pick(81, 300)).frame(pick(82, 302)).wantObjects(
		"pickup{client{client_num=2 name=Carl team=1} item=6}",
		"pickup{client{client_num=2 name=Carl team=1} item=5}",
		"pickup{client{client_num=2 name=Carl team=1}}", // what is no item
	)
	s.frame(shown(entities{300: {"eType": 2, "modelindex": 8}})).forget() // another item takes its number
	s.lost = true
	s.frame(shown(entities{300: {"eType": 2}})) // what it is now is not sent
	s.lost = false
	s.frame(pick(84, 300)).wantObjects("pickup{client{client_num=2 name=Carl team=1} item=8}")
}

// TestRiders has the pick-up of another player in the field event of the player's entity, without and with a base.
func TestRiders(t *testing.T) {
	rider := func(fields ...uint32) testState {
		e := map[string]uint32{"eType": 1}
		for i, name := range []string{"event", "eventParm"}[:len(fields)] {
			e[name] = fields[i]
		}
		return shown(entities{2: e})
	}
	const pickup = 19
	for _, tt := range []struct {
		name   string
		frames []testState
		want   []string
	}{
		{"new", []testState{rider(0, 0), rider(pickup, 5)}, []string{"pickup: Carl picked up item_health"}},
		{"just in view", []testState{{}, rider(pickup, 5)}, nil},
		{"for the second time", []testState{rider(pickup, 5), rider(pickup|0x100, 5)}, []string{"pickup: Carl picked up item_health"}},
		{"out of view in between", []testState{rider(0, 0), {}, rider(pickup, 5)}, nil},
		{"another event", []testState{rider(0, 0), rider(pickup+1, 5)}, nil},
		{"the item is not known", []testState{rider(0, 0), rider(pickup)}, nil},
		{"the event before is not known", []testState{rider(0, 0), rider(), rider(pickup, 5)}, nil},
	} {
		s := casts[1].on(t)
		s.lost = true
		for _, f := range tt.frames {
			s.frame(f)
		}
		if s.want(tt.want...); t.Failed() {
			t.Fatal(tt.name)
		}
	}
	// The first snapshot may have what is long past.
	game(t, 68, "baseq3", freeForAll).forget().frame(rider(pickup, 5)).want("match_start: the match starts")
	// Both an item that a player was seen to pick up and one that was announced.
	s := casts[1].on(t).frame(rider(0, 0))
	s.frame(testState{entities: entities{
		2:  {"eType": 1, "event": pickup, "eventParm": 9},
		80: {"eType": 13 + 20, "eventParm": 28},
	}})
	s.want("pickup: Carl picked up weapon_shotgun", "pickup: somebody picked up item_quad")
}

// TestQueues reads the events of the own player: two and a counter of 16 bits in Quake III, four and one of 8 bits in
// Wolfenstein, and beside it one that the server adds. MAX_PS_EVENTS and MAX_EVENTS in q_shared.h.
func TestQueues(t *testing.T) {
	queue := func(event uint32, sequence uint32, items ...uint32) testState {
		p := map[string]uint32{"clientNum": 1, "eventSequence": sequence}
		for i, name := range []string{"0", "1", "2", "3"}[:len(items)] {
			p["events["+name+"]"], p["eventParms["+name+"]"] = event, items[i]
		}
		return testState{player: p}
	}
	bob := func(items ...string) (lines []string) {
		for _, item := range items {
			lines = append(lines, "pickup{client{client_num=1 name=^1Bo^7b team=2} item="+item+" position{x=0 y=0 z=0}}")
		}
		return lines
	}
	for _, tt := range []struct {
		name          string
		cast          int
		before, after uint32
		items         []uint32
		want          []string
	}{
		{"none", 1, 10, 10, []uint32{5, 6}, nil},
		{"one", 1, 10, 11, []uint32{5, 6}, bob("5")},
		{"one, at the other place", 1, 11, 12, []uint32{5, 6}, bob("6")},
		{"two", 1, 11, 13, []uint32{5, 6}, bob("6", "5")},
		{"more than there are", 1, 10, 20, []uint32{5, 6}, bob("5", "6")},
		{"16 bits", 1, 0xffff, 1, []uint32{5, 6}, bob("6", "5")},
		{"8 bits are not all", 1, 0xff, 1, []uint32{5, 6}, bob("6", "5")},
		{"ET, none", 9, 10, 10, []uint32{5, 6, 7, 8}, nil},
		{"ET, one", 9, 10, 11, []uint32{5, 6, 7, 8}, bob("7")},
		{"ET, four", 9, 8, 12, []uint32{5, 6, 7, 8}, bob("5", "6", "7", "8")},
		{"ET, more than there are", 9, 8, 14, []uint32{5, 6, 7, 8}, bob("7", "8", "5", "6")},
		{"ET, 8 bits", 9, 0xff, 1, []uint32{5, 6, 7, 8}, bob("8", "5")},
		{"RTCW, one", 8, 10, 11, []uint32{5, 6, 7, 8}, bob("7")},
	} {
		c := casts[tt.cast]
		s := c.on(t).frame(queue(0, tt.before, tt.items...)).forget()
		if s.frame(queue(c.pickup|0x100, tt.after, tt.items...)).wantObjects(tt.want...); t.Failed() {
			t.Fatal(tt.name)
		}
	}
	// Another player's state: his counter is no evidence.
	other := queue(19, 12, 5, 6)
	other.player["clientNum"] = 2
	casts[1].on(t).frame(queue(19, 10, 5, 6)).frame(other).want()

	external := func(event uint32) testState {
		s := queue(0, 10, 0, 0)
		s.player["externalEvent"], s.player["externalEventParm"] = event, 9
		return s
	}
	s := casts[1].on(t).frame(external(0)).frame(external(19)).wantObjects(bob("9")...)
	s.frame(external(19)).want()
	s.frame(external(19 | 0x200)).wantObjects(bob("9")...)
	s.frame(external(20 | 0x100)).want()

	// Wolfenstein's player has no such event.
	et := func(time uint32) testState {
		s := queue(0, 10, 0, 0, 0, 0)
		s.player["commandTime"] = time
		return s
	}
	casts[9].on(t).frame(et(10)).frame(et(casts[9].pickup)).want()

	// With the base lost, one value that is not known is enough.
	for _, missing := range []string{
		"clientNum", "eventSequence", "events[0]", "events[1]", "eventParms[0]",
		"eventParms[1]", "externalEvent", "externalEventParm",
	} {
		after := queue(19, 11, 5, 6)
		after.player["externalEvent"], after.player["externalEventParm"] = 0, 0
		delete(after.player, missing)
		s := casts[1].on(t).frame(queue(19, 10, 5, 6)).forget()
		s.lost = true
		if s.frame(after).want(); t.Failed() {
			t.Fatal(missing)
		}
	}
}
