package token

import (
	"bytes"
	"fmt"
	"net/netip"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
)

// What servers print has words before infostrings, and several of them in lines.
func TestPersonals(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		`\name\Lab\password\abc\rate\25000`:                    {"2 Lab", "4 abc"},
		`n\Lab\t\0`:                                            {"2 Lab"},
		`print "Userinfo: \cl_guid\0123ABCD\name\Lab"`:         {"3 0123ABCD", "2 Lab"},
		"ClientConnect: 1\nClientUserinfoChanged: 1 n\\Lab\\t": {"2 Lab"},
		"n\\One\\t\\0\nx 1 n\\Two\\t\\1\n":                     {"2 One", "2 Two"},
		`say "\o/ hello"`:                                      nil,
		"name":                                                 nil,
		"":                                                     nil,
	} {
		var got []string
		Personals([]byte(text), func(p dissect.Personal, value []byte) { got = append(got, fmt.Sprintf("%d %s", p, value)) })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// marked writes what is replaced as the letter of the reason: X for values of unknown meaning, S for secrets, G for
// identifiers, N for names, T for texts, C for chat. Texts of one word are kept if they are in lower case.
type marked struct{}

func (marked) AppendText(dst, text []byte) []byte {
	if bytes.Equal(text, bytes.ToLower(text)) {
		return append(dst, text...)
	}
	return append(dst, 'T')
}

func (marked) AppendHarmless(dst, text []byte) []byte { return append(dst, text...) }

func (marked) AppendChat(dst, _ []byte) []byte { return append(dst, 'C') }

func (marked) AppendFile(dst, part []byte) []byte { return append(dst, part...) }

func (marked) AppendPersonal(dst []byte, p dissect.Personal, _ []byte) []byte {
	return append(dst, "?XNGS"[p])
}

func (marked) Addr(a netip.Addr) netip.Addr { return a }

// What is not known to be harmless is replaced, whatever it is.
func TestAppendRewritten(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{`rcon pw status`, `rcon S status`},
		{`rcon my pw status`, `rcon S S S`},
		{`rcon"pw" status`, `rcon"S" status`},
		{`rcon/**/pw x`, `rconS S`},
		{`rconrecovery pw`, `rconrecovery S`},
		{`set masterPassword pw`, `setT S`},
		{`say "Hello"`, `sayC`},
		{`chat "Lab: Hello"`, `chatC`},
		{`dmmessage -1 Hello`, `dmmessage -1C`},
		{`dmmessage`, `dmmessageC`},
		{"print \"\x02(team) Lab: Hello\n\"\n", "print \"\x02(teamC"},
		{"print \"\x02Lab: (hello) there\n\"\n", "print \"\x02C"},
		{"print \"\x02console: Hello\n\"", "print \"\x02console:C"},
		{"print \"\x02\"", "print \"\x02C"},
		{"print \"\x04Lab was shot by Bob\n\"", "print \"T\n\""},
		{`printdeathmsg "was shot by" "x" "Bob" "Lab" P`, `printdeathmsg "was shot by" "x" "T" "T"T`},
		{`userinfo "\name\Lab\rate\25000\ETGUID\AB\Unkey\Value\snaps\40"`, `userinfo "\name\N\rate\25000\ETGUID\G\X\X\snaps\40"`},
		{`cs 0 "\sv_hostname\Lab\mapname\Q3DM6\masterpassword\x\authl\x\nxmac\x\qkey\x"`, `cs 0 "\sv_hostname\X\mapname\Q3DM6\masterpassword\S\authl\S\nxmac\S\qkey\G"`},
		{`cs 0 "\snaps\12345678901234567\rate\0123456789abcdefABCDEF0123456789"`, `cs 0 "\snaps\G\rate\G"`},
		{`n\Lab\t\0`, `n\N\t\0`},
		{`bcs1 1 "1\sv_pure\1\sv_serverid\7\Foo\Bar"`, `bcs1 1 "X\sv_pure\1\sv_serverid\7\X\X"`},
		{`bcs1 1 "\sv_pure\1\password\x"`, `bcs1 1 "\sv_pure\1\password\S"`},
		{"print\n\"rconPassword\" is:\"x y\" default:\"\"\nfine\n", "print\n\"T\" is:\"S S\" S\"\"\nfine\n"},
		{`Unknown "Things"`, `T "T"`},
		{"", ""},
	} {
		if got := string(AppendRewrittenCommand(nil, []byte(test.text), marked{})); got != test.want {
			t.Errorf("%s: %s, want %s", test.text, got, test.want)
		}
	}
}

// The tables are what ioquake3 and the original engine of Enemy Territory print.
func TestStatusNames(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"map: aggressor\ncl score ping name            address                                 rate \n" +
			"-- ----- ---- --------------- --------------------------------------- -----\n" +
			" 0     3    0 Sarge           ^7bot                                     16384\n" +
			" 3     0    0 ^3Lab^5Beta         ^7127.0.0.1                               99999\n\nover": {
			"Sarge",
			"^3Lab^5Beta",
		},
		"num score ping name                                lastmsg address               qport rate  lastConnectTime\n" +
			"--- ----- ---- ----------------------------------- ------- --------------------- ----- ----- ---------------\n" +
			"  1     0    0 Lab Two^7                                   0 127.0.0.1:41966        6966 99999 17050\n": {"Lab Two"},
		"no table": nil,
	} {
		var got []string
		StatusNames([]byte(text), func(name []byte) { got = append(got, string(name)) })
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A server's voice message to a player has numbers and the name of a sound, which stay; what a client says is chat.
func TestVoice(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"vtell 0 1 54 death_insult": true, "vtell 3 hello there you": false, "vtell 3 taunt": false, "vtell 1 2 3 4 5": false,
		"tell 0 1 54 death_insult": false,
	} {
		var w Words
		w.Split([]byte(text))
		if got := isVoice(&w); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
