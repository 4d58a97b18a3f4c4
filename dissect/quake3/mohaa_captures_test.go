package quake3

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
)

// A mohaaPacket is what OpenMoHAA's own code read of a packet of a capture.
type mohaaPacket struct {
	Frame     uint64           `json:"frame"`
	Frames    []uint64         `json:"frames"`
	Dir       string           `json:"dir"`
	Client    uint16           `json:"cport"`
	Kind      string           `json:"kind"`
	Sequence  json.Number      `json:"seq"`
	Qport     json.Number      `json:"qport"`
	Fragment  bool             `json:"frag"`
	Duplicate bool             `json:"dup"`
	Late      bool             `json:"late"`
	Ack       json.Number      `json:"relack"`
	ServerID  json.Number      `json:"serverid"`
	MessageAt json.Number      `json:"messageack"`
	Sender    json.Number      `json:"dirbyte"`
	Text      string           `json:"text"`
	Ops       []map[string]any `json:"ops"`
	Bits      int              `json:"bits"`
	OK        bool             `json:"ok"`
	Err       string           `json:"err"`
}

// TestCapturesMOHAA compares every packet of the captures of Medal of Honor with what OpenMoHAA's own code read:
// headers, fragments, what was repeated or late, texts out of band, all operations with all fields, and the bits that
// were read.
func TestCapturesMOHAA(t *testing.T) {
	t.Parallel()
	const samples = "../../samples/quake3/"
	for _, name := range []string{"mohaa-8", "mohaa-15"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compareMOHAA(t, samples+name+".pcap", samples+"truth/"+name+".packets.jsonl.gz", 50)
		})
	}
	for _, name := range []string{"mohaa-6-play", "mohaa-8-play", "mohaa-15-play", "mohaa-17-play"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(reference.Folder(t, "captures", "mohaa"), name)
			compareMOHAA(t, path+".pcap", path+".truth.jsonl.gz", 2000)
		})
	}
}

// compareMOHAA compares the packets of a capture, at least so many, with the truth.
func compareMOHAA(t *testing.T, name, truth string, least int) {
	t.Helper()
	lines := reference.Lines(t, truth)
	games := gamesMOHAA{}
	messages, reordered, doubted := 0, 0, 0
	frameTime := !strings.Contains(name, "mohaa-6") && !strings.Contains(name, "mohaa-8")
	eachRecord(t, name, func(rec *dissect.Record) {
		var want mohaaPacket
		for want.Frame < rec.Frame { // a stranger's packet is of no protocol
			if want = (mohaaPacket{}); !lines.Scan() {
				t.Fatalf("frame %d: the truth has no more lines", rec.Frame)
			}
			d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
			d.UseNumber()
			if err := d.Decode(&want); err != nil {
				t.Fatal(err)
			}
			if want.Frame < rec.Frame && want.Err != "no session" {
				t.Fatalf("frame %d has no record", want.Frame)
			}
		}
		if messages++; t.Failed() {
			return
		}
		head := rec.Root().Get("netchan")
		if want.Late && !head.Get("late").Exists() || want.Duplicate && !head.Get("duplicate").Exists() {
			doubted++ // one like it came before under another number, so its own number is in doubt
			want.Late, want.Duplicate = false, false
		}
		if len(rec.Experts) > 0 && rec.Experts[0].Code == expertFragmentOrder {
			reordered++ // the engine drops the message, and what it holds is shown
			return
		}
		if diff := want.difference(rec, frameTime, games.stale(&want)); diff != "" {
			t.Errorf("frame %d:%s\n%v", rec.Frame, diff, rec.Experts)
		}
	})
	if reordered > 2 || doubted > 9 {
		t.Errorf("%d messages of fragments out of order, %d late ones in doubt", reordered, doubted)
	}
	if lines.Scan() || lines.Err() != nil || messages < least {
		t.Errorf("%d records, and the truth has more lines: %s, %v", messages, lines.Bytes(), lines.Err())
	}
}

// eachRecord dissects a capture with this protocol alone.
func eachRecord(t *testing.T, name string, each func(rec *dissect.Record)) {
	t.Helper()
	recoverMOHAA(t, name, dissect.Options{Recover: true}, each)
}

// gamesMOHAA are the server ids of the gamestates that clients were sent last, by the clients' ports.
type gamesMOHAA map[uint16]int64

// stale reports whether a packet of a client is for the game before the one whose gamestate was sent. The program that
// wrote the truth had forgotten the checksum feed of that game, which is part of the key of its user commands.
func (g gamesMOHAA) stale(p *mohaaPacket) bool {
	for _, op := range p.Ops {
		if strings, ok := op["cs"].(map[string]any); ok {
			id, _ := strconv.ParseInt(string(dissect.InfoValue([]byte(fmt.Sprint(strings["1"])), "sv_serverid")), 10, 64)
			g[p.Client] = id
		}
	}
	id, err := p.ServerID.Int64()
	return err == nil && id < g[p.Client]
}

// difference compares a record with what the engine read of the packet. stale leaves out what depends on the key.
func (p *mohaaPacket) difference(rec *dissect.Record, frameTime, stale bool) string {
	want, got := []facts{p.head()}, []facts{p.headOf(rec)}
	switch p.Kind {
	case "oob":
		want[0]["sender"], want[0]["text"] = p.Sender.String(), p.Text
	case "msg":
		if p.Dir == "c2s" {
			want[0]["serverid"], want[0]["messageack"] = p.ServerID.String(), p.MessageAt.String()
		}
		want[0]["relack"], want[0]["bits"] = p.Ack.String(), fmt.Sprint(p.Bits)
		for _, op := range p.Ops {
			if !frameTime { // it is not on the wire
				delete(op, "frametime")
			}
		}
		want, got = append(want, wantMOHAA(p.Ops)...), append(got, mohaaMessage{rec.Tree}.ops()...)
	}
	for _, list := range [...][]facts{want, got} {
		for _, op := range list {
			maps.DeleteFunc(op, func(name, _ string) bool { return stale && keyed.MatchString(name) })
		}
	}
	if slices.EqualFunc(want, got, sameMOHAA) {
		return ""
	}
	return differenceMOHAA(got, want)
}

