package events

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/scene"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// The flags of the game.
const (
	redFlag = iota
	blueFlag
	neutralFlag
	numFlags
)

var flagNames = [numFlags]string{"red", "blue", "neutral"}

// A flagStatus is where a flag is, as in configstring "flagstatus".
type flagStatus uint8

const (
	flagUnknown flagStatus = iota
	flagAtBase
	flagAway
	flagLying
)

// A flagTracker reports what happens to the flags. The game announces it three times: in words, which name the
// player ("Sarge got the RED flag!"), in the configstring, which also has dropped flags, and with a sound, an
// event entity. Words come first; at the end of the message the configstring adds what no words have announced.
//
// Team_TouchEnemyFlag, Team_TouchOurFlag, Team_ReturnFlag and Team_SetFlagStatus in code/game/g_team.c.
type flagTracker struct {
	reported, status [numFlags]flagStatus
	changed          [numFlags]bool // status changed in this message
	captured         [numFlags]bool // in this message
	won              [numFlags]bool // in this message the team that captures this flag won the match
	messages         []flagMessage  // in this message
	heard            [numFlags]bool // the sound of a capture, in this message
	runs             [numFlags]flagRun
	ways             ways
}

// A flagMessage has the parameters of EV_CTFMESSAGE (Jedi Outcast, Jedi Academy).
type flagMessage struct {
	message uint32
	client  int // -1: none
	flag    int
}

// Messages of the event "ctfmessage": ctfMsg_t, codemp/game/bg_public.h of OpenJK.
const (
	messageFlagReturned = 1 // by itself
	messageReturned     = 2
	messageCaptured     = 3
	messageGot          = 4
)

// message keeps a player's action with a flag until the end of the message.
//
// Source: PrintCTFMessage, codemp/game/g_team.c of OpenJK.
func (f *flagTracker) message(e *scene.Event) {
	if e.Team != teamRed && e.Team != teamRed+1 {
		return
	}
	client := -1
	if e.Client < tables.MaxPlayers && e.Value != messageFlagReturned {
		client = e.Client
	}
	f.messages = append(f.messages, flagMessage{message: e.Value, client: client, flag: e.Team - teamRed})
}

// setStatus reads the configstring: two characters for the red and the blue flag, or one for the only flag. 0:
// at its base, 1: taken, 2: dropped; of the only flag 2 and 3: taken by red, by blue, 4: dropped.
//
// A client that is not in the game yet gets the configstring later than the words, SV_SetConfigstring in
// code/server/sv_init.c: only changes count.
func (f *flagTracker) setStatus(value []byte, quiet bool) {
	before := f.status
	if len(value) == 1 {
		switch value[0] {
		case '0':
			f.status[neutralFlag] = flagAtBase
		case '1', '2', '3':
			f.status[neutralFlag] = flagAway
		case '4':
			f.status[neutralFlag] = flagLying
		}
	} else {
		for i := range min(len(value), 2) {
			switch value[i] {
			case '0':
				f.status[i] = flagAtBase
			case '1':
				f.status[i] = flagAway
			case '2':
				f.status[i] = flagLying
			}
		}
	}
	for i := range f.status {
		f.changed[i] = f.changed[i] || f.status[i] != before[i]
	}
	if quiet {
		f.reported, f.changed = f.status, [numFlags]bool{}
	}
}

// flagOf returns the flag of a sentence that ends "the RED flag!" or "the flag!", or -1.
func flagOf(rest []byte, verb string) int {
	rest, ok := bytes.CutPrefix(rest, []byte(verb+" the "))
	if !ok {
		return -1
	}
	switch string(rest) {
	case "RED flag!":
		return redFlag
	case "BLUE flag!":
		return blueFlag
	case "flag!":
		return neutralFlag
	}
	return -1
}

// readSentence reads a sentence about a player and a flag. It reports whether the sentence was one.
func (f *flagTracker) readSentence(w *eventWriter, r *roster, client int, name, rest []byte) bool {
	for _, v := range [...]struct {
		verb, action string
		then         flagStatus
	}{
		{"got", event.FlagTaken, flagAway},
		{"captured", event.FlagCaptured, flagAtBase},
		{"returned", event.FlagReturned, flagAtBase},
	} {
		if flag := flagOf(rest, v.verb); flag >= 0 {
			f.captured[flag] = f.captured[flag] || v.action == event.FlagCaptured
			f.report(w, r, flag, v.action, v.then, client, name)
			return true
		}
	}
	return false
}

