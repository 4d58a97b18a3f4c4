package timeline_test

import (
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/view"
	"github.com/q3dissect/q3dissect/dissect/view/timeline"
)

const samples = "../../../samples"

// collect reads a file. each takes the records too, if it is not nil.
func collect(t *testing.T, name string, o timeline.Options, each func(*dissect.Record)) (*timeline.Data, view.Table) {
	t.Helper()
	c := timeline.New(o)
	for rec, err := range open.Records(name, all.Protocols(), dissect.Options{Events: true, Inputs: true, Secrets: true}) {
		if err != nil {
			t.Fatal(err)
		}
		if each != nil {
			each(rec)
		}
		c.Add(rec)
	}
	loss := c.Loss()
	return c.Data(), loss
}

// lines gives the objects of a packed file of NDJSON.
func lines[T any](t *testing.T, name string) (list []T) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for d := json.NewDecoder(z); d.More(); {
		var v T
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
	return list
}

type place struct{ x, y, z int32 }

// walked gives the places of a track by tick.
func walked(track *timeline.Track) map[int32]place {
	var at place
	var tick int32
	places := map[int32]place{}
	for i := range track.Times {
		tick += track.Times[i]
		at = place{at.x + track.X[i], at.y + track.Y[i], at.z + track.Z[i]}
		places[tick] = at
	}
	return places
}

// Ways are those that the engine's own code decodes: the player's origin, and the entities of players.
func TestTracksAreTheEngines(t *testing.T) {
	t.Parallel()
	d, _ := collect(t, filepath.Join(samples, "quake3/68-kicked.dm_68"), timeline.Options{}, nil)
	type message struct {
		Ops []struct {
			Op         string  `json:"op"`
			ServerTime int64   `json:"serverTime"`
			PS         *player `json:"ps"`
			Ents       [][]float64
		}
	}
	const entityPlayer = 1 // ET_PLAYER, code/game/bg_public.h
	want := map[int64]map[int32]place{}
	note := func(client int64, tick int32, x, y, z float64) {
		if want[client] == nil {
			want[client] = map[int32]place{}
		}
		if _, ok := want[client][tick]; !ok {
			want[client][tick] = place{int32(math.Round(x)), int32(math.Round(y)), int32(math.Round(z))}
		}
	}
	first := int64(-1)
	for _, m := range lines[message](t, filepath.Join(samples, "quake3/truth/68-kicked.dm_68.jsonl.gz")) {
		for _, op := range m.Ops {
			if op.Op != "snapshot" || op.PS == nil {
				continue
			}
			if first < 0 {
				first = op.ServerTime
			}
			tick := int32((op.ServerTime - first) / 100)
			if op.PS.Type == 0 { // PM_NORMAL
				note(op.PS.Client, tick, op.PS.Origin[0], op.PS.Origin[1], op.PS.Origin[2])
			}
			for _, e := range op.Ents {
				if e[1] == entityPlayer {
					note(int64(e[0]), tick, e[2], e[3], e[4])
				}
			}
		}
	}
	if len(d.Games) != 1 || d.Clock.Kind != "game" {
		t.Fatalf("%d games by the clock of %s", len(d.Games), d.Clock.Kind)
	}
	g := d.Games[0]
	compared := 0
	for i := range g.Tracks {
		client := g.Players[g.Tracks[i].Player].Client
		for tick, got := range walked(&g.Tracks[i]) {
			w, ok := want[client][tick]
			if !ok {
				t.Errorf("client %d is seen at tick %d, where the engine has none", client, tick)
				continue
			}
			if abs(got.x-w.x) > 1 || abs(got.y-w.y) > 1 || abs(got.z-w.z) > 1 {
				t.Errorf("client %d is at %v at tick %d, the engine has %v", client, got, tick, w)
			}
			compared++
		}
	}
	if compared < 100 {
		t.Errorf("%d places were compared", compared)
	}
	t.Logf("%d places", compared)
}

type player struct {
	Client int64      `json:"clientNum"`
	Type   int        `json:"pm_type"`
	Origin [3]float64 `json:"origin"`
}

func abs(n int32) int32 { return max(n, -n) }

