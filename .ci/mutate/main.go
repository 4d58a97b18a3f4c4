// Command mutate shows which mistakes in the code the tests of a fresh clone do not see. It makes many small changes to
// some files, one at a time, and runs the tests that should notice:
//
//	go run ./.ci/mutate [-part 3] [-only world,cipher] [-survivors FILE]
//
// All changes of a group of files are compiled into one program, where a number in the environment chooses one of them.
// So a change costs a run of the tests and no build. Only tests that come to the place are run, the quickest first, up to
// the first that fails.
package main

import (
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"path"
	"slices"
	"strings"
)

// A group is files of one package and the packages of tests that should notice changes in them.
type group struct {
	name  string
	dir   string   // of the package, below the repository
	files []string // patterns, below dir
	tests []tests
}

// tests are a package of tests, or some of them.
type tests struct {
	dir, run, skip string
	truth          bool // they compare with what the games said of the samples
}

// longTests take most of the time of their package and compare the program with itself.
const longTests = "TestDemosChangeNothing"

// documents compare docs/fields with the Fields.
const documents = "TestFieldsDocument"

var groups = []group{
	{"snapshot and delta, Quake III", "dissect/quake3/internal/world", []string{"baseline.go", "delta.go", "entity.go", "player.go", "snapshot.go", "state.go"}, []tests{
		{dir: "dissect/quake3/internal/world", skip: "Vectors"},
		{dir: "dissect/quake3/internal/world", run: "Vectors", truth: true},
		{dir: "dissect/quake3/truth", run: "Sample", truth: true},
		{dir: "dissect/quake3", skip: longTests},
		{dir: "dissect/all", run: documents},
	}},
	{"tables, Quake III", "dissect/quake3/internal/tables", []string{"generation.go", "layout.go", "structure.go", "fields_entity_table.go", "fields_player_table.go"}, []tests{
		{dir: "dissect/quake3/internal/tables", skip: "Reference$"},
		{dir: "dissect/quake3/internal/tables", run: "Reference$", truth: true},
		{dir: "dissect/quake3/truth", run: "Sample", truth: true},
		{dir: "dissect/quake3/internal/world", skip: "Vectors"},
		{dir: "dissect/quake3/internal/world", run: "Vectors", truth: true},
		{dir: "dissect/quake3", skip: longTests},
		{dir: "dissect/all", run: documents},
	}},
	{"cipher, evidence, Quake III", "dissect/quake3/internal/router", []string{"evidence.go"}, []tests{
		{dir: "dissect/quake3/internal/router"},
		{dir: "dissect/quake3/truth", run: "Sample", truth: true},
		{dir: "dissect/quake3", skip: longTests},
	}},
	{"cipher, Quake III", "dissect/quake3", []string{"keys.go"}, []tests{
		{dir: "dissect/quake3/truth", run: "Sample", truth: true},
		{dir: "dissect/quake3", skip: longTests},
	}},
	{"events, Quake III", "dissect/quake3/internal/events", []string{"*.go"}, eventTests("")},
	{"events, snapshots", "dissect/quake3/internal/events/scene", []string{"*.go"}, eventTests("scene")},
	{"events, commands with scores", "dissect/quake3/internal/events/scores", []string{"*.go"}, eventTests("scores")},
	{"events, chat and sentences", "dissect/quake3/internal/events/speech", []string{"*.go"}, eventTests("speech")},
	{"snapshot and delta, Teeworlds", "dissect/teeworlds/internal/snapshot", []string{"*.go"}, []tests{
		{dir: "dissect/teeworlds/internal/snapshot"},
		{dir: "dissect/teeworlds"},
		{dir: "dissect/teeworlds/truth", run: "Sample", truth: true},
		{dir: "dissect/anonymize"},
		{dir: "dissect/all", run: documents},
	}},
	{"Huffman codes", "huffcodec", []string{"*.go"}, []tests{
		{dir: "huffcodec"},
	}},
}

// eventTests should notice changes in a room of the events of Quake III.
func eventTests(room string) []tests {
	list := []tests{
		{dir: "dissect/quake3/internal/events"},
		{dir: "dissect/quake3/internal/events/playtest"},
		{dir: "dissect/quake3/truth/events", run: "Sample", truth: true},
		{dir: "dissect/quake3/truth", run: "Sample", truth: true},
		{dir: "dissect/quake3", skip: longTests},
		{dir: "cmd/q3dissect", run: "TestScript/(events|samples_(68|71|oob))"},
		{dir: "dissect/all", run: documents},
	}
	if room != "" {
		list = slices.Insert(list, 0, tests{dir: "dissect/quake3/internal/events/" + room})
	}
	return list
}

func main() {
	part := flag.Int("part", 1, "make one in so many changes, always the same ones")
	only := flag.String("only", "", "the groups whose name or folder has one of these words")
	files := flag.String("files", "", "only changes in files whose names have one of these words")
	near := flag.Bool("near", false, "run only the tests of the folder of the group and of those beside it")
	survivors := flag.String("survivors", "", "file for what no test noticed")
	flag.Parse()
	words := func(list string) []string { return strings.FieldsFunc(list, func(r rune) bool { return r == ',' }) }
	if err := run(choice{*part, words(*files)}, words(*only), *near, *survivors); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(c choice, only []string, near bool, survivors string) error {
	out := os.Stdout
	if survivors != "" {
		f, err := os.Create(survivors)
		if err != nil {
			return err
		}
		defer f.Close()
		out = f
	}
	var all, killed, alone, equivalent int
	for _, g := range groups {
		if !hasWord(g.name+" "+g.dir, only) {
			continue
		}
		if near {
			g.tests = slices.DeleteFunc(g.tests, func(t tests) bool { return !strings.HasPrefix(t.dir, path.Dir(g.dir)) })
		}
		r, err := g.run(c)
		if err != nil {
			return fmt.Errorf("%s: %w", g.name, err)
		}
		for _, m := range r.mutants {
			if !m.killed {
				fmt.Fprintf(out, "%s: %s%s\n", m.at, m.what, map[bool]string{true: "", false: " (no test comes here)"}[m.reached])
			}
		}
		n, n2 := r.killed()
		report(g.name, len(r.mutants), n, n2)
		all, killed, alone, equivalent = all+len(r.mutants), killed+n, alone+n2, equivalent+r.equivalent
	}
	report("all", all, killed, alone)
	if equivalent > 0 {
		fmt.Printf("%d that change nothing are left out\n", equivalent)
	}
	return nil
}

// A choice is which changes are made.
type choice struct {
	part  int      // one in so many
	files []string // words of their names; none: all
}

func (c choice) has(m *mutant) bool {
	h := fnv.New32a()
	h.Write([]byte(m.at + m.what))
	return int(h.Sum32())%c.part == 0 && hasWord(path.Base(m.at), c.files)
}

// hasWord reports whether a name has one of these words; any has if there are none.
func hasWord(name string, words []string) bool {
	return len(words) == 0 || slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) })
}

func report(name string, all, killed, alone int) {
	share := func(n int) float64 { return 100 * float64(n) / float64(max(1, all)) }
	fmt.Printf("%-32s %4d of %4d noticed, %.1f %%; without the truth of the samples %d, %.1f %%\n", name, killed, all, share(killed), alone, share(alone))
}
