package filter

import (
	"errors"
	"strings"
	"testing"
)

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
	{`Frame.Len > 5`, 1, 10, "did you mean frame.len?"},
	{`UDP.stream == 5`, 1, 11, "did you mean stream?"},
	{`max(1, 2) > 5`, 1, 10, "max takes fields that are numbers"},
	{`min(frame, fake.text) > 5`, 12, 21, "a number is expected here"},
	{`string(fake) == "a"`, 8, 12, "string takes a number"},
	{`frame == 1 and fake.verson == 3`, 16, 27, "did you mean fake.version?"},
	{`weapon == 5`, 1, 7, "did you mean fake.ops.shoot.weapon?"},
	{`nosuchthing`, 1, 12, "unknown field nosuchthing"},
	{`fake.numbers.x == 1`, 1, 15, "unknown field fake.numbers.x"},
	{`fake.stats.x`, 1, 13, "unknown field fake.stats.x"},
	{`positions`, 1, 10, "only in JSON"},
	{`frame = 5`, 7, 8, "== compares"},
	{`frame == 5 | frame == 6`, 12, 13, "||"},
	{`frame == `, 10, 10, "ends where"},
	{`== 5`, 1, 3, "is expected here"},
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
	{`frame == "26"`, 10, 14, "a number is expected here"},
	{`frame == 1.2.3`, 10, 15, "not a number"},
	{`frame == 10.0.0.1`, 10, 18, "not a number"},
	{`frame == 5s`, 10, 12, "duration"},
	{`frame == 0:05`, 10, 14, "duration"},
	{`frame == 99999999999999999999999x`, 10, 34, "not a number"},
	{`frame contains "2"`, 1, 6, "contains looks at text or bytes"},
	{`frame matches "2"`, 1, 6, "matches looks at text or bytes"},
	{`frame contains "get"`, 1, 6, "udp.payload has the bytes"},
	{`tcp.port == 80`, 1, 9, "records are UDP datagrams of games"},
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
	{`src_port in {}`, 14, 15, "is expected here"},
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
	{`length + fake.text > 5`, 10, 19, "a number is expected here"},
	{`length + "5" > 5`, 10, 13, "a number is expected here"},
	{`"abc" contains info`, 1, 6, "has to be a field"},
	{`frame == 5 ; drop`, 12, 13, "has no meaning"},
	{`info contains “x”`, 15, 16, "quotation mark"},
	{`not`, 4, 4, "ends where"},
	{`frame == ==`, 10, 12, "is expected here"},
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
			t.Errorf("%s: columns %d to %d, want %d to %d: %s (want %q)", tt.filter, e.Column(), to, tt.column,
				tt.to, e.Message, tt.message)
		}
	}
	if n := len(goodFilters) + len(badFilters); n < 150 {
		t.Errorf("%d rows", n)
	}
	deep := strings.Repeat("(", 300) + "frame" + strings.Repeat(")", 300)
	for _, filter := range []string{
		deep, strings.Repeat("!", 300) + "frame", "frame == " + strings.Repeat("-", 300) + "1",
		strings.Repeat("x", 70000),
	} {
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
		{"0123456789abcdefghijklmnopqrstuvwxyz", 30, 33, "…hijklmnopqrstuvwxyz", "              ^^^"},
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
