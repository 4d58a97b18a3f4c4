package teehistorian

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/q3dissect/q3dissect/dissect"
)

// begin returns the bytes of a file up to the first chunk.
func begin() []byte { return newWriter().b }

// The ticks of chunks, as the server's writer counts them: facts about the format, not about this reader.
func TestTicks(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		b    []byte
		want string
	}{
		{"a join before any tick is in tick 0", pack(nil, -8, 0), "0"},
		{"a player before any tick is in tick 1", pack(nil, -3, 0, 5, 5), "1"},
		{"TICK_SKIP 0 is the next tick", pack(nil, -2, 0, -8, 0), "1 1"},
		{"a player after TICK_SKIP is in its tick", pack(nil, -2, 4, -3, 0, 5, 5), "5 5"},
		{"a higher player stays in the tick", pack(nil, -2, 4, -3, 0, 5, 5, -3, 1, 5, 5), "5 5 5"},
		{"the same player begins one", pack(nil, -2, 4, -3, 3, 5, 5, 3, 0, 1, 3, 0, 1), "5 5 6 7"},
		{"a lower player begins one", pack(nil, -2, 4, -3, 3, 5, 5, -4, 2), "5 5 6"},
		{"others do not", pack(nil, -2, 4, -3, 3, 5, 5, -8, 1, -4, 4), "5 5 5 5"},
		{"a tick of two bytes", pack(nil, -2, 99, -4, 127, -4, 126), "100 100 101"},
		{"ticks wrap as the server's int", pack(nil, -2, 1<<31-2, -2, 0), "2147483647 -2147483648"},
	} {
		lines, _, _ := readAll(bytes.NewReader(append(begin(), test.b...)), true, false, nil)
		var ticks []string
		for _, line := range lines {
			tick, _, _ := strings.Cut(line, " ")
			ticks = append(ticks, tick)
		}
		if got := strings.Join(ticks, " "); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// T is a tick whose time is known, F another one, and ! an entry.
func TestTicksThatLeap(t *testing.T) {
	t.Parallel()
	const day = 24 * 3600 * 50
	for _, test := range []struct {
		name string
		b    []byte
		want string
	}{
		{"five hours without a change", pack(nil, -2, 5*3600*50, -8, 0, -2, 1, -8, 1), "T T"},
		{"a day", pack(nil, -2, 3, -8, 0, -2, day, -8, 1, -2, 0, -4, 1), "T F! F"},
		{"the first one", pack(nil, -2, 1<<30, -8, 0, -2, 0, -8, 1), "F! F"},
		{"the last one", pack(nil, -2, 3, -8, 0, -2, 1<<30), "T F!"},
		{"back", pack(nil, -2, 300, -8, 0, -2, -200, -8, 1), "T F!"},
		{"a hole of zeros", append(pack(nil, -2, 3, -3, 0, 5, 5), make([]byte, 9)...), "T F! F F"},
	} {
		in, reader := NewRecording(bytes.NewReader(append(begin(), test.b...)), "teeworlds"), NewReader(Options{})
		var got []string
		for {
			p, err := in.Next()
			if err != nil {
				break
			}
			rec := dissect.NewRecord()
			rec.Packet, rec.Hint = *p, p.RecorderHint
			reader.Dissect(rec, rec.Decoding())
			known := "F"
			if _, ok := Moment(rec.Hint); ok {
				known = "T"
			}
			for range rec.Experts {
				known += "!"
			}
			if p.Frame > 1 {
				got = append(got, known)
			}
		}
		if got := strings.Join(got, " "); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// Differences are undone; what they refer to is forgotten where the server forgets it.
func TestState(t *testing.T) {
	t.Parallel()
	input := func(kind, client int, direction, fire int) []byte {
		return pack(nil, kind, client, direction, 0, 0, 0, fire, 0, 0, 0, 0, 0)
	}
	for _, test := range []struct {
		name, want string
		b          []byte
	}{
		{"moves add up", "2 player_diff 3 -1 2 9 22", pack(nil, -3, 3, 10, 20, 3, -1, 2)},
		{"and wrap", "2 player_diff 3 1 0 -2147483648 20", pack(nil, -3, 3, 1<<31-1, 20, 3, 1, 0)},
		{"the last place of who is gone", "2 player_old 3 10 20", pack(nil, -3, 3, 10, 20, -4, 3)},
		{"nothing is known of who was gone", "3 player_diff 3 1 1", pack(nil, -3, 3, 10, 20, -4, 3, 3, 1, 1)},
		{"nor of a player whose beginning is missing", "1 player_diff 3 1 1", pack(nil, 3, 1, 1)},
		{"inputs add up", "0 input_diff 1 -2 0 0 0 1 0 0 0 0 0 -1 0 0 0 6 0 0 0 0 0", append(input(-6, 1, 1, 5), input(-5, 1, -2, 1)...)},
		{"an input without a base", "0 input_diff 1 -2 0 0 0 1 0 0 0 0 0", input(-5, 1, -2, 1)},
		{"a client that left has none", "0 input_diff 1 0 0 0 0 1 0 0 0 0 0", bytes.Join([][]byte{input(-6, 1, 1, 5), pack(nil, -9, 1, ""), input(-5, 1, 0, 1)}, nil)},
		{"a number that no client has", "1 player_diff 5000 1 1", pack(nil, 5000, 1, 1)},
	} {
		lines, _, _ := readAll(bytes.NewReader(append(begin(), test.b...)), true, true, nil)
		if got := lines[len(lines)-1]; got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// Which protocol a client's messages are of: DDNet's ids, and 0.7's for joinver7 and after 0.7's Cl_StartInfo.
func TestDialects(t *testing.T) {
	t.Parallel()
	join := func(version string, client int) []byte {
		return pack(nil, -11, nameUUID("teehistorian-joinver"+version+"@ddnet.tw"), 1, client)
	}
	send := func(client, id int, values ...any) []byte {
		body := pack(nil, append([]any{id << 1}, values...)...)
		return pack(nil, -7, client, len(body), body)
	}
	skins := []any{"n", "c", 1, "", "", "", "", "", "", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	for _, test := range []struct {
		name  string
		want  string // key of the last message
		guess bool
		b     [][]byte
	}{
		{"0.6", "cl_kill", false, [][]byte{join("6", 0), send(0, 22)}},
		{"0.7", "cl_kill", false, [][]byte{join("7", 0), send(0, 28)}},
		{"another client's", "cl_kill", false, [][]byte{join("7", 0), join("6", 1), send(1, 22)}},
		{"0.6 by its first message", "cl_emoticon", false, [][]byte{send(0, 20, "n", "c", 1, "s", 0, 0, 0), send(0, 23, 5)}},
		{"0.7 by its first message", "cl_emoticon", false, [][]byte{send(0, 27, skins...), send(0, 30, 5)}},
		{"nothing shows it", "cl_emoticon", true, [][]byte{send(0, 23, 5)}},
		{"not any more after it left", "cl_emoticon", true, [][]byte{join("7", 0), pack(nil, -9, 0, ""), send(0, 23, 5)}},
		{"a server's message", "unknown", false, [][]byte{join("6", 0), send(0, 3, 0, 0, "text")}},
		{"a system message", "unknown", false, [][]byte{join("6", 0), pack(nil, -7, 0, 1, []byte{1<<1 | 1})}},
	} {
		var got string
		var guess bool
		_, _, _ = readAll(bytes.NewReader(append(begin(), bytes.Join(test.b, nil)...)), true, false,
			func(rec *dissect.Record) {
				for chunk := range rec.Tree.Top().Get("teehistorian").Get("chunks").Children() {
					for v := range chunk.Children() {
						if v.Field().Kind == dissect.Object && chunk.Key() == "message" {
							got = v.Key()
						}
					}
				}
				for _, e := range rec.Experts {
					guess = guess || e.Code == "dialect_unknown"
				}
			})
		if got != test.want || guess != test.guess {
			t.Errorf("%s: %s, guessed %t", test.name, got, guess)
		}
	}
}

// What is wrong is reported where it is, and everything before and after it is read.
func TestFaults(t *testing.T) {
	t.Parallel()
	id := nameUUID("teehistorian-player-name@ddnet.org")
	short := pack(nil, -11, id, 1, 5)
	for _, test := range []struct {
		name    string
		b       []byte
		chunks  int    // that are read
		code    string // of the end; "" at a proper one
		offset  int    // after the header
		message string
		expert  string
	}{
		{"unknown chunk", pack(nil, -8, 0, -12, 1, 2), 1, dissect.MalformedFile, 2, "a chunk of the unknown type -12", ""},
		{"message of a negative size", pack(nil, -8, 0, -7, 0, -1), 1, dissect.MalformedFile, 2, "a chunk of -1 bytes", ""},
		{"message that is too long", pack(nil, -8, 0, -7, 0, 1<<30), 1, dissect.MalformedFile, 2, "a chunk of 1073741824 bytes", ""},
		{"extra that is too long", pack(nil, -8, 0, -11, id, 1<<20+1), 1, dissect.MalformedFile, 2, "a chunk of 1048577 bytes", ""},
		{"command of negative arguments", pack(nil, -10, 0, 4, "x", -5), 0, dissect.MalformedFile, 0, "a command with -5 arguments", ""},
		{"extra that is too short", append(short, pack(nil, -8, 0, -1)...), 3, "", 0, "", "truncated"},
		{"bytes after the end", pack(nil, -1, -8, 0), 1, "", 0, "", "trailing_bytes"},
		{"no end", pack(nil, -8, 0), 1, dissect.TruncatedFile, 2, "it has no end mark: its server is still running, or was killed", ""},
		{"a text without end", append(pack(nil, -8, 0, -9, 0), "reason"...), 2, dissect.TruncatedFile, 2, "it ends inside a chunk", "truncated"},
	} {
		var experts []string
		lines, _, err := readAll(bytes.NewReader(append(begin(), test.b...)), true, false, func(rec *dissect.Record) {
			for _, e := range rec.Experts {
				experts = append(experts, e.Code)
			}
		})
		want := &dissect.FileError{Code: test.code, Offset: int64(len(begin()) + test.offset), Message: test.message}
		var fault *dissect.FileError
		if errors.As(err, &fault); test.code == "" && err != nil || test.code != "" && (fault == nil || *fault != *want) {
			t.Errorf("%s: ends with %v, want %v", test.name, err, want)
		}
		if len(lines) != test.chunks || strings.Join(experts, " ") != test.expert {
			t.Errorf("%s: %d chunks, experts %v", test.name, len(lines), experts)
		}
	}
}

// A tick of any length goes through in pieces, whatever arrives at once.
func TestLongTick(t *testing.T) {
	t.Parallel()
	b := begin()
	for range 50000 {
		b = pack(b, -8, 100)
	}
	b = pack(b, -1)
	longest, continued := 0, 0
	lines, pieces, err := readAll(iotest.HalfReader(bytes.NewReader(b)), true, false, func(rec *dissect.Record) {
		longest = max(longest, len(rec.Payload))
		if rec.Tree.Top().Get("teehistorian").Get("continued").Bool() {
			continued++
		}
	})
	if err != nil || len(lines) != 50001 || !bytes.Equal(pieces, b) || longest > maxRecord+maxChunk || continued != 2 {
		t.Errorf("%v, %d chunks, records up to %d bytes, %d continued", err, len(lines), longest, continued)
	}
}

// The header is read as encoding/json reads it, and what it does not usually have is kept.
func TestHeaders(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ json, want, experts string }{
		{`{"version":"2","version_minor":"4","map_crc":"00ff"}`, `{"version":2,"version_minor":4,"map_crc":"00ff"}`, ""},
		{` { "config" : { "a" : "1" , "b":"" } , "tuning":{"gravity":"-50"}, "uuids" : [ "x" , "y" ] } `, `{"config":[{"name":"a","value":"1"},{"name":"b","value":""}],"tuning":[{"name":"gravity","value":-50}],"uuids":["x","y"]}`, ""},
		{`{"map_name":"a\"b\\c\/\n\u00e4\ud83d\ude00\ud83d"}`, `{"map_name":"a\"b\\c/\nä😀` + "\ufffd" + `"}`, ""},
		{`{"new":"x","version_minor":"many","version":2,"more":[1,{"a":null}]}`, `{"other":[{"name":"new","value":"\"x\""},{"name":"version_minor","value":"\"many\""},{"name":"version","value":"2"},{"name":"more","value":"[1,{\"a\":null}]"}]}`, ""},
		{`{"map_name":"a","map_name":"b"}`, `{"map_name":"a","other":[{"name":"map_name","value":"\"b\""}]}`, ""},
		{`{"tuning":{"gravity":"low","x":["y"],"z":"3"}}`, `{"tuning":[{"name":"gravity"},{"name":"x"},{"name":"z","value":3}]}`, "number_malformed number_malformed"},
		{`{"map_name":"a",}`, `{"map_name":"a","undecoded":"7d00"}`, "malformed"},
		{`{"map_name":"a"} x`, `{"map_name":"a","undecoded":"7800"}`, "malformed"},
		{`no json`, `{"undecoded":"6e6f206a736f6e00"}`, "malformed"},
		{``, `{"undecoded":"00"}`, "malformed"},
		{`{}`, `{}`, ""},
	} {
		var got string
		var experts []string
		file := append(append(bytes.Clone(magic[:]), test.json...), 0, chunkByte(chunkFinish))
		_, _, err := readAll(bytes.NewReader(file), true, false, func(rec *dissect.Record) {
			if h := rec.Tree.Top().Get("teehistorian").Get("header"); h.Exists() {
				id := fmt.Sprintf(`"uuid":"%x"`, magic[:])
				got = strings.NewReplacer(id+",", "", id, "").Replace(show(h))
				for _, e := range rec.Experts {
					experts = append(experts, e.Code)
				}
			}
		})
		if got != test.want || strings.Join(experts, " ") != test.experts || err != nil {
			t.Errorf("%s: %v %v\n got %s\nwant %s", test.json, experts, err, got, test.want)
		}
	}
}

func chunkByte(kind chunkType) byte { return packInt(nil, int64(kind))[0] }

// show returns a value as JSON.
func show(v dissect.Value) string {
	var parts []string
	switch f := v.Field(); f.Kind {
	case dissect.Object:
		for c := range v.Children() {
			parts = append(parts, `"`+c.Key()+`":`+show(c))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case dissect.List:
		for c := range v.Children() {
			parts = append(parts, show(c))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case dissect.Text, dissect.Hex:
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		_ = e.Encode(v.String())
		return strings.TrimSpace(b.String())
	}
	return v.String()
}

// FuzzFile reads any bytes as a file: every byte is in one record or after the place where the file breaks off,
// fields lie in their record, and the state does not depend on whether there is a tree.
func FuzzFile(f *testing.F) {
	w := newWriter()
	n := int32(1)
	w.everything(func() int32 { n = n*1103515245 + 12345; return n })
	whole := bytes.Clone(w.finish())
	f.Add(whole)
	b, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "samples", "teeworlds", "ddnet.teehistorian"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(append(w.b[:len(begin())], b[bytes.IndexByte(b[16:], 0)+17:][:600]...)) // the header is long
	f.Fuzz(func(t *testing.T, file []byte) {
		if !Recognised(file) {
			return
		}
		_, pieces, end := readAll(bytes.NewReader(file), true, true, func(rec *dissect.Record) {
			for i := range rec.Tree.Nodes {
				if node := &rec.Tree.Nodes[i]; int(node.Bit)+int(node.Bits) > 8*len(rec.Payload) || int(node.End) <= i {
					t.Fatalf("%s is at bit %d, %d bits, of %d", node.Field.Key, node.Bit, node.Bits, 8*len(rec.Payload))
				}
			}
		})
		var fault *dissect.FileError
		switch {
		case !bytes.HasPrefix(file, pieces):
			t.Fatal("the records are not the file")
		case end == nil && len(pieces) != len(file):
			t.Fatalf("%d of %d bytes are in records", len(pieces), len(file))
		case end != nil && (!errors.As(end, &fault) || fault.Offset > int64(len(pieces))):
			t.Fatalf("%v after %d bytes", end, len(pieces))
		}
		compareStates(t, file)
	})
}

// compareStates reads a file with trees and without, and compares what the readers know in the end.
func compareStates(t *testing.T, file []byte) {
	t.Helper()
	var clients [2][]client
	for i, tree := range []bool{true, false} {
		in := NewRecording(bytes.NewReader(file), "teeworlds")
		reader := NewReader(Options{State: true, Inputs: true, Events: true})
		rec := dissect.NewRecord()
		for p, err := in.Next(); err == nil; p, err = in.Next() {
			rec.Packet, rec.Hint, rec.NoTree, rec.Inputs = *p, p.RecorderHint, !tree, nil
			rec.Tree.Reset()
			reader.Dissect(rec, rec.Decoding())
			rec.Tree.CloseAll(0)
		}
		clients[i] = reader.clients
	}
	if !slices.Equal(clients[0], clients[1]) {
		t.Fatalf("with a tree %v, without %v", clients[0], clients[1])
	}
}

// FuzzJSON compares the scanner with encoding/json: what it accepts is JSON, but for what numbers look like and for
// bytes in strings, and the texts are the same.
func FuzzJSON(f *testing.F) {
	f.Add([]byte(testHeader))
	f.Add([]byte(` { "a" : [ "x", { } , [ ] ], "\u00e4" : "\ud83d\ude00" } `))
	f.Fuzz(func(t *testing.T, b []byte) {
		s := jsonScanner{b: b}
		s.skip(0)
		s.space()
		accepted := !s.bad && s.pos == len(b)
		if json.Valid(b) && !accepted && bytes.Count(b, []byte("{"))+bytes.Count(b, []byte("[")) < maxDepth {
			t.Fatalf("%q is JSON; refused at %d", b, s.pos)
		}
		var want string
		if len(b) > 0 && b[0] == '"' && json.Unmarshal(b, &want) == nil {
			s = jsonScanner{b: b}
			if got := strings.ToValidUTF8(string(s.string().text), "\ufffd"); got != want &&
				strings.ToValidUTF8(string(b), "") == string(b) {
				t.Fatalf("%q is %q, want %q", b, got, want)
			}
		}
	})
}

// The header of every version is read, and what follows it.
func TestVersions(t *testing.T) {
	t.Parallel()
	for _, version := range []string{
		`"1"`, `"2"`, `"2","version_minor":"1"`, `"2","version_minor":"4"`, `"2","version_minor":"22"`,
	} {
		id := nameUUID("teehistorian@ddnet.tw")
		file := append(append(id[:], `{"version":`+version+`,"map_name":"made"}`...), 0)
		file = pack(file, -2, 4, -3, 0, 5, 5, -1)
		var got string
		lines, _, err := readAll(bytes.NewReader(file), true, false, func(rec *dissect.Record) {
			if h := rec.Tree.Top().Get("teehistorian").Get("header"); h.Exists() {
				got = strconv.Quote(h.Get("version").String())
				if minor := h.Get("version_minor"); minor.Exists() {
					got += `,"version_minor":` + strconv.Quote(minor.String())
				}
			}
		})
		want := []string{"5 tick_skip 4", "5 player_new 0 5 5", "5 finish"}
		if err != nil || !slices.Equal(lines, want) || got != version {
			t.Errorf("%s: %s, %q, %v", version, got, lines, err)
		}
	}
}
