package truth_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// measured are the values of each measure of each player: "command 3 turn_speed".
type measured map[string][]float64

func (m measured) add(kind string, number int, measure string, v float64) {
	key := fmt.Sprint(kind, " ", number, " ", measure)
	m[key] = append(m[key], v)
}

// compare compares the rows of the statistic with the values, of some kinds of rows.
func (m measured) compare(t *testing.T, base string, rows []row, kinds ...string) {
	t.Helper()
	for _, r := range rows {
		if !slices.Contains(kinds, r.text("kind")) {
			continue
		}
		number := -1
		if _, ok := r["client_num"]; ok {
			number = r.int("client_num")
		}
		key := fmt.Sprint(r.text("kind"), " ", number, " ", r.text("measure"))
		values, ok := m[key]
		if !ok {
			t.Errorf("%s: nobody else has %s: %v", base, key, r)
			continue
		}
		delete(m, key)
		slices.Sort(values)
		sum := 0.0
		for _, v := range values {
			sum += v
		}
		near := func(column string, want, below float64) {
			got, _ := r[column].(float64)
			if slack := 0.002 + math.Abs(want)*1e-5; got > want+slack || got < want-slack-want*below {
				t.Errorf("%s: %s: %s is %v, want %v", base, key, column, got, want)
			}
		}
		if r.int("count") != len(values) {
			t.Errorf("%s: %s: %d values, want %d", base, key, r.int("count"), len(values))
			continue
		}
		if measure := r.text("measure"); measure == "shots" || measure == "hits" {
			continue
		}
		near("mean", sum/float64(len(values)), 0)
		near("min", values[0], 0)
		near("max", values[len(values)-1], 0)
		for column, percent := range map[string]int{"p5": 5, "p50": 50, "p95": 95, "p99": 99} {
			near(column, values[max(1, (len(values)*percent+99)/100)-1], 1.0/64)
		}
	}
	for key, values := range m {
		t.Errorf("%s: the statistic lacks %d values of %s", base, len(values), key)
	}
}

// A moment is what the test knows of an input.
type moment struct {
	at, pitch, yaw float64
	attack         bool
}

// wrapDegrees is an angle the short way round.
func wrapDegrees(d float64) float64 {
	for d > 180 {
		d -= 360
	}
	for d < -180 {
		d += 360
	}
	return d
}

func angleBetween(a, b moment) float64 {
	return math.Hypot(wrapDegrees(a.pitch-b.pitch), wrapDegrees(a.yaw-b.yaw))
}

// runs splits moments where the clock goes back or stops for ten seconds.
func runs(list []moment) (parts [][]moment) {
	from := 0
	for i := range list {
		if i > 0 && (list[i].at < list[i-1].at || list[i].at-list[i-1].at > 10000) {
			parts, from = append(parts, list[from:i]), i
		}
	}
	return append(parts, list[from:])
}

// turns measures speeds and accelerations of a run.
func (m measured) turns(kind string, number int, run []moment) {
	speeds := make([]float64, len(run))
	for i := 1; i < len(run); i++ {
		passed := (run[i].at - run[i-1].at) / 1000
		if passed == 0 {
			speeds[i] = -1
			continue
		}
		speeds[i] = angleBetween(run[i], run[i-1]) / passed
		m.add(kind, number, "turn_speed", speeds[i])
		if i > 1 && speeds[i-1] >= 0 {
			m.add(kind, number, "turn_acceleration", math.Abs(speeds[i]-speeds[i-1])/passed)
		}
	}
}

// snapped is the largest way to a moment from one of the 100 ms before; -1: there is none.
func snapped(run []moment, i int) float64 {
	best := -1.0
	for j := i - 1; j >= 0 && run[i].at-run[j].at <= 100; j-- {
		best = max(best, angleBetween(run[i], run[j]))
	}
	return best
}

// presses measures the button of attack over a run.
func (m measured) presses(number int, run []moment) {
	last, held := -1, false
	for i, now := range run {
		switch {
		case now.attack && !held:
			if d := snapped(run, i); d >= 0 {
				m.add("command", number, "attack_turn", d)
			}
			if last >= 0 {
				m.add("command", number, "attack_interval", now.at-run[last].at)
			}
			last = i
		case held && !now.attack && last >= 0:
			m.add("command", number, "attack_time", now.at-run[last].at)
		}
		held = now.attack
	}
}

