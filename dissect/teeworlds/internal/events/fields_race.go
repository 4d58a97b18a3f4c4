package events

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
)

// raceKinds are the kinds of events of races and of DDNet's servers.
var raceKinds = []string{
	event.RaceStart, event.Checkpoint, event.TeamFinish, event.Run, event.TeamLock, event.TeamInvite, event.Swap,
	event.Practice, event.Freeze, event.Teleport, event.Contact, event.Spectate, event.Timeout,
}

// raceFields are the keys that they have besides those of other kinds.
var raceFields = []*dissect.Field{
	&eventtree.Course, &eventtree.RaceCheckpoint, &evCheckpoints, &eventtree.RaceTime, &eventtree.RaceDiff,
	&eventtree.RunTime, &eventtree.FromDrop, &eventtree.Distance, &eventtree.SeenTime, &eventtree.Speed,
	&eventtree.TopSpeed, &evDeep,
	&evFrozenTime, &evFrom, &evBy, &evInferred,
}

var (
	evCheckpoints = dissect.Field{
		Key: "checkpoints", Kind: dissect.Uint, Doc: "run of a race: how many checkpoints were seen; absent without any",
	}
	evDeep = dissect.Field{
		Key: "deep", Kind: dissect.Bool, Doc: "freeze: true for deep freeze, which does not end by itself; absent otherwise",
		Source: "DDNetCharacter, DDNet's datasrc/network.py",
	}
	evFrozenTime = dissect.Field{
		Key: "frozen_time", Kind: dissect.Int, Unit: "ms",
		Doc: "freeze: of who is free again: for how long he was frozen; absent where the beginning was not seen",
	}
	evFrom = dissect.Field{
		Key: "from", Kind: dissect.Object, Doc: "teleport: where the player was before",
		Source: "Character, datasrc/network.py", Children: []*dissect.Field{&evPositionX, &evPositionY},
	}
	evBy = eventtree.Player("by",
		"freeze, kill by the map: who hooked or hammered the player last, in the 3 s before", evPlayerFields)
	evInferred = dissect.Field{
		Key: "inferred", Kind: dissect.Bool,
		Doc: "true where the event, or by, is concluded from positions in snapshots: no message says so; absent otherwise",
	}
)
