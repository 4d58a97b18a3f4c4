package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// switchPackage is where the choice of the change is compiled to, in overlays alone.
const (
	module        = "github.com/q3dissect/q3dissect/"
	switchPackage = "internal/mutant"
	switchText    = `package mutant

import (
	"fmt"
	"os"
	"strconv"
	"sync"
)

var (
	active  = -1
	reached sync.Map
	file    *os.File
)

// A file says which: programs that the tests start have no environment of theirs.
func init() {
	b, _ := os.ReadFile(CHOICE)
	if string(b) == "reached" {
		file, _ = os.OpenFile(CHOICE+".reached", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	} else {
		active, _ = strconv.Atoi(string(b))
	}
}

// On reports whether a change is the one that was chosen.
func On(id int) bool {
	if file != nil {
		if _, seen := reached.LoadOrStore(id, true); !seen {
			fmt.Fprintln(file, id)
		}
	}
	return id == active
}
`
)

// reachedChoice has the program note the changes that its tests come to.
const reachedChoice = "reached"

// A result is what became of the changes of a group.
type result struct {
	mutants    []*mutant
	equivalent int // left out
}

func (r *result) killed() (n, alone int) {
	for _, m := range r.mutants {
		if m.killed {
			n++
		}
		if m.alone {
			alone++
		}
	}
	return n, alone
}

// A program is a compiled package of tests.
type program struct {
	tests
	path    string
	took    time.Duration // processor time without a change
	last    time.Duration // of the last run
	reaches map[int]bool
}

