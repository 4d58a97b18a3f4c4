package filter

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
)

func fakes() []dissect.Protocol { return []dissect.Protocol{&fake{"fake"}} }

// What filters say of the fake record.
var goodFilters = []struct {
	filter string
	want   bool
}{
	// Numbers, signs and words.
	{`frame == 26`, true},
	{`frame eq 26`, true},
	{`frame != 26`, false},
	{`frame ne 27`, true},
	{`frame > 25`, true},
	{`frame gt 26`, false},
	{`frame >= 26`, true},
	{`frame ge 27`, false},
	{`frame < 27`, true},
	{`frame lt 26`, false},
	{`frame <= 26`, true},
	{`frame le 25`, false},
	{`26 == frame`, true},
	{`25 < frame`, true},
	{`27 <= frame`, false},
	{`20 < frame < 30`, true},
	{`20 < frame < 25`, false},
	{`frame == 0x1a`, true},
	{`frame == 032`, true},
	{`frame == 0b11010`, true},
	{`frame == 26.0`, true},
	{`frame > 25.5`, true},
	{`frame == 2.6e1`, true},
	{`fake.wide == 9223372036854775813`, true},
	{`fake.wide > 9223372036854775807`, true},
	{`fake.wide > -1`, true},
	{`fake.float == 193.43411`, true},
	{`fake.float > 193.43411`, false},
	{`fake.float >= 193.43411`, true},
	{`fake.float < 193.434111`, true},
	{`fake.float > 193.434109`, true},
	{`fake.float != nan and fake.float < inf`, true},
	{`fake.flag == true`, true},
	{`fake.flag == 0`, false},
	{`fake.flag != FALSE`, true},
	{`fake.version == 'D'`, true},

	// Presence.
	{`fake`, true},
	{`fake.missing`, false},
	{`not fake.missing`, true},
	{`fake.empty`, true},
	{`fake.ops.shoot`, true},
	{`fake.stats.7`, true},
	{`fake.stats.8`, false},
	{`fake.info.hostname`, true},
	{`fake.info.nobody`, false},
	{`captured_length`, true},
	{`ip_fragments`, false},
	{`demo_message`, false},
	{`file`, false},
	{`expert`, true},
	{`link`, true},
	{`fake.missing == 0`, false},
	{`fake.missing != 0`, false},
	{`fake.text_raw`, false},
	{`fake.odd_raw`, true},
	{`fake.info_raw`, true},
	{`fake.infos_raw`, false},

	// Arrays: any value, but != and all every value.
	{`fake.numbers == 10`, true},
	{`fake.numbers != 10`, false},
	{`fake.numbers != 11`, true},
	{`fake.numbers === 10`, false},
	{`fake.numbers all_eq 10`, false},
	{`fake.numbers !== 10`, true},
	{`fake.numbers any_ne 10`, true},
	{`fake.numbers ~= 10`, true},
	{`any fake.numbers > 15`, true},
	{`all fake.numbers > 15`, false},
	{`all fake.numbers >= -5`, true},
	{`all fake.empty > 0`, false},
	{`any fake.numbers != 10`, true},
	{`all fake.numbers != 11`, true},
	{`all fake.numbers in {-5, 10..20}`, true},
	{`fake.ops.move.x == 7`, true},
	{`fake.ops.move.x == fake.ops.move.y`, true},
	{`all fake.ops.move.x == fake.ops.move.y`, false},
	{`fake.ops.move.x < fake.ops.move.y`, true},
	{`fake.stats.* == 3`, true},
	{`fake.stats.0 == 3`, false},
	{`fake.infos.a == "2"`, true},
	{`all fake.infos.a == "2"`, false},

	// Text.
	{`fake.text == "Hello World"`, true},
	{`fake.text == "hello world"`, false},
	{`lower(fake.text) == "hello world"`, true},
	{`upper(fake.text) contains "WORLD"`, true},
	{`fake.text contains "lo W"`, true},
	{`fake.text contains lo`, true},
	{`fake.text matches "^hello\\b"`, true},
	{`fake.text ~ r"o\s+w"`, true},
	{`fake.text matches "(?-i)hello"`, false},
	{`fake.words == two`, true},
	{`fake.words contains "re"`, true},
	{`len(fake.text) == 11`, true},
	{`len(fake.words) == 5`, true},
	{`fake.text[0:5] == "Hello"`, true},
	{`fake.text[6-10] == "World"`, true},
	{`fake.text[-5:] == "World"`, true},
	{`fake.text[:5] == "Hello"`, true},
	{`fake.text[4] == "o"`, true},
	{`fake.text[-1] == "d"`, true},
	{`fake.text[0,6] == "HW"`, true},
	{`fake.text[0:99] == "Hello"`, false},
	{`fake.text > "Hallo"`, true},
	{`"Hello World" == fake.text`, true},
	{`fake.odd == "na\u00efve"`, true},
	{`fake.odd_raw == 6e:61:ef:76:65`, true},
	{`info contains "2 things"`, true},
	{`info contains "\x19"`, true},
	{`fake.info.hostname == "lab"`, true},
	{`fake.info.n == x`, true},
	{`fake.info.n == y`, false},
	{`fake.info.* == "lab"`, true},
	{`fake.info.* == "y"`, false},

	// Bytes.
	{`fake.bytes == fe:ff:47:45:54`, true},
	{`fake.bytes == feff474554`, true},
	{`fake.bytes == fe-ff-47-45-54`, true},
	{`fake.bytes contains ff:47`, true},
	{`fake.bytes contains "GET"`, true},
	{`fake.bytes[0:2] == feff`, true},
	{`fake.bytes[2:] == "GET"`, true},
	{`fake.bytes[0] > f0`, true},
	{`fake.bytes matches "g.t"`, true},
	{`len(fake.bytes) > 4`, true},

	// Names.
	{`fake.ops.shoot.weapon == rocket_launcher`, true},
	{`fake.ops.shoot.weapon == "rocket_launcher"`, true},
	{`fake.ops.shoot.weapon != gauntlet`, true},
	{`fake.ops.shoot.weapon == 5`, true},
	{`fake.ops.shoot.weapon in {gauntlet, rocket_launcher}`, true},
	{`fake.ops.shoot.weapon in {1..3, shield}`, false},
	{`fake.ops.shoot.weapon_name contains "rocket"`, true},
	{`fake.mask == ducked`, true},
	{`fake.mask == dead`, true},
	{`fake.mask != dead`, false},
	{`fake.mask == 13`, true},
	{`fake.mask_names == "0x8"`, true},
	{`fake.mask & 4`, true},
	{`fake.mask & 2`, false},
	{`fake.mask bitand 2`, false},

	// Addresses, ports and the rest of the common part.
	{`src == 10.1.2.3`, true},
	{`src == 10.0.0.0/8`, true},
	{`src != 10.0.0.0/8`, false},
	{`src == 11.0.0.0/8`, false},
	{`dst == 2001:db8::/32`, true},
	{`dst == 2001:DB8::7`, true},
	{`src in {192.168.0.0/16, 10.1.2.0/24}`, true},
	{`src in {10.1.2.1..10.1.2.9}`, true},
	{`src < 10.1.2.4`, true},
	{`dst == ::1`, false},
	{`ip.addr == 2001:db8::7`, true},
	{`ip.addr != 10.1.2.3`, false},
	{`udp.port in {27965}`, true},
	{`udp.srcport == 27960 and frame.number == 26`, true},
	{`src_port in {1, 2, 27950..27969}`, true},
	{`src_port not in {1, 2}`, true},
	{`src_port in {27960}`, true},
	{`protocol == fake`, true},
	{`direction == server_to_client`, true},
	{`stream == 3 && length > 100`, true},
	{`captured_length < length`, true},
	{`link.vlan == 7 and link.interface == "eth0"`, true},
	{`expert.severity >= warning`, true},
	{`expert.severity == error`, false},
	{`expert.code == "fragment_lost"`, true},
	{`expert.code == fragment_lost`, true},
	{`expert.field contains "text"`, true},

	// Times.
	{`time > "2026-11-21 07:11:46"`, true},
	{`time == "2026-11-21 07:11:46.447123"`, true},
	{`time < 2026-11-21T07:11:47Z`, true},
	{`time < 2026-11-21T08:11:47+02:00`, false},
	{`time >= 2026-11-21 and time < 2026-11-22`, true},
	{`frame.time > "Nov 21, 2026 07:11:46"`, true},
	{`time_epoch == 1795245106.447123`, true},
	{`time_epoch > 1795245106.4471229999`, true},
	{`time_relative < 0.3`, true},
	{`time_relative == 0.215361`, true},
	{`time_relative < 300ms`, true},
	{`time_relative > 1m`, false},
	{`fake.wait == 1.5s`, true},
	{`fake.wait > 2s`, false},

	// Functions and arithmetic.
	{`count(fake.numbers) == 3`, true},
	{`count(fake.ops) == 3`, true},
	{`count(fake.ops.move) == 2`, true},
	{`count(fake.missing) == 0`, true},
	{`count(fake.empty) == 0`, true},
	{`count(expert) == 2`, true},
	{`abs(fake.numbers) == 5`, true},
	{`abs(fake.stats.0) == 125`, true},
	{`length - captured_length == 18`, true},
	{`length % 10 == 8 and length / 10 == 11 and length * 2 == 236`, true},
	{`(length + 2) / 4 == 30`, true},
	{`-frame == -26`, true},
	{`fake.float * 2 > 386.8`, true},
	{`length / (frame - 26) == 0`, false},

	// Joining.
	{`frame == 1 or frame == 26`, true},
	{`frame == 1 || frame == 2 || frame == 26`, true},
	{`frame == 26 xor length == 118`, false},
	{`frame == 26 ^^ length == 1`, true},
	{`not frame == 1 and length == 118`, true},
	{`!(frame == 26 and length == 118)`, false},
	{`frame == 26 or frame == 1 and length == 0`, true},
	{`(frame == 26 or frame == 1) and length == 0`, false},
	{`not not fake`, true},
}

