package tables

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
)

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

func TestEachName(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ command, want string }{
		{"sv_name Red team", "sv_name <Red team>"},
		{`SV_NAME "the; server"; say sv`, `SV_NAME <"the; server">; say sv`},
		{"tune gravity 1;sv_hostname play.lab", "tune gravity 1;sv_hostname <play.lab>"},
		{`add_vote "Rename" "sv_name Red"`, `add_vote "Rename" "sv_name <Red">`},
		{"say my sv_names", "say my sv_names"},
		{"sv_name ; status", "sv_name ; status"},
		{"sv_name", "sv_name"},
		{"", ""},
	} {
		got, done := "", 0
		EachName([]byte(test.command), func(from, to int) {
			got += test.command[done:from] + "<" + test.command[from:to] + ">"
			done = to
		})
		if got += test.command[done:]; got != test.want {
			t.Errorf("%q: %q, want %q", test.command, got, test.want)
		}
	}
	for command, want := range map[string]dissect.Personal{
		"sv_name": dissect.PersonUnknown, "Bindaddr": dissect.PersonUnknown, "sv_reserved_slots_pass": dissect.PersonSecret,
		"add_sqlserver": dissect.PersonSecret, "sv_motd": dissect.NotPersonal, "": dissect.NotPersonal,
	} {
		if got := ArgumentsOf([]byte(command)); got != want {
			t.Errorf("%q: %d, want %d", command, got, want)
		}
	}
}