// Kills are those of the servers' logs.
func TestKillsAreTheLogs(t *testing.T) {
	t.Parallel()
	inLog := regexp.MustCompile(`(?m)Kill: \d+ \d+ \d+: (.*) killed (.*) by MOD_(\w+)$`)
	for _, file := range []string{"68-loss.pcap", "71-ipv6-chat.pcap", "71-duel.dm_71"} {
		name := strings.TrimSuffix(file, filepath.Ext(file))
		log, err := os.ReadFile(filepath.Join(samples, "quake3/truth", name+".games.log"))
		if err != nil {
			t.Fatal(err)
		}
		logged := map[string]int{}
		for _, m := range inLog.FindAllStringSubmatch(string(log), -1) {
			logged[strings.ToLower(m[1]+" "+m[2]+" "+m[3])]++
		}
		d, _ := collect(t, filepath.Join(samples, "quake3", file), timeline.Options{}, nil)
		kills := 0
		for _, g := range d.Games {
			for _, e := range g.Events {
				if e.Kind != "kill" {
					continue
				}
				kills++
				key := strings.ToLower(g.Players[*e.Player].Clean + " " + g.Players[*e.Other].Clean + " " + e.What)
				if logged[key]--; logged[key] < 0 {
					t.Errorf("%s: %q is not in the server's log", name, key)
				}
			}
		}
		if kills == 0 || name == "71-duel" && kills != 7 { // the log has one more: the watcher left before the recording
			t.Errorf("%s: %d kills", name, kills)
		}
	}
}

// Every byte is in the rate, and every message in the course of its session.
func TestNothingIsLostOverTime(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"quake3/68-loss.pcap", "quake3/oob.pcap", "quake3/et-84-play.pcap", "teeworlds/07-ipv6-join.pcap",
		"teeworlds/ddnet-join.pcap", "gamestudio/synthetic-directplay8-core.pcap", "quake3/68-kicked.dm_68",
	} {
		var bytes, packets uint64
		d, loss := collect(t, filepath.Join(samples, name), timeline.Options{}, func(rec *dissect.Record) {
			if !rec.Closing {
				bytes, packets = bytes+uint64(rec.Length), packets+1
			}
		})
		var gotBytes, gotPackets uint64
		for _, s := range d.Rate.Series {
			for i := range s.Bytes {
				gotBytes, gotPackets = gotBytes+s.Bytes[i], gotPackets+s.Packets[i]
			}
		}
		if gotBytes != bytes || gotPackets != packets {
			t.Errorf("%s: %d bytes in %d packets over time, %d in %d were read", name, gotBytes, gotPackets, bytes, packets)
		}
		compareCourses(t, name, d, &loss)
		if b, err := json.Marshal(d); err != nil || strings.Contains(string(b), `":null`) {
			t.Errorf("%s: a list is null, %v: %.100s", name, err, b)
		}
	}
}

// compareCourses compares the sums of courses with the rows of the statistic.
func compareCourses(t *testing.T, name string, d *timeline.Data, loss *view.Table) {
	t.Helper()
	for _, row := range loss.Rows {
		values := map[string]any{}
		for i, c := range loss.Columns {
			values[c.Key] = row[i]
		}
		for i := range d.Lagometer {
			c := &d.Lagometer[i]
			if int64(c.Stream) != values["stream"] || int64(c.Session) != values["session"] ||
				c.Direction != values["direction"] {
				continue
			}
			sum := func(list []uint32) (n uint64) {
				for _, v := range list {
					n += uint64(v)
				}
				return n
			}
			if got := sum(c.Messages); got != values["messages"] {
				t.Errorf("%s: %d messages over time, the statistic has %v", name, got, values["messages"])
			}
			if got := sum(c.Lost); got != values["lost"] && values["late"] == uint64(0) {
				t.Errorf("%s: %d lost over time, the statistic has %v", name, got, values["lost"])
			}
			if behind := values["lost_behind"]; behind != nil && sum(c.Behind) != behind {
				t.Errorf("%s: %d lost behind over time, the statistic has %v", name, sum(c.Behind), behind)
			}
			if c.Words == "" {
				t.Errorf("%s: nothing is said of stream %d %s", name, c.Stream, c.Direction)
			}
		}
	}
}

