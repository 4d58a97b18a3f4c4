package view_test

import (
	"encoding/json"
	"errors"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/view"
)

// A fighter is what a row of the statistic match has of a player.
type fighter struct {
	Match     int
	Map       string
	ClientNum *int `json:"client_num"`
	Name      string
	Team      string
	Score     *int
	Kills     int
	Deaths    int
	Suicides  int
	TeamKills int `json:"team_kills"`
}

// fights returns the rows of the statistic match of a capture from a frame on, and its kill events by the frame. The
// events are those that the first stream shows of each, told apart by the game's clock.
func fights(t *testing.T, name string, from uint64) (rows []fighter, kills []killing) {
	t.Helper()
	in, err := open.File(name, open.Options{Protocols: all.Protocols()})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	kind, args, err := view.Find("match")
	if err != nil {
		t.Fatal(err)
	}
	match, err := kind.New(args, &view.Env{})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[killing]bool{}
	for rec, err := range engine.Records(after(in.Packets(), from), engine.Config{
		Protocols: all.Protocols(), Options: dissect.Options{Events: true, Inputs: true, Recover: true},
	}) {
		var end *dissect.FileError
		if errors.As(err, &end) && end.Code == dissect.TruncatedFile {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		match.Add(rec)
		for e := range rec.Events.Top().Children() {
			if e.Get("event").String() != "kill" || !e.Get("match").Exists() {
				continue
			}
			server, _ := rec.Server()
			k := killing{
				server: server.String(), at: e.Get("server_time").Int(), match: int(e.Get("match").Int()),
				killer: numberOf(e, "killer"), victim: numberOf(e, "victim"),
			}
			if !seen[k.key()] {
				seen[k.key()] = true
				kills = append(kills, k)
			}
		}
	}
	for _, table := range match.Tables() {
		for line := range strings.Lines(string(table.AppendJSON(nil))) {
			var row fighter
			if err := json.Unmarshal([]byte(line), &row); err != nil {
				t.Fatal(err)
			}
			rows = append(rows, row)
		}
	}
	return rows, kills
}

// A killing is a kill event.
type killing struct {
	server         string
	at             int64
	match          int
	killer, victim int // -1: none, or not known
}

// key returns what is the same in the whole capture and in a part of it.
func (k killing) key() killing {
	k.match = 0
	return k
}

func numberOf(e dissect.Value, key string) int {
	if n := e.Get(key).Get("client_num"); n.Exists() {
		return int(n.Int())
	}
	return -1
}

// after returns the packets from a frame on.
func after(packets iter.Seq2[*dissect.Packet, error], from uint64) iter.Seq2[*dissect.Packet, error] {
	return func(yield func(*dissect.Packet, error) bool) {
		for p, err := range packets {
			if (err != nil || p.Frame >= from) && !yield(p, err) {
				return
			}
		}
	}
}

// TestCutMatches cuts captures in the middle of a match: the rows of the cut are what the whole capture shows from
// there on.
func TestCutMatches(t *testing.T) {
	captures := reference.Folder(t, "captures")
	cutAll(t, map[string][]uint64{
		filepath.Join(captures, "quake3", "q3-68-connect-play.pcap"):         {500, 2000},
		filepath.Join(captures, "quake3", "q3-71-connect-play.pcap"):         {900},
		filepath.Join(captures, "quake3", "q3-multi-3clients-2servers.pcap"): {700},
		filepath.Join(captures, "idtech3", "jka-26-play.pcap"):               {1500},
		filepath.Join(captures, "idtech3", "rtcw-60-61-play.pcap"):           {2300},
		filepath.Join(captures, "teeworlds", "tw07-ctf3.pcap"):               {3000, 5000},
	})
}

func cutAll(t *testing.T, cuts map[string][]uint64) {
	compared := 0
	for name, frames := range cuts {
		whole, kills := fights(t, name, 0)
		at := map[killing]int{} // matches of the kills
		for _, k := range kills {
			at[k.key()] = k.match
		}
		for _, from := range frames {
			rows, seen := fights(t, name, from)
			want, match := map[int]*fighter{}, -1
			of := func(n int) *fighter {
				if want[n] == nil {
					want[n] = &fighter{}
				}
				return want[n]
			}
			for _, k := range seen { // messages before the key was found, and without their base, show none
				number, ok := at[k.key()]
				switch {
				case k.match != 0:
					continue // a match whose beginning the cut has
				case !ok:
					t.Errorf("%s from %d on: the whole capture does not have %+v", name, from, k)
					continue
				case match < 0:
					match = number
				case match != number:
					t.Errorf("%s from %d on: a match is %d and %d of the whole capture", name, from, match, number)
				}
				switch {
				case k.victim < 0:
				case k.killer < 0 || k.killer == k.victim:
					of(k.victim).Suicides++
				default:
					of(k.killer).Kills++
					of(k.victim).Deaths++
				}
			}
			if len(want) == 0 {
				t.Errorf("%s from %d on: no kill is left, so nothing is compared", name, from)
			}
			for n, w := range want {
				got, full := rowOf(rows, 0, n), rowOf(whole, match, n)
				switch {
				case got == nil || full == nil:
					t.Errorf("%s from %d on: client %d has no row", name, from, n)
				case got.Kills+got.TeamKills != w.Kills || got.Deaths+got.Suicides != w.Deaths+w.Suicides:
					t.Errorf("%s from %d on: %s has %d+%d kills, %d deaths and %d suicides, the whole capture shows %+v", name, from,
						got.Name, got.Kills, got.TeamKills, got.Deaths, got.Suicides, *w)
				case got.Map != "" && got.Map != full.Map, got.Name != "" && got.Name != full.Name:
					t.Errorf("%s from %d on: %+v, the whole capture has %+v", name, from, *got, *full)
				case got.Score != nil && full.Score != nil && *got.Score != *full.Score:
					t.Errorf("%s from %d on: %s has the score %d, the whole capture has %d", name, from, got.Name, *got.Score,
						*full.Score)
				default:
					compared++
				}
			}
		}
	}
	t.Logf("%d rows of players are equal", compared)
}

func rowOf(rows []fighter, match, client int) *fighter {
	for i := range rows {
		if r := &rows[i]; r.Match == match && r.ClientNum != nil && *r.ClientNum == client {
			return r
		}
	}
	return nil
}

// TestScoresOfSpectators: who follows a player is listed with the score of the followed, which is not his own. His is
// that of the last list in which he played, and what was seen after it.
func TestScoresOfSpectators(t *testing.T) {
	for _, tt := range []struct {
		name      []string
		client    int
		low, high int // of the score; 1, 0: there is none
	}{
		// 22 in the last list in which he plays, and two kills after it. The followed has 50.
		{[]string{"cases", "ql-spectator.dm_73"}, 12, 22, 24},
		{[]string{"cases", "ql-spectator.dm_73"}, 2, 50, 50},
		{[]string{"demos", "idtech3", "1.51ef9.dm_26"}, 4, 1, 0},
		{[]string{"demos", "idtech3", "1.51ef9.dm_26"}, 1, 856, 962},
		// No list has them as players at the end; each kill was a point.
		{[]string{"demos", "matches", "dm_73__tdm_tdmscores2.dm_73"}, 0, 17, 17},
		{[]string{"demos", "matches", "dm_90__tdm_forfeit_while_winning.dm_90"}, 0, 2, 2},
	} {
		rows, _ := fights(t, reference.Folder(t, tt.name...), 0)
		i := slices.IndexFunc(rows, func(f fighter) bool { return f.ClientNum != nil && *f.ClientNum == tt.client })
		switch {
		case i < 0:
			t.Errorf("%s: client %d has no row", tt.name, tt.client)
		case rows[i].Score == nil:
			if tt.low <= tt.high {
				t.Errorf("%s: client %d has no score", tt.name, tt.client)
			}
		case *rows[i].Score < tt.low || *rows[i].Score > tt.high:
			t.Errorf("%s: client %d has %d points", tt.name, tt.client, *rows[i].Score)
		}
	}
}

// TestFollowedView: the view of the player whom the recorder follows counts as that of a player.
func TestFollowedView(t *testing.T) {
	name := reference.Folder(t, "cases", "ql-spectator.dm_73")
	for _, want := range []string{"moments", "input"} {
		kind, args, err := view.Find(want)
		if err != nil {
			t.Fatal(err)
		}
		s, err := kind.New(args, &view.Env{})
		if err != nil {
			t.Fatal(err)
		}
		for rec, err := range open.Records(name, all.Protocols(), dissect.Options{Events: true, Inputs: true}) {
			if err != nil {
				t.Fatal(err)
			}
			s.Add(rec)
		}
		views := map[int]int{}
		for _, table := range s.Tables() {
			for line := range strings.Lines(string(table.AppendJSON(nil))) {
				var row struct {
					Kind      string
					ClientNum int `json:"client_num"`
				}
				if err := json.Unmarshal([]byte(line), &row); err != nil {
					t.Fatal(err)
				}
				if row.Kind == "view" {
					views[row.ClientNum]++
				}
			}
		}
		if len(views) != 1 || views[2] == 0 { // player_state.client_num of all snapshots
			t.Errorf("%s: rows of kind view by client: %v", want, views)
		}
	}
}

// TestScoresOfTeams: everybody of the red team is in the recording to its end, so their scores are together that of the
// team.
func TestScoresOfTeams(t *testing.T) {
	rows, _ := fights(t, reference.Folder(t, "demos", "quake3", "truncated.dm_73"), 0)
	sum := 0
	for i := range rows {
		if rows[i].Team == "red" && rows[i].Score != nil {
			sum += *rows[i].Score
		}
	}
	if sum != 38 { // the last score of the team, configstring 6
		t.Errorf("the red team has %d points", sum)
	}
}
