package enet_test

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// A way is one direction of a connection on this machine: the ports of its ends.
type way struct{ from, to uint16 }

// A heard is what one end heard of the other, as its library told the program.
type heard struct {
	packets   map[uint8][]string // by channel: length and CRC of each packet
	connected []string           // data of the events
	left      int
}

// readWitness reads what samples/gamestudio/enet-record/witness.c wrote inside the programs.
func readWitness(t *testing.T, name string) map[way]*heard {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "samples", "gamestudio", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	streams := map[way]*heard{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var what, data string
		var w way
		if _, err := fmt.Sscan(lines.Text(), &what, &w.from, &w.to, &data); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		if streams[w] == nil {
			streams[w] = &heard{packets: map[uint8][]string{}}
		}
		switch what {
		case "got":
			var channel uint8
			var size int
			var crc string
			if _, err := fmt.Sscan(lines.Text(), &what, &w.from, &w.to, &channel, &size, &crc); err != nil {
				t.Fatalf("%s: %v", lines.Text(), err)
			}
			streams[w].packets[channel] = append(streams[w].packets[channel], fmt.Sprintf("%d %s", size, crc))
		case "connect":
			streams[w].connected = append(streams[w].connected, data)
		case "disconnect":
			streams[w].left++
		default:
			t.Fatalf("witness says %q", lines.Text())
		}
	}
	return streams
}

