package tables

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sevenNumbers are the constants in DDNet's description of 0.7, as the game has them: src/engine/shared/protocol.h and
// src/game/enums of Teeworlds 0.7, and the enumerations of the description itself.
var sevenNumbers = map[string]int64{
	"MAX_CLIENTS": 64, "NUM_WEAPONS": 6, "NUM_CHATS": 4, "NUM_SPECMODES": 4, "NUM_SOUNDS": 41, "TEAM_SPECTATORS": -1,
	"TEAM_RED": 0, "TEAM_BLUE": 1, "FLAG_MISSING": -3, "max_int": math.MaxInt32,
}

// sevenOther are the differences that are meant.
var sevenOther = map[string]string{
	"message unused":       "it is Sv_ExtraProjectile in the original game, which sends none either",
	"object de_tuneparams": "each value has a field of its own here",
}

// sevenNumber is a number, or a constant, less one if the text has "-1".
func sevenNumber(t *testing.T, text string) int64 {
	t.Helper()
	name, less := strings.CutSuffix(text, "-1")
	if n, ok := sevenNumbers[name]; ok && name != "" {
		if less {
			n--
		}
		return n
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// sevenFact puts a field of the description into the words of ownSeven.
func sevenFact(t *testing.T, field string) string {
	t.Helper()
	words := strings.Fields(field)
	name, kind, rest := words[0], words[1], words[2:]
	from, to := int64(math.MinInt32), int64(math.MaxInt32)
	times := ""
	for len(rest) > 0 && strings.HasPrefix(rest[len(rest)-1], "x") {
		times = rest[len(rest)-1] + times
		rest = rest[:len(rest)-1]
	}
	switch kind {
	case "int":
		if len(rest) == 2 {
			from, to = sevenNumber(t, rest[0]), sevenNumber(t, rest[1])
		}
	case "enum":
		from, to = 0, sevenNumber(t, rest[0])-1
	case "tick":
		from = 0
	case "bool":
		from, to = 0, 1
	case "flags", "string":
	default:
		t.Fatalf("a field of kind %s", kind)
	}
	if kind == "string" {
		return fmt.Sprintf("%s string %s", plainName(name), times)
	}
	return fmt.Sprintf("%s %d..%d %s", plainName(name), from, to, times)
}

// plainName is the name of a member without its prefix: both write them otherwise.
func plainName(name string) string {
	name = strings.TrimPrefix(name, "m_")
	return strings.ToLower(strings.TrimLeft(name, "ap"))
}

// ownSeven puts a field of our tables into the same words.
func ownSeven(p *Part) string {
	name := p.name
	if name == "" {
		name = p.Key
	}
	times := ""
	if p.Times > 0 {
		times = fmt.Sprintf("x%d", p.Times)
	}
	switch p.Kind {
	case KindText:
		return fmt.Sprintf("%s string %s", plainName(name), times)
	case KindIntText:
		return fmt.Sprintf("%s %d..%d %sx%d", plainName(name), math.MinInt32, math.MaxInt32, times, p.Size)
	case KindBool:
		return fmt.Sprintf("%s 0..1 %s", plainName(name), times)
	}
	return fmt.Sprintf("%s %d..%d %s", plainName(name), p.Min, p.Max, times)
}

// TestSeven compares the tables of 0.7 with what DDNet, whose servers and clients speak 0.7 too, describes: the numbers
// of messages and objects, and their fields with their kinds and ranges.
func TestSeven(t *testing.T) {
	text, err := os.ReadFile("testdata/seven.txt")
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string][]string{}
	numbers := map[string]int{}
	compared := 0
	for line := range strings.Lines(string(text)) {
		what, rest, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || what == "#" {
			continue
		}
		name, list, _ := strings.Cut(rest, " ")
		name, base, _ := strings.Cut(name, ":")
		numbers[what]++
		key := what + " " + strings.ToLower(name)
		want := slices.Clone(fields[what+" "+strings.ToLower(base)])
		if list != "code" && list != "" {
			for f := range strings.SplitSeq(list, ";") {
				want = append(want, sevenFact(t, f))
			}
		}
		fields[key] = want
		var parts []Part
		found := ""
		if what == "message" {
			if def := LookupMessage(V07, false, int32(numbers[what])); def != nil {
				found, parts = def.Key, def.Parts
			}
		} else if def := LookupObject(V07, numbers[what]); def != nil {
			found, parts = def.Key, def.Parts
		}
		if _, other := sevenOther[key]; other {
			continue
		}
		if found != strings.ToLower(name) {
			t.Errorf("%s %d is %q here, %s at DDNet", what, numbers[what], found, name)
			continue
		}
		if list == "code" {
			continue
		}
		var got []string
		for i := range parts {
			got = append(got, ownSeven(&parts[i]))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-DDNet +here):\n%s", key, diff)
		}
		compared++
	}
	if numbers["message"] != 39 || numbers["object"] != 24 || compared != 58 {
		t.Errorf("%d messages, %d objects; fields of %d were compared", numbers["message"], numbers["object"], compared)
	}
}
