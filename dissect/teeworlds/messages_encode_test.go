package teeworlds

import (
	"fmt"
	"math"
	"strconv"

	"pgregory.net/rapid"

	"github.com/q3dissect/q3dissect/dissect"
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
func encode(t *rapid.T, def *messageDef, accepted bool) *draft {
	e := &draft{accepted: accepted}
	head := def.id << 1
	if def.system {
		head |= 1
	}
	e.payload = packInt(nil, head)
	e.lines = []string{fmt.Sprintf("id %d", def.id), fmt.Sprintf("system %t", def.system)}
	if def.uuid != (uuid{}) {
		e.payload = append(e.payload, def.uuid[:]...)
		e.lines = append(e.lines, fmt.Sprintf("uuid %x", def.uuid[:]))
	}
	if len(def.parts) == 0 {
		e.lines = append(e.lines, def.key)
	}
	for i := range def.parts {
		e.field(t, &def.parts[i], def.key+"."+def.parts[i].key)
	}
	return e
}

// field draws a field, or the elements of a list.
func (e *draft) field(t *rapid.T, p *part, path string) {
	if p.optional {
		e.cuts = append(e.cuts, len(e.payload))
	}
	if p.times == single {
		e.value(t, p, path, p.field)
		return
	}
	count := p.times
	switch p.times {
	case toEnd:
		count = rapid.IntRange(0, 70).Draw(t, "elements")
	case asCounted:
		count = max(0, int(e.count))
	case byGameMsg:
		count = map[int32]int{6: 1, 7: 1, 8: 1, 9: 3, 10: 1}[e.count]
	}
	if count == 0 {
		e.lines = append(e.lines, path)
	}
	for i := range count {
		e.value(t, p, path+"["+strconv.Itoa(i)+"]", p.elem)
	}
}

// value draws one value.
func (e *draft) value(t *rapid.T, p *part, path string, f *dissect.Field) {
	switch p.kind {
	case kindNumber, kindBool:
		v := e.number(t, p)
		e.payload = packInt(e.payload, v)
		if v < p.min || v > p.max {
			e.odd = append(e.odd, path)
		}
		value := strconv.Itoa(int(v))
		if f.Kind == dissect.Bool {
			value = strconv.FormatBool(v != 0)
		}
		e.lines = append(e.lines, path+" "+value)
		if p.keep == keepCount {
			e.count = v
		}
	case kindText:
		s := rapid.SliceOfN(rapid.ByteRange(1, 255), 0, 30).Draw(t, p.key)
		e.payload = append(append(e.payload, s...), 0)
		e.lines = append(e.lines, path+" "+string(s))
	case kindRaw:
		size := p.size
		switch size {
		case toEnd:
			size = rapid.IntRange(0, 100).Draw(t, "bytes")
		case asCounted:
			size = int(e.count)
		}
		b := rapid.SliceOfN(rapid.Byte(), size, size).Draw(t, p.key)
		e.payload = append(e.payload, b...)
		e.lines = append(e.lines, fmt.Sprintf("%s %x", path, b))
	case kindObject:
		e.object(t, p, path)
	}
}

// number draws a number; one that counts what follows is small.
func (e *draft) number(t *rapid.T, p *part) int32 {
	low, high := p.min, p.max
	switch {
	case p.keep == keepCount && p.key == "size":
		return 4 * rapid.Int32Range(0, 14).Draw(t, p.key)
	case p.keep == keepCount:
		return rapid.Int32Range(max(low, 0), min(high, 25)).Draw(t, p.key)
	case !e.accepted:
		low, high = math.MinInt32, math.MaxInt32
	}
	return rapid.Int32Range(low, high).Draw(t, p.key)
}

// object draws the ints of an object.
func (e *draft) object(t *rapid.T, p *part, path string) {
	count := p.size
	if count == asCountedBytes {
		count = int(e.count / 4)
	}
	if count == 0 {
		e.lines = append(e.lines, path)
	}
	for i := range count {
		if i < len(p.inner) {
			e.value(t, &p.inner[i], path+"."+p.inner[i].key, p.inner[i].field)
			continue
		}
		v := rapid.Int32().Draw(t, "extra")
		e.payload = packInt(e.payload, v)
		e.lines = append(e.lines, fmt.Sprintf("%s.extra_ints[%d] %d", path, i-len(p.inner), v))
	}
}
