package truth_test

import (
	"bufio"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/view"
)

// A tracedShot is a shot as the server logged its trace.
type tracedShot struct {
	muzzle, end [3]float64
	hit         int                // entity
	others      map[int][3]float64 // where the trace found the other players
}

// tracedShots reads the server's log: the shots of people, by the time of the command.
func tracedShots(t *testing.T, lines *bufio.Scanner) map[int64]*tracedShot {
	t.Helper()
	shots := map[int64]*tracedShot{}
	var now *tracedShot
	value := func(words []string, key string, offset int) float64 {
		v, err := strconv.ParseFloat(words[slices.Index(words, key)+offset], 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	place := func(words []string, key string) [3]float64 {
		return [3]float64{value(words, key, 1), value(words, key, 2), value(words, key, 3)}
	}
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		switch {
		case slices.Contains(words, "SHOT"):
			now = &tracedShot{place(words, "m"), place(words, "e"), int(value(words, "hit", 1)), map[int][3]float64{}}
			if value(words, "bot", 1) == 0 {
				shots[int64(value(words, "at", 1))] = now
			}
		case slices.Contains(words, "REW"):
			now.others[int(value(words, "cl", 1))] = place(words, "traced")
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return shots
}

// TestShots compares shots with the log of a server that wrote down each trace: whole rewind of OpenArena, both ends.
func TestShots(t *testing.T) {
	t.Parallel()
	for _, end := range [...]string{"server", "client"} {
		t.Run(end, func(t *testing.T) {
			want := tracedShots(t, reference.Lines(t, reference.Folder(t, "captures", "quake3")+
				"/oa-shots-full-rewind.games.log.gz"))
			packets := reftest.PacketsIn(t, reference.Capture(t, "quake3", "oa-shots-full-rewind-"+end))
			found, placed := 0, 0
			rows := shotRows(t)
			reftest.DissectPackets(t, packets, engine.Config{
				Protocols: all.Protocols(), Workers: 1, Options: dissect.Options{Shots: true},
				Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
					rows.Add(rec)
					for _, s := range rec.Shots.All() {
						if s.Weapon != "machinegun" {
							continue // the log has bullets alone
						}
						logged := want[s.Command]
						if !s.Found || logged == nil {
							t.Errorf("shot at %d: command %d: %s", s.Time, s.Command, s.Why)
							continue
						}
						found++
						placed += compareShot(t, &s, logged)
					}
					return dst, nil
				},
			})
			if found != len(want) {
				t.Errorf("%d of %d shots", found, len(want))
			}
			if placed < len(want) {
				t.Errorf("%d places of players in %d shots", placed, len(want))
			}
			compareResults(t, rows.Tables()[0], want)
		})
	}
}

// shotRows returns the statistic of shots.
func shotRows(t *testing.T) view.Statistic {
	t.Helper()
	kind, _, err := view.Find("shots")
	if err != nil {
		t.Fatal(err)
	}
	s, err := kind.New(nil, &view.Env{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// compareResults compares the results of rows: a bullet goes through a player where the server hit one, and only there.
func compareResults(t *testing.T, table view.Table, want map[int64]*tracedShot) {
	t.Helper()
	at := func(key string) int {
		return slices.IndexFunc(table.Columns, func(c view.Column) bool { return c.Key == key })
	}
	weapon, command, result := at("weapon"), at("command_time"), at("result")
	counts := map[any]int{}
	for _, row := range table.Rows {
		if row[weapon] != "machinegun" {
			continue
		}
		logged := want[row[command].(int64)]
		_, hit := logged.others[logged.hit]
		if through := row[result] == "through"; through != hit {
			t.Errorf("command %v: %v, the server hit %d", row[command], row[result], logged.hit)
		}
		counts[row[result]]++
	}
	if decided := counts["through"] + counts["beside"]; counts["through"] == 0 || decided < len(want)*3/4 {
		t.Errorf("results of %d shots: %v", len(want), counts)
	}
}

// compareShot compares a shot and returns how many places of players it has.
func compareShot(t *testing.T, s *extract.Shot, logged *tracedShot) (placed int) {
	t.Helper()
	const rounded = 1.8 // units: the muzzle is a whole number, and may be the next one
	if off := apart(s.Muzzle, logged.muzzle); off > s.MuzzleError+rounded {
		t.Errorf("command %d: the muzzle is %.2f units off, at most %.2f was said", s.Command, off, s.MuzzleError)
	}
	var way [3]float64
	for i := range way {
		way[i] = logged.end[i] - logged.muzzle[i]
	}
	long := apart(way, [3]float64{})
	for i := range way {
		way[i] /= long
	}
	if len(s.Rays) != 1 || apart(s.Rays[0], way) > 1e-4 {
		t.Errorf("command %d: direction %v, want %v", s.Command, s.Rays, way)
	}
	for i := range s.Targets {
		p := &s.Targets[i]
		if !p.HasTraced {
			continue
		}
		placed++
		if off := apart(p.Place, logged.others[p.Player]); off > 0.01 {
			t.Errorf("command %d: player %d is %.2f units off", s.Command, p.Player, off)
		}
		through := p.Traced < -p.Error && p.Apart > p.Error
		if through != (logged.hit == p.Player) && math.Abs(p.Traced) > p.Error && math.Abs(p.Apart) > p.Error {
			t.Errorf("command %d: player %d: %.1f units, error %.1f, the server hit %d", s.Command, p.Player,
				p.Traced, p.Error, logged.hit)
		}
	}
	for i := range s.Impacts {
		if target := s.Impacts[i].Target; target >= 0 && target != logged.hit {
			t.Errorf("command %d: flesh of %d, the server hit %d", s.Command, target, logged.hit)
		}
	}
	return placed
}

func apart(a, b [3]float64) float64 {
	return math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2])
}
