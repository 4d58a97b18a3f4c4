package token

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
)

// What servers print has words before infostrings, and several of them in lines.
func TestPersonals(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		`\name\Lab\password\abc\rate\25000`:                    {"1 Lab", "3 abc"},
		`n\Lab\t\0`:                                            {"1 Lab"},
		`print "Userinfo: \cl_guid\0123ABCD\name\Lab"`:         {"2 0123ABCD", "1 Lab"},
		"ClientConnect: 1\nClientUserinfoChanged: 1 n\\Lab\\t": {"1 Lab"},
		"n\\One\\t\\0\nx 1 n\\Two\\t\\1\n":                     {"1 One", "1 Two"},
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

// The tables are what ioquake3 and the original engine of Enemy Territory print.
func TestStatusNames(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"map: aggressor\ncl score ping name            address                                 rate \n" +
			"-- ----- ---- --------------- --------------------------------------- -----\n" +
			" 0     3    0 Sarge           ^7bot                                     16384\n" +
			" 3     0    0 ^3Lab^5Beta         ^7127.0.0.1                               99999\n\nover": {"Sarge", "^3Lab^5Beta"},
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
