package version

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/render/schema"
)

func TestSpelling(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ module, want string }{
		{"", next + "-devel"},
		{"(devel)", next + "-devel"},
		{"v0.3.0", "0.3.0"},
		{"v1.2.3-rc.1", "1.2.3-rc.1"},
		{"v0.0.0-20261126150405-0123456789ab", next + "-0.20261126150405-0123456789ab"},
		{"v0.0.0-20261126150405-0123456789ab+dirty", next + "-0.20261126150405-0123456789ab+dirty"},
		{"v0.3.1-0.20261126150405-0123456789ab", "0.3.1-0.20261126150405-0123456789ab"},
	} {
		if got := spelling(test.module); got != test.want {
			t.Errorf("%q: %q, want %q", test.module, got, test.want)
		}
	}
}

// The headings of CHANGES.md: what is not released, then each version with its date and schema.
var heading = regexp.MustCompile(`(?m)^## (?:(Unreleased)|` +
	`v([0-9]+)\.([0-9]+)\.([0-9]+) \(([0-9]{4}-[0-9]{2}-[0-9]{2}), schema_version ([0-9]+)\))$`)

// TestChanges compares CHANGES.md with the program: the newest version, its schema, and versions in order.
func TestChanges(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../../CHANGES.md")
	if err != nil {
		t.Fatal(err)
	}
	found := heading.FindAllStringSubmatch(string(text), -1)
	if all := strings.Count("\n"+string(text), "\n## "); all != len(found) {
		t.Errorf("%d headings, %d of them in the form of %s", all, len(found), heading)
	}
	if len(found) < 2 || found[0][1] == "" {
		t.Fatalf("headings %q: want Unreleased, then the newest version", found)
	}
	released := found[1:]
	if newest := strings.Join(released[0][2:5], "."); newest != next {
		t.Errorf("CHANGES.md begins with version %s, the program with %s", newest, next)
	}
	if got, want := released[0][6], strconv.Itoa(schema.Version); got != want {
		t.Errorf("CHANGES.md: schema_version %s, the program has %s", got, want)
	}
	order := func(h []string) string {
		var numbers [3]int
		for i := range numbers {
			numbers[i], _ = strconv.Atoi(h[2+i])
		}
		return fmt.Sprintf("%06d.%06d.%06d", numbers[0], numbers[1], numbers[2])
	}
	for i, h := range released[1:] {
		if newer := released[i]; order(h) >= order(newer) || h[5] > newer[5] {
			t.Errorf("%s comes after %s", h[0], newer[0])
		}
	}
}