// dissectCapture sends packets through the engine as they are.
func dissectCapture(t *testing.T, packets []*dissect.Packet) []*enginetest.Record {
	t.Helper()
	var records []*enginetest.Record
	e, err := engine.New(engine.Config{
		Protocols: protocols(), Workers: 1, All: true,
		Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
			line := render.AppendJSON(nil, rec, render.JSON{Bits: true})
			r := &enginetest.Record{Line: string(line)}
			if err := json.Unmarshal(line, r); err != nil {
				t.Errorf("%v in %s", err, line)
			}
			records = append(records, r)
			return dst, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range packets {
		if err := e.Packet(p); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if len(records) != len(packets) {
		t.Fatalf("%d records of %d datagrams", len(records), len(packets))
	}
	return records
}

// An asked is a command whose sender wants it acknowledged.
type asked struct {
	channel, sequence, time float64
}

// A talk is what went one way according to the dissector.
type talk struct {
	packets    map[uint8][]string
	connects   []string
	leaves     int
	asked      map[asked]bool // true: an acknowledgement was seen
	newest     float64        // time of the last of them
	fragments  int            // messages that fragments made up
	duplicates int
}

// listen gathers a dissected capture by its ways.
func listen(t *testing.T, packets []*dissect.Packet, records []*enginetest.Record) map[way]*talk {
	t.Helper()
	talks := map[way]*talk{}
	of := func(w way) *talk {
		if talks[w] == nil {
			talks[w] = &talk{packets: map[uint8][]string{}, asked: map[asked]bool{}}
		}
		return talks[w]
	}
	for i, r := range records {
		to := way{packets[i].Src.Port(), packets[i].Dst.Port()}
		back := of(way{to.to, to.from})
		commands, _ := r.Enet["commands"].([]any)
		if r.Protocol != "enet" || len(r.Expert) > 0 || len(commands) == 0 || strings.Contains(r.Line, "undecoded") {
			t.Errorf("frame %d: %s", i+1, r.Line)
			continue
		}
		for _, c := range commands {
			for name, o := range c.(map[string]any) {
				of(to).command(t, name, o.(map[string]any), r, back)
			}
		}
	}
	return talks
}

// command takes one command of a record. What the sender sent again, because an acknowledgement was slow, the
// library hands on once.
func (k *talk) command(t *testing.T, name string, o map[string]any, r *enginetest.Record, back *talk) {
	t.Helper()
	channel := o["channel"].(float64)
	if o["duplicate"] == true {
		k.duplicates++
		name = ""
	}
	say := func(key string) {
		text, ok := o[key].(string)
		b, err := hex.DecodeString(text)
		if !ok || err != nil {
			t.Errorf("frame %d: %s without %s: %s", r.Frame, name, key, r.Line)
			return
		}
		k.packets[uint8(channel)] = append(k.packets[uint8(channel)], fmt.Sprintf("%d %08x", len(b), crc32.ChecksumIEEE(b)))
	}
	switch name {
	case "send_reliable", "send_unreliable", "send_unsequenced":
		say("data")
	case "send_fragment", "send_unreliable_fragment":
		if o["message"] != nil {
			k.fragments++
			say("message")
		}
	case "connect":
		data, _ := o["data"].(float64) // which 1.0 lacks
		k.connects = append(k.connects, fmt.Sprint(int64(data)))
	case "disconnect":
		k.leaves++
	case "acknowledge":
		a := asked{channel, o["received_sequence"].(float64), o["received_sent_time"].(float64)}
		if _, ok := back.asked[a]; !ok {
			t.Errorf("frame %d acknowledges %+v, which was not asked: %s", r.Frame, a, r.Line)
		}
		back.asked[a] = true
	}
	if o["acknowledge"] == true && (name != "connect" || r.Enet["version"] == "1.0") { // else verify_connect answers that
		k.newest = r.Enet["sent_time"].(float64)
		k.asked[asked{channel, o["sequence"].(float64), k.newest}] = false
	}
}

// TestENetGames compares sessions of programs that we did not write, over Debian's ENet library, with what the
// library handed those programs: every packet of every channel in its order, and every connection. What is
// acknowledged has to have been asked for, at the time that the acknowledgement has; and whatever asks for it is
// acknowledged, but for the last packets of a capture that ends early.
func TestENetGames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name       string
		ways       int
		packets    int // that the sample has
		fragmented int // messages among them that came in fragments
		leaves     int
		duplicates int
		whole      bool // the capture has all that the witness has
	}{
		{"enet-cube2", 4, 1141, 3, 2, 16, true},
		{"enet-godot3", 2, 80, 14, 1, 0, true},
		{"enet-0ad", 4, 1556, 0, 0, 12, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			streams := readWitness(t, tt.name+".txt")
			packets := enginetest.PacketsOf(t, filepath.Join("..", "..", "samples", "gamestudio", tt.name+".pcap"))
			talks := listen(t, packets, dissectCapture(t, packets))
			if len(talks) != tt.ways || len(streams) != tt.ways {
				t.Fatalf("%d ways, and %d that programs tell of; want %d", len(talks), len(streams), tt.ways)
			}
			heardPackets, fragmented, leaves, duplicates, unanswered := 0, 0, 0, 0, 0
			for w, k := range talks {
				want := streams[w]
				for channel, list := range k.packets {
					heardPackets += len(list)
					all := want.packets[channel]
					if !tt.whole && len(all) > len(list) {
						all = all[:len(list)]
					}
					if diff := cmp.Diff(all, list); diff != "" {
						t.Errorf("%v, channel %d (-heard by the program +dissected):\n%s", w, channel, diff)
					}
				}
				if tt.whole && len(k.packets) != len(want.packets) {
					t.Errorf("%v: %d channels, want %d", w, len(k.packets), len(want.packets))
				}
				if len(k.connects) > 0 {
					if diff := cmp.Diff(want.connected, k.connects); diff != "" {
						t.Errorf("%v connects (-heard +dissected):\n%s", w, diff)
					}
					if want.left != k.leaves {
						t.Errorf("%v: %d leave, want %d", w, k.leaves, want.left)
					}
				}
				fragmented += k.fragments
				leaves += k.leaves
				duplicates += k.duplicates
				for a, answered := range k.asked {
					if answered {
						continue
					}
					unanswered++
					if tt.whole || a.time != k.newest {
						t.Errorf("%v: %+v was not acknowledged", w, a)
					}
				}
			}
			if heardPackets != tt.packets || fragmented != tt.fragmented || leaves != tt.leaves || duplicates != tt.duplicates {
				t.Errorf("%d packets, %d in fragments, %d leave, %d sent again; want %d, %d, %d, %d",
					heardPackets, fragmented, leaves, duplicates, tt.packets, tt.fragmented, tt.leaves, tt.duplicates)
			}
			t.Logf("%d datagrams, %d packets as the programs heard them, %d commands unanswered at the end", len(packets),
				heardPackets, unanswered)
		})
	}
}

