package truth_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// equal compares trees of JSON; see sameNumber.
func equal(want, got any) bool {
	switch w := want.(type) {
	case node:
		g, ok := got.(node)
		if !ok || len(w) != len(g) {
			return false
		}
		for key, v := range w {
			if other, ok := g[key]; !ok || !equal(v, other) {
				return false
			}
		}
		return true
	case []any:
		g, ok := got.([]any)
		return ok && slices.EqualFunc(w, g, equal)
	case json.Number:
		g, ok := got.(json.Number)
		return ok && sameNumber(w, g)
	}
	return want == got
}

// sameNumber compares whole numbers exactly, and others by the float32 that they mean.
func sameNumber(a, b json.Number) bool {
	if a == b {
		return true
	}
	if !strings.ContainsAny(string(a), ".e") && !strings.ContainsAny(string(b), ".e") {
		return false
	}
	x, err := strconv.ParseFloat(string(a), 32)
	y, err2 := strconv.ParseFloat(string(b), 32)
	return err == nil && err2 == nil && float32(x) == float32(y)
}

// markData replaces the bytes of downloads and voice in a message by what the truth has of them.
func markData(message node) {
	for _, op := range reftest.List(message["ops"]) {
		for _, body := range op.(node) {
			body, _ := body.(node)
			if data, ok := body["data"].(string); ok {
				body["data"] = markOf(data)
			}
		}
	}
}

func markOf(data string) string {
	b, err := hex.DecodeString(data)
	if err != nil || strings.ToLower(data) != data {
		return data
	}
	return dataMark(decimal(len(b)), fmt.Sprintf("%08x", crc32.ChecksumIEEE(b)))
}

// dataMark replaces bytes whose size and checksum alone the truth has.
func dataMark(size json.Number, crc string) string {
	return fmt.Sprintf("%s bytes with CRC-32 %s", size, crc)
}

// decimal writes a number as JSON has it.
func decimal[T ~int | ~uint16 | ~uint32 | ~uint64](n T) json.Number {
	return json.Number(strconv.FormatInt(int64(n), 10))
}

// appendChanges lists which fields of each user command were on the wire, which only their places say:
// "d8 angles[0] weapon;abs upmove;". d8 is a time relative to the command before.
func appendChanges(dst []byte, rec *dissect.Record) []byte {
	t := rec.Tree
	for i := 0; i < len(t.Nodes); i++ {
		list := &t.Nodes[i]
		if list.Field.Key != "user_commands" {
			continue
		}
		for j := i + 1; j < int(list.End); j++ {
			n := &t.Nodes[j]
			switch name := n.Field.EngineName(); {
			case n.Field.Key == "server_time":
				coding := "abs"
				if int(n.Bit>>3) < len(rec.Message) && rec.Message[n.Bit>>3]>>(n.Bit&7)&1 != 0 {
					coding = "d8"
				}
				dst = append(dst, coding...)
			case !n.Field.Kind.Container() && n.Bits > 0:
				dst = append(append(dst, ' '), name...)
			}
			if last := j+1 == int(list.End); last || t.Nodes[j+1].Field == t.Nodes[i+1].Field {
				dst = append(dst, ';')
			}
		}
	}
	return dst
}

// wantChanges is what appendChanges returns according to the truth.
func wantChanges(t *truthLine) string {
	var b strings.Builder
	for i := range t.Ops {
		for _, cmd := range t.Ops[i].Commands {
			b.WriteString(strings.Join(append([]string{cmd.TimeCoding}, cmd.Changed...), " "))
			b.WriteByte(';')
		}
	}
	return b.String()
}
