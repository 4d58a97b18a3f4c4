package message

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"github.com/q3dissect/q3dissect/dissect"
	_ "github.com/q3dissect/q3dissect/dissect/dissecttest/rapidseed"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/wiretest"
)

// A draft is a message put together from its rows: the bytes as the games' packers write them, and what a
// reader is to find in them.
type draft struct {
	payload []byte
	lines   []string // "path value", in wire order
	odd     []string // paths of values that the game does not accept
	cuts    []int    // lengths at which the message may end, because what follows is optional

	count    int32 // the number that a later field's length goes by
	accepted bool  // draw only what the game accepts
}

// encode draws a message: the id, then each field by its row.
func encode(t *rapid.T, def *tables.Message, accepted bool) *draft {
	e := &draft{accepted: accepted}
	head := def.ID << 1
	if def.System {
		head |= 1
	}
	e.payload = wiretest.AppendInt(nil, head)
	e.lines = []string{fmt.Sprintf("id %d", def.ID), fmt.Sprintf("system %t", def.System)}
	if def.UUID != (tables.UUID{}) {
		e.payload = append(e.payload, def.UUID[:]...)
		e.lines = append(e.lines, fmt.Sprintf("uuid %x", def.UUID[:]))
	}
	if len(def.Parts) == 0 {
		e.lines = append(e.lines, def.Key)
	}
	for i := range def.Parts {
		e.field(t, &def.Parts[i], def.Key+"."+def.Parts[i].Key)
	}
	return e
}

// field draws a field, or the elements of a list.
func (e *draft) field(t *rapid.T, p *tables.Part, path string) {
	if p.Optional {
		e.cuts = append(e.cuts, len(e.payload))
	}
	if p.Times == tables.Single {
		e.value(t, p, path, p.Field)
		return
	}
	count, names, first := p.Times, []string(nil), len(e.lines)
	switch p.Times {
	case tables.ToEnd:
		count = rapid.IntRange(0, 70).Draw(t, "elements")
	case tables.AsCounted:
		count = max(0, int(e.count))
	case tables.ByGameMsg:
		names = map[int32][]string{
			6: {"team"}, 7: {"team"}, 8: {"team"}, 9: {"flag_team", "client_id", "capture_ticks"}, 10: {"client_id"},
		}[e.count]
		count = len(names)
	}
	if count == 0 {
		e.lines = append(e.lines, path)
	}
	for i := range count {
		e.value(t, p, path+"["+strconv.Itoa(i)+"]", p.Elem)
	}
	for i, name := range names {
		_, value, _ := strings.Cut(e.lines[first+i], " ")
		e.lines = append(e.lines, strings.TrimSuffix(path, "params")+name+" "+value)
	}
}

// value draws one value.
func (e *draft) value(t *rapid.T, p *tables.Part, path string, f *dissect.Field) {
	switch p.Kind {
	case tables.KindNumber, tables.KindBool:
		v := e.number(t, p)
		e.payload = wiretest.AppendInt(e.payload, v)
		if v < p.Min || v > p.Max {
			e.odd = append(e.odd, path)
		}
		value := strconv.Itoa(int(v))
		if f.Kind == dissect.Bool {
			value = strconv.FormatBool(v != 0)
		}
		e.lines = append(e.lines, path+" "+value)
		if _, text := p.Picture(v); text != "" {
			e.lines = append(e.lines, strings.TrimSuffix(path, "emoticon")+"picture "+text)
		}
		if p.Keep == tables.KeepCount {
			e.count = v
		}
	case tables.KindText:
		s := rapid.SliceOfN(rapid.ByteRange(1, 255), 0, 30).Draw(t, p.Key)
		e.payload = append(append(e.payload, s...), 0)
		e.lines = append(e.lines, path+" "+string(s))
	case tables.KindRaw:
		size := p.Size
		switch size {
		case tables.ToEnd:
			size = rapid.IntRange(0, 100).Draw(t, "bytes")
		case tables.AsCounted:
			size = int(e.count)
		}
		b := rapid.SliceOfN(rapid.Byte(), size, size).Draw(t, p.Key)
		e.payload = append(e.payload, b...)
		e.lines = append(e.lines, fmt.Sprintf("%s %x", path, b))
	case tables.KindObject:
		e.object(t, p, path)
	}
}

// number draws a number; one that counts what follows is small.
func (e *draft) number(t *rapid.T, p *tables.Part) int32 {
	low, high := p.Min, p.Max
	switch {
	case p.Keep == tables.KeepCount && p.Key == "size":
		return 4 * rapid.Int32Range(0, 14).Draw(t, p.Key)
	case p.Keep == tables.KeepCount:
		return rapid.Int32Range(max(low, 0), min(high, 25)).Draw(t, p.Key)
	case !e.accepted:
		low, high = math.MinInt32, math.MaxInt32
	}
	return rapid.Int32Range(low, high).Draw(t, p.Key)
}

// object draws the ints of an object.
func (e *draft) object(t *rapid.T, p *tables.Part, path string) {
	count := p.Size
	if count == tables.AsCountedBytes {
		count = int(e.count / 4)
	}
	if count == 0 {
		e.lines = append(e.lines, path)
	}
	for i := range count {
		if i < len(p.Inner) {
			e.value(t, &p.Inner[i], path+"."+p.Inner[i].Key, p.Inner[i].Field)
			continue
		}
		v := rapid.Int32().Draw(t, "extra")
		e.payload = wiretest.AppendInt(e.payload, v)
		e.lines = append(e.lines, fmt.Sprintf("%s.extra_ints[%d] %d", path, i-len(p.Inner), v))
	}
}
