package all_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/itchyny/gojq"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// A recipe is a command of docs/json.md with the output that the page gives.
type recipe struct {
	heading, sample, options, program string
	output                            []string
	more                              bool // there is more output than that
}

var (
	recipeBlock   = regexp.MustCompile("(?ms)^### ([^\n]+)\n.*?^```console\n(.*?)^```$")
	recipeCommand = regexp.MustCompile(`(?s)^\$ q3dissect (\S+) --json \| jq -(\w+) '([^']*)'\n(.*)$`)
)

func recipes(t *testing.T) []recipe {
	t.Helper()
	var list []recipe
	for _, block := range recipeBlock.FindAllStringSubmatch(document(t, "json.md"), -1) {
		m := recipeCommand.FindStringSubmatch(block[2])
		if m == nil {
			t.Fatalf("%s: not a command of the form that is tested:\n%s", block[1], block[2])
		}
		r := recipe{heading: block[1], sample: m[1], options: m[2], program: m[3]}
		r.output = strings.Split(strings.TrimSuffix(m[4], "\n"), "\n")
		if last := len(r.output) - 1; r.output[last] == "..." {
			r.output, r.more = r.output[:last], true
		}
		list = append(list, r)
	}
	return list
}

// Every recipe of docs/json.md prints the output that the page gives. An independent jq runs them.
func TestRecipes(t *testing.T) {
	t.Parallel()
	list := recipes(t)
	if blocks := strings.Count(document(t, "json.md"), "```console"); len(list) != blocks || blocks < 10 {
		t.Fatalf("%d recipes in %d blocks", len(list), blocks)
	}
	for _, r := range list {
		t.Run(r.heading, func(t *testing.T) {
			t.Parallel()
			got := r.run(t)
			if r.more {
				if len(got) <= len(r.output) {
					t.Errorf("%d lines, the page promises more than %d", len(got), len(r.output))
				}
				got = got[:min(len(got), len(r.output))]
			}
			if diff := cmp.Diff(r.output, got); diff != "" {
				t.Errorf("(-page +program)\n%s", diff)
			}
		})
	}
}

// run returns the lines that the recipe prints. The options are r (text as it is), s (all records as one array)
// and n (no record, the program asks for them).
func (r *recipe) run(t *testing.T) []string {
	t.Helper()
	query, err := gojq.Parse(r.program)
	if err != nil {
		t.Fatal(err)
	}
	records := recordsOf(t, filepath.Join(root, filepath.FromSlash(r.sample)))
	code, err := gojq.Compile(query, gojq.WithInputIter(gojq.NewIter(records...)))
	if err != nil {
		t.Fatal(err)
	}
	inputs := records
	switch {
	case strings.Contains(r.options, "s"):
		inputs = []any{records}
	case strings.Contains(r.options, "n"):
		inputs = []any{nil}
	}
	var lines []string
	for _, input := range inputs {
		for iter := code.Run(input); ; {
			v, ok := iter.Next()
			if !ok {
				break
			}
			if err, failed := v.(error); failed {
				t.Fatal(err)
			}
			text, isText := v.(string)
			if !isText || !strings.Contains(r.options, "r") {
				t.Fatalf("%v is no text, and texts alone look the same in every jq", v)
			}
			lines = append(lines, text)
		}
	}
	return lines
}

// recordsOf returns the records of a capture.
func recordsOf(t *testing.T, path string) []any {
	t.Helper()
	var b bytes.Buffer
	reftest.Dissect(t, path, reftest.Run{
		Finish: func(_ int, dst []byte, rec *dissect.Record) []byte { return render.AppendJSON(dst, rec, render.JSON{}) },
		Output: func(lines []byte) error { _, err := b.Write(lines); return err },
	})
	var records []any
	for d := json.NewDecoder(&b); d.More(); {
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		records = append(records, v)
	}
	return slices.Clip(records)
}