func TestFilters(t *testing.T) {
	t.Parallel()
	names := Records(fakes())
	for _, tt := range goodFilters {
		f, err := names.Compile(tt.filter)
		if err != nil {
			t.Errorf("%s: %v", tt.filter, err)
			continue
		}
		m, rec := f.Matcher(), fakeRecord()
		for range 2 { // a matcher is used again
			if got := m.Match(rec); got != tt.want {
				t.Errorf("%s: %v, want %v", tt.filter, got, tt.want)
			}
		}
	}
}

// Filters that mean nothing, with the place and a part of the message.
var badFilters = []struct {
	filter  string
	column  int
	to      int // columns, after the last one that is wrong
	message string
}{
	{``, 1, 1, "empty"},
	{`   `, 1, 1, "empty"},
	{`lenght > 5`, 1, 7, "did you mean length?"},
	{`frame == 1 and fake.verson == 3`, 16, 27, "did you mean fake.version?"},
	{`weapon == 5`, 1, 7, "did you mean fake.ops.shoot.weapon?"},
	{`nosuchthing`, 1, 12, "no field is called nosuchthing"},
	{`fake.numbers.x == 1`, 1, 15, "no field is called fake.numbers.x"},
	{`fake.stats.x`, 1, 13, "no field is called fake.stats.x"},
	{`positions`, 1, 10, "only in JSON"},
	{`frame = 5`, 7, 8, "== compares"},
	{`frame == 5 | frame == 6`, 12, 13, "||"},
	{`frame == `, 10, 10, "ends where"},
	{`== 5`, 1, 3, "should stand here"},
	{`frame == 5 and`, 15, 15, "ends where"},
	{`frame == 5 frame == 6`, 12, 17, "missing before frame"},
	{`(frame == 5`, 12, 12, "no )"},
	{`frame == 5)`, 11, 12, "no ( for this )"},
	{`frame == "5`, 10, 12, "no closing quote"},
	{`fake.text == r"x`, 14, 17, "no closing quote"},
	{`fake.text == "\q"`, 15, 17, "no such escape"},
	{`fake.text == 'ab'`, 14, 15, "one character"},
	{`fake.text[0 == 1`, 10, 11, "no ]"},
	{`fake.text[x] == "a"`, 10, 13, "a slice is"},
	{`fake.text[3-1] == "a"`, 10, 15, "a slice is"},
	{`fake.text[1:0] == "a"`, 10, 15, "a slice is"},
	{`frame[0] == 1`, 1, 6, "a slice is cut out of text or bytes"},
	{`frame == abc`, 10, 13, "abc is not a number"},
	{`frame == "26"`, 10, 14, "a number should stand here"},
	{`frame == 1.2.3`, 10, 15, "not a number"},
	{`frame == 10.0.0.1`, 10, 18, "not a number"},
	{`frame == 5s`, 10, 12, "duration"},
	{`frame == 99999999999999999999999x`, 10, 34, "not a number"},
	{`frame contains "2"`, 1, 6, "contains looks at text or bytes"},
	{`frame matches "2"`, 1, 6, "matches looks at text or bytes"},
	{`fake.text matches "("`, 19, 22, "missing closing )"},
	{`fake.text matches abc`, 19, 22, "stands in quotes"},
	{`fake.text matches fake.text`, 19, 28, "a constant in quotes"},
	{`fake.text > 5`, 13, 14, "is a number"},
	{`fake.text == fake.version`, 14, 26, "this is a number and compared with text"},
	{`fake.text == fake.txt`, 14, 22, "did you mean fake.text?"},
	{`fake.text == other.name`, 14, 24, "other.name"},
	{`fake.flag == 2`, 14, 15, "neither true nor false"},
	{`fake.flag == "true"`, 14, 20, "without quotes"},
	{`fake.flag > false`, 1, 10, "no order"},
	{`fake.bytes == "feff"`, 15, 21, "without quotes it is the bytes"},
	{`fake.bytes == fff`, 15, 18, "not bytes"},
	{`fake.bytes == 5 and frame`, 15, 16, "not bytes"},
	{`fake.ops == 5`, 1, 9, "an object"},
	{`fake == 68`, 1, 5, "an object"},
	{`fake.ops.move.x == fake.ops`, 20, 28, "an object"},
	{`fake.ops in {1}`, 1, 9, "object"},
	{`fake.ops.shoot.weapon == rocket_lancher`, 26, 40, "did you mean rocket_launcher?"},
	{`fake.ops.shoot.weapon == bfg`, 26, 29, "there are gauntlet, rocket_launcher, shield"},
	{`fake.ops.shoot.weapon == ""`, 26, 28, "no value of"},
	{`fake.ops.shoot.weapon > gauntlet`, 25, 33, "names have no order"},
	{`fake.ops.shoot.weapon in {gauntlet..shield}`, 37, 43, "no range of them"},
	{`abs(fake.ops.shoot.weapon) == gauntlet`, 31, 39, "not a number"},
	{`src == 10.0.0`, 8, 14, "not an IP address"},
	{`src == example`, 8, 15, "names are not looked up"},
	{`src == 10.0.0.0/33`, 8, 19, "prefix"},
	{`src == 10.0.0.1:27960`, 8, 22, "src_port"},
	{`src contains "10."`, 1, 4, "contains looks at text or bytes"},
	{`src > 10.0.0.0/8`, 7, 17, "== and != compare"},
	{`src in {10.0.0.0/8..11.0.0.0/8}`, 21, 31, "not between prefixes"},
	{`direction == up`, 14, 16, "client_to_server, server_to_client"},
	{`direction > server_to_client`, 1, 10, "have no order"},
	{`protocol == "fakes"`, 13, 20, "did you mean fake?"},
	{`expert.severity > bad`, 19, 22, "none of note, warning, error"},
	{`time > "yesterday"`, 8, 19, "not a time"},
	{`time > "1500-01-01"`, 8, 20, "outside the years"},
	{`time > "2026-11-21 07:11:46 CEST"`, 8, 34, "zone CEST"},
	{`src_port in 5`, 13, 14, "needs a set"},
	{`src_port in {5 6}`, 16, 17, "a comma separates"},
	{`src_port in {5, `, 17, 17, "ends where"},
	{`src_port in {9..5}`, 17, 18, "ends before it begins"},
	{`src_port in {}`, 14, 15, "should stand here"},
	{`len(frame) > 5`, 5, 10, "len takes text"},
	{`lower(fake.bytes) == "x"`, 7, 17, "lower takes text"},
	{`size(fake.text) > 5`, 1, 5, "no function is called size"},
	{`len(fake.text, fake.text) > 5`, 1, 26, "takes one field"},
	{`len(fake.text > 5`, 15, 16, "no ) for the ( of len"},
	{`len(fake.text)`, 1, 15, "no condition"},
	{`count("x") == 1`, 7, 10, "not a constant"},
	{`5`, 1, 2, "a constant is no condition"},
	{`"text"`, 1, 7, "a constant is no condition"},
	{`5 == 5`, 1, 7, "two constants"},
	{`any frame`, 1, 4, "stand before a test"},
	{`length + fake.text > 5`, 10, 19, "a number should stand here"},
	{`length + "5" > 5`, 10, 13, "a number should stand here"},
	{`"abc" contains info`, 1, 6, "has to be a field"},
	{`frame == 5 ; drop`, 12, 13, "has no meaning"},
	{`info contains “x”`, 15, 16, "quotation mark"},
	{`not`, 4, 4, "ends where"},
	{`frame == ==`, 10, 12, "should stand here"},
}

