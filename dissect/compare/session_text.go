package compare

import (
	"fmt"

	"github.com/q3dissect/q3dissect/dissect/quantity"
)

// AppendText appends the result for people. Names of files are as they were given.
func (s *Session) AppendText(dst []byte) []byte {
	for _, r := range s.Records {
		dst = fmt.Appendf(dst, "%s  what the server recorded of %s\n", r.Name, or(r.mapName, "a map"))
	}
	for _, c := range s.Clients {
		dst = append(dst, '\n')
		dst = s.appendClient(dst, c)
	}
	for _, p := range s.Players {
		dst = append(dst, '\n')
		dst = s.appendPlayer(dst, p)
	}
	for _, p := range s.Places {
		dst = append(dst, '\n')
		dst = s.appendPlaces(dst, p)
	}
	if len(s.Clients)+len(s.Places) == 0 {
		dst = append(dst, "\nThe other inputs have no place of a player in common with it, and no input of a client.\n"...)
	}
	return dst
}

func or(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// appendClient appends what became of a client's packets.
func (s *Session) appendClient(dst []byte, c *Client) []byte {
	dst = fmt.Appendf(dst, "%s, stream %d", c.View.Name, c.Stream)
	if c.Part > 0 {
		dst = fmt.Appendf(dst, ", map %d", c.Part+1)
	}
	if c.Record == nil {
		return fmt.Appendf(dst, ": %s, none of which the server recorded.\n", quantity.Grouped(c.NotApplied, "input"))
	}
	dst = fmt.Appendf(dst, ": client %d of %s", c.Number, c.Record.Name)
	if c.Name != "" {
		dst = fmt.Appendf(dst, " (%s)", c.Name)
	}
	dst = fmt.Appendf(dst, "\n  %s: %s applied in their tick, %s later, %s never.\n",
		quantity.Grouped(len(c.Inputs), "input"), quantity.Thousands(c.InTime), quantity.Thousands(c.Late),
		quantity.Thousands(c.NotApplied))
	shown := 0
	for i := range c.Inputs {
		a := &c.Inputs[i]
		if a.Applied == a.Intended {
			continue
		}
		if shown++; shown > shownFrames {
			return fmt.Appendf(dst, "  and %s more\n", quantity.Thousands(c.Late+c.NotApplied-shownFrames))
		}
		dst = fmt.Appendf(dst, "  Frame %d, meant for tick %d: ", a.Frame, a.Intended/s.Tick)
		if a.Applied < 0 {
			dst = append(dst, "never applied\n"...)
		} else {
			dst = fmt.Appendf(dst, "applied in tick %d, %s later\n", a.Applied/s.Tick,
				quantity.Grouped(int((a.Applied-a.Intended)/s.Tick), "tick"))
		}
	}
	return dst
}

// appendPlayer appends what the captures have of what the server recorded.
func (s *Session) appendPlayer(dst []byte, p *Player) []byte {
	dst = fmt.Appendf(dst, "%s, client %d", p.Record.Name, p.Number)
	if p.Name != "" {
		dst = fmt.Appendf(dst, " (%s)", p.Name)
	}
	dst = fmt.Appendf(dst, "\n  %s recorded: %s with a packet for their tick, %s with an earlier one, %s with none.\n",
		quantity.Grouped(p.Changes, "change of input", "changes of input"), quantity.Thousands(p.InTime),
		quantity.Thousands(p.Late), quantity.Thousands(p.Without))
	for _, c := range []struct {
		name string
		n    Commands
	}{{"chat", p.Chat}, {"remote control", p.Rcon}} {
		if c.n.Sent+c.n.Recorded > 0 {
			dst = fmt.Appendf(dst, "  Commands of %s: %s sent, %s recorded, %s of these sent.\n", c.name,
				quantity.Thousands(c.n.Sent), quantity.Thousands(c.n.Recorded), quantity.Thousands(c.n.Matched))
		}
	}
	return dst
}

// appendPlaces appends whether players are in the same places.
func (s *Session) appendPlaces(dst []byte, p *Places) []byte {
	dst = fmt.Appendf(dst, "%s: %s in snapshots, %s of them as the server recorded.\n", p.Record.Name,
		quantity.Grouped(p.Compared, "place"), quantity.Thousands(p.Equal))
	for i := range p.Different {
		d := &p.Different[i]
		dst = fmt.Appendf(dst, "  %s, frame %d, tick %d: client %d at %.0f,%.0f, recorded at %.0f,%.0f\n", d.View.Name,
			d.Frame, d.Time/s.Tick, d.Number, d.X, d.Y, d.RecordedX, d.RecordedY)
	}
	return dst
}

// The JSON of a Session: a line for each client on each map, for each packet with an input if they are wanted, for each
// recorded player and for the places on each map. docs/compare.md describes the keys.

type clientJSON struct {
	Compare    string `json:"compare"` // "client"
	View       string `json:"view"`
	Stream     int    `json:"stream"`
	Part       int    `json:"part"`
	Record     string `json:"record,omitempty"`
	Client     *int   `json:"client,omitempty"`
	Name       string `json:"name,omitempty"`
	Inputs     int    `json:"inputs"`
	InTime     int    `json:"in_time"`
	Late       int    `json:"late"`
	NotApplied int    `json:"not_applied"`
}

type inputJSON struct {
	Compare  string `json:"compare"` // "input"
	View     string `json:"view"`
	Stream   int    `json:"stream"`
	Frame    uint64 `json:"frame"`
	Record   string `json:"record"`
	Client   int    `json:"client"`
	Intended int64  `json:"intended_tick"`
	Applied  *int64 `json:"applied_tick,omitempty"`
}

type playerJSON struct {
	Compare      string `json:"compare"` // "recorded"
	Record       string `json:"record"`
	Client       int    `json:"client"`
	Name         string `json:"name,omitempty"`
	Changes      int    `json:"changes"`
	InTime       int    `json:"in_time"`
	Late         int    `json:"late"`
	Without      int    `json:"without_packet"`
	ChatSent     int    `json:"chat_sent"`
	ChatRecorded int    `json:"chat_recorded"`
	ChatMatched  int    `json:"chat_matched"`
	RconSent     int    `json:"rcon_sent"`
	RconRecorded int    `json:"rcon_recorded"`
	RconMatched  int    `json:"rcon_matched"`
}

type placesJSON struct {
	Compare   string          `json:"compare"` // "places"
	Record    string          `json:"record"`
	Compared  int             `json:"compared"`
	Equal     int             `json:"equal"`
	Different []differingJSON `json:"different"`
}

type differingJSON struct {
	View      string  `json:"view"`
	Frame     uint64  `json:"frame"`
	Tick      int64   `json:"tick"`
	Client    int     `json:"client"`
	X         float32 `json:"x"`
	Y         float32 `json:"y"`
	RecordedX float32 `json:"recorded_x"`
	RecordedY float32 `json:"recorded_y"`
}

// AppendJSON appends the lines of a result, with one for each input if packets is set.
func (s *Session) AppendJSON(dst []byte, packets bool) []byte {
	for _, c := range s.Clients {
		line := clientJSON{
			Compare: "client", View: c.View.Name, Stream: c.Stream, Part: c.Part, Name: c.Name,
			Inputs: c.InTime + c.Late + c.NotApplied, InTime: c.InTime, Late: c.Late, NotApplied: c.NotApplied,
		}
		if c.Record != nil {
			line.Record, line.Client = c.Record.Name, &c.Number
		}
		dst = appendLine(dst, line)
		for i := range c.Inputs {
			a := &c.Inputs[i]
			if !packets {
				break
			}
			line := inputJSON{
				Compare: "input", View: c.View.Name, Stream: c.Stream, Frame: a.Frame, Record: c.Record.Name, Client: c.Number,
				Intended: a.Intended / s.Tick,
			}
			if tick := a.Applied / s.Tick; a.Applied >= 0 {
				line.Applied = &tick
			}
			dst = appendLine(dst, line)
		}
	}
	for _, p := range s.Players {
		dst = appendLine(dst, playerJSON{
			"recorded", p.Record.Name, p.Number, p.Name, p.Changes, p.InTime, p.Late, p.Without, p.Chat.Sent,
			p.Chat.Recorded, p.Chat.Matched, p.Rcon.Sent, p.Rcon.Recorded, p.Rcon.Matched,
		})
	}
	for _, p := range s.Places {
		line := placesJSON{
			Compare: "places", Record: p.Record.Name, Compared: p.Compared, Equal: p.Equal, Different: []differingJSON{},
		}
		for i := range p.Different {
			d := &p.Different[i]
			line.Different = append(line.Different, differingJSON{
				d.View.Name, d.Frame, d.Time / s.Tick, d.Number, d.X, d.Y, d.RecordedX, d.RecordedY,
			})
		}
		dst = appendLine(dst, line)
	}
	return dst
}
