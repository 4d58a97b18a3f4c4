package teehistorian

import (
	"bytes"
	"crypto/md5"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/q3dissect/q3dissect/dissect"
	_ "github.com/q3dissect/q3dissect/dissect/dissecttest/rapidseed"
)

// A writer writes a file from the description of the format, without the code under test, and lists what it wrote.
type writer struct {
	b    []byte
	want []string // a line for each chunk: tick, kind, values
	tick int32
	last int64 // client of the last player chunk
}

const testHeader = `{"comment":"teehistorian@ddnet.tw","version":"2","version_minor":"22","map_name":"made","config":{"sv_name":"a \"b\" \u00e4\ud83d\ude00"},"tuning":{"gravity":"80"},"uuids":["x@y"]}`

func newWriter() *writer {
	id := nameUUID("teehistorian@ddnet.tw")
	return &writer{b: append(append(id[:], testHeader...), 0), last: 1 << 40}
}

// nameUUID is a UUID of version 3 in the games' namespace, RFC 4122.
func nameUUID(name string) (id [16]byte) {
	space := [16]byte{0xe0, 0x5d, 0xda, 0xaa, 0xc4, 0xe6, 0x4c, 0xfb, 0xb6, 0x42, 0x5d, 0x48, 0xe8, 0x0c, 0x00, 0x29}
	id = md5.Sum(append(space[:], name...))
	id[6], id[8] = id[6]&15|0x30, id[8]&63|0x80
	return id
}

// pack appends values as the server packs them: ints, texts with a NUL, raw bytes.
func pack(b []byte, values ...any) []byte {
	for _, v := range values {
		switch v := v.(type) {
		case int32:
			b = packInt(b, int64(v))
		case int:
			b = packInt(b, int64(v))
		case string:
			b = append(append(b, v...), 0)
		case []byte:
			b = append(b, v...)
		case [16]byte:
			b = append(b, v[:]...)
		}
	}
	return b
}

// packInt writes an int: sign and 6 bits, then 7 bits a byte.
func packInt(b []byte, n int64) []byte {
	sign := byte(0)
	if n < 0 {
		sign, n = 0x40, ^n
	}
	first := sign | byte(n&63)
	if n >>= 6; n == 0 {
		return append(b, first)
	}
	return binary.AppendUvarint(append(b, first|0x80), uint64(n))
}

func (w *writer) line(format string, args ...any) {
	w.want = append(w.want, fmt.Sprintf("%d ", w.tick)+fmt.Sprintf(format, args...))
}

func (w *writer) skip(dt int32) {
	w.tick, w.last = w.tick+dt+1, -1
	w.b = pack(w.b, -2, dt)
	w.line("tick_skip %d", dt)
}

// player counts the tick that a player chunk begins.
func (w *writer) player(client int32) {
	if int64(client) <= w.last {
		w.tick++
	}
	w.last = int64(client)
}

func (w *writer) diff(client, dx, dy int32) {
	w.player(client)
	w.b = pack(w.b, client, dx, dy)
	w.line("player_diff %d %d %d", client, dx, dy)
}

func (w *writer) new(client, x, y int32) {
	w.player(client)
	w.b = pack(w.b, -3, client, x, y)
	w.line("player_new %d %d %d", client, x, y)
}

func (w *writer) old(client int32) {
	w.player(client)
	w.b = pack(w.b, -4, client)
	w.line("player_old %d", client)
}

func (w *writer) input(kind, client int32, values [10]int32) {
	w.b = pack(w.b, kind, client)
	for _, v := range values {
		w.b = pack(w.b, v)
	}
	name := map[int32]string{-5: "input_diff", -6: "input_new"}[kind]
	w.line("%s %d %s", name, client, strings.Trim(fmt.Sprint(values), "[]"))
}

func (w *writer) command(client, flags int32, command string, args ...string) {
	w.b = pack(w.b, -10, client, flags, command, len(args))
	for _, a := range args {
		w.b = pack(w.b, a)
	}
	w.line("%s", strings.TrimSuffix(fmt.Sprintf("console_command %d %d %q %d %q", client, flags, command,
		len(args), args), " []"))
}

