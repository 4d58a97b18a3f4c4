package command

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/console"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/help"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/run"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/view"
)

// printed returns the standard output of a command line.
func printed(t *testing.T, args ...string) string {
	t.Helper()
	status, stdout, stderr := commandLine(t, t.TempDir(), args)
	if status != 0 {
		t.Fatalf("%q: status %d\n%s", args, status, stderr)
	}
	return string(stdout)
}

// completions returns the words that complete a command line, sorted.
func completions(t *testing.T, args ...string) (words []string) {
	t.Helper()
	for line := range strings.Lines(printed(t, append([]string{"__complete"}, args...)...)) {
		if word, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); !strings.HasPrefix(word, ":") {
			words = append(words, word)
		}
	}
	slices.Sort(words)
	return words
}

// found returns what the group of an expression matches in a text, sorted.
func found(expression, text string) (list []string) {
	for _, match := range regexp.MustCompile(expression).FindAllStringSubmatch(text, -1) {
		list = append(list, match[1])
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// file reads a file of the project.
func file(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "..", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// manual returns the README and all pages of docs.
func manual(t *testing.T) string {
	t.Helper()
	pages, err := filepath.Glob("../../../docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages: ", err)
	}
	text := file(t, "README.md")
	for _, page := range pages {
		text += file(t, filepath.Join("docs", filepath.Base(page)))
	}
	return text
}

// same compares sorted lists.
func same(t *testing.T, what string, want, got []string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got)\n%s", what, diff)
	}
}

// Help, man pages, completions and documents have the verbs that the program has.
func TestVerbsAreListed(t *testing.T) {
	t.Parallel()
	p := &program{
		Console:   &console.Console{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr},
		protocols: all.Protocols(),
	}
	text := manual(t)
	var pages []string
	root := newRoot(p)
	root.InitDefaultHelpCmd()
	for _, cmd := range help.Tree(root) {
		words := strings.Fields(cmd.CommandPath())[1:]
		var below []string
		for _, c := range help.VisibleCommands(cmd) {
			below = append(below, c.Name())
		}
		slices.Sort(below)
		what := cmd.CommandPath()
		same(t, what+" --help-all", below, found(`(?m)^  ([a-z]+) +\S`, verbsOf(printed(t, append(slices.Clone(words), "--help-all")...))))
		same(t, what+", completed", below, verbsAmong(completions(t, append(slices.Clone(words), "")...), len(below)))
		if cmd.Name() == "help" {
			continue // its page would be about itself
		}
		pages = append(pages, strings.Join(append([]string{"q3dissect"}, words...), "-"))
		man := printed(t, append([]string{"man"}, words...)...)
		_, verbs, _ := strings.Cut(man, "\n.SH VERBS\n")
		verbs, _, _ = strings.Cut(verbs, "\n.SH ")
		same(t, what+", its man page", below, found(`(?m)^\.B ([a-z]+)$`, verbs))
		if !regexp.MustCompile(regexp.QuoteMeta(what) + "[ `)]").MatchString(text) {
			t.Errorf("no page has %s", what)
		}
	}
	same(t, "q3dissect man --list", pages, strings.Fields(printed(t, "man", "--list")))
}

// verbsOf returns the verbs of a help: they are between the line of usage and the flags.
func verbsOf(page string) string {
	_, page, _ = strings.Cut(page, "\nUsage: ")
	paragraphs := strings.Split(page, "\n\n")
	if len(paragraphs) < 3 {
		return ""
	}
	return "\n" + paragraphs[1]
}

// verbsAmong leaves out completions of arguments, where there are no verbs.
func verbsAmong(words []string, verbs int) []string {
	if verbs == 0 {
		return nil
	}
	return words
}