// keyed matches the facts of user commands that are under a key.
var keyed = regexp.MustCompile(`^cmd \d+ (pitch|yaw|roll|forwardmove|rightmove|upmove|buttons)$`)

// head is what a packet is, apart from its content.
func (p *mohaaPacket) head() facts {
	f := facts{"frame": fmt.Sprint(p.Frame), "client": fmt.Sprint(p.Client), "dir": p.Dir}
	if p.Kind == "oob" {
		return f
	}
	f["seq"], f["fragment"] = p.Sequence.String(), fmt.Sprint(p.Fragment || p.Kind == "fragment")
	if p.Kind == "fragment" {
		return f
	}
	f["dup"], f["late"] = fmt.Sprint(p.Duplicate), fmt.Sprint(p.Late)
	if p.Dir == "c2s" {
		f["qport"] = p.Qport.String()
	}
	return f
}

// headOf is the same of a record, with what comes before the operations, and frames that the truth does not have. It
// counts repeated fragments too.
func (p *mohaaPacket) headOf(rec *dissect.Record) facts {
	m := mohaaMessage{rec.Tree}
	f := facts{"frame": fmt.Sprint(rec.Frame), "dir": "s2c", "client": fmt.Sprint(rec.Dst.Port())}
	if rec.Direction == dissect.ClientToServer {
		f["dir"], f["client"] = "c2s", fmt.Sprint(rec.Src.Port())
	}
	if oob := m.find(0, "oob"); oob >= 0 {
		f["sender"], f["text"] = m.value(m.find(oob, "sender")), m.text(oob, rec)
		return f
	}
	head := m.find(0, "netchan")
	f["seq"], f["fragment"] = m.value(m.find(head, "sequence")), m.value(m.find(head, "fragmented"))
	if list := m.find(head, "reassembled_from"); list >= 0 {
		for i := range m.tree.Children(list) {
			if n := m.tree.Nodes[i].Uint(); !slices.Contains(p.Frames, n) {
				f["frames"] = fmt.Sprint("other frames: ", n)
			}
		}
	}
	for _, side := range []string{"server_message", "client_message"} {
		message := m.find(0, side)
		if message < 0 {
			continue
		}
		f["dup"], f["late"] = fmt.Sprint(m.find(head, "duplicate") >= 0), fmt.Sprint(m.find(head, "late") >= 0)
		if side == "client_message" {
			f["qport"] = m.value(m.find(head, "qport"))
			f["serverid"] = m.value(m.find(message, "server_id"))
			f["messageack"] = m.value(m.find(message, "message_acknowledge"))
		}
		f["relack"] = m.value(m.find(message, "reliable_acknowledge"))
		for op := range m.tree.Children(m.find(message, "ops")) {
			n := &m.tree.Nodes[op]
			f["bits"] = fmt.Sprint(int(n.Bit) + int(n.Bits))
		}
	}
	return f
}

// text is the text of an out-of-band packet, put together from what is shown of it.
func (m mohaaMessage) text(oob int, rec *dissect.Record) string {
	raw := func(at int) string {
		if at < 0 {
			return ""
		}
		var runes []rune
		for _, c := range m.tree.Bytes(&m.tree.Nodes[at]) {
			runes = append(runes, rune(c))
		}
		return string(runes)
	}
	text := raw(m.find(oob, "command"))
	if text == "connect" {
		return text + ` "` + raw(m.find(oob, "info")) + `"`
	}
	for i := range m.tree.Children(m.find(oob, "arguments")) {
		text += " " + raw(i)
	}
	if body := m.find(oob, "text"); body >= 0 {
		text += "\n" + raw(body)
	}
	return text
}

// TestGamesApart: sessions without a handshake are those of their game by their first messages. None of Medal of Honor
// is taken for another game's, and none of another game's for one of Medal of Honor.
func TestGamesApart(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("keys are searched for")
	}
	for _, pattern := range []string{"mohaa/*-mid*.pcap", "quake3/*-mid*.pcap", "idtech3/*-mid*.pcap"} {
		names, err := filepath.Glob(filepath.Join(reference.Folder(t, "captures"), filepath.FromSlash(pattern)))
		if err != nil || len(names) == 0 {
			t.Fatalf("%d captures %s: %v", len(names), pattern, err)
		}
		for i, name := range names {
			if i%3 > 0 && !reference.Long() {
				continue // keys are searched for in each
			}
			t.Run(filepath.Base(name), func(t *testing.T) {
				t.Parallel()
				known := 0
				eachRecord(t, name, func(rec *dissect.Record) {
					game, session := rec.Root().Get("game"), rec.Root().Get("netchan").Exists()
					if game.Exists() && (game.String() == "mohaa") != strings.HasPrefix(pattern, "mohaa") {
						t.Errorf("frame %d is of %s", rec.Frame, game.String())
					}
					if session && game.Exists() {
						known++
					}
				})
				if strings.HasPrefix(pattern, "mohaa") && known < 100 {
					t.Errorf("the game of %d packets is known", known)
				}
			})
		}
	}
}