// TestENetFirstGame compares traffic of ENet 1.0 itself, which the game Enigma has built in, with what the program
// samples/gamestudio/enet-record/enigma.c sent with it.
func TestENetFirstGame(t *testing.T) {
	t.Parallel()
	packets := enginetest.PacketsOf(t, filepath.Join("..", "..", "samples", "gamestudio", "enet-enigma.pcap"))
	records := dissectCapture(t, packets)
	toServer := way{packets[0].Src.Port(), packets[0].Dst.Port()}
	sums := func(texts ...string) (list []string) {
		for _, s := range texts {
			list = append(list, fmt.Sprintf("%d %08x", len(s), crc32.ChecksumIEEE([]byte(s))))
		}
		return list
	}
	pour, err := hex.DecodeString(pourData(3000))
	if err != nil {
		t.Fatal(err)
	}
	want := map[way]map[uint8][]string{
		toServer: {
			0: sums("hello over the first channel", string(pour)),
			1: sums("once, perhaps", "whenever"),
		},
		{toServer.to, toServer.from}: {0: sums("an answer", "and another one"), 1: sums("twice, perhaps")},
	}
	got := map[way]map[uint8][]string{}
	for w, k := range listen(t, packets, records) {
		got[w] = k.packets
		for a, answered := range k.asked {
			if !answered {
				t.Errorf("%v: %+v was not acknowledged", w, a)
			}
		}
		if k.duplicates > 0 || k.leaves > 0 != (w == toServer) {
			t.Errorf("%v: %d duplicates, %d leave", w, k.duplicates, k.leaves)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-sent +dissected):\n%s", diff)
	}
	commands := map[string]int{}
	for _, r := range records {
		if r.Enet["version"] != "1.0" {
			t.Errorf("got %s", r.Line)
		}
		for _, c := range r.Enet["commands"].([]any) {
			for name, o := range c.(map[string]any) {
				commands[name]++
				throttle := o.(map[string]any)
				if name == "throttle_configure" && (throttle["packet_throttle_interval"] != 1000.0 ||
					throttle["packet_throttle_acceleration"] != 3.0 || throttle["packet_throttle_deceleration"] != 4.0) {
					t.Errorf("throttle %v", throttle)
				}
			}
		}
	}
	if len(commands) != 11 {
		t.Errorf("%d kinds of commands, want all of 1.0: %v", len(commands), commands)
	}
}

// TestENetGamesHeadless begins the captures somewhere: all that follows is recognised, but where it is compressed
// what comes before the first packet that is not.
func TestENetGamesHeadless(t *testing.T) {
	t.Parallel()
	for name, compressed := range map[string]bool{
		"enet-cube2": false, "enet-0ad": false, "enet-godot3": true,
		"enet-enigma": false,
	} {
		packets := enginetest.PacketsOf(t, filepath.Join("..", "..", "samples", "gamestudio", name+".pcap"))
		for from := 5; from < len(packets)-30; from += len(packets)/8 + 1 {
			known := false
			for i, r := range dissectCapture(t, packets[from:]) {
				known = known || r.Protocol == "enet"
				if !known && compressed && packets[from+i].Payload[0]&0x40 != 0 {
					continue
				}
				if r.Protocol != "enet" || len(r.Expert) > 0 {
					t.Errorf("%s from %d: %s", name, from, r.Line)
				}
			}
		}
	}
}
