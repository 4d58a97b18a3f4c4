package compare_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/compare"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// view reads a file as a view of a session.
func view(t *testing.T, name string) *compare.View {
	t.Helper()
	v := compare.NewView(filepath.Base(name))
	for rec, err := range open.Records(name, all.Protocols(), dissect.Options{Events: true, Inputs: true, Secrets: true}) {
		if err != nil {
			if strings.Contains(name, "killed") {
				break
			}
			t.Fatal(err)
		}
		if err := v.Add(rec); err != nil {
			t.Fatal(err)
		}
	}
	return v
}

// A crossCheck is another program's comparison of a capture with the server's records.
type crossCheck struct {
	Clients map[string]struct {
		Positions struct{ Compared, Equal int }
		Clients   map[string]struct {
			Inputs int            `json:"input_messages"`
			Result map[string]int `json:"result"`
			Chunks int            `json:"chunks"`
			Chunk  map[string]int `json:"chunks_result"`
			Chat   struct{ Sent, Recorded, Matched int }
			Rcon   struct{ Sent, Recorded, Matched int }
		}
	}
}

// TestSessions compares captures with teehistorian files of the same sessions, and the counts with those of another
// program.
func TestSessions(t *testing.T) {
	t.Parallel()
	for _, name := range reference.Glob(t, "captures", "teehistorian", "sessions", "*.crosscheck.json") {
		base := strings.TrimSuffix(name, ".crosscheck.json")
		t.Run(filepath.Base(base), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var check crossCheck
			if err := json.Unmarshal(text, &check); err != nil {
				t.Fatal(err)
			}
			var records []*compare.View
			files := filepath.Base(base) + ".*.teehistorian"
			for _, file := range reference.Glob(t, "captures", "teehistorian", "sessions", files) {
				records = append(records, view(t, file))
			}
			s := compare.CompareSession([]*compare.View{view(t, base+".pcap")}, records)
			want, got := map[string]int{}, map[string]int{}
			for _, part := range check.Clients {
				want["places"] += part.Positions.Compared
				want["places equal"] += part.Positions.Equal
				for _, c := range part.Clients {
					want["inputs"] += c.Inputs
					want["in time"] += c.Result["equal at intended tick - 1"]
					want["late"] += c.Result["late: taken in a later tick"]
					want["changes"] += c.Chunks
					want["changes in time"] += c.Chunk["has an input message for tick + 1"]
					want["changes late"] += c.Chunk["has an earlier (late) input message"]
					want["chat sent"] += c.Chat.Sent
					want["chat recorded"] += c.Chat.Recorded
					want["chat matched"] += c.Chat.Matched
					want["rcon recorded"] += c.Rcon.Recorded
					want["rcon matched"] += c.Rcon.Matched
				}
			}
			for _, c := range s.Clients {
				got["inputs"] += len(c.Inputs)
				got["in time"] += c.InTime
				got["late"] += c.Late
			}
			for _, p := range s.Players {
				got["changes"] += p.Changes
				got["changes in time"] += p.InTime
				got["changes late"] += p.Late
				got["chat sent"] += p.Chat.Sent
				got["chat recorded"] += p.Chat.Recorded
				got["chat matched"] += p.Chat.Matched
				got["rcon recorded"] += p.Rcon.Recorded
				got["rcon matched"] += p.Rcon.Matched
			}
			for _, p := range s.Places {
				got["places"] += p.Compared
				got["places equal"] += p.Equal
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-another program +this):\n%s", diff)
			}
		})
	}
}

// TestSessionDemos compares the demos that clients of DDNet recorded with the server's records of the session: every
// place is where the server had the player.
func TestSessionDemos(t *testing.T) {
	t.Parallel()
	var records []*compare.View
	for _, file := range reference.Glob(t, "captures", "teeworlds", "dd06-full.d", "*.teehistorian") {
		records = append(records, view(t, file))
	}
	demos, compared := reference.Glob(t, "captures", "teeworlds", "dd06-full.d", "*.demo"), 0
	for _, name := range demos {
		own := 0
		for _, p := range compare.CompareSession([]*compare.View{view(t, name)}, records).Places {
			own += p.Compared
			if p.Equal != p.Compared {
				t.Errorf("%s: %d of %d places are as the server recorded", filepath.Base(name), p.Equal, p.Compared)
			}
		}
		if own < 100 {
			t.Errorf("%s: %d places", filepath.Base(name), own)
		}
		compared += own
	}
	if len(demos) != 6 || len(records) != 2 {
		t.Errorf("%d demos, %d records", len(demos), len(records))
	}
	t.Log(compared)
}

