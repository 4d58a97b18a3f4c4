package piece_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/piece"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// The records of demos, without what only the records before them show, are the same by themselves.
func TestRecordedByThemselves(t *testing.T) {
	t.Parallel()
	protocols := all.Protocols()
	for _, each := range []struct{ sample, kind, version, from, to string }{
		{"07-ctf.demo", "teeworlds.demo_chunk", "0.7", `"chunks":[{"id":`, "}]"},
		{"07-ctf.demo", "teeworlds.demo_chunk", "0.7", `"base_tick":-1,`, "]}"},
		{"ddnet.teehistorian", "teeworlds.teehistorian", "", `"chunks":[`, `]`},
	} {
		compared := 0
		name := filepath.Join("..", "..", "samples", "teeworlds", each.sample)
		for rec, err := range open.Records(name, protocols, dissect.Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			_, want, ok := strings.Cut(string(render.AppendJSON(nil, rec, render.JSON{NoNames: true})), each.from)
			if !ok {
				continue
			}
			got := piece.Find(protocols, each.kind).Decode(bytes.Clone(rec.Payload), dissect.PieceOptions{Version: each.version})
			if slices.ContainsFunc(got.Experts, func(e dissect.Expert) bool { return e.Code == "dialect_unknown" }) {
				continue // an earlier record has the version of a client
			}
			compared++
			_, text, _ := strings.Cut(string(render.AppendJSON(nil, got, render.JSON{NoNames: true})), each.from)
			if text, want = cutAfter(text, each.to), cutAfter(want, each.to); text != want {
				t.Fatalf("%s: record %d: % x is %s, want %s", each.sample, rec.Frame, rec.Payload, text, want)
			}
		}
		if compared < 3 {
			t.Errorf("%s: %d records were compared", each.sample, compared)
		}
	}
}

// cutAfter returns s up to the last end before the entries about it.
func cutAfter(s, end string) string {
	s, _, _ = strings.Cut(s, `,"expert":`)
	return s[:strings.LastIndex(s, end)+1]
}

// The gamestate of a capture is the same by itself.
func TestGamestateByItself(t *testing.T) {
	t.Parallel()
	protocols := all.Protocols()
	const kind = "quake3.server_message"
	for sample, version := range map[string]string{
		"68-connect-play": "68", "71-ipv6-chat": "71", "et-84-play": "84", "jka-26-vehicle": "26", "jo-16-synth": "16",
	} {
		compared := 0
		for rec, err := range open.Records(sampleOf(sample), protocols, dissect.Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			want := object(rec, kind)
			if !strings.Contains(want, `"gamestate"`) {
				continue
			}
			compared++
			got := piece.Find(protocols, kind).Decode(rec.Message, dissect.PieceOptions{Version: version})
			if diff := cmp.Diff(want, object(got, kind)); diff != "" {
				t.Errorf("%s: frame %d by itself (-want +got):\n%s", sample, rec.Frame, diff)
			}
		}
		if compared == 0 {
			t.Errorf("%s: no gamestate", sample)
		}
	}
}

func sampleOf(name string) string {
	return filepath.Join("..", "..", "samples", "quake3", name+".pcap")
}

// Enciphered messages are read with the challenge, their number and the command acknowledged.
func TestEncipheredMessages(t *testing.T) {
	t.Parallel()
	protocols := all.Protocols()
	var o dissect.PieceOptions
	commands := map[dissect.Direction]map[int64]string{dissect.ClientToServer: {}, dissect.ServerToClient: {}}
	compared := 0
	for rec, err := range open.Records(sampleOf("68-connect-play"), protocols, dissect.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		root := rec.Tree.Top().Get("quake3")
		if response := root.Lookup("oob.challenge"); response.Exists() {
			challenge, err := strconv.ParseInt(response.String(), 10, 32)
			if err != nil {
				t.Fatal(err)
			}
			o.Key = &dissect.PieceKey{Number: int32(challenge)}
		}
		for _, words := range []string{"client_message", "server_message"} {
			for op := range root.Get(words).Get("ops").Children() {
				if command := op.Get("command"); command.Exists() {
					commands[rec.Direction][op.Get("sequence").Int()] = string(command.Bytes())
				}
			}
		}
		header, kind, other := 4, "quake3.server_message", dissect.ClientToServer
		if rec.Direction == dissect.ClientToServer {
			header, kind, other = 6, "quake3.client_message", dissect.ServerToClient
		}
		want := object(rec, kind)
		if root.Lookup("netchan.fragmented").Bool() || want == "" {
			continue
		}
		_, key, _ := strings.Cut(kind, ".")
		acknowledged := root.Lookup(key + ".reliable_acknowledge").Int()
		o.Key.Sequence, o.Key.Command = uint32(root.Lookup("netchan.sequence").Uint()), []byte(commands[other][acknowledged])
		got := object(piece.Find(protocols, kind).Decode(rec.Payload[header:], o), kind)
		for _, later := range []string{`"player_state"`, `"user_commands"`} { // deltas of states that the piece does not have
			want, _, _ = strings.Cut(want, later)
			got, _, _ = strings.Cut(got, later)
		}
		compared++
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("frame %d by itself (-want +got):\n%s", rec.Frame, diff)
		}
	}
	if compared < 400 {
		t.Errorf("%d messages were compared", compared)
	}
}