// extra writes an extra whose values were packed.
func (w *writer) extra(name string, shown string, values ...any) {
	body := pack(nil, values...)
	w.b = pack(w.b, -11, nameUUID("teehistorian-"+name), len(body), body)
	key, _, _ := strings.Cut(name, "@")
	w.line("%s", strings.TrimSpace(fmt.Sprintf("%s %x %d %s", strings.ReplaceAll(key, "-", "_"),
		nameUUID("teehistorian-"+name), len(body), shown)))
}

// everything writes every type of chunks once, with numbers from n.
func (w *writer) everything(n func() int32) {
	client := func() int32 { return n() & 127 }
	id := nameUUID("some id")
	hexID := fmt.Sprintf("%x", id)
	w.skip(n() & 1023)
	for _, version := range []string{"joinver6", "joinver7"} {
		c := client()
		w.extra(version+"@ddnet.tw", fmt.Sprint(c), c)
		w.b = pack(w.b, -8, c)
		w.line("join %d", c)
	}
	w.new(client(), n(), n())
	w.diff(client(), n(), n())
	w.old(client())
	w.input(-6, client(), [10]int32{n(), n(), n(), n(), n(), n(), n(), n(), n(), n()})
	w.input(-5, client(), [10]int32{n(), n(), n(), n(), n(), n(), n(), n(), n(), n()})
	c := client()
	w.extra("joinver6@ddnet.tw", fmt.Sprint(c), c)
	body := pack(nil, 23<<1, 5)
	w.b = pack(w.b, -7, c, len(body), body)
	w.line(`message %d %d 23 false {5 music}`, c, len(body))
	c = client()
	w.b = pack(w.b, -9, c, "a reason ❤")
	w.line("drop %d %q", c, "a reason ❤")
	w.command(-1, 4, "say", "from the console")
	w.command(client(), 128, "emote", "happy", "", "3")
	w.command(client(), 132, "nothing")
	a, b, team, ticks := client(), client(), n(), n()
	w.extra("test@ddnet.tw", "")
	w.extra("ddnetver-old@ddnet.tw", fmt.Sprint(a, b), a, b)
	w.extra("ddnetver@ddnet.tw", fmt.Sprintf("%d %s %d %q", a, hexID, b, "DDNet 20.1"), a, id, b, "DDNet 20.1")
	w.extra("auth-init@ddnet.tw", fmt.Sprintf("%d 3 %q", a, "key"), a, 3, "key")
	w.extra("auth-login@ddnet.tw", fmt.Sprintf("%d 1 %q", a, "key"), a, 1, "key")
	w.extra("auth-logout@ddnet.tw", fmt.Sprint(a), a)
	w.extra("player-swap@ddnet.tw", fmt.Sprint(a, b), a, b)
	for _, what := range []string{"save", "load"} {
		w.extra(what+"-success@ddnet.tw", fmt.Sprintf("%d %s %q", team, hexID, "1\tname\n"), team, id, "1\tname\n")
		w.extra(what+"-failure@ddnet.tw", fmt.Sprint(team), team)
	}
	w.extra("player-team@ddnet.tw", fmt.Sprint(a, team), a, team)
	w.extra("team-practice@ddnet.tw", fmt.Sprint(team, " true"), team, 1)
	w.extra("player-ready@ddnet.tw", fmt.Sprint(a), a)
	w.extra("rejoinver6@ddnet.org", fmt.Sprint(a), a)
	w.extra("antibot@ddnet.org", "00ff80", []byte{0, 255, 128})
	w.extra("player-name@ddnet.org", fmt.Sprintf("%d %q", a, "näme"), a, "näme")
	w.extra("player-finish@ddnet.org", fmt.Sprint(a, ticks), a, ticks)
	w.extra("team-finish@ddnet.org", fmt.Sprint(team, ticks), team, ticks)
	w.extra("player-ready@ddnet.org", fmt.Sprintf("%x", pack(nil, 7)), 7) // of another domain: not known
	last := len(w.want) - 1
	w.want[last] = strings.Replace(w.want[last], "player_ready", "unknown_ex", 1)
	w.extra("player-ready@ddnet.tw", fmt.Sprintf("%d 6d6f7265", a), a, []byte("more"))
}

// finish writes the end mark.
func (w *writer) finish() []byte {
	w.b = pack(w.b, -1)
	w.line("finish")
	return w.b
}