func TestBadFilters(t *testing.T) {
	t.Parallel()
	names := Records(fakes())
	for _, tt := range badFilters {
		_, err := names.Compile(tt.filter)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: no *Error but %v", tt.filter, err)
			continue
		}
		to := e.Column() + len([]rune(tt.filter[e.From:e.To]))
		if e.Column() != tt.column || to != tt.to || !strings.Contains(e.Message, tt.message) {
			t.Errorf("%s: columns %d to %d, want %d to %d: %s (want %q)", tt.filter, e.Column(), to, tt.column, tt.to, e.Message, tt.message)
		}
	}
	if n := len(goodFilters) + len(badFilters); n < 150 {
		t.Errorf("%d rows", n)
	}
	deep := strings.Repeat("(", 300) + "frame" + strings.Repeat(")", 300)
	for _, filter := range []string{deep, strings.Repeat("!", 300) + "frame", "frame == " + strings.Repeat("-", 300) + "1", strings.Repeat("x", 70000)} {
		if _, err := names.Compile(filter); err == nil {
			t.Errorf("%.20s...: no error", filter)
		}
	}
}

func TestExcerpt(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		filter   string
		from, to int
		text     string
		carets   string
	}{
		{"lenght > 5", 0, 6, "lenght > 5", "^^^^^^"},
		{"frame\x1b", 5, 6, "frame ", "     ^"},
		{"a == ü and b", 9, 12, "a == ü and b", "        ^^^"},
		{"0123456789abcdefghijklmnopqrstuvwxyz", 30, 33, "…hijklmnopqrstuvwxyz", "             ^^^^^"[:13] + "^^^^^"[:0] + " ^^^"},
		{"0123456789abcdefghijklmnopqrstuvwxyz", 2, 4, "0123456789abcdefghi…", "  ^^"},
		{"", 0, 0, "", "^"},
	} {
		e := &Error{Filter: tt.filter, From: tt.from, To: tt.to}
		text, carets := e.Excerpt(20)
		if text != tt.text || carets != tt.carets {
			t.Errorf("%q: got\n%s|\n%s|\nwant\n%s|\n%s|", tt.filter, text, carets, tt.text, tt.carets)
		}
	}
}

