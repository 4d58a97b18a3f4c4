package run

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is answered with another flag is no form of its own, and no two forms have one name.
func TestFormsHaveOneName(t *testing.T) {
	known := map[string]bool{}
	for _, f := range Forms(false) {
		if known[f.Name] || tsharkForms[f.Name] != "" {
			t.Errorf("-T %s has two meanings", f.Name)
		}
		known[f.Name] = true
	}
}

// A comma separates options of -E, and can be the value of one.
func TestSplitColumns(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"header=y", []string{"header=y"}},
		{"separator=,", []string{"separator=,"}},
		{"header=y,separator=,", []string{"header=y", "separator=,"}},
		{"separator=,,quote=d", []string{"separator=,", "quote=d"}},
		{"aggregator=,,separator=/t,bom=n", []string{"aggregator=,", "separator=/t", "bom=n"}},
		{"separator==,header=n", []string{"separator==", "header=n"}},
		{"separator=,=", []string{"separator=,="}},
		{"", []string{""}},
	} {
		if diff := cmp.Diff(c.want, splitColumns(c.text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}
