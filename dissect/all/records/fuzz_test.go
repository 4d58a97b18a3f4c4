package records_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/dissecttest"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// A play is the beginning of a sample: valid datagrams in their order, which a script of the fuzzer changes.
type play struct {
	name    string
	packets []dissect.Packet
}

// playLength is how many datagrams of a sample are taken.
const playLength = 80

// plays reads the samples of all protocols.
func plays(tb testing.TB) (list []play) {
	tb.Helper()
	names, err := filepath.Glob(filepath.FromSlash("../../../samples/*/*.pcap"))
	if err != nil || len(names) < 10 {
		tb.Fatalf("%d samples: %v", len(names), err)
	}
	for _, name := range names {
		in, err := open.File(name, open.Options{})
		if err != nil {
			tb.Fatal(err)
		}
		p := play{name: name}
		for len(p.packets) < playLength {
			packet, err := in.Next()
			if err != nil {
				break
			}
			if packet.UDP {
				copied, _ := packet.Clone(nil)
				p.packets = append(p.packets, copied)
			}
		}
		in.Close()
		list = append(list, p)
	}
	return list
}

// Steps of time between two datagrams of a script.
var scriptSteps = [...]time.Duration{
	time.Millisecond, 20 * time.Millisecond, 900 * time.Millisecond, 11 * time.Second, 121 * time.Second, -time.Second,
	-30 * time.Hour, 1 << 61,
}

// script makes packets of a fuzzer's bytes, four for each: which sample continues, between which endpoints and how much
// later, how many of its datagrams are skipped, and what is changed.
func script(list []play, data []byte) (packets []dissect.Packet) {
	type place struct{ play, flow int }
	at := map[place]int{}
	now := int64(1_700_000_000e9)
	for ; len(data) >= 4 && len(packets) < 96; data = data[4:] {
		key := place{int(data[0]) % len(list), int(data[1] & 7)}
		p := &list[key.play]
		n := at[key] + int(data[2]&15)
		at[key] = n + 1
		if len(p.packets) == 0 {
			continue
		}
		packet := p.packets[n%len(p.packets)]
		packet.Payload = bytes.Clone(packet.Payload)
		now += int64(scriptSteps[data[1]>>3&7])
		packet.Time, packet.HasTime = now, data[1]>>6 != 3
		packet.Src, packet.Dst = moved(packet.Src, key.flow), moved(packet.Dst, key.flow)
		change(&packet, data[2]>>4, int(data[3]))
		packets = append(packets, packet)
	}
	return packets
}

// moved returns an endpoint of a flow: the addresses of a sample with another first part.
func moved(a netip.AddrPort, flow int) netip.AddrPort {
	b := a.Addr().As16()
	if b[12] = byte(flow); a.Addr().Is4() {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte(b[12:])), a.Port())
	}
	return netip.AddrPortFrom(netip.AddrFrom16(b), a.Port())
}

// change damages a datagram.
func change(p *dissect.Packet, how byte, arg int) {
	size := len(p.Payload)
	switch how {
	case 1, 2: // a bit
		if size > 0 {
			p.Payload[arg*size>>8] ^= 1 << (arg & 7)
		}
	case 3: // the capture cuts it
		p.Payload = p.Payload[:arg*size>>8]
	case 4: // the sender does
		p.Payload = p.Payload[:arg*size>>8]
		p.Length = len(p.Payload)
	case 5: // it goes the other way
		p.Src, p.Dst = p.Dst, p.Src
	case 6: // something follows
		p.Payload = append(p.Payload, bytes.Repeat([]byte{byte(arg)}, arg&31)...)
		p.Length = len(p.Payload)
	case 7: // a byte is all ones
		if size > 0 {
			p.Payload[arg*size>>8] = 0xff
		}
	}
}

// framed numbers the frames of packets.
func framed(packets []dissect.Packet) []dissect.Packet {
	for i := range packets {
		packets[i].Frame = uint64(i + 1)
	}
	return packets
}

func jsonLine(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
	return render.AppendJSON(dst, rec, render.JSON{Bits: true}), nil
}

// A renderCheck has every renderer, and what holds for what they write.
type renderCheck struct {
	novelty dissecttest.Novelty
	records *recordCheck
	list    render.List
	table   render.Table
	columns []*render.Selector
	buf     []byte
	fresh   [][]byte // records for the schema
}

