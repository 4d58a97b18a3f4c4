package tables

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
)

// The reference has the tables as they were taken from the games' sources by other people, as JSON.
type (
	referenceField struct {
		Name, Type, Enum, Flags string
		SourceName              string `json:"source_name"`
		Min, Max                *int64
		Optional                bool
		Array                   any // a number, two of them, or a word
		Size, Count             any
		Object                  string
	}
	referenceEntry struct {
		ID         *int32
		Name       string
		Constant   string
		System     bool
		Direction  []string
		Dialect    string
		UUID       string
		UUIDName   string `json:"uuid_name"`
		SizeInts   int    `json:"size_ints"`
		StaticSize bool   `json:"static_size"`
		Fields     []referenceField
		ParamsByID map[string][]string `json:"params_by_game_msg_id"`
	}
)

func readReferenceTable(t *testing.T, name string, v any) {
	t.Helper()
	reference.Decode(t, filepath.Join(filepath.FromSlash("../../../../samples/teeworlds/truth"), name+".gz"), v)
}

// referenceKey is the output key of a message or object, by the rules of the records.
func referenceKey(r *referenceEntry) string {
	if r.UUID == "" {
		_, name, _ := strings.Cut(r.Constant, "_")
		return strings.ToLower(name)
	}
	var b strings.Builder
	for i, c := range r.Name {
		if i > 0 && unicode.IsUpper(c) && unicode.IsLower(rune(r.Name[i-1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

// A fact is the description of one field in both tables.
type fact struct {
	Key, Name, Kind string
	Min, Max        int64
	Optional        bool
	Times           string
}

// Where the tables differ from the reference, and why.
//
//   - ping_correction_ms: the server clamps what it reads, and clients send far more.
//   - De_ClientInfo: the reference gives the ints of the texts, which are packed as in 0.6's ClientInfo.
var (
	unbounded = map[string]bool{"input.ping_correction_ms": true}
	packedIn  = map[string]string{
		"de_clientinfo.name": "text 4 ", "de_clientinfo.clan": "text 3 ", "de_clientinfo.skin_part_names": "text 6 6",
	}
)

// referenceFact puts a field of the reference into the words of a fact.
func referenceFact(t *testing.T, object string, f *referenceField) fact {
	t.Helper()
	out := fact{Key: f.Name, Name: f.SourceName, Min: math.MinInt32, Max: math.MaxInt32, Optional: f.Optional}
	if f.Min != nil {
		out.Min = *f.Min
	}
	if f.Max != nil {
		out.Max = *f.Max
	}
	if unbounded[object+"."+f.Name] {
		out.Min, out.Max = math.MinInt32, math.MaxInt32
	}
	if f.Array != nil {
		out.Times = fmt.Sprint(f.Array)
	}
	switch f.Type {
	case "int", "tick", "enum", "flags", "tune_param":
		out.Kind = "number"
	case "bool":
		out.Kind, out.Min, out.Max = "flag", 0, 1
	case "string":
		out.Kind = "string"
	case "rest":
		out.Kind = "raw to_end"
	case "raw":
		out.Kind = "raw " + map[bool]string{true: "counted", false: fmt.Sprint(f.Size)}[f.Size == "part_size" ||
			f.Size == "chunk_size"]
	case "int_string":
		out.Kind, out.Times = "text "+out.Times, ""
	case "object":
		out.Kind = "object " + strings.ToLower(f.Object) + " " + fmt.Sprint(f.Count)
	default:
		t.Fatalf("%s.%s is of type %s", object, f.Name, f.Type)
	}
	if kind, ok := packedIn[object+"."+f.Name]; ok {
		out.Kind, out.Times = "text "+strings.Fields(kind)[1], strings.Join(strings.Fields(kind)[2:], "")
	}
	return out
}

// ownFact puts a row into the words of a fact.
func ownFact(p *Part) fact {
	out := fact{Key: p.Key, Name: p.name, Min: int64(p.Min), Max: int64(p.Max), Optional: p.Optional}
	size := map[int]string{ToEnd: "to_end", AsCounted: "counted", AsCountedBytes: "size/4"}[p.Size]
	if size == "" {
		size = fmt.Sprint(p.Size)
	}
	switch p.Kind {
	case KindNumber:
		out.Kind = "number"
	case KindBool:
		out.Kind = "flag"
	case KindText:
		out.Kind = "string"
	case KindRaw:
		out.Kind, out.Min, out.Max = "raw "+size, math.MinInt32, math.MaxInt32
	case KindIntText:
		out.Kind = "text " + size
	case KindObject:
		out.Kind, out.Min, out.Max = "object "+p.of+" "+size, math.MinInt32, math.MaxInt32
	}
	switch p.Times {
	case Single:
	case ToEnd:
		out.Times = "to_end"
	case AsCounted:
		out.Times = "counted"
	case ByGameMsg:
		out.Times = "by_game_msg_id"
	default:
		out.Times = fmt.Sprint(p.Times)
	}
	return out
}

func compareFields(t *testing.T, key string, reference []referenceField, parts []Part) {
	t.Helper()
	var want, got []fact
	for i := range reference {
		f := referenceFact(t, key, &reference[i])
		if f.Times == "num_options" || f.Times == "num_projectiles" {
			f.Times = "counted"
		}
		want = append(want, f)
	}
	for i := range parts {
		got = append(got, ownFact(&parts[i]))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-reference +table)\n%s", key, diff)
	}
	for i := range reference { // names must be those of the enumeration that the reference gives
		if enum := reference[i].Enum + reference[i].Flags; enum != "" && i < len(parts) && parts[i].Field.Enum == nil &&
			parts[i].Times == Single {
			t.Errorf("%s.%s has no names, the reference has %s", key, reference[i].Name, enum)
		}
	}
}

// Every row of the tables of messages equals the reference.
func TestMessageTablesReference(t *testing.T) {
	t.Parallel()
	senders := map[string]Sender{
		"": SentByNobody, "client_to_server": SentByClient, "server_to_client": SentByServer,
		"client_to_server server_to_client": SentByBoth, "demo_only": OnlyInDemos,
	}
	for name, d := range map[string]Dialect{"messages-0.7.json": V07, "messages-0.6.json": DDNet} {
		var table struct{ Messages []referenceEntry }
		readReferenceTable(t, name, &table)
		seen := map[*Message]bool{}
		for i := range table.Messages {
			r := &table.Messages[i]
			var def *Message
			if r.UUID != "" {
				if def = LookupExtended(r.System, UUIDOf(r.UUIDName)); def != nil && def.UUID.String() != r.UUID {
					t.Errorf("%s: UUID %s, want %s", r.Name, def.UUID, r.UUID)
				}
			} else {
				def = LookupMessage(d, r.System, *r.ID)
				if in06 := LookupMessage(V06, r.System, *r.ID); d == DDNet &&
					(in06 == def) != (r.Dialect == "0.6" || r.Name == "EX") {
					t.Errorf("%s: in 0.6: %t, the reference says %s", r.Name, in06 == def, r.Dialect)
				}
			}
			if def == nil {
				t.Errorf("%s is missing", r.Name)
				continue
			}
			seen[def] = true
			if from, ok := senders[strings.Join(r.Direction, " ")]; !ok || def.From != from {
				t.Errorf("%s: sent by %d, the reference says %v", r.Name, def.From, r.Direction)
			}
			if want := referenceKey(r); def.Key != want || def.System != r.System || def.Field.EngineName() != r.Constant {
				t.Errorf("%s: key %s, want %s; system %t; %s", r.Constant, def.Key, want, def.System, def.Field.EngineName())
			}
			compareFields(t, def.Key, r.Fields, def.Parts)
			for id, names := range r.ParamsByID {
				var n int
				fmt.Sscan(id, &n)
				var keys []string
				if meanings := def.Parts[1].Meanings; n < len(meanings) {
					for _, f := range meanings[n] {
						keys = append(keys, f.Key)
					}
				}
				if !slices.Equal(keys, names) {
					t.Errorf("GAMEMSG %d has %q, want %q", n, keys, names)
				}
			}
		}
		for _, def := range AllMessages(d) {
			if !seen[def] {
				t.Errorf("%s: the reference has no %s", d, def.Field.EngineName())
			}
		}
	}
}

// Every row of the tables of objects equals the reference.
func TestObjectTablesReference(t *testing.T) {
	t.Parallel()
	for name, ds := range map[string][]Dialect{"objects-0.7.json": {V07}, "objects-0.6.json": {V06, DDNet}} {
		var table struct{ Objects []referenceEntry }
		readReferenceTable(t, name, &table)
		seen := map[*Object]bool{LookupObject(ds[0], 0): true}
		for i := range table.Objects {
			r := &table.Objects[i]
			for _, d := range ds {
				var def *Object
				if r.UUID != "" {
					if def = LookupExtendedObject(UUIDOf(r.UUIDName)); def != nil && def.UUID.String() != r.UUID {
						t.Errorf("%s: UUID %s, want %s", r.Name, def.UUID, r.UUID)
					}
				} else {
					def = LookupObject(d, int(*r.ID))
				}
				if def == nil {
					t.Errorf("%s is missing", r.Name)
					continue
				}
				seen[def] = true
				if want := referenceKey(r); def.Key != want || def.Size != r.SizeInts {
					t.Errorf("%s: key %s, %d ints, want %s, %d", r.Constant, def.Key, def.Size, want, r.SizeInts)
				}
				if r.UUID == "" {
					if ints, ok := ObjectSize(d, int(*r.ID)); ok != r.StaticSize || ok && ints != r.SizeInts {
						t.Errorf("%s: %d ints without size: %t, want %d, %t", r.Name, ints, ok, r.SizeInts, r.StaticSize)
					}
				}
				compareFields(t, def.Key, r.Fields, def.Parts)
			}
		}
		for _, def := range Objects().ByID[ds[0]] {
			if def != nil && !seen[def] {
				t.Errorf("the reference has no %s", def.Field.EngineName())
			}
		}
	}
}

// referenceEnums returns which enumeration of the reference a table of names has, by dialect of the reference.
var referenceEnums = []struct {
	enum   *dissect.Enum
	names  string
	in     string
	family []Dialect
}{
	{&Teams, "TEAM", "0.7", []Dialect{V07, V06, DDNet}},
	{&Teams, "TEAM", "0.6", []Dialect{V07, V06, DDNet}},
	{&weapons, "WEAPON", "0.7", []Dialect{V07, V06, DDNet}},
	{&weapons, "WEAPON", "0.6", []Dialect{V07, V06, DDNet}},
	{&KillWeapons, "KILL_WEAPON", "0.7", []Dialect{V07}},
	{&KillWeapons, "KILL_WEAPON", "0.6", []Dialect{V06, DDNet}},
	{&killerTeams, "KILLER_TEAM", "0.7", []Dialect{V07}},
	{&KillFlags, "MODE_SPECIAL", "0.7", []Dialect{V07}},
	{&emotes, "EMOTE", "0.7", []Dialect{V07}},
	{&emotes, "EMOTE", "0.6", []Dialect{V06, DDNet}},
	{&emoticons, "EMOTICON", "0.7", []Dialect{V07}},
	{&emoticons, "EMOTICON", "0.6", []Dialect{V06, DDNet}},
	{&flagStates, "FLAG_STATE", "0.7", []Dialect{V07}},
	{&flagStates, "FLAG_STATE", "0.6", []Dialect{V06, DDNet}},
	{&hookStates, "HOOK_STATE", "0.7", []Dialect{V07}},
	{&hookStates, "HOOK_STATE", "0.6", []Dialect{V06, DDNet}},
	{&VoteChoices, "VOTE_CHOICE", "0.7", []Dialect{V07}},
	{&VoteChoices, "VOTE_CHOICE", "0.6", []Dialect{V06, DDNet}},
	{&Sounds, "SOUND", "0.7", []Dialect{V07}},
	{&Sounds, "SOUND", "0.6", []Dialect{V06, DDNet}},
	{&pickups, "PICKUP", "0.7", []Dialect{V07}},
	{&pickups, "POWERUP", "0.6", []Dialect{V06, DDNet}},
	{&ChatModes, "CHAT", "0.7", []Dialect{V07}},
	{&VoteTypes, "VOTE", "0.7", []Dialect{V07}},
	{&GameMsgs, "GAMEMSG", "0.7", []Dialect{V07}},
	{&specModes, "SPECMODE", "0.7", []Dialect{V07}},
	{&spectatorTargets, "SPEC", "ddnet", []Dialect{DDNet}},
	{&SkillLevels, "SERVERINFO_LEVEL", "0.7", []Dialect{V07}},
	{&PlayerTypes, "SERVERINFO_PLAYER_TYPE", "0.7", []Dialect{V07}},
	{&ServerFlags, "SERVERINFO_FLAG", "0.7", []Dialect{V07}},
	{&playerFlags, "PLAYERFLAG", "ddnet-0.7", []Dialect{V07}},
	{&playerFlags, "PLAYERFLAG", "0.6", []Dialect{V06, DDNet}},
	{&gameFlags, "GAMEFLAG", "0.7", []Dialect{V07}},
	{&gameFlags, "GAMEFLAG", "0.6", []Dialect{V06, DDNet}},
	{&gameStateFlags, "GAMESTATEFLAG", "0.7", []Dialect{V07}},
	{&gameStateFlags, "GAMESTATEFLAG", "0.6", []Dialect{V06, DDNet}},
	{&coreEvents, "COREEVENTFLAG", "0.7", []Dialect{V07}},
	{&raceFlags, "RACEFLAG", "0.7", []Dialect{V07}},
	{&authLevels, "AUTHED", "ddnet", []Dialect{V07, V06, DDNet}},
	{&entityClasses, "ENTITYCLASS", "ddnet", []Dialect{V07, V06, DDNet}},
	{&laserTypes, "LASERTYPE", "ddnet", []Dialect{V07, V06, DDNet}},
	{&draggerTypes, "LASERDRAGGERTYPE", "ddnet", []Dialect{V07, V06, DDNet}},
	{&gunTypes, "LASERGUNTYPE", "ddnet", []Dialect{V07, V06, DDNet}},
	{&SaveStates, "SAVESTATE", "ddnet", []Dialect{V07, V06, DDNet}},
	{&capabilityFlags, "SERVERCAPFLAG", "ddnet", []Dialect{V07, V06, DDNet}},
	{&characterFlags, "CHARACTERFLAG", "ddnet", []Dialect{V07, V06, DDNet}},
	{&exPlayerFlags, "EXPLAYERFLAG", "ddnet", []Dialect{V07, V06, DDNet}},
	{&gameInfoFlags, "GAMEINFOFLAG", "ddnet", []Dialect{V07, V06, DDNet}},
	{&gameInfoFlags2, "GAMEINFOFLAG2", "ddnet", []Dialect{V07, V06, DDNet}},
	{&projectileFlags, "PROJECTILEFLAG", "ddnet", []Dialect{V07, V06, DDNet}},
	{&legacyProjectileFlags, "LEGACYPROJECTILEFLAG", "ddnet", []Dialect{V07, V06, DDNet}},
	{&laserFlags, "LASERFLAG", "ddnet", []Dialect{V07, V06, DDNet}},
	{&pickupFlags, "PICKUPFLAG", "ddnet", []Dialect{V07, V06, DDNet}},
}

// otherEnums are the reference's enumerations without a table: of packets, whose flags and kinds are fields of their
// own; of arrays, whose elements have no names; of texts; and CHAT_TEAM, see ChatTeams.
var otherEnums = []string{"CTRLMSG", "PACKETFLAG", "CHUNKFLAG", "SKINPART", "SERVER_FLAG", "CHAT_TEAM"}

// Every name of the reference is in its table, and nothing else.
func TestEnumsReference(t *testing.T) {
	t.Parallel()
	var reference map[string]struct{ Enums, Flags map[string]map[string]int64 }
	readReferenceTable(t, "enums.json", &reference)
	used := map[string]bool{}
	for _, e := range referenceEnums {
		names := reference[e.in].Enums[e.names]
		if e.enum.Mask {
			names = reference[e.in].Flags[e.names]
		}
		if len(names) == 0 {
			t.Fatalf("the reference has no %s in %s", e.names, e.in)
		}
		used[e.names] = true
		for _, d := range e.family {
			count := 0
			for _, name := range e.enum.Tables[d] {
				if name != "" {
					count++
				}
			}
			for name, v := range names {
				index := v
				if e.enum.Mask {
					for index = 0; 1<<index != v; index++ {
					}
				}
				count--
				if got := e.enum.Name(uint8(d), uint64(index)); got != strings.ToLower(name) {
					t.Errorf("%s %s: %d is %q, want %s", e.names, d, v, got, name)
				}
			}
			if count != 0 {
				t.Errorf("%s %s: %d names more than the reference has", e.names, d, count)
			}
		}
	}
	for d, lists := range reference {
		for _, list := range []map[string]map[string]int64{lists.Enums, lists.Flags} {
			for name := range list {
				if !used[name] && !slices.Contains(otherEnums, name) {
					t.Errorf("%s of %s has no table", name, d)
				}
			}
		}
	}
}