// The distributions of user commands are those that come out of what the engine's own code read, with other code.
func TestInputAgreesWithTheEngine(t *testing.T) {
	for _, base := range []string{
		"q3-68-connect-play", "q3-71-connect-play", "q3-68-loss-serverside",
		"q3-oa-wrapper-71legacy",
	} {
		m, commands := measured{}, map[int][]moment{}
		number, session, known := -1, -1.0, []string(nil) // the last commands: clients repeat those of some packets
		for _, line := range truths(t, base) {
			if line["kind"] != "msg" || line["dup"] == true || line["late"] == true || line["ok"] != true {
				continue
			}
			if s := line["sess"].(float64); s != session {
				number, session, known = -1, s, nil
			}
			fresh := 0
			for _, op := range line["ops"].([]any) {
				op := op.(map[string]any)
				switch op["op"] {
				case "gamestate":
					number = int(op["clientnum"].(float64))
				case "move", "movenodelta":
					for _, c := range op["cmds"].([]any) {
						c := c.(map[string]any)
						delete(c, "f")
						delete(c, "st")
						text, _ := json.Marshal(c)
						if slices.Contains(known[max(0, len(known)-64):], string(text)) {
							continue
						}
						known = append(known, string(text))
						fresh++
						angles := c["angles"].([]any)
						commands[number] = append(commands[number], moment{
							c["serverTime"].(float64), angles[0].(float64) * 360 / 65536, angles[1].(float64) * 360 / 65536,
							int(c["buttons"].(float64))&1 != 0,
						})
					}
				}
			}
			if fresh > 0 {
				m.add("command", number, "packet_commands", float64(fresh))
			}
		}
		for number, list := range commands {
			for _, run := range runs(list) {
				for i := 1; i < len(run); i++ {
					m.add("command", number, "command_interval", run[i].at-run[i-1].at)
				}
				m.turns("command", number, run)
				m.presses(number, run)
			}
		}
		if len(m) < 5 {
			t.Fatalf("%s: %d measures", base, len(m))
		}
		rows := slices.DeleteFunc(statistic(t, captureNamed(t, base), "input"), func(r row) bool {
			// of the capture's clock, which the engine's code did not see
			return r.text("measure") == "packet_interval" || r.text("measure") == "clock_rate"
		})
		m.compare(t, base, rows, "command")
	}
}

// The same for Teeworlds, where the crosshair is a place and fire counts.
func TestInputAgreesWithTeeworlds(t *testing.T) {
	for _, base := range []string{"tw07-ctf3", "dd06-full"}[:min(2, reference.Most(1))] {
		name := filepath.Join(reference.Folder(t, "captures", "quake3"), "..", "teeworlds", base+".pcap")
		streams := map[int]int{} // by the client's port
		for _, r := range statistic(t, name, "players") {
			port, _ := strconv.Atoi(r.text("ports"))
			streams[port] = r.int("stream")
		}
		all := map[int]measured{}
		commands := map[int][]moment{}
		for _, line := range truths(t, "../teeworlds/"+base) {
			chunks, _ := line["chunks"].([]any)
			stream := streams[int(number(line, "cport"))]
			fresh := 0
			for _, chunk := range chunks {
				if in := at(chunk, "fields.input"); at(chunk, "name") == "NETMSG_INPUT" && in != nil {
					fresh++
					commands[stream] = append(commands[stream], moment{
						at:     number(chunk, "fields.intended_tick") * 20,
						yaw:    math.Atan2(number(in, "m_TargetY"), number(in, "m_TargetX")) * 180 / math.Pi,
						attack: int(number(in, "m_Fire"))&1 != 0,
					})
				}
			}
			if all[stream] == nil {
				all[stream] = measured{}
			}
			if fresh > 0 {
				all[stream].add("command", -1, "packet_commands", float64(fresh))
			}
		}
		rows := statistic(t, name, "input")
		for stream, list := range commands {
			m := all[stream]
			for _, run := range runs(list) {
				for i := 1; i < len(run); i++ {
					m.add("command", -1, "command_interval", run[i].at-run[i-1].at)
				}
				m.turns("command", -1, run)
				m.presses(-1, run)
			}
			m.compare(t, base, slices.DeleteFunc(slices.Clone(rows), func(r row) bool {
				return r.int("stream") != stream || r.text("measure") == "packet_interval" || r.text("measure") == "clock_rate"
			}), "command")
		}
		if len(commands) < 2 {
			t.Errorf("%s: %d streams", base, len(commands))
		}
	}
}

// states returns the records of a capture with --state, as decoded JSON.
func states(t *testing.T, name string) (records []map[string]any) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	packets := reftest.PacketsOf(t, f, name, false)
	for rec, err := range engine.Records(packets,
		engine.Config{Protocols: all.Protocols(), Options: dissect.Options{State: true}}) {
		if err != nil {
			t.Fatal(err)
		}
		var r map[string]any
		if err := json.Unmarshal(render.AppendJSON(nil, rec, render.JSON{}), &r); err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
	return records
}