// inputsOf returns a record with inputs. of is the client's number in a server's record, -1 in a capture.
func inputsOf(of int, frame uint64, inputs ...extract.Input) *dissect.Record {
	rec := dissect.NewRecord()
	rec.Protocol, rec.Stream, rec.Frame, rec.HasTime = &dissect.Protocol{TickMsec: 20}, 0, frame, of < 0
	if of < 0 {
		rec.Direction = dissect.ClientToServer
	}
	for _, in := range inputs {
		if in.Player = of; in.HasPlace {
			in.Kind, in.Player = extract.InputSeen, 3 // the number in the client's snapshots
			if of >= 0 {
				in.Player = of
			}
		}
		rec.Inputs = append(rec.Inputs, in)
	}
	return rec
}

// TestLateAndLostInputs has inputs that the server applied in their tick, later and never, one that no packet has, and
// places under another number than the server's.
func TestLateAndLostInputs(t *testing.T) {
	t.Parallel()
	input := func(tick int64, sum uint64) extract.Input { return extract.Input{Time: 20 * tick, Sum: sum} }
	at := func(tick int64, x float32) extract.Input {
		return extract.Input{Time: 20 * tick, Place: [3]float32{x, 7}, HasPlace: true}
	}
	record, capture := compare.NewView("record"), compare.NewView("capture")
	for _, rec := range []*dissect.Record{
		inputsOf(5, 1, input(10, 1)), inputsOf(5, 2, input(13, 2)), inputsOf(5, 3, input(20, 9)),
		inputsOf(6, 4, input(10, 8)), inputsOf(5, 5, at(10, 100), at(20, 200)), inputsOf(6, 6, at(10, 100)),
	} {
		if err := record.Add(rec); err != nil {
			t.Fatal(err)
		}
	}
	for _, rec := range []*dissect.Record{
		inputsOf(-1, 31, input(10, 1)), inputsOf(-1, 32, input(11, 1)), // not changed: in force
		inputsOf(-1, 33, input(12, 2)),  // applied a tick later
		inputsOf(-1, 34, input(15, 77)), // never
		inputsOf(-1, 35, at(10, 100)), inputsOf(-1, 36, at(20, 200)), inputsOf(-1, 37, at(21, 201)),
	} {
		if err := capture.Add(rec); err != nil {
			t.Fatal(err)
		}
	}
	if !record.IsRecord() || capture.IsRecord() {
		t.Error("which one is the server's")
	}
	s := compare.CompareSession([]*compare.View{capture}, []*compare.View{record})
	got := string(s.AppendJSON(nil, true))
	want := `{"compare":"client","view":"capture","stream":0,"part":0,"record":"record","client":5,"inputs":4,"in_time":2,"late":1,"not_applied":1}
{"compare":"input","view":"capture","stream":0,"frame":31,"record":"record","client":5,"intended_tick":10,"applied_tick":10}
{"compare":"input","view":"capture","stream":0,"frame":32,"record":"record","client":5,"intended_tick":11,"applied_tick":11}
{"compare":"input","view":"capture","stream":0,"frame":33,"record":"record","client":5,"intended_tick":12,"applied_tick":13}
{"compare":"input","view":"capture","stream":0,"frame":34,"record":"record","client":5,"intended_tick":15}
{"compare":"recorded","record":"record","client":5,"changes":3,"in_time":1,"late":1,"without_packet":1,` +
		`"chat_sent":0,"chat_recorded":0,"chat_matched":0,"rcon_sent":0,"rcon_recorded":0,"rcon_matched":0}
{"compare":"places","record":"record","compared":3,"equal":2,"different":[{"view":"capture","frame":37,"tick":21,` +
		`"client":5,"x":201,"y":7,"recorded_x":200,"recorded_y":7}]}
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
