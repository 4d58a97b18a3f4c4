package recover

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/capture"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// A recorded is a session of a reference capture, with its truth.
type recorded struct {
	name      string
	messages  []Message
	truth     []truthLine // lines other than messages
	texts     [2]map[int32][]byte
	challenge byte
	native    bool
	m         *model // of its game
}

type truthLine struct {
	Frame  int    `json:"frame"`
	Frames []int  `json:"frames"`
	Dir    string `json:"dir"`
	Port   int    `json:"cport"`
	Server int    `json:"sport"`
	Kind   string `json:"kind"`
	Sess   int    `json:"sess"`
	Enc    string `json:"enc"`
	Seq    uint32 `json:"seq"`
	Frag   bool   `json:"frag"`
	OK     bool   `json:"ok"`
	RelAck int32  `json:"relack"`
	Game   int32  `json:"serverid"`
	Ops    []struct {
		Op   string `json:"op"`
		Num  int32  `json:"num"`
		Text string `json:"text"`
		Cmds []struct {
			ServerTime int32    `json:"serverTime"`
			Angles     [3]int32 `json:"angles"`
			Buttons    int32    `json:"buttons"`
			Weapon     int32    `json:"weapon"`
		} `json:"cmds"`
	} `json:"ops"`
	at int64
}

// loadSessions reads the sessions of a reference capture.
func loadSessions(t testing.TB, name, file string) []*recorded {
	t.Helper()
	dir, gen := reference.Folder(t, "captures", "quake3"), tables.GenerationOf(71)
	fragmentHead := 4
	for prefix, version := range map[string]int{
		"et-": 84, "ettv-": 84, "rtcw-": 60, "jka-": 26,
		"jo-16": 16, "jo-15": 15, "mohaa-8": 8, "mohaa-17": 17,
	} {
		if strings.HasPrefix(name, prefix) {
			dir, gen = reference.Folder(t, "captures", "idtech3"), tables.GenerationOf(version)
		}
	}
	if strings.HasPrefix(name, "mohaa-") {
		dir = reference.Folder(t, "captures", "mohaa")
		fragmentHead = 6 // the position has 32 bits
	}
	m := newModel(gen)
	packets := map[int][]byte{}
	times := map[int]int64{}
	f, err := os.Open(filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := capture.NewReader(f, capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for p, err := range r.Packets() {
		if err != nil {
			t.Fatal(err)
		}
		packets[int(p.Frame)] = slices.Clone(p.Payload)
		times[int(p.Frame)] = p.Time / 1e6
	}
	bySession := map[int]*recorded{}
	var list []*recorded
	sc := reference.Lines(t, filepath.Join(dir, name+".truth.jsonl.gz"))
	for sc.Scan() {
		var l truthLine
		if err := json.Unmarshal(sc.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		if l.Kind != "msg" || l.Enc == "" {
			continue
		}
		s := bySession[l.Sess]
		if s == nil {
			s = &recorded{name: name, m: m, texts: [2]map[int32][]byte{{}, {}}, native: l.Enc == "native"}
			bySession[l.Sess] = s
			list = append(list, s)
		}
		head := 4
		if l.Dir == "c2s" {
			head = 6
		}
		if s.native {
			head += 4
		}
		var body []byte
		if l.Frag {
			for _, fr := range l.Frames {
				p := packets[fr]
				start := int(binary.LittleEndian.Uint16(p[head:]))
				if need := start + len(p) - head - fragmentHead; need > len(body) {
					body = append(body, make([]byte, need-len(body))...)
				}
				copy(body[start:], p[head+fragmentHead:])
			}
		} else {
			body = packets[l.Frame][head:]
		}
		l.at = times[l.Frame]
		s.messages = append(s.messages, Message{FromClient: l.Dir == "c2s", Sequence: l.Seq, At: l.at, Body: body})
		s.truth = append(s.truth, l)
		s.keep(&l)
	}
	addEarlier(t, dir, name, bySession)
	for _, s := range list {
		s.texts[0][0], s.texts[1][0] = nil, nil
		s.findChallenge(t)
	}
	return list
}

// keep stores the commands of a message.
func (s *recorded) keep(l *truthLine) {
	for _, op := range l.Ops {
		side := 0
		if op.Op == "clientcommand" {
			side = 1
		} else if op.Op != "servercommand" {
			continue
		}
		if _, ok := s.texts[side][op.Num]; !ok {
			s.texts[side][op.Num] = latin1(op.Text)
		}
	}
}

// addEarlier adds the commands that the sessions of a capture without a beginning had before it: those of the whole
// capture, which is of the same clients. Messages that are enciphered with them can be compared then.
func addEarlier(t testing.TB, dir, name string, bySession map[int]*recorded) {
	whole, ok := strings.CutSuffix(name, "-mid")
	if !ok {
		return
	}
	sc := reference.Lines(t, filepath.Join(dir, whole+".truth.jsonl.gz"))
	for sc.Scan() {
		var l truthLine
		if err := json.Unmarshal(sc.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		if s := bySession[l.Sess]; s != nil && l.Kind == "msg" && l.Port == s.truth[0].Port {
			s.keep(&l)
		}
	}
}

func latin1(s string) []byte {
	var b []byte
	for _, r := range s {
		b = append(b, byte(r))
	}
	return b
}

// findChallenge finds the one low byte under which all messages of the truth decode.
func (s *recorded) findChallenge(t testing.TB) {
	if s.native {
		return
	}
	m := s.m
	best, most := -1, 0
	for c := range 256 {
		n := 0
		for i := 0; i < len(s.messages); i += 1 + len(s.messages)/60 {
			if body, ok := s.decipher(i, byte(c)); ok && parses(m, s.messages[i].FromClient, body) {
				n++
			}
		}
		if n > most {
			best, most = c, n
		}
	}
	if best < 0 {
		t.Logf("%s: no challenge", s.name)
		return
	}
	s.challenge = byte(best)
}

func (s *recorded) decipher(i int, challenge byte) ([]byte, bool) {
	msg := &s.messages[i]
	side := 1
	if msg.FromClient {
		side = 0
	}
	text, ok := s.texts[side][s.truth[i].RelAck]
	if !ok || !s.truth[i].OK {
		return nil, false
	}
	start, base := msg.key()
	body := slices.Clone(msg.Body)
	if len(body) > start {
		pad := padOf(nil, challenge^base, s.m.keyText(text), len(text), start, len(body)-start)
		for k := range pad {
			body[start+k] ^= pad[k]
		}
	}
	return body, true
}
