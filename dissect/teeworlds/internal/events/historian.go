package events

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// A Happening is what one chunk of a teehistorian file says.
type Happening struct {
	Kind   string // key of the chunk or message
	Client int32  // the first number of the chunk: a client, of saves and finishes of teams the team
	Number int32  // the second one
	Text   []byte // name, reason, map or command
	Args   [][]byte
}

// chatFlag is CFGFLAG_CHAT, src/engine/shared/config.h of DDNet: the command was typed into the chat.
const chatFlag = 128

// A historian is the state of a teehistorian file that events depend on.
type historian struct {
	asked map[int32][]byte // the names that clients asked for before they were in the game
	given bool             // the server records the names that it gives
}

// Tick adds the events of a tick of a teehistorian file, which happened in this order. secret reports whether the arguments of
// a command are secrets.
func (e *Reader) Tick(rec *dissect.Record, tick int32, all []Happening, secret func(command []byte) bool) {
	if e == nil || len(all) == 0 {
		return
	}
	if e.game == nil {
		e.game = newGameView()
		e.game.secrets = e.opts.Secrets
		e.historian.asked = map[int32][]byte{}
	}
	w := &e.out
	w.Tree, w.Match = &rec.Events, nil
	w.Time, w.Timed = int64(tick)*tickMsec, true
	rec.Events.Family = uint8(tables.DDNet)
	for i := range all {
		h := &all[i]
		if h.Kind == "console_command" {
			e.game.ranCommand(w, h, secret)
		} else {
			e.happened(w, h)
		}
	}
}

// happened adds the event of anything other than a command.
func (e *Reader) happened(w *writer, h *Happening) {
	g, client := e.game, int(h.Client)
	switch h.Kind {
	case "header":
		w.Timed = false
		w.Begin(event.MapStart)
		w.Text(&evMap, h.Text)
		w.End()
	case "cl_startinfo", "cl_changeinfo", "player_name":
		e.named(w, h)
	case "player_ready":
		g.arrive(w, client, e.historian.asked[h.Client], teamUnknown, false)
		delete(e.historian.asked, h.Client)
	case "drop":
		g.depart(w, client, h.Text)
		delete(e.historian.asked, h.Client)
	case "auth_init", "auth_login":
		g.about(w, event.RconGranted, client)
		w.End()
	case "auth_logout":
		g.about(w, event.RconEnded, client)
		w.End()
	case "player_finish":
		g.about(w, event.RaceFinish, client)
		w.number(&evTime, int(h.Number)*tickMsec)
		w.End()
	case "player_team":
		g.about(w, event.RaceTeam, client)
		w.number(&evRaceTeam, int(h.Number))
		w.End()
	case "cl_vote":
		g.about(w, event.Vote, client)
		w.Label(&evAction, event.VoteCast)
		w.number(&evChoice, int(h.Number))
		w.End()
	default:
		w.Begin(event.Save)
		w.Label(&evAction, saveActions[h.Kind])
		w.number(&evRaceTeam, client)
		w.End()
	}
}

// saveActions are the actions of saves, by the keys of their chunks.
var saveActions = map[string]string{
	"save_success": event.SaveSaved, "save_failure": event.SaveNotSaved, "load_success": event.SaveLoaded, "load_failure": event.SaveNotLoaded,
}

// named keeps the name that a client asks for until it is in the game, and adds the change of a name. Where the server
// records the names that it gives, those alone count.
func (e *Reader) named(w *writer, h *Happening) {
	if h.Kind == "player_name" {
		e.historian.given = true
	}
	if p := e.game.players.at(int(h.Client)); p == nil || !p.present {
		e.historian.asked[h.Client] = append([]byte{}, h.Text...)
	} else if h.Kind == "player_name" || h.Kind == "cl_changeinfo" && !e.historian.given {
		e.game.arrive(w, int(h.Client), h.Text, teamUnknown, false)
	}
}

// about begins an event about a client. The server itself, a negative number, is none.
func (g *gameView) about(w *writer, kind string, client int) {
	w.Begin(kind)
	if client >= 0 {
		w.client(&evClient, &g.players, client)
	}
}

// ranCommand adds a command: of rcon, which the server's console and votes run too, or of the chat.
func (g *gameView) ranCommand(w *writer, h *Happening, secret func(command []byte) bool) {
	kind := event.Rcon
	line := append([]byte{}, h.Text...)
	if h.Number == chatFlag {
		kind, line = event.ChatCommand, append([]byte("/"), h.Text...)
	}
	for _, a := range h.Args {
		line = append(line, ' ')
		if secret(h.Text) && !g.secrets {
			line = append(line, dissect.SecretMask...)
		} else {
			line = append(line, a...)
		}
	}
	g.about(w, kind, int(h.Client))
	w.Text(&evCommand, line)
	w.End()
}