// Packages have the man pages that the program lists, and the completion of each shell.
func TestPackagesHoldWhatIsListed(t *testing.T) {
	t.Parallel()
	build, contents := file(t, ".ci/dist"), file(t, ".ci/nfpm.yaml")
	if !strings.Contains(build, `in $("$work/q3dissect" man --list); do`) || !strings.Contains(contents, "/man/*.gz\", dst: /usr/share/man/man1/,") {
		t.Error("the pages of q3dissect man --list are not in the packages")
	}
	same(t, ".ci/dist", completions(t, "completion", ""), found(`q3dissect" completion ([a-z]+) >`, build))
	for _, made := range found(`>"\$work/(completions/[^"]+)"`, build) {
		// Linux packages have no place for PowerShell's
		if !strings.Contains(contents, made) && !strings.HasSuffix(made, ".ps1") {
			t.Errorf(".ci/nfpm.yaml has no %s", made)
		}
	}
}

// Help, completions and documents have the statistics that the program has.
func TestStatisticsAreListed(t *testing.T) {
	t.Parallel()
	var kinds []string
	var begun []string
	for _, k := range append(view.Kinds(), view.FollowKind()) {
		kinds = append(kinds, k.Usage)
		if strings.HasPrefix(k.Usage, k.Name+",") {
			k.Name += "," // arguments have to follow
		}
		begun = append(begun, k.Name)
	}
	slices.Sort(begun)
	flags := strings.Join(strings.Fields(printed(t, "--help-all")), " ")
	if list := "a statistic: " + strings.Join(kinds, " ") + " "; !strings.Contains(flags, list) {
		t.Errorf("--help-all has no %q", list)
	}
	slices.Sort(kinds)
	same(t, "completions of -z", begun, completions(t, "-z", ""))
	same(t, "q3dissect help stats", kinds, found(`(?m)^  ([a-z]+[^ \n]*)\s+\S`, strings.Split(printed(t, "help", "stats"), "\n\n")[2]))
	same(t, "docs/statistics.md", kinds, found("(?m)^\\| `([a-z][^`]*)` \\|",
		strings.Split(file(t, "docs/statistics.md"), "\n## ")[0]))
}

// Help, completions and documents have the forms of -T that the program has.
func TestFormsAreListed(t *testing.T) {
	t.Parallel()
	text := manual(t)
	for _, c := range []struct {
		verb   []string
		events bool
	}{{nil, false}, {[]string{"events"}, true}} {
		var names []string
		for _, f := range run.Forms(c.events) {
			names = append(names, f.Name)
			if f.Name != "text" && !strings.Contains(text, "-T "+f.Name) {
				t.Errorf("no page has -T %s", f.Name)
			}
		}
		slices.Sort(names)
		_, words, _ := strings.Cut(strings.Join(strings.Fields(printed(t, append(c.verb, "--help-all")...)), " "),
			"--format FORMAT ")
		words, _, _ = strings.Cut(words, " -")
		words, _, _ = strings.Cut(words, " --")
		same(t, "--help-all", names, found(`([a-z]+)`, regexp.MustCompile(`\([^)]*\)|\bor\b`).ReplaceAllString(words, "")))
		same(t, "completions of -T", names, completions(t, append(c.verb, "-T", "")...))
	}
}

// pages returns the pages of docs that are written by hand, by their paths below docs, without the index.
func pages(t *testing.T) (pages []string) {
	t.Helper()
	for _, pattern := range []string{"*.md", "protocols/*.md"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "..", "docs", pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("no pages docs/%s: %v", pattern, err)
		}
		for _, page := range files {
			if name := filepath.Base(page); name != "README.md" {
				pages = append(pages, path.Join(path.Dir(pattern), name))
			}
		}
	}
	slices.Sort(pages)
	return pages
}

// docs/README.md lists every page, and no other.
func TestPagesAreListed(t *testing.T) {
	t.Parallel()
	index := file(t, "docs/README.md")
	same(t, "docs/README.md", pages(t), found(`\]\(((?:protocols/)?[a-z0-9-]+\.md)\)`, index))
}

// A reader finds the end of the README and of every page. Generated pages (docs/fields) are looked up, not read.
func TestPagesAreShort(t *testing.T) {
	t.Parallel()
	check := func(name string, most int) {
		if n := strings.Count(file(t, name), "\n"); n > most {
			t.Errorf("%s has %d lines, at most %d: divide it, or cut it", name, n, most)
		}
	}
	check("README.md", 140)
	check("docs/README.md", 300)
	for _, page := range pages(t) {
		check(path.Join("docs", page), 300)
	}
}
