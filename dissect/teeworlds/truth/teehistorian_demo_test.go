package truth_test

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/teeworlds"
)

// Demos that are made of teehistorian files are compared with what clients of the same games received: their own demos
// and the captures.

// A tee is what a snapshot has of a character and of its player, by the keys of the fields.
type tee map[string]string

// A made demo is one of a teehistorian file.
type madeDemo struct {
	file  string
	began time.Time // tick 0
	mapOf string
	tees  map[int64]map[string]tee // by tick and name
	last  int64
}

// writeDemo makes the demo of a file, and returns its name.
func writeDemo(t *testing.T, name string, wants extract.DemoRange) (demo string, told *extract.DemoTold) {
	t.Helper()
	var b []byte
	for rec, err := range open.Records(name, []*dissect.Protocol{teeworlds.New()}, dissect.Options{Demos: &wants}) {
		if err != nil {
			break // a killed server's
		}
		if rec.Demo.Begin != nil {
			told = rec.Demo.Begin.Told
		}
		b = append(b, rec.Demo.Data...)
	}
	if told == nil {
		t.Fatalf("%s: no demo", name)
	}
	copy(b, told.Header)
	demo = filepath.Join(t.TempDir(), "x.demo")
	if err := os.WriteFile(demo, b, 0o666); err != nil {
		t.Fatal(err)
	}
	return demo, told
}

// eachScene calls each with the characters of every snapshot of a recording or capture, by the names of their players.
func eachScene(t *testing.T, name string, each func(rec *dissect.Record, tick int64, tees map[string]tee)) {
	t.Helper()
	for rec, err := range open.Records(name, []*dissect.Protocol{teeworlds.New()}, dissect.Options{State: true}) {
		if err != nil {
			break
		}
		root := rec.Root()
		if root.Get("version").String() == "0.7" {
			continue // names are in messages there
		}
		for chunk := range root.Get("chunks").Children() {
			snap := chunk.Get("snapshot")
			if !snap.Exists() || snap.Get("base_missing").Bool() {
				continue
			}
			names, tees := map[int64]string{}, map[string]tee{}
			for item := range snap.Get("items").Children() {
				if info := item.Get("clientinfo"); info.Exists() {
					id := item.Get("id").Int()
					names[id] = info.Get("name").String()
					tees[names[id]] = tee{"id": fmt.Sprint(id)}
					for _, key := range []string{"clan", "country", "skin", "use_custom_color", "color_body", "color_feet"} {
						tees[names[id]][key] = info.Get(key).String()
					}
				}
			}
			for item := range snap.Get("items").Children() {
				of := tees[names[item.Get("id").Int()]]
				if of == nil {
					continue
				}
				for v := range item.Get("character").Children() {
					of[v.Key()] = v.String()
				}
				if info := item.Get("playerinfo"); info.Exists() {
					of["team"], of["score"] = info.Get("team").String(), info.Get("score").String()
				}
			}
			each(rec, snap.Get("tick").Int(), tees)
		}
	}
}