// readReturned reads "The RED flag has returned!".
func (f *flagTracker) readReturned(w *eventWriter, r *roster, sentence []byte) bool {
	for i, s := range [numFlags]string{
		"The RED flag has returned!", "The BLUE flag has returned!",
		"The flag has returned!",
	} {
		if string(sentence) == s {
			if f.reported[i] != flagAtBase {
				f.report(w, r, i, event.FlagReturned, flagAtBase, -1, nil)
			}
			return true
		}
	}
	return false
}

// sound handles a sound for all players: of captures, for which some games have no words.
func (f *flagTracker) sound(name string) {
	flag := redFlag
	switch name {
	case "red_capture": // by the red team
		flag = blueFlag
	case "blue_capture":
	case "red_wins": // the only sound of Quake Live's last capture
		f.won[blueFlag] = true
		return
	case "blue_wins":
		f.won[redFlag] = true
		return
	default:
		return
	}
	f.heard[flag] = true
}

// settleSounds reports the captures that were heard and not announced in words. In CPMA the sound is that of the team
// whose flag it is: then the other flag goes from its carrier to its base in the same message.
func (f *flagTracker) settleSounds(w *eventWriter, r *roster) {
	went := func(flag int) bool {
		return f.changed[flag] && f.reported[flag] == flagAway && f.status[flag] == flagAtBase
	}
	for flag, heard := range f.heard {
		if other := 1 - flag; heard && flag < neutralFlag && !went(flag) && went(other) {
			flag = other
		}
		if heard && !f.captured[flag] {
			f.captured[flag] = true
			f.report(w, r, flag, event.FlagCaptured, flagAtBase, -1, nil)
		}
	}
	f.heard = [numFlags]bool{}
}

// settle reports changes of the configstring that were not announced in words or by a sound. A restart puts the
// flags back without a player's doing. rose is true for each team, red and blue, whose score has risen: a flag
// that goes from its carrier to its base while the other team scores and wins was captured.
func (f *flagTracker) settle(w *eventWriter, r *roster, restarted bool, rose [2]bool) {
	if restarted {
		f.runs = [numFlags]flagRun{}
	}
	f.settleSounds(w, r)
	// Entities come in the order of their numbers. A flag that is taken in the frame of its return was back before.
	slices.SortStableFunc(f.messages, func(a, b flagMessage) int { return cmp.Compare(a.message, b.message) })
	for _, m := range f.messages {
		switch m.message {
		case messageFlagReturned, messageReturned:
			f.report(w, r, m.flag, event.FlagReturned, flagAtBase, m.client, nil)
		case messageCaptured:
			f.report(w, r, m.flag, event.FlagCaptured, flagAtBase, m.client, nil)
		case messageGot:
			f.report(w, r, m.flag, event.FlagTaken, flagAway, m.client, nil)
		}
	}
	f.messages = f.messages[:0]
	for i, now := range f.status {
		before := f.reported[i]
		if !f.changed[i] || before == now {
			continue
		}
		f.reported[i] = now
		if restarted || before == flagUnknown {
			continue
		}
		if before == flagAway && now == flagAtBase && f.won[i] && rose[1-i] {
			f.report(w, r, i, event.FlagCaptured, now, -1, nil)
			continue
		}
		f.report(w, r, i, [...]string{
			flagAtBase: event.FlagReturned, flagAway: event.FlagTaken,
			flagLying: event.FlagDropped,
		}[now], now, -1, nil)
	}
	f.changed, f.captured, f.won = [numFlags]bool{}, [numFlags]bool{}, [numFlags]bool{}
}

func (f *flagTracker) report(w *eventWriter, r *roster, flag int, action string, then flagStatus,
	client int, name []byte,
) {
	f.reported[flag] = then
	w.Begin(event.Flag)
	w.Label(&evAction, action)
	if client >= 0 || name != nil {
		w.client(&evClient, r, client, name)
	}
	w.Label(&evFlag, flagNames[flag])
	w.End()
	f.follow(w, r, flag, action, client, name)
}