func TestEvents(t *testing.T) {
	t.Parallel()
	names, rec := Events(fakes()), fakeRecord()
	for filter, want := range map[string][]bool{
		`event == kill`:                         {true, false},
		`event == chat and text contains "gg"`:  {false, true},
		`server_time > 7s`:                      {false, true},
		`weapon == gauntlet`:                    {true, false},
		`not text`:                              {true, false},
		`stream == 3`:                           {true, true},
		`info contains "Ann" and frame == 26`:   {true, true},
		`src == 10.0.0.0/8 and weapon_name`:     {true, false},
		`direction == client_to_server or text`: {false, true},
	} {
		f, err := names.Compile(filter)
		if err != nil {
			t.Errorf("%s: %v", filter, err)
			continue
		}
		var got []bool
		m := f.Matcher()
		for i := 0; i < len(rec.Events.Nodes); i = int(rec.Events.Nodes[i].End) {
			got = append(got, m.MatchEvent(rec, i))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", filter, diff)
		}
	}
	for _, filter := range []string{"length > 5", "expert.code == x", "fake.version == 68", "link.ttl == 64"} {
		if _, err := names.Compile(filter); err == nil {
			t.Errorf("%s: no error", filter)
		}
	}
}

// Evaluating allocates nothing.
func TestMatchAllocatesNothing(t *testing.T) {
	names, rec := Records(fakes()), fakeRecord()
	for _, filter := range []string{
		`fake.ops.shoot.weapon == gauntlet`, `src == 10.0.0.0/8 and fake.text contains "x"`, `fake.numbers in {1, 2, 5..9}`,
		`info contains "nothing"`, `fake.ops.move.x == fake.ops.move.y and frame == 1`, `fake.float == 5.5 or fake.info.hostname == "x"`,
		`fake.text[0:3] == "abc"`, `count(fake.numbers) > 9`, `protocol == fake and direction == client_to_server`, `fake.text matches "^x.*y$"`,
	} {
		f, err := names.Compile(filter)
		if err != nil {
			t.Fatal(err)
		}
		m := f.Matcher()
		if n := testing.AllocsPerRun(100, func() { m.Match(rec) }); n > 0 {
			t.Errorf("%s: %v allocations", filter, n)
		}
	}
}

