package secret

import (
	"slices"
	"testing"
)

func TestMask(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ line, want string }{
		{"say password hunter2", "say password hunter2"},
		{"", ""},
		{"rcon", "rcon"},
		{"Rcon right secret status", "Rcon ********"},
		{"rconaddress 1.2.3.4", "rconaddress 1.2.3.4"},
		{"login bob hunter2", "login ********"},
		{`set rconPassword "right secret"`, "set rconPassword ********"},
		{"sets  g_password x; map q3dm6", "sets  g_password ********"},
		{"set name x", "set name x"},
		{"g_password hunter2", "g_password ********"},
		{`userinfo "\name\x\password\hunter2\rate\5"`, `userinfo "\name\x\password\********\rate\5"`},
		{`cs 0 "\sv_hostname\x\g_password\hunter2"`, `cs 0 "\sv_hostname\x\g_password\********"`},
		{`userinfo "\password\"`, `userinfo "\password\"`},
		{`userinfo "\passwords\hunter2"`, `userinfo "\passwords\hunter2"`},
		{`rcon"hunter2" status`, `rcon********`},
		{`rcon/**/hunter2 status`, `rcon********`},
		{"rcon\thunter2", "rcon\t********"},
		{`rcon//hunter2`, `rcon********`},
		{`rconrecovery hunter2`, `rconrecovery ********`},
		{`RCONRecovery hunter2`, `RCONRecovery ********`},
		{`status; rconPassword hunter2`, `status; rconPassword ********`},
		{`echo "a;b" ; rcon hunter2`, `echo "a;b" ; rcon ********`},
		{`set "refereepassword" hunter2`, `set "refereepassword" ********`},
		{`callvote g_password hunter2`, `callvote g_password ********`},
		{`cs 0 "\masterPassword\hunter2\g_needpass\1"`, `cs 0 "\masterPassword\********\g_needpass\1"`},
		{`cs 0 "\authl\hunter2\nxmac\00:11"`, `cs 0 "\authl\********\nxmac\********"`},
		{"print\n\"rconPassword\" is:\"hunter2^7\" default:\"^7\"\n", "print\n\"rconPassword\" is:********\n"},
		{"print \"  R     rconPassword 'x'\"", "print \"  R     rconPassword 'x'\""},
		{"print\n    R     rconPassword \"hunter2\"\n    A  name \"x\"\n", "print\n    R     rconPassword \"********\n    A  name \"x\"\n"},
		{"print \"Invalid password\n\"", "print \"Invalid password\n\""},
		{`compass 5`, `compass 5`},
	} {
		if got := string(Mask([]byte(test.line))); got != test.want {
			t.Errorf("%s: %s, want %s", test.line, got, test.want)
		}
	}
}

// In an infostring keys and values take turns: a player called password has no secret in the value after the name.
func TestInfoSpans(t *testing.T) {
	t.Parallel()
	for info, want := range map[string][]string{
		`n\goodpassword\t\0`:                       nil,
		`\name\password\rate\25000`:                nil,
		`\name\x\password\hunter2\rate\25000`:      {"hunter2"},
		`name\x\cl_passwd\hunter2`:                 {"hunter2"},
		`\password\\name\x`:                        nil,
		`\password`:                                nil,
		`\a\b\masterpassword\one\RconPassword\two`: {"one", "two"},
	} {
		var got []string
		for _, s := range AppendInfoSpans(nil, []byte(info)) {
			got = append(got, info[s.From:s.To])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", info, got, want)
		}
	}
}