// describe returns a record's chunks as the writer lists them.
func describe(rec *dissect.Record) (lines []string) {
	object := rec.Tree.Top().Get("teehistorian")
	for chunk := range object.Get("chunks").Children() {
		words := []string{object.Get("tick").String(), chunk.Key()}
		for v := range chunk.Children() {
			words = append(words, word(v, chunk.Key() == "message"))
		}
		lines = append(lines, strings.TrimSpace(strings.Join(words, " ")))
	}
	return lines
}

func word(v dissect.Value, message bool) string {
	switch f := v.Field(); {
	case f.Kind == dissect.Text:
		return fmt.Sprintf("%q", v.String())
	case f.Kind == dissect.List:
		args := []string{}
		for a := range v.Children() {
			args = append(args, a.String())
		}
		if len(args) == 0 {
			return ""
		}
		return fmt.Sprintf("%q", args)
	case f.Kind == dissect.Object:
		var words []string
		for n := range v.Children() {
			words = append(words, n.String())
		}
		if message {
			return fmt.Sprint("{", strings.Join(words, " "), "}")
		}
		return strings.Join(words, " ")
	}
	return v.String()
}

// readAll reads a file: the records' chunks, the pieces of the file, and how it ends. each may look at a record.
func readAll(file io.Reader, tree, state bool, each func(rec *dissect.Record)) (lines []string,
	pieces []byte, end error,
) {
	r := NewRecording(file, "teeworlds")
	reader := NewReader(Options{State: state, Inputs: true, Events: true})
	for {
		p, err := r.Next()
		if err == io.EOF {
			return lines, pieces, nil
		}
		if err != nil {
			return lines, pieces, err
		}
		rec := dissect.NewRecord()
		rec.Packet, rec.Hint, rec.NoTree = *p, p.RecorderHint, !tree
		reader.Dissect(rec, rec.Decoding())
		rec.Tree.CloseAll(8 * len(p.Payload))
		lines = append(lines, describe(rec)...)
		pieces = append(pieces, p.Payload...)
		if each != nil {
			each(rec)
		}
	}
}

// What a server can write is read, chunk by chunk, whatever the numbers.
func TestEveryChunk(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		w := newWriter()
		number := rapid.Int32()
		for range rapid.IntRange(0, 4).Draw(rt, "times") {
			w.everything(func() int32 { return number.Draw(rt, "n") })
		}
		file := w.finish()
		lines, pieces, err := readAll(iotest.HalfReader(bytes.NewReader(file)), true, false, nil)
		if diff := cmp.Diff(w.want, lines); diff != "" || err != nil {
			rt.Fatalf("%v (-want +got):\n%s", err, diff)
		}
		if !bytes.Equal(pieces, file) {
			rt.Fatalf("%d bytes are in records, of %d", len(pieces), len(file))
		}
	})
}

// A file that is cut anywhere gives every whole chunk before the cut, and where the cut chunk begins.
func TestPrefixes(t *testing.T) {
	t.Parallel()
	w := newWriter()
	n := int32(3)
	w.everything(func() int32 { n = n*1103515245 + 12345; return n })
	starts := []int{}
	file := bytes.Clone(w.b)
	for at := len(file) - len(file[bytes.IndexByte(file[16:], 0)+17:]); at < len(file); {
		starts = append(starts, at)
		s, whole, fault := scan(file[at:])
		if !whole || fault != "" {
			t.Fatal(at, fault)
		}
		at += s.size
	}
	if len(starts) != len(w.want) {
		t.Fatalf("%d chunks, want %d", len(starts), len(w.want))
	}
	for cut := 16; cut <= len(file); cut++ {
		before := 0
		at := 0
		for before < len(starts) && starts[before] <= cut {
			at = starts[before]
			before++
		}
		whole := before - 1
		if cut == len(file) {
			whole, at = before, cut
		}
		lines, pieces, err := readAll(bytes.NewReader(file[:cut]), true, false, nil)
		var fault *dissect.FileError
		if !errors.As(err, &fault) || fault.Code != dissect.TruncatedFile || fault.Offset != int64(at) {
			t.Fatalf("cut at %d: %v, want offset %d", cut, err, at)
		}
		if !bytes.Equal(pieces, file[:cut]) {
			t.Fatalf("cut at %d: %d bytes are in records", cut, len(pieces))
		}
		if whole > 0 {
			if diff := cmp.Diff(w.want[:whole], lines[:whole]); diff != "" {
				t.Fatalf("cut at %d (-want +got):\n%s", cut, diff)
			}
		}
	}
}
