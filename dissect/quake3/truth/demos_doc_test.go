package truth_test

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/export"
)

// TestExportDocument compares docs/export.md with what there is: the manifest that it shows, every key of a
// manifest, every reason.
func TestExportDocument(t *testing.T) {
	b, err := os.ReadFile("../../../docs/export.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	dir, _ := exportDemos(t, "../../../samples/quake3/68-natrebind.pcap", dissect.DemoRange{}, 1)
	want, err := os.ReadFile(filepath.Join(dir, export.ManifestName))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(text, "```json\n")
	shown, _, _ := strings.Cut(after, "```")
	if diff := cmp.Diff(string(want), shown); diff != "" {
		t.Errorf("manifest (-program +document):\n%s", diff)
	}
	for _, v := range []any{export.Manifest{}, export.Demo{}, export.SkippedSession{}, export.Gap{}} {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(v)) {
			key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if key != "demos" && key != "missing" && !strings.Contains(text, "`"+key+"`") {
				t.Errorf("the document does not tell of %s", key)
			}
		}
	}
	source, err := os.ReadFile("../../demo.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`DemoLeft = "(\w+)"`).FindAllStringSubmatch(string(source), -1) {
		if !strings.Contains(text, "`"+m[1]+"`") {
			t.Errorf("the document does not tell of the reason %s", m[1])
		}
	}
}
