package fielddoc_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/internal/fielddoc"
)

func TestParse(t *testing.T) {
	t.Parallel()
	got := fielddoc.Parse("# Source: x.\npos.trType: kind: of movement\n\n# of a player: this\nammo: shots # left\n")
	want := map[string]string{"pos.trType": "kind: of movement", "ammo": "shots # left"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"ammo shots\n", "ammo: shots\nammo: more\n"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q is read", text)
				}
			}()
			fielddoc.Parse(text)
		}()
	}
}