// object returns the JSON of one message of a record, without marks of repetition.
func object(rec *dissect.Record, kind string) string {
	all := string(render.AppendJSON(nil, rec, render.JSON{NoNames: true}))
	_, key, _ := strings.Cut(kind, ".")
	_, after, ok := strings.Cut(all, `"`+key+`":`)
	if !ok {
		return ""
	}
	depth := 0
	for i, c := range after {
		switch c {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return strings.ReplaceAll(after[:i+1], `,"repeat":true`, "")
			}
		}
	}
	return after
}

// Any bytes are decoded as any kind: positions are in the piece, and a fault has an entry.
func TestAnyBytes(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for _, kind := range piece.Kinds(all.Protocols()) {
		versions := kind.Versions
		if len(versions) == 0 {
			versions = []string{""}
		}
		for _, version := range versions {
			for size := 1; size < 40; size++ {
				data := make([]byte, size)
				for i := range data {
					data[i] = byte(random.Uint32() >> (8 * (size & 3)))
				}
				for _, from := range []dissect.Direction{dissect.ServerToClient, dissect.ClientToServer} {
					o := dissect.PieceOptions{Version: version, Direction: from}
					if kind.Keyed && size&1 == 1 {
						o.Key = &dissect.PieceKey{Number: int32(random.Uint32()), Command: []byte("say")}
					}
					rec := kind.Decode(data, o)
					for _, e := range rec.Experts {
						if e.Severity == dissect.Fault && e.BitOffset > 8*max(size, len(rec.Message)) {
							t.Errorf("%s %s: % x: %s at bit %d", kind.Name, version, data, e.Code, e.BitOffset)
						}
					}
				}
			}
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	want := []byte("@\x06\x0c\x08\x00@\x00\x91;")
	for _, text := range []string{
		"40 06 0c 08 00 40 00 91 3b", "40060c080040 00913B", "40:06:0c:08:00:40:00:91:3b", "40-06-0C-08-00-40-00-91-3B",
		"0x40, 0x6, 0xc, 0x8, 0x0, 0x40, 0x0, 0x91, 0x3b", "{ 0x40, 0x06, 0x0c, 0x08, 0x00,\n  0x40, 0x00, 0x91, 0x3b };",
		`"@\x06\x0c\b\0@" "\x00\x91;"`, `\x40\x06\x0c\x08\x00\x40\x00\x91\x3b`, `@\6\14\b\000@\0\221;`,
		"QAYMCABAAJE7", " QAYMCABA\r\nAJE7 ",
		"00000000: 4006 0c08 0040 0091 3b                   @....@..;\n00000009:\n",
		"0000  40 06 0c 08 00 40 00 91\n0008  3b\n",
	} {
		got, err := piece.Parse(text)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%q: % x, %v", text, got, err)
		}
	}
	for text, reason := range map[string]string{
		"":            "no bytes",
		"40 0g":       `character 5: "g"`,
		"400":         "character 3: the last byte has one digit",
		`"abc`:        "character 4: the string has no end",
		`a\q`:         "character 2: an escape",
		`"a" b`:       "character 5:",
		"QAYMCABAAJ?": "character 1:",
	} {
		if got, err := piece.Parse(text); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%q: % x, %v, want %s", text, got, err, reason)
		}
	}
	if _, err := piece.Parse(strings.Repeat("0", piece.MaxText+1)); err == nil {
		t.Error("a text without bound")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("@\x06\x0c"), "40 06")
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		_, _ = piece.Parse(text)
		if len(data) == 0 {
			return
		}
		quoted := `"`
		for _, b := range data {
			quoted += fmt.Sprintf(`\x%02x`, b)
		}
		for _, text := range []string{hex.EncodeToString(data), fmt.Sprintf("% X", data), quoted + `"`} {
			if len(text) > piece.MaxText {
				return
			}
			if got, err := piece.Parse(text); err != nil || !bytes.Equal(got, data) {
				t.Errorf("%s: % x, %v", text, got, err)
			}
		}
	})
}

// The code of "A" and of the end are those of the published tables: samples of both games' tables are in huffcodec.
func TestCodes(t *testing.T) {
	t.Parallel()
	for i := range piece.Codes {
		code := &piece.Codes[i]
		for _, data := range []string{"", "A", "hello\x00", strings.Repeat("\x00\xff", 200)} {
			packed, err := code.Pack([]byte(data))
			if err != nil {
				t.Fatal(err)
			}
			u, err := code.Unpack(packed)
			if err != nil || !strings.HasPrefix(string(u.Data), data) || len(u.Data) > len(data)+1 {
				t.Errorf("%s: %q is %q, %v", code.Name, data, u.Data, err)
			}
			end := 0
			for _, s := range u.Symbols {
				if s.Bit != end || s.Bits < 1 {
					t.Errorf("%s: %q: symbol of %d bits at %d, after %d", code.Name, data, s.Bits, s.Bit, end)
				}
				end = s.Bit + s.Bits
			}
			if end > u.Used {
				t.Errorf("%s: %q: symbols take %d of %d bits", code.Name, data, end, u.Used)
			}
		}
		if _, err := code.Pack(make([]byte, 1<<16)); err == nil {
			t.Errorf("%s: packs without a bound", code.Name)
		}
	}
}
