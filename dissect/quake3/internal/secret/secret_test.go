package secret

import "testing"

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
	} {
		if got := string(Mask([]byte(test.line))); got != test.want {
			t.Errorf("%s: %s, want %s", test.line, got, test.want)
		}
	}
}