// at walks a path of JSON.
func at(v any, path string) any {
	for key := range strings.SplitSeq(path, ".") {
		o, _ := v.(map[string]any)
		v = o[key]
	}
	return v
}

func number(v any, path string) float64 {
	f, _ := at(v, path).(float64)
	return f
}

// Shots, hits, turns and speeds of the player whose view it is are those that come out of the states of --json --state.
func TestInputAgreesWithTheStates(t *testing.T) {
	for _, base := range []string{"q3-68-connect-play", "q3-71-connect-play"}[:min(2, reference.Most(1))] {
		name := captureNamed(t, base)
		m := measured{}
		views := map[int][]moment{}
		shots := map[int][]int{}       // by moment
		targets := map[int][]float64{} // -1: none
		var before any
		for _, r := range states(t, name) {
			if at(r, "quake3.netchan.duplicate") == true || at(r, "quake3.netchan.late") == true {
				continue
			}
			ops, _ := at(r, "quake3.server_message.ops").([]any)
			for _, op := range ops {
				if at(op, "gamestate") != nil {
					before = nil
				}
				p := at(op, "snapshot.player_state.state")
				if p == nil || int(number(op, "snapshot.snap_flags"))&2 != 0 {
					continue
				}
				if number(p, "pm_type") != 0 {
					before = nil
					continue
				}
				n := int(number(p, "client_num"))
				views[n] = append(views[n], moment{
					at: number(op, "snapshot.server_time"), pitch: number(p, "viewangles.pitch"),
					yaw: number(p, "viewangles.yaw"),
				})
				m.add("view", n, "ground_speed", math.Hypot(number(p, "velocity.x"), number(p, "velocity.y")))
				fired := 0
				if before != nil && int(number(before, "client_num")) == n {
					sequence := int(number(p, "event_sequence"))
					for i := max(int(number(before, "event_sequence")), sequence-2); i < sequence; i++ {
						if int(number(p, fmt.Sprint("events.", i%2)))%256 == 23 {
							fired++
							m.add("view", n, "shots", 0)
						}
					}
					for range int(number(p, "persistant.1") - number(before, "persistant.1")) {
						m.add("view", n, "hits", 0)
					}
				}
				before = p
				shots[n] = append(shots[n], fired)
				targets[n] = append(targets[n], offTarget(p, at(op, "snapshot.entities")))
			}
		}
		for n, list := range views {
			i := 0
			for _, run := range runs(list) {
				m.turns("view", n, run)
				last := -1
				for j := range run {
					target := targets[n][i]
					if target >= 0 {
						m.add("view", n, "off_target", target)
					}
					if shots[n][i] > 0 {
						if d := snapped(run, j); d >= 0 {
							m.add("view", n, "shot_turn", d)
						}
						if last >= 0 {
							m.add("view", n, "shot_interval", run[j].at-run[last].at)
						}
						if target >= 0 {
							m.add("view", n, "shot_off_target", target)
						}
						last = j
					}
					i++
				}
			}
		}
		if len(m) < 8 {
			t.Fatalf("%s: %d measures", base, len(m))
		}
		m.compare(t, base, statistic(t, name, "input"), "view")
	}
}

// offTarget is the angle between the crosshair and the nearest living player; -1: there is none.
func offTarget(p, entities any) float64 {
	best := -1.0
	list, _ := entities.([]any)
	for _, e := range list {
		s := at(e, "state")
		if s == nil || number(e, "number") >= 64 || number(s, "e_type") != 1 || int(number(s, "e_flags"))&1 != 0 {
			continue
		}
		dx, dy := number(s, "pos.tr_base.x")-number(p, "origin.x"), number(s, "pos.tr_base.y")-number(p, "origin.y")
		dz := number(s, "pos.tr_base.z") + 4 - number(p, "origin.z") - number(p, "viewheight")
		// The angle between two directions by their latitude and longitude (haversine formula).
		pitch, yaw := -number(p, "viewangles.pitch")*math.Pi/180, number(p, "viewangles.yaw")*math.Pi/180
		pitch2, yaw2 := math.Atan2(dz, math.Hypot(dx, dy)), math.Atan2(dy, dx)
		h := math.Pow(math.Sin((pitch-pitch2)/2), 2) + math.Cos(pitch)*math.Cos(pitch2)*math.Pow(math.Sin((yaw-yaw2)/2), 2)
		if d := 2 * math.Asin(math.Min(1, math.Sqrt(h))) * 180 / math.Pi; best < 0 || d < best {
			best = d
		}
	}
	return best
}