func newRenderCheck(tb testing.TB) *renderCheck {
	tb.Helper()
	c := &renderCheck{records: newRecordCheck(tb), list: render.List{Width: 100}, table: render.Table{Width: 80}}
	for _, columns := range []render.Columns{render.CSVColumns(), render.FieldColumns()} {
		columns.Escape = true // as for a terminal
		s, err := render.NewSelector([]string{
			"frame", "info", "expert.code", "quake3", "teeworlds", "gamestudio.messages",
			"enet", "directplay8", "quake3.oob.command",
		}, all.Protocols(), columns)
		if err != nil {
			tb.Fatal(err)
		}
		c.columns = append(c.columns, s)
	}
	return c
}

// control returns the first control character of a text, other than tabs and line feeds, or "".
func control(b []byte) string {
	for i, c := range b {
		if c < ' ' && c != '\t' && c != '\n' || c == 0x7f || c == 0xc2 && i+1 < len(b) && b[i+1] < 0xa0 {
			return string(b[i:min(i+2, len(b))])
		}
	}
	return ""
}

// record checks what the renderers make of a record, on the goroutine of a worker.
func (c *renderCheck) record(t *testing.T, rec *dissect.Record) {
	t.Helper()
	bits := max(8*len(rec.Payload), 8*len(rec.Message))
	for i := range rec.Tree.Nodes {
		n := &rec.Tree.Nodes[i]
		if n.Bits > 0 && rec.MessageDone && int(n.Bit)+int(n.Bits) > bits+8*len(rec.Payload) {
			t.Errorf("%s lies at bits %d to %d of %d", n.Field.Key, n.Bit, int(n.Bit)+int(n.Bits), bits)
		}
	}
	line := c.list.Append(c.buf[:0], rec)
	if bytes.Count(line, []byte("\n")) != 1 || control(line) != "" {
		t.Errorf("not a line of a list: %q", line)
	}
	if table := c.table.Append(line[:0], rec); control(table) != "" {
		t.Errorf("control characters in a table: %q", control(table))
	}
	for _, s := range c.columns {
		if row := bytes.TrimRight(s.Append(c.buf[:0], rec), "\r\n"); control(row) != "" {
			t.Errorf("control characters in a row: %.300q", row)
		}
	}
	c.buf = render.AppendHex(c.buf[:0], rec)
	c.buf = render.AppendJSON(c.buf[:0], rec, render.JSON{Bits: true, Link: true})
	if !json.Valid(c.buf) {
		t.Errorf("not JSON: %.400s", c.buf)
	}
	if c.novelty.Add(rec) {
		c.fresh = append(c.fresh, bytes.Clone(c.buf))
	}
}

// schema compares the records with the schema that showed something new.
func (c *renderCheck) schema(t *testing.T) {
	t.Helper()
	for _, line := range c.fresh {
		c.records.line(t, line)
	}
	c.fresh = c.fresh[:0]
}

// isFuzzing reports whether the process does nothing else, so that what it allocates is the target's.
func isFuzzing() bool {
	for _, arg := range os.Args {
		if strings.HasPrefix(arg, "-test.fuzzworker") {
			return true
		}
	}
	return false
}

// stranger takes out of a line what depends on what came before it.
var stranger = regexp.MustCompile(`"(frame|stream|time|time_epoch|time_relative|reassembled_from)":("[^"]*"|[-0-9.]+|\[[0-9,]*\]),?`)

