package playtest

import "testing"

func TestPickupEvents(t *testing.T) {
	const pickup, announced = 19, 20 // EV_ITEM_PICKUP, EV_GLOBAL_ITEM_PICKUP
	player := func(event, item uint32) testState {
		return shown(map[uint32]map[string]uint32{3: {"eType": 1, "event": event, "eventParm": item}})
	}
	g := playing(t)
	// An event on a player who comes into view may be old.
	g.frame(player(pickup, 9)).want()
	// The two bits above the number change with every event.
	g.frame(player(pickup|0x100, 9)).frame(player(pickup|0x100, 9)).frame(player(pickup|0x200, 12))
	g.want("pickup: Carl picked up weapon_shotgun", "pickup: Carl picked up weapon_rocketlauncher")
	g.frame(player(1|0x300, 0)).frame(player(pickup, 5)).want("pickup: Carl picked up item_health")
	g.say().frame(player(pickup|0x100, 5)).want() // out of view for a moment

	// Events that do not fit the player's entity have entities of their own.
	own := shown(map[uint32]map[string]uint32{70: {
		"eType": 13 + pickup, "eFlags": 0x10,
		"otherEntityNum": 3, "eventParm": 5,
	}})
	g.frame(own).frame(own).want("pickup: Carl picked up item_health")
	// Those of OSP and CPMA do not name the player: EF_PLAYER_EVENT is not set.
	nobody := shown(map[uint32]map[string]uint32{72: {"eType": 13 + pickup, "eventParm": 9}})
	g.frame(nobody).frame(nobody).want("pickup: somebody picked up weapon_shotgun")

	// OSP puts the second of two at once on the item, whose number is no client's.
	item := func(event uint32) testState {
		return shown(map[uint32]map[string]uint32{
			87:  {"eType": 2, "event": event, "eventParm": 5},
			300: {"eType": 2, "event": event, "eventParm": 9},
		})
	}
	g.frame(item(0)).frame(item(pickup|0x100)).want("pickup: somebody picked up item_health",
		"pickup: somebody picked up weapon_shotgun")
	g.frame(item(40 | 0x200)).want() // EV_ITEM_RESPAWN

	// Players have the entities below 64, MAX_CLIENTS: an event on another is not theirs.
	mover := func(event uint32) testState {
		return shown(map[uint32]map[string]uint32{
			64:  {"eType": 1, "event": event, "eventParm": 5},
			100: {"eType": 4, "event": event, "eventParm": 5},
		})
	}
	g.frame(mover(0)).frame(mover(pickup | 0x100)).want()

	// The announcement of a powerup is reported only if no player was seen picking it up.
	const quad = 28
	all := map[string]uint32{"eType": 13 + announced, "eventParm": quad}
	g.frame(shown(map[uint32]map[string]uint32{3: {"eType": 1, "event": 1, "eventParm": 0}})).want()
	g.frame(shown(map[uint32]map[string]uint32{3: {"eType": 1, "event": pickup | 0x300, "eventParm": quad}, 71: all})).
		want("pickup: Carl picked up item_quad")
	g.pause(1000).frame(shown(map[uint32]map[string]uint32{72: all})).
		want("pickup: somebody picked up item_quad (seen late)")
}

// TestLatePickup has the event after a gap in the snapshots.
func TestLatePickup(t *testing.T) {
	const pickup = 19 // EV_ITEM_PICKUP
	entity := shown(map[uint32]map[string]uint32{70: {
		"eType": 13 + pickup, "eFlags": 0x10,
		"otherEntityNum": 3, "eventParm": 5,
	}})
	// The frame itself is 50 ms.
	playing(t).say().forget().pause(250).frame(entity).want("pickup: Carl picked up item_health")
	playing(t).say().forget().pause(251).frame(entity).want("pickup: Carl picked up item_health (seen late)")
}

// TestOwnPickupEvents reads the queue of two events in the player state.
func TestOwnPickupEvents(t *testing.T) {
	queue := func(sequence uint32, event0, parm0, event1, parm1 uint32) testState {
		return testState{player: map[string]uint32{
			"clientNum": 1, "eventSequence": sequence, "events[0]": event0, "eventParms[0]": parm0, "events[1]": event1,
			"eventParms[1]": parm1,
		}}
	}
	g := playing(t).frame(queue(10, 19, 5, 19, 5)).want() // from before
	g.frame(queue(11, 19, 9, 19, 5)).want("pickup: Bob picked up weapon_shotgun")
	g.frame(queue(13, 19, 7, 19, 4)).want("pickup: Bob picked up item_health_small",
		"pickup: Bob picked up item_health_mega")
	g.frame(queue(13, 19, 7, 19, 4)).want()
	g.frame(queue(20, 1, 0, 19, 4)).want("pickup: Bob picked up item_health_small") // those between are lost
	g.frame(queue(0x10000-1, 1, 0, 1, 4)).frame(queue(1, 19, 12, 19, 13)).want("pickup: Bob picked up weapon_lightning",
		"pickup: Bob picked up weapon_rocketlauncher")
	other := queue(8, 19, 9, 19, 9)
	other.player["clientNum"] = 3
	g.frame(other).want() // somebody else is followed now
	external := queue(8, 19, 9, 19, 9)
	external.player["clientNum"], external.player["externalEvent"], external.player["externalEventParm"] = 3, 19|0x100, 28
	g.frame(external).want("pickup: Carl picked up item_quad")
}