func (g *group) run(c choice) (*result, error) {
	sources, err := load(g.dir, g.files)
	if err != nil {
		return nil, err
	}
	if len(choose(sources, c).mutants) == 0 {
		return &result{}, nil
	}
	work, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	programs, err := build(work, sources, g.tests)
	if err != nil {
		return nil, err
	}
	r := choose(sources, c) // without those that do not compile
	for _, p := range programs {
		if err := p.reach(work); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(programs, func(a, b *program) int {
		if a.truth != b.truth {
			return map[bool]int{false: -1, true: 1}[a.truth]
		}
		return int(a.took - b.took)
	})
	for i, m := range r.mutants {
		for _, p := range programs {
			if !m.killed && p.reaches[m.id] {
				m.reached = true
				m.killed = !p.passes(work, strconv.Itoa(m.id), 4*p.took+3*time.Second)
				m.alone = m.killed && !p.truth
			}
		}
		if i%10 == 9 {
			fmt.Fprintf(os.Stderr, "%s: %d of %d\n", g.name, i+1, len(r.mutants))
		}
	}
	return r, nil
}

// choose returns the chosen changes of sources.
func choose(sources []*source, c choice) *result {
	r := &result{}
	for _, s := range sources {
		each(s.sites, func(m *mutant) {
			switch {
			case !c.has(m):
			case m.equivalent():
				r.equivalent++
			default:
				r.mutants = append(r.mutants, m)
			}
		})
	}
	return r
}

// each calls do for the mutants of sites.
func each(sites []*site, do func(*mutant)) {
	for _, s := range sites {
		for _, m := range s.mutants {
			do(m)
		}
		each(s.inner, do)
	}
}

// build compiles the tests with all changes in the sources. Changes that do not compile are dropped.
func build(work string, sources []*source, list []tests) ([]*program, error) {
	bad := map[int]bool{}
	for round := 0; ; round++ {
		overlay, err := writeOverlay(work, sources)
		if err != nil {
			return nil, err
		}
		var programs []*program
		var failed []byte
		for i, t := range list {
			p := &program{tests: t, path: filepath.Join(work, fmt.Sprintf("tests%d", i)), reaches: map[int]bool{}}
			cmd := exec.Command("go", "test", "-c", "-vet=off", "-gcflags=-e", "-overlay", overlay, "-o", p.path, "./"+t.dir)
			out, err := cmd.CombinedOutput()
			if err != nil {
				failed = out
				break
			}
			programs = append(programs, p)
		}
		if failed == nil {
			return programs, nil
		}
		if n := drop(work, sources, failed); n == 0 || round > 20 {
			return nil, fmt.Errorf("the tests do not compile (%d dropped before):\n%.3000s", len(bad), failed)
		}
	}
}

// drop takes out the changes on lines with compile errors.
func drop(work string, sources []*source, errs []byte) (n int) {
	lines := map[string]bool{}
	for line := range strings.Lines(string(errs)) {
		part := strings.SplitN(line, ":", 3)
		if len(part) == 3 {
			lines[filepath.Base(part[0])+":"+part[1]] = true
		}
	}
	var clean func(sites []*site, file string)
	clean = func(sites []*site, file string) {
		for _, s := range sites {
			s.mutants = slices.DeleteFunc(s.mutants, func(m *mutant) bool {
				part := strings.Split(m.at, ":")
				gone := lines[file+":"+part[1]]
				if gone {
					n++
				}
				return gone
			})
			clean(s.inner, file)
		}
	}
	for _, s := range sources {
		clean(s.sites, filepath.Base(s.name))
	}
	return n
}

func writeOverlay(work string, sources []*source) (string, error) {
	replace := map[string]string{}
	write := func(name string, text []byte) error {
		abs, err := filepath.Abs(name)
		if err != nil {
			return err
		}
		replace[abs] = filepath.Join(work, filepath.Base(name))
		return os.WriteFile(replace[abs], text, 0o600)
	}
	for _, s := range sources {
		if err := write(s.name, s.changed()); err != nil {
			return "", err
		}
	}
	if err := write(filepath.Join(switchPackage, "mutant.go"), []byte(strings.ReplaceAll(switchText, "CHOICE", strconv.Quote(filepath.Join(work, "choice"))))); err != nil {
		return "", err
	}
	b, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(work, "overlay.json")
	return name, os.WriteFile(name, b, 0o600)
}

// changed is the file with all changes, each after its number. Lines stay where they are.
func (s *source) changed() []byte {
	text := s.between(0, len(s.text), s.sites)
	i := strings.Index(text, "\npackage ") + 1
	end := i + strings.IndexByte(text[i:], '\n')
	return []byte(text[:end] + "; import mutant__ " + strconv.Quote(module+switchPackage) + text[end:] + "\nvar _ = mutant__.On\n")
}

func (s *source) between(start, end int, sites []*site) string {
	var b strings.Builder
	for _, at := range sites {
		b.Write(s.text[start:at.start])
		inner := s.between(at.start, at.end, at.inner)
		start = at.end
		switch {
		case len(at.mutants) == 0:
			b.WriteString(inner)
		case at.typ != "":
			b.WriteString("func() " + at.typ + " {")
			for _, m := range at.mutants {
				fmt.Fprintf(&b, "if mutant__.On(%d) { return %s }; ", m.id, m.changed)
			}
			b.WriteString("return " + inner + "}()")
		case at.remove:
			fmt.Fprintf(&b, "if !mutant__.On(%d) { %s }", at.mutants[0].id, inner)
		default:
			fmt.Fprintf(&b, "if mutant__.On(%d) { %s } else { %s }", at.mutants[0].id, at.mutants[0].changed, inner)
		}
	}
	b.Write(s.text[start:end])
	return b.String()
}

// reach runs the tests without a change, and notes to which changes they come.
func (p *program) reach(work string) error {
	if !p.passes(work, "0", 5*time.Minute) {
		return fmt.Errorf("the tests of %s fail without a change", p.dir)
	}
	p.took = p.last
	name := filepath.Join(work, "choice.reached")
	os.Remove(name)
	p.passes(work, reachedChoice, 5*time.Minute)
	b, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	for sc := bufio.NewScanner(bytes.NewReader(b)); sc.Scan(); {
		if id, err := strconv.Atoi(sc.Text()); err == nil {
			p.reaches[id] = true
		}
	}
	return nil
}

// passes runs the tests with a choice. What takes more processor time than the limit, or too much memory, fails.
func (p *program) passes(work, choice string, limit time.Duration) bool {
	if err := os.WriteFile(filepath.Join(work, "choice"), []byte(choice), 0o600); err != nil {
		return false
	}
	args := fmt.Sprintf("-test.short -test.timeout 15m -test.run '%s'", p.run)
	if choice != reachedChoice { // to note what is reached allocates, and tests that count allocations fail then
		args += " -test.failfast"
	}
	if p.skip != "" {
		args += " -test.skip '" + p.skip + "'"
	}
	cmd := exec.Command("bash", "-c", fmt.Sprintf("ulimit -v 4000000; ulimit -t %d; exec %s %s", int(limit.Seconds())+1, p.path, args))
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "Q3DISSECT_REFERENCE=/nonexistent", "GOMAXPROCS=2", "RAPID_NOFAILFILE=1")
	err := cmd.Run()
	p.last = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return err == nil
}
