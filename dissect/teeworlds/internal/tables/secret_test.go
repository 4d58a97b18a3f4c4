package tables

import "testing"

func TestAppendMasked(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ say, want string }{
		{"/timeout abcDEF", "/timeout ********"},
		{"/TIMEOUT abc", "/TIMEOUT ********"},
		{"/login me secret", "/login ******** ********"},
		{"hello timeout abc", "hello timeout abc"},
		{"/timeout", "/timeout"},
		{"", ""},
	} {
		if got := string(AppendMasked(nil, []byte(test.say), SecretWords(Say()))); got != test.want {
			t.Errorf("say %q: %q, want %q", test.say, got, test.want)
		}
	}
	for _, test := range []struct{ command, want string }{
		{"login admin pw; status", "login admin ********; status"},
		{`sv_rcon_password "p w"; say password`, `sv_rcon_password "******** ********"; say password`},
		{"say hello", "say hello"},
	} {
		if got := string(AppendMasked(nil, []byte(test.command), SecretWords(RconCommand()))); got != test.want {
			t.Errorf("rcon %q: %q, want %q", test.command, got, test.want)
		}
	}
	for command, want := range map[string]bool{"timeout": true, "Login": true, "auth_add": true, "say": false, "": false} {
		if IsSecretCommand([]byte(command)) != want {
			t.Errorf("%q: want %t", command, want)
		}
	}
}
