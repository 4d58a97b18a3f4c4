package events

import (
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// A Chunk is the part of a chunk of a teehistorian file that events depend on.
type Chunk struct {
	Key    string // of the chunk or message
	Client int32  // the first number of the chunk: a client, of saves and finishes of teams the team
	Number int32  // the second one
	Text   []byte // name, reason, map or command
	Date   []byte // header: when the map was loaded
	Args   [][]byte
	X, Y   int32  // of cl_kill and player_old: the last place
	Body   []byte // of a message: its bytes, the number first
}

// chatFlag is CFGFLAG_CHAT, src/engine/shared/config.h of DDNet: the command was typed into the chat.
const chatFlag = 128

// A historian is the state of a teehistorian file that events depend on.
type historian struct {
	requested map[int32][]byte // the names that clients requested before they were in the game
	decided   bool             // the server records the names that it accepts
	lived     map[int32]*life  // by client number
}

// Tick adds the events of a tick of a teehistorian file, whose chunks are in this order. timed means that its number is
// the game's.
func (e *Reader) Tick(rec *dissect.Record, tick int32, timed bool, chunks []Chunk) {
	if e == nil || len(chunks) == 0 {
		return
	}
	if e.game == nil {
		e.game = newGameView()
		e.game.secrets = e.opts.Secrets
		e.historian.requested = map[int32][]byte{}
	}
	w := &e.out
	w.Tree, w.Match = &rec.Events, nil
	w.Time, w.Timed = int64(tick)*tickMsec, timed
	rec.Events.Family = uint8(tables.DDNet)
	for i := range chunks {
		h := &chunks[i]
		switch h.Key {
		case "console_command":
			if string(h.Text) == "set_team" && len(h.Args) > 1 {
				e.historian.ask(h, tick)
			}
			e.game.command(w, h)
		case "cl_setteam":
			e.historian.ask(h, tick)
		case "cl_kill", "player_new", "player_old":
			e.lives(w, h, tick)
		default:
			e.chunk(w, h)
		}
	}
}

// chunk adds the event of a chunk other than a command.
func (e *Reader) chunk(w *writer, h *Chunk) {
	g, client := e.game, int(h.Client)
	switch h.Key {
	case "header":
		w.Timed = false
		w.Begin(event.MapStart)
		w.Text(&evMap, h.Text)
		if date, err := time.Parse("2006-01-02T15:04:05-0700", string(h.Date)); err == nil {
			w.Text(&evDate, date.UTC().AppendFormat(nil, time.RFC3339))
		}
		w.End()
	case "cl_startinfo", "cl_changeinfo", "player_name":
		e.keepName(w, h)
	case "player_ready":
		g.arrive(w, client, e.historian.requested[h.Client], teamUnknown, false)
		delete(e.historian.requested, h.Client)
	case "drop":
		g.depart(w, client, h.Text)
		delete(e.historian.requested, h.Client)
	case "auth_init", "auth_login":
		g.beginAbout(w, event.RconGranted, client)
		w.End()
	case "auth_logout":
		g.beginAbout(w, event.RconEnded, client)
		w.End()
	case "player_finish":
		g.beginAbout(w, event.RaceFinish, client)
		w.number(&evTime, int(h.Number)*tickMsec)
		// CGameTeams::OnCharacterFinish counts the ticks since the start; before tick 0 it was in another game
		if start := w.Time - int64(h.Number)*tickMsec; w.Timed && start >= 0 {
			w.number(&evStartTime, int(start))
		}
		w.End()
	case "player_team":
		g.beginAbout(w, event.RaceTeam, client)
		w.number(&evRaceTeam, int(h.Number))
		w.End()
	case "cl_vote":
		g.beginAbout(w, event.Vote, client)
		w.Label(&evAction, event.VoteCast)
		w.number(&evChoice, int(h.Number))
		w.End()
	default:
		w.Begin(event.Save)
		w.Label(&evAction, saveActions[h.Key])
		w.number(&evRaceTeam, client)
		w.End()
	}
}

// saveActions are the actions of saves, by the keys of their chunks.
var saveActions = map[string]string{
	"save_success": event.SaveSaved, "save_failure": event.SaveNotSaved, "load_success": event.SaveLoaded,
	"load_failure": event.SaveNotLoaded,
}

// keepName keeps the name that a client requests until it is in the game, and adds the change of a name. If the server
// records the names that it accepts, only those count.
func (e *Reader) keepName(w *writer, h *Chunk) {
	if h.Key == "player_name" {
		e.historian.decided = true
	}
	if p := e.game.players.at(int(h.Client)); p == nil || !p.present {
		e.historian.requested[h.Client] = append([]byte{}, h.Text...)
	} else if h.Key == "player_name" || h.Key == "cl_changeinfo" && !e.historian.decided {
		e.game.arrive(w, int(h.Client), h.Text, teamUnknown, false)
	}
}

// beginAbout begins an event about a client. A negative number is the server itself, which is not a client.
func (g *gameView) beginAbout(w *writer, kind string, client int) {
	w.Begin(kind)
	if client >= 0 {
		w.client(&evClient, &g.players, client)
	}
}

// command adds a command that ran: of rcon, which the server's console and votes run too, or of the chat.
func (g *gameView) command(w *writer, h *Chunk) {
	kind := event.Rcon
	line := append([]byte{}, h.Text...)
	if h.Number == chatFlag {
		kind, line = event.ChatCommand, append([]byte("/"), h.Text...)
	}
	for _, a := range h.Args {
		line = append(line, ' ')
		if tables.IsSecretCommand(h.Text) && !g.secrets {
			line = append(line, dissect.SecretMask...)
		} else {
			line = append(line, a...)
		}
	}
	g.beginAbout(w, kind, int(h.Client))
	w.Text(&evCommand, line)
	w.End()
}
