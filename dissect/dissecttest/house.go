package dissecttest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// repository returns the folder that has the go.mod, above the working directory.
func repository() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("no go.mod above the working directory")
		}
		dir = up
	}
}

// text returns a file of the repository, "" where there is none.
func (s *suite) text(name string) string {
	b, err := os.ReadFile(filepath.Join(s.Root, filepath.FromSlash(name)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.report("%v", err)
	}
	return string(b)
}

var expertRow = regexp.MustCompile("(?m)^\\| `([a-z0-9_]+)` \\|")

// documentedExperts returns the codes that have a row in docs/expert.md.
func (s *suite) documentedExperts() map[string]bool {
	codes := map[string]bool{}
	for _, row := range expertRow.FindAllStringSubmatch(s.text("docs/expert.md"), -1) {
		codes[row[1]] = true
	}
	return codes
}

// documents: people and tests know the protocol.
func (s *suite) documents() {
	if s.Elsewhere {
		return
	}
	name := s.Protocol.Name
	word := "`" + name + "`"
	if !strings.Contains(tableRows(s.text("README.md"), "Protocols"), word) {
		s.report("README.md has no row with %s in the table under Protocols", word)
	}
	pages, err := filepath.Glob(filepath.Join(s.Root, "docs", "protocols", "*.md"))
	if err != nil {
		s.report("%v", err)
	}
	described := false
	for _, page := range pages {
		b, err := os.ReadFile(page)
		if err != nil {
			s.report("%v", err)
		}
		described = described || filepath.Base(page) == name+".md" || strings.Contains(string(b), word)
	}
	if !described {
		s.report("docs/protocols has no page %s.md, and no other that has %s", name, word)
	}
	if s.text("docs/fields/"+name+".md") == "" {
		s.report("docs/fields/%s.md is missing: make docs", name)
	}
	scripts := s.scripts()
	tested := false
	for _, sample := range s.samples {
		tested = tested || strings.Contains(scripts, sample.name)
		rows := s.text("samples/README.md")
		if readme, err := os.ReadFile(filepath.Join(filepath.Dir(sample.path), "README.md")); err == nil {
			rows += string(readme)
		}
		if !strings.Contains(rows, "`"+sample.name+"`") {
			s.report("%s is not in samples/README.md, with who made it and what it shows", sample.name)
		}
	}
	if !tested {
		s.report("none of the samples is in a script test, cmd/q3dissect/command/testdata/script")
	}
}

// tableRows returns the rows of tables below a heading of the second level.
func tableRows(text, heading string) string {
	_, section, _ := strings.Cut(text, "\n## "+heading+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var rows strings.Builder
	for line := range strings.Lines(section) {
		if strings.HasPrefix(line, "|") {
			rows.WriteString(line)
		}
	}
	return rows.String()
}

// scripts returns all script tests of the command.
func (s *suite) scripts() string {
	files, err := filepath.Glob(filepath.Join(s.Root, "cmd", "*", "*", "testdata", "script", "*.txtar"))
	if err != nil {
		s.report("%v", err)
	}
	var all strings.Builder
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			s.report("%v", err)
		}
		fmt.Fprintf(&all, "%s\n", b)
	}
	return all.String()
}