// Passwords are in the data only where they are asked for.
func TestSecrets(t *testing.T) {
	t.Parallel()
	name := filepath.Join(samples, "quake3/oob.pcap")
	passwords := map[string]bool{}
	text := func(o timeline.Options) string {
		d, _ := collect(t, name, o, func(rec *dissect.Record) {
			for e := range rec.Events.Top().Children() {
				if p := e.Get("password").String(); len(p) > 3 {
					passwords[p] = true
				}
			}
		})
		b, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	masked, shown := text(timeline.Options{}), text(timeline.Options{Secrets: true})
	if len(passwords) < 2 {
		t.Fatalf("passwords %v", passwords)
	}
	for p := range passwords {
		if strings.Contains(masked, p) {
			t.Errorf("the password %q is in the data", p)
		}
		if !strings.Contains(shown, p) {
			t.Errorf("the password %q is not in the data, and was asked for", p)
		}
	}
}

// A udt is the output of UberDemoTools for a demo.
type udt struct {
	Chat       []struct{ CleanPlayerName, CleanMessage string }
	Obituaries []struct {
		ServerTime                         int64
		AttackerCleanName, TargetCleanName string
	}
	MatchStats []struct {
		StartTime, EndTime                int64
		FirstPlaceName, SecondPlaceName   string
		FirstPlaceScore, SecondPlaceScore float64
	}
}

// Matches, kills and chat of demos equal those of another reader of demos.
func TestMatchesAreThoseOfAnotherReader(t *testing.T) {
	t.Parallel()
	folder := reference.Folder(t, "demos", "matches")
	for _, name := range []string{"36_kills_2_suicides.dm_68", "dm_66_67__2004_-_Duel_2__Quakecon_.dm_67"} {
		truth := lines[udt](t, filepath.Join(folder, name+".udt.json.gz"))[0]
		d, _ := collect(t, filepath.Join(folder, name), timeline.Options{}, nil)
		g := d.Games[0]
		var kills, wantKills, said, wantSaid []string
		who := func(p *int) string {
			if p == nil {
				return ""
			}
			return unclanned(g.Players[*p].Clean)
		}
		for _, e := range g.Events {
			switch {
			case e.Kind == "kill" && e.Player != nil && *e.Player != *e.Other:
				kills = append(kills, who(e.Player)+" > "+who(e.Other))
			case e.Kind == "chat" && e.Player != nil:
				said = append(said, who(e.Player))
			}
		}
		for _, o := range truth.Obituaries {
			if o.AttackerCleanName != o.TargetCleanName && o.AttackerCleanName != "" && o.AttackerCleanName != "world" {
				wantKills = append(wantKills, o.AttackerCleanName+" > "+o.TargetCleanName)
			}
		}
		for _, c := range truth.Chat {
			wantSaid = append(wantSaid, unclanned(c.CleanPlayerName))
		}
		if diff := cmp.Diff(wantKills, kills); diff != "" {
			t.Errorf("%s: kills (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(wantSaid, said); diff != "" {
			t.Errorf("%s: who spoke (-want +got):\n%s", name, diff)
		}
		if len(g.Matches) != len(truth.MatchStats) {
			t.Errorf("%s: %d matches, want %d", name, len(g.Matches), len(truth.MatchStats))
			continue
		}
		for i, m := range g.Matches {
			w := truth.MatchStats[i]
			if length, want := m.To-m.From, float64(w.EndTime-w.StartTime)/1000; math.Abs(length-want) > 1 {
				t.Errorf("%s: a match of %v s, want %v", name, length, want)
			}
			finals := map[string]float64{}
			for _, s := range m.Scores {
				finals[unclanned(s.Name)] = s.Points[len(s.Points)-1][1]
			}
			if finals[w.FirstPlaceName] != w.FirstPlaceScore || finals[w.SecondPlaceName] != w.SecondPlaceScore {
				t.Errorf("%s: scores %v, want %s %v, %s %v", name, finals, w.FirstPlaceName, w.FirstPlaceScore,
					w.SecondPlaceName, w.SecondPlaceScore)
			}
		}
	}
}

// unclanned leaves out the clan before a name, as the other reader does but in chat.
func unclanned(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// The same input gives the same data.
func TestTheSameTwice(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"quake3/71-ipv6-chat.pcap", "teeworlds/07-ctf.demo", "quake3/oob.pcap"} {
		var texts [2]string
		for i := range texts {
			d, _ := collect(t, filepath.Join(samples, name), timeline.Options{}, nil)
			b, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			texts[i] = string(b)
		}
		if diff := cmp.Diff(texts[0], texts[1]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
