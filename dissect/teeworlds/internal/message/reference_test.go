package message

import (
	"bufio"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/wiretest"
)

// A truthLine is a packet as the games' own code reads it. What a chunk's snapshot holds is compared elsewhere.
type truthLine struct {
	Dialect string
	Dir     string
	SHA1    string `json:"payload_sha1"`
	Chunks  []truthChunk
}

type truthChunk struct {
	Flags   []string
	Size    int
	System  bool `json:"sys"`
	ID      *int32
	UUID    string
	Name    string
	Fields  map[string]any
	Rest    string
	Error   string
	Invalid string `json:"game_says_invalid"`
	Snap    *struct {
		Items []truthItem
	}
}

type truthItem struct {
	Type   int
	Name   string
	ID     int
	Fields json.RawMessage
}

// eachTruthLine reads a truth file, in go test its beginning, or skips the test where there is none.
func eachTruthLine(t *testing.T, capture string, each func(*truthLine)) {
	t.Helper()
	z := reference.Unpack(t, filepath.Join(reference.Folder(t, "captures", "teeworlds"), capture+".truth.jsonl.gz"))
	d := json.NewDecoder(bufio.NewReaderSize(z, 1<<16))
	for range reference.Most(1500) {
		var line truthLine
		if err := d.Decode(&line); err == io.EOF {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		each(&line)
	}
}

// dumpedPayloads returns the payloads that the games wrote down themselves, decompressed and without header: records
// of type, size and bytes; type 1 is a payload.
func dumpedPayloads(t *testing.T, capture string) map[string][]byte {
	t.Helper()
	payloads := map[string][]byte{}
	for _, name := range wiretest.Dumps(t, capture) {
		b := reference.Read(t, name)
		for len(b) >= 8 {
			kind, size := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])
			payload := b[8 : 8+size]
			b = b[8+size:]
			if kind == 1 {
				sum := sha1.Sum(payload)
				payloads[hex.EncodeToString(sum[:])] = payload
			}
		}
	}
	return payloads
}

// Every message of real sessions, from the bytes that the games dumped, has the fields that the games' own code finds
// in it.
func TestMessagesReference(t *testing.T) {
	if testing.Short() {
		t.Skip("reads whole sessions")
	}
	t.Parallel()
	for _, capture := range []string{
		"tw07-join-chat", "tw07-admin", "tw07-ctf3", "tw07-info-master",
		"tw07-ipv6", "dd06-full",
	} {
		t.Run(capture, func(t *testing.T) {
			t.Parallel()
			payloads := dumpedPayloads(t, capture)
			messages, missing, wrong := 0, 0, 0
			var reader Reader
			eachTruthLine(t, capture, func(line *truthLine) {
				payload, ok := payloads[line.SHA1]
				if len(line.Chunks) > 0 && !ok {
					missing++
				}
				if !ok || wrong > 10 {
					return
				}
				d := map[string]tables.Dialect{"0.7": tables.V07, "ddnet": tables.DDNet}[line.Dialect]
				for i := range line.Chunks {
					c := &line.Chunks[i]
					header := 2
					if len(c.Flags) > 0 {
						header = 3
					}
					body := payload[header : header+c.Size]
					payload = payload[header+c.Size:]
					got := readWith(&reader, d, line.Dir == "c2s", body, 0)
					if diff := cmp.Diff(wantLines(c, &got), linesByPath(got.lines)); diff != "" || len(got.experts) > 0 ||
						got.Failed || got.Refused {
						wrong++
						t.Errorf("%s %x: %v (-want +got)\n%s", c.Name, body, got.experts, diff)
					}
					checkPlaces(t, got.rec, 0, len(body))
					messages++
				}
			})
			if messages == 0 || missing > 1 {
				t.Errorf("%d messages compared, %d packets not found", messages, missing)
			}
		})
	}
}

// linesByPath makes a map of lines; flags are 0 and 1, as in the truth files.
func linesByPath(lines []string) map[string]string {
	m := map[string]string{}
	for _, line := range lines {
		path, value, ok := strings.Cut(line, " ")
		if aside(path) {
			continue // the truth does not have it
		}
		if !ok && (strings.HasSuffix(path, ".params") || strings.HasSuffix(path, ".descriptions")) {
			continue // an empty list
		}
		if n := map[string]string{"true": "1", "false": "0"}[value]; n != "" && path != "system" {
			value = n
		}
		m[path] = value
	}
	return m
}

// aside reports whether a field of a message says again what another has.
func aside(path string) bool {
	message, key, _ := strings.Cut(path, ".")
	f := tables.FindField(tables.Messages().Fields, message)
	if f == nil {
		return false
	}
	f = tables.FindField(f.Children, key)
	return f != nil && f.Aside
}

// wantLines puts the truth about a chunk into such a map.
func wantLines(c *truthChunk, got *reading) map[string]string {
	want := map[string]string{"system": strconv.FormatBool(c.System), "id": strconv.Itoa(int(*c.ID))}
	if c.UUID != "" {
		want["uuid"] = c.UUID
	}
	if c.Rest != "" {
		want["rest"] = c.Rest
	}
	key := got.key()
	if _, name, _ := strings.Cut(c.Name, "_"); c.UUID == "" {
		key = strings.ToLower(name)
	}
	before := len(want)
	for name, v := range c.Fields {
		if c.Name == "NETMSG_SNAPEMPTY" && name == "data" {
			continue
		}
		addWant(want, key+"."+truthKey(name), v, got)
	}
	if len(want) == before && len(got.Def.Parts) == 0 {
		want[key] = ""
	}
	return want
}

func addWant(want map[string]string, path string, v any, got *reading) {
	switch v := v.(type) {
	case float64:
		want[path] = strconv.FormatFloat(v, 'f', -1, 64)
	case string:
		want[path] = v
	case []any:
		for i, e := range v {
			addWant(want, path+"["+strconv.Itoa(i)+"]", e, got)
		}
	case map[string]any:
		if sum, ok := v["sha1"]; ok {
			if own := sha1.Sum(got.Data); hex.EncodeToString(own[:]) == sum {
				want[path] = hex.EncodeToString(got.Data)
			} else {
				want[path] = fmt.Sprint(v)
			}
			return
		}
		if h, ok := v["hex"]; ok {
			b, _ := hex.DecodeString(h.(string))
			want[path] = string(b)
			return
		}
		for name, e := range v {
			addWant(want, path+"."+truthKey(name), e, got)
		}
	}
}

// truthKey is the output key of a member of the games' structures.
func truthKey(member string) string {
	name, ok := strings.CutPrefix(member, "m_")
	if !ok {
		return member
	}
	for _, prefix := range [...]string{"ap", "aa", "p", "a"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && rest != "" && unicode.IsUpper(rune(rest[0])) {
			name = rest
			break
		}
	}
	var b strings.Builder
	for i, c := range name {
		if i > 0 && unicode.IsUpper(c) && unicode.IsLower(rune(name[i-1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	key := b.String()
	if key == "para_i" {
		return "params"
	}
	if n, ok := strings.CutPrefix(key, "description"); ok && n != "" && unicode.IsDigit(rune(n[0])) {
		return "descriptions[" + n + "]"
	}
	return key
}