// FuzzEngine sends valid sessions of every protocol, many at once and with odd times, skipped, repeated and damaged,
// dissectAll routers, trials, conversations and renderers. One and three workers agree, runs with and without trees
// agree, every record is what the renderers and the schema promise, memory is in proportion, and a session
// that comes after all of it is read as if it came alone.
func FuzzEngine(f *testing.F) {
	list := plays(f)
	for i := range list {
		var in, mixed []byte
		for n := range 60 {
			in = append(in, byte(i), 1<<3, 0, 0)
			mixed = append(mixed, byte(i+n%3), byte(n%4|(n%7)<<3), byte(n%5/4|(n%9)<<4), byte(n*41))
		}
		f.Add(in)
		f.Add(mixed)
	}
	check := newRenderCheck(f)
	after := func(now int64) (packets []dissect.Packet) {
		for i, p := range list[0].packets[:min(20, len(list[0].packets))] {
			p.Src, p.Dst = moved(p.Src, 200), moved(p.Dst, 200)
			p.Time, p.HasTime = now+int64(i)*1e6, true
			packets = append(packets, p)
		}
		return packets
	}
	last := after(1_700_000_000e9)
	alone, _ := reftest.DissectPackets(f, framed(append([]dissect.Packet(nil), last...)),
		engine.Config{Protocols: all.Protocols(), Finish: jsonLine})
	want := stranger.ReplaceAllString(string(alone), "")
	f.Fuzz(func(t *testing.T, data []byte) {
		packets := script(list, data)
		size := 0
		for i := range packets {
			size += len(packets[i].Payload)
		}
		packets = framed(append(packets, last...))

		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		one, stats := reftest.DissectPackets(t, packets, engine.Config{
			Protocols: all.Protocols(), Workers: 1,
			Finish: func(n int, dst []byte, rec *dissect.Record) ([]byte, error) {
				check.record(t, rec)
				return jsonLine(n, dst, rec)
			},
		})
		runtime.ReadMemStats(&after)
		check.schema(t)
		if taken := after.TotalAlloc - before.TotalAlloc; isFuzzing() && taken > 256<<20+uint64(10_000*size) {
			t.Errorf("%d MB were allocated for %d bytes", taken>>20, size)
		}
		three, _ := reftest.DissectPackets(t, packets,
			engine.Config{Protocols: all.Protocols(), Workers: 3, Finish: jsonLine})
		if !bytes.Equal(one, three) {
			t.Errorf("one and three workers (-one +three):\n%s",
				cmp.Diff(strings.SplitAfter(string(one), "\n"), strings.SplitAfter(string(three), "\n")))
		}
		_, blind := reftest.DissectPackets(t, packets, engine.Config{
			Protocols: all.Protocols(), NoTree: true, Finish: func(_ int, dst []byte, _ *dissect.Record) ([]byte,
				error,
			) {
				return dst, nil
			},
		})
		if diff := cmp.Diff(stats, blind); diff != "" {
			t.Errorf("with and without trees (-with +without):\n%s", diff)
		}
		lines := strings.SplitAfter(string(one), "\n")
		tail := strings.Join(lines[max(0, len(lines)-1-strings.Count(want, "\n")):], "")
		if diff := cmp.Diff(want, stranger.ReplaceAllString(tail, "")); diff != "" {
			t.Errorf("the session after it (-alone +after):\n%s", diff)
		}
	})
}

// FuzzRecording reads demos of every game: whatever the bytes are, they end with a located error or with none, and the
// records before are whole.
func FuzzRecording(f *testing.F) {
	names, err := filepath.Glob(filepath.FromSlash("../../../samples/*/*.d[em]*"))
	if err != nil || len(names) < 3 {
		f.Fatalf("%d demos: %v", len(names), err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, size := range []int{600, 4 << 10, 40 << 10} {
			f.Add(b[:min(len(b), size)], filepath.Ext(name))
		}
	}
	check := newRenderCheck(f)
	f.Fuzz(func(t *testing.T, b []byte, ext string) {
		in, err := open.New(bytes.NewReader(b), "recording"+ext, open.Options{Protocols: all.Protocols()})
		if err != nil {
			return
		}
		defer in.Close()
		e, err := engine.New(engine.Config{
			Protocols: all.Protocols(), Workers: 1,
			Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
				check.record(t, rec)
				return dst, nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		packets := 0
		for {
			p, err := in.Next()
			if err != nil {
				var located *dissect.FileError
				if !errors.Is(err, io.EOF) && (!errors.As(err, &located) || located.Offset < 0 || located.Code == "") {
					t.Errorf("an error without a place: %v", err)
				}
				break
			}
			if packets++; packets > len(b)+1 {
				t.Fatal("more messages than bytes")
			}
			if err := e.Packet(p); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := e.Close(); err != nil {
			t.Fatal(fmt.Errorf("close: %w", err))
		}
		check.schema(t)
	})
}
