package teeworlds

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// A marker is a dissect.Rewriting that keeps words and marks what is replaced as a whole.
type marker struct{ dissect.Rewriting }

func (marker) AppendText(dst, text []byte) []byte { return append(dst, text...) }

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
	line, want := `[07:17:14][server]: cid=0 cmd='sv_name "Red team"'`, `[07:17:14][server]: cid=0 cmd='sv_name NAME`
	if got, _ := r.appendValue(nil, tables.RconLine(), []byte(line), false); string(got) != want {
		t.Errorf("%s: %s, want %s", line, got, want)
	}
}
