package teeworlds

import (
	"fmt"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// A marker is a dissect.Rewriting that keeps words and marks what is replaced as a whole.
type marker struct{ dissect.Rewriting }

func (marker) AppendText(dst, text []byte) []byte { return append(dst, text...) }

func (marker) AppendChat(dst, text []byte) []byte { return fmt.Appendf(dst, "CHAT(%s)", text) }

func (marker) AppendPersonal(dst []byte, p dissect.Personal, _ []byte) []byte {
	if p == dissect.PersonSecret {
		return append(dst, "SECRET"...)
	}
	return append(dst, "NAME"...)
}

func TestRewrittenCommand(t *testing.T) {
	t.Parallel()
	r := newRewriter(marker{})
	for command, want := range map[string]string{
		"sv_name Red team":                           "sv_name NAME",
		`status; sv_hostname "a; b"; password a b`:   "status; sv_hostname NAME; password SECRET SECRET",
		"sv_reserved_slots_pass letme; sv_map ctf1":  "sv_reserved_slots_pass SECRET; sv_map ctf1",
		"add_sqlserver w db pre me pw 1.2.3.4 3306":  "add_sqlserver SECRET SECRET SECRET SECRET SECRET SECRET SECRET",
		`add_vote "Rename" "sv_name Red"; say hello`: `add_vote "Rename" "sv_name NAME`,
		"tune gravity 1":                             "tune gravity 1",
	} {
		if got, _ := r.appendValue(nil, tables.RconCommand(), []byte(command), false); string(got) != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
	for line, want := range map[string]string{
		`[07:17:14][server]: cid=0 cmd='sv_name "Red team"'`: `[07:17:14][server]: cid=0 cmd='sv_name NAME`,
		"[07:16:03][chat]: 0:-2:alice: hello: you":           "[07:16:03][chat]: 0:-2:CHAT(alice: hello: you)",
		"[07:16:03][teamchat]: 12:1:bob: go":                 "[07:16:03][teamchat]: 12:1:CHAT(bob: go)",
		"2026-11-21 07:24:36 I chat: 0:0:dora: hi":           "2026-11-21 07:24:36 I chat: 0:0:CHAT(dora: hi)",
		"[07:16:09][chat]: *** rcon says hello":              "[07:16:09][chat]: *** rcon says hello",
	} {
		if got, _ := r.appendValue(nil, tables.RconLine(), []byte(line), false); string(got) != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}