func FuzzCompile(f *testing.F) {
	for _, tt := range goodFilters {
		f.Add(tt.filter)
	}
	for _, tt := range badFilters {
		f.Add(tt.filter)
	}
	names, rec := Records(fakes()), fakeRecord()
	f.Fuzz(func(t *testing.T, filter string) {
		compiled, err := names.Compile(filter)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Filter != filter || e.From < 0 || e.To < e.From || e.To > len(filter) || e.Message == "" {
				t.Fatalf("error %#v", err)
			}
			e.Excerpt(40)
			return
		}
		m := compiled.Matcher()
		holds := m.Match(rec)
		opposite, err := names.Compile("not (" + filter + ")")
		if err != nil {
			t.Skip("longer or deeper than filters may be")
		}
		if opposite.Matcher().Match(rec) == holds {
			t.Fatal("it holds, and so does its opposite")
		}
		// What is decided early is what comes out.
		if before := compiled.Before(); before != nil {
			fate := before(&dissect.Routed{
				Packet: &rec.Packet, FirstTime: rec.FirstTime, Protocol: rec.Protocol, Stream: rec.Stream, First: true, Direction: rec.Direction,
			})
			if holds && fate != dissect.Shown {
				t.Fatal("it holds, and was left out")
			}
		}
	})
}