// readMade makes the demo of a file and reads it back, without a note.
func readMade(t *testing.T, file string) *madeDemo {
	t.Helper()
	m := &madeDemo{file: file, tees: map[int64]map[string]tee{}, last: -1}
	name, told := writeDemo(t, file, extract.DemoRange{})
	playAsClient(t, name)
	for rec, err := range open.Records(name, []*dissect.Protocol{teeworlds.New()}, dissect.Options{}) {
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, e := range rec.Experts {
			t.Fatalf("%s: message %d: %s %s", file, rec.Frame, e.Code, e.Message)
		}
		if h := rec.Root().Get("demo"); h.Get("type").String() == "header" {
			m.mapOf = h.Get("map_name").String()
			if want := (told.LastTick - told.FirstTick) / 50; h.Get("length").Int() != int64(want) {
				t.Errorf("%s: %d s, want %d", file, h.Get("length").Int(), want)
			}
		}
	}
	for rec, err := range open.Records(file, []*dissect.Protocol{teeworlds.New()}, dissect.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		m.began, err = time.Parse("2006-01-02T15:04:05-0700", rec.Root().Lookup("teehistorian.header.start_time").String())
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	before := map[string]tee{}
	eachScene(t, name, func(_ *dissect.Record, tick int64, tees map[string]tee) {
		for at := m.last + 1; at < tick && m.last >= 0; at++ {
			m.tees[at] = before
		}
		m.tees[tick], m.last, before = tees, tick, tees
	})
	return m
}

// A tally counts equal and different values by field.
type tally map[string][2]int

func (n tally) add(key string, equal bool) {
	v := n[key]
	if equal {
		v[0]++
	} else {
		v[1]++
	}
	n[key] = v
}

// compare counts what a true snapshot and the made demo have in common.
func (m *madeDemo) compare(t *testing.T, n tally, tick int64, tees map[string]tee) {
	for name, want := range tees {
		at := tick
		if v := want["tick"]; v != "" && v != "0" {
			fmt.Sscan(v, &at)
		}
		if _, known := m.tees[at]; !known {
			continue // before the file's first tick, or after its last
		}
		then := m.tees[tick][name]
		var got tee // the name can be another one at that time
		for _, o := range m.tees[at] {
			if o["id"] == then["id"] {
				got = o
			}
		}
		if want["x"] != "" {
			n.add("place", got["x"] == want["x"] && got["y"] == want["y"])
		}
		for _, key := range []string{"angle", "direction"} {
			if want["x"] != "" && got["x"] != "" {
				n.add(key, got[key] == want[key])
			}
		}
		for _, key := range []string{"vel_x", "vel_y"} {
			if want["x"] != "" && got["x"] != "" {
				var a, b float64
				fmt.Sscan(got[key], &a)
				fmt.Sscan(want[key], &b)
				n.add(key+" within a unit", math.Abs(a-b) <= 256)
			}
		}
		for key := range then {
			switch key {
			case "weapon", "attack_tick", "player_flags", "clan", "country", "skin", "use_custom_color", "color_body",
				"color_feet", "team", "score":
				if want[key] != "" {
					n.add(key, then[key] == want[key])
				}
			}
		}
	}
}

// TestTeehistorianDemos compares the places of all players in all ticks that clients received.
func TestTeehistorianDemos(t *testing.T) {
	t.Parallel()
	total := tally{}
	sessions := map[string][]*madeDemo{}
	for _, file := range reference.Glob(t, "captures", "teehistorian", "sessions", "*.teehistorian") {
		session, _, _ := strings.Cut(filepath.Base(file), ".")
		if sessions[session] != nil || len(sessions) < reference.Most(2) {
			sessions[session] = append(sessions[session], readMade(t, file))
		}
	}
	names := slices.Sorted(maps.Keys(sessions))
	for _, session := range names[:min(reference.Most(2), len(names))] {
		capture := filepath.Join(filepath.Dir(sessions[session][0].file), session+".pcap")
		count := tally{}
		eachScene(t, capture, func(rec *dissect.Record, tick int64, tees map[string]tee) {
			began := time.Unix(0, rec.Time).Add(-time.Duration(tick) * 20 * time.Millisecond)
			var of *madeDemo
			for _, m := range sessions[session] {
				if m.began.Before(began.Add(1500 * time.Millisecond)) {
					of = m
				}
			}
			of.compare(t, count, tick, tees)
		})
		t.Logf("%s: %v", session, count)
		for key, v := range count {
			total[key] = [2]int{total[key][0] + v[0], total[key][1] + v[1]}
		}
	}
	var made []*madeDemo
	for _, file := range reference.Glob(t, "captures", "teeworlds", "dd06-full.d", "*.teehistorian") {
		made = append(made, readMade(t, file))
	}
	for _, name := range reference.Glob(t, "captures", "teeworlds", "dd06-full.d", "*.demo") {
		count := tally{}
		for _, m := range made {
			if strings.Contains(filepath.Base(name), "."+m.mapOf+"_") {
				eachScene(t, name, func(_ *dissect.Record, tick int64, tees map[string]tee) { m.compare(t, count, tick, tees) })
			}
		}
		t.Logf("%s: %v", filepath.Base(name), count)
		for key, v := range count {
			total[key] = [2]int{total[key][0] + v[0], total[key][1] + v[1]}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(total)) {
		equal, differ := total[key][0], total[key][1]
		may, known := madeReasons[key]
		t.Logf("%s: %d equal, %d differ %s", key, equal, differ, may.reason)
		switch {
		case slices.Contains(whole, key) && (differ > 0 || equal < 10_000):
			t.Errorf("%s: %d equal, %d differ", key, equal, differ)
		case !slices.Contains(whole, key) && (!known || equal*100 < (equal+differ)*may.percent):
			t.Errorf("%s: %d equal, %d differ, want %d %%", key, equal, differ, may.percent)
		}
	}
}

// whole are the fields that are recorded: every value is that of the client. Of the others at least so many of a
// hundred are equal; madeReasons has why not all are.
var whole = []string{"place", "player_flags", "clan", "country", "skin"}

// madeReasons are the fields that can differ, with the share that is equal in any case, and the reason.
var madeReasons = map[string]struct {
	percent int
	reason  string
}{
	"angle":               {99, "a client that joins is drawn before its first input"},
	"direction":           {98, "who is frozen does not move"},
	"vel_x within a unit": {98, "against a wall, and while the place jumps, speed is no difference of places"},
	"vel_y within a unit": {99, "the same"},
	"team":                {99, "a request to spectate by a 0.7 client is not recorded"},
	"attack_tick":         {90, "weapons other than hammer and gun shoot less often"},
	"weapon":              {65, "other weapons than hammer and gun are not recorded"},
	"score":               {80, "times of the database, and finishes of 16.4, are not recorded"},
	"use_custom_color":    {90, "skins of 0.7 clients"},
	"color_body":          {90, "the same"},
	"color_feet":          {90, "the same"},
}
