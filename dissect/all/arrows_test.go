package all_test

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/all"
)

const (
	root       = "../.."
	modulePath = "github.com/q3dissect/q3dissect"
)

// A room is a package, or a group of packages, and what it may import beside the standard library:
// other rooms, and modules of others. docs/architecture.md draws the picture.
type room struct {
	name    string
	rooms   []string
	modules []string
}

// What is under dissect and has no room of its own is a game.
const games = "games"

var rooms = []room{
	{name: "docs"},
	{
		name:    "cmd/examples",
		rooms:   []string{"dissect", "dissect/all", "dissect/capture", "dissect/engine", "dissect/event", "dissect/open"},
		modules: []string{"github.com/gopacket/gopacket"},
	},
	{name: "huffcodec"},
	{name: "reassembly"},
	{name: "dissect/wiretext"},
	{name: "dissect/quantity"},
	{name: "dissect/event", rooms: []string{"dissect"}},
	{name: "dissect/internal/cacheline"},
	{name: "dissect/internal/clock"},
	{name: "dissect/internal/idle"},
	{name: "dissect/internal/motion"},
	{name: "dissect/internal/footprint"},
	{name: "dissect/keys"},
	{name: "dissect/extract"},
	{name: "dissect", rooms: []string{"dissect/internal/idle", "dissect/keys", "dissect/extract"}},
	{name: "dissect/cursor", rooms: []string{"dissect"}},
	{name: "dissect/flows", rooms: []string{"dissect"}},
	{name: "dissect/infocolumn", rooms: []string{"dissect"}},
	{name: "dissect/engine", rooms: []string{
		"dissect", "dissect/internal/cacheline", "dissect/internal/clock", "dissect/internal/footprint",
		"dissect/internal/idle",
	}},
	{name: games, rooms: []string{"dissect", "dissect/cursor", "dissect/flows", "dissect/infocolumn", "dissect/keys", "dissect/extract", "dissect/event", "dissect/internal", "dissect/internal/motion", "huffcodec", "reassembly", "dissect/wiretext"}},
	{name: "dissect/internal/enginetest", rooms: []string{"dissect", "dissect/engine", "dissect/capture", "dissect/render"}},
	{name: "dissect/internal/reftest", rooms: []string{"dissect", "dissect/keys", "dissect/engine", "dissect/all", "dissect/capture", "dissect/internal", "dissect/render", "dissect/wiretext", "dissect/open"}, modules: []string{"github.com/santhosh-tekuri/jsonschema"}},
	{name: "dissect/internal", rooms: []string{"dissect/quantity", "dissect", "dissect/cursor", "dissect/flows", "dissect/infocolumn", "dissect/event", "huffcodec", "reassembly", "dissect/wiretext"}},
	{
		name: "dissect/capture", rooms: []string{"dissect", "dissect/internal", "reassembly"},
		modules: []string{"github.com/gopacket/gopacket", "github.com/klauspost/compress", "github.com/therootcompany/xz"},
	},
	{
		name: "dissect/dissecttest", rooms: []string{"dissect", "dissect/extract", "dissect/engine", "dissect/capture", "dissect/open", "dissect/render"},
		modules: []string{"github.com/google/go-cmp", "github.com/santhosh-tekuri/jsonschema"},
	},
	{name: "dissect/members", rooms: []string{"dissect"}},
	{name: "dissect/compare", rooms: []string{"dissect/quantity", "dissect", "dissect/event", "dissect/extract"}},
	{name: "dissect/piece", rooms: []string{"dissect", "dissect/internal", "huffcodec"}},
	{name: "dissect/matchid", rooms: []string{"dissect", "dissect/event"}},
	{name: "dissect/convert", rooms: []string{"dissect", "dissect/keys", "dissect/engine", "dissect/capture", "dissect/filter", "dissect/incomplete", "dissect/matchid", "dissect/open", "dissect/render", "dissect/rows"}},
	{name: "dissect/open", rooms: []string{"dissect", "dissect/engine", "dissect/capture", "dissect/event", "dissect/keys", "dissect/matchid"}},
	{name: "dissect/filter", rooms: []string{"dissect/internal/cacheline", "dissect", "dissect/engine", "dissect/internal", "dissect/wiretext"}},
	{name: "dissect/render", rooms: []string{"dissect/internal/cacheline", "dissect", "dissect/event", "dissect/internal", "dissect/wiretext"}},
	{name: "dissect/rows", rooms: []string{"dissect/internal/cacheline", "dissect", "dissect/internal", "dissect/wiretext"}},
	{name: "dissect/view/gamemap"},
	{name: "dissect/incomplete", rooms: []string{"dissect", "dissect/capture", "dissect/engine", "dissect/wiretext"}},
	{name: "dissect/view/merge", rooms: []string{"dissect", "dissect/event", "dissect/wiretext"}},
	{name: "dissect/view/people", rooms: []string{"dissect", "dissect/members", "dissect/view/internal/dates", "dissect/view/merge"}},
	{name: "dissect/view/catalogue", rooms: []string{"dissect/quantity", "dissect", "dissect/members", "dissect/view/people", "dissect/view/internal", "dissect/view/internal/dates", "dissect/wiretext"}},
	{name: "dissect/view/internal/bots", rooms: []string{"dissect", "dissect/event"}},
	{name: "dissect/view/internal/dates"},
	{name: "dissect/view/internal", rooms: []string{"dissect", "dissect/event", "dissect/matchid", "dissect/extract", "dissect/view/people", "dissect/view/internal/bots", "dissect/view/merge", "dissect/wiretext"}},
	{name: "dissect/view/highlights", rooms: []string{"dissect", "dissect/event", "dissect/members", "dissect/wiretext"}},
	{name: "dissect/view/collect", rooms: []string{
		"dissect", "dissect/engine", "dissect/extract", "dissect/incomplete", "dissect/open", "dissect/view/catalogue",
		"dissect/view/highlights", "dissect/view/people",
	}},
	{name: "dissect/view/mapfiles", rooms: []string{"dissect", "dissect/extract", "dissect/view/gamemap"}},
	{name: "dissect/view/outliers", rooms: []string{"dissect", "dissect/internal/motion", "dissect/extract", "dissect/view/internal/bots", "dissect/wiretext"}},
	{name: "dissect/view/timeline", rooms: []string{"dissect/quantity", "dissect", "dissect/extract", "dissect/event", "dissect/matchid", "dissect/render", "dissect/view", "dissect/view/internal/bots", "dissect/view/merge", "dissect/wiretext"}},
	{name: "dissect/view", rooms: []string{"dissect/quantity", "dissect", "dissect/members", "dissect/extract", "dissect/event", "dissect/internal", "dissect/view/mapfiles", "dissect/view/internal", "dissect/view/outliers", "dissect/wiretext"}},
	{name: "dissect/view/browse", rooms: []string{"dissect", "dissect/capture", "dissect/event", "dissect/view/timeline", "dissect/keys", "dissect/engine", "dissect/filter", "dissect/matchid", "dissect/open", "dissect/render", "dissect/view", "dissect/wiretext"}},
	{name: "dissect/export", rooms: []string{"dissect", "dissect/extract", "dissect/incomplete", "dissect/internal", "dissect/wiretext"}},
	{name: "dissect/anonymize", rooms: []string{"dissect", "dissect/engine", "dissect/internal", "huffcodec", "dissect/open"}, modules: []string{"golang.org/x/crypto"}},
	{name: "dissect/all", rooms: []string{"dissect", games}},
	{name: "cmd/q3dissect", rooms: []string{"cmd/q3dissect/command", "dissect/all"}},
	{
		name: "cmd/q3dissect/command",
		rooms: []string{
			"dissect/quantity", "samples", "cmd/internal/pathguard", "cmd/q3dissect/internal", "cmd/q3dissect/internal/around", "cmd/q3dissect/internal/listing", "cmd/q3dissect/internal/races", "cmd/internal/report", "cmd/q3dissect/internal/run", "cmd/q3dissect/internal/serve", "cmd/q3dissect/internal/table", "cmd/q3dissect/internal/terminal",
			"dissect/incomplete", "dissect", "dissect/extract", "dissect/capture", "dissect/compare", "dissect/engine", "dissect/export", "dissect/filter", "dissect/open", "dissect/piece", "dissect/render", "dissect/view", "dissect/view/browse",
			"dissect/view/people", "dissect/view/catalogue", "dissect/view/highlights", "dissect/view/outliers",
			"dissect/view/gamemap",
		},
		modules: []string{"github.com/spf13/cobra", "github.com/spf13/pflag"},
	},
	{
		name: "cmd/q3dissect/internal/run",
		rooms: []string{
			"dissect/quantity", "cmd/internal/parquet", "cmd/q3dissect/internal", "cmd/q3dissect/internal/jq", "cmd/q3dissect/internal/table", "cmd/q3dissect/internal/terminal",
			"dissect/incomplete", "dissect", "dissect/keys", "dissect/engine", "dissect/anonymize", "dissect/capture", "dissect/export", "dissect/open", "dissect/filter", "dissect/matchid", "dissect/render", "dissect/rows", "dissect/view", "dissect/view/merge", "dissect/view/outliers",
		},
		modules: []string{"github.com/spf13/pflag"},
	},
	{
		name: "cmd/q3dissect/internal/jq", rooms: []string{"cmd/q3dissect/internal", "cmd/q3dissect/internal/terminal", "dissect"},
		modules: []string{"github.com/itchyny/gojq"},
	},
	{name: "cmd/q3dissect/internal/around", rooms: []string{"dissect", "dissect/engine", "dissect/event", "dissect/extract", "dissect/filter", "dissect/incomplete", "dissect/quantity", "dissect/wiretext"}},
	{name: "cmd/q3dissect/internal/races", rooms: []string{"cmd/q3dissect/internal", "cmd/q3dissect/internal/table", "dissect", "dissect/engine", "dissect/event", "dissect/open", "dissect/quantity"}},
	{name: "cmd/q3dissect/internal/listing", rooms: []string{"cmd/q3dissect/internal", "cmd/q3dissect/internal/table", "dissect", "dissect/incomplete", "dissect/open", "dissect/extract", "dissect/quantity", "dissect/view/people", "dissect/view/catalogue", "dissect/view/collect", "dissect/view/highlights", "dissect/wiretext"}},
	{name: "cmd/q3dissect/internal/serve", rooms: []string{"cmd/internal/web"}},
	{name: "cmd/q3dissect/internal/table", rooms: []string{"dissect/render", "dissect/wiretext"}, modules: []string{"github.com/olekukonko/tablewriter"}},
	{name: "cmd/q3dissect/internal/terminal", rooms: []string{"dissect/wiretext"}, modules: []string{"golang.org/x/term"}},
	{
		name:    "cmd/q3dissect/internal",
		rooms:   []string{"dissect/quantity", "docs", "cmd/internal/pathguard", "cmd/internal/parquet", "cmd/q3dissect/internal/table", "cmd/q3dissect/internal/terminal", "dissect/incomplete", "dissect", "dissect/keys", "dissect/members", "dissect/engine", "dissect/event", "dissect/extract", "dissect/capture", "dissect/export", "dissect/filter", "dissect/open", "dissect/render", "dissect/wiretext"},
		modules: []string{"github.com/spf13/cobra", "github.com/spf13/pflag"},
	},
	{
		name:    "cmd/q3dissect-beam",
		rooms:   []string{"cmd/internal/pathguard", "cmd/internal/parquet", "dissect", "dissect/event", "dissect/all", "dissect/convert", "dissect/export", "dissect/render", "dissect/rows"},
		modules: []string{"github.com/apache/beam/sdks/v2"},
	},
	{
		name:    "cmd/q3dissect-mcp",
		rooms:   []string{"cmd/q3dissect/command", "dissect/all", "dissect/filter", "dissect/view", "docs"},
		modules: []string{"github.com/modelcontextprotocol/go-sdk", "golang.org/x/sys"},
	},
	{name: "cmd/internal/report", rooms: []string{"dissect/quantity", "cmd/internal/web", "dissect", "dissect/compare", "dissect/incomplete", "dissect/keys", "dissect/extract", "dissect/event", "dissect/engine", "dissect/open", "dissect/render", "dissect/view", "dissect/view/mapfiles", "dissect/view/catalogue", "dissect/view/timeline", "dissect/view/gamemap", "dissect/wiretext"}},
	{name: "cmd/internal/pathguard"},
	{name: "cmd/internal/web"},
	{name: "cmd/q3dissect-wasm", rooms: []string{"cmd/internal/report", "dissect", "dissect/keys", "dissect/all", "dissect/open", "dissect/view/browse"}},
	{name: "cmd/internal/web/browsertest", modules: []string{"github.com/chromedp"}},
	{name: "cmd/internal/parquet", rooms: []string{"dissect/incomplete", "dissect/rows"}, modules: []string{"github.com/klauspost/compress", "github.com/parquet-go/parquet-go"}},
	{name: "samples"},
	{name: "samples/gen", modules: []string{"github.com/gopacket/gopacket"}},
	{name: "samples/gamestudio"},
	{name: "dissect/dissecttest/rapidseed", modules: []string{"pgregory.net/rapid"}},
}

// roomOf returns the room of a directory of the repository. Each game is a room of its own kind: inside
// reports whether two directories belong to the same one.
func roomOf(dir string) (r room, ok bool) {
	for d := dir; d != "."; d = path.Dir(d) {
		if i := slices.IndexFunc(rooms, func(r room) bool { return r.name == d }); i >= 0 && (d == dir || d != "dissect") {
			return rooms[i], true
		}
	}
	if strings.HasPrefix(dir, "dissect/") {
		return rooms[slices.IndexFunc(rooms, func(r room) bool { return r.name == games })], true
	}
	return room{}, false
}

// gameOf returns the first directory under dissect, which is the game's.
func gameOf(dir string) string {
	parts := strings.SplitN(dir, "/", 3)
	return parts[min(1, len(parts)-1)]
}

// judge returns the reason why a package in a directory must not import another, or "".
func judge(dir, imported string) string {
	from, known := roomOf(dir)
	if !known {
		return "a directory without a room"
	}
	inner, ours := strings.CutPrefix(imported, modulePath+"/")
	if !ours {
		first, _, _ := strings.Cut(imported, "/")
		if !strings.Contains(first, ".") || slices.ContainsFunc(from.modules, func(m string) bool { return imported == m || strings.HasPrefix(imported, m+"/") }) {
			return ""
		}
		return "a module that another package wraps, or none does"
	}
	to, known := roomOf(inner)
	switch {
	case !known:
		return "a package without a room"
	case from.name == games && to.name == games:
		if gameOf(dir) != gameOf(inner) {
			return "games do not import each other"
		}
		return ""
	case from.name == to.name || slices.Contains(from.rooms, to.name):
		return ""
	}
	return "arrows point down only"
}

// goFiles calls do for every Go file other than tests, with its directory in the repository.
func goFiles(t *testing.T, do func(dir, file string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && (name == "testdata" || name == "bench" || strings.HasPrefix(name, ".") && file != root) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		relative, err := filepath.Rel(root, filepath.Dir(file))
		do(filepath.ToSlash(relative), file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Imports point down only, whatever the build tags.
func TestArrows(t *testing.T) {
	t.Parallel()
	files, seen := token.NewFileSet(), map[string]bool{}
	goFiles(t, func(dir, file string) {
		parsed, err := parser.ParseFile(files, file, nil, parser.ImportsOnly)
		if err != nil {
			t.Error(err)
			return
		}
		if ignored(parsed) {
			return
		}
		r, _ := roomOf(dir)
		seen[r.name] = true
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Error(err)
			} else if why := judge(dir, imported); why != "" {
				t.Errorf("%s: %s imports %s: %s", files.Position(spec.Pos()), dir, imported, why)
			}
		}
	})
	for _, r := range rooms {
		if !seen[r.name] {
			t.Errorf("the room %s has no files", r.name)
		}
		for _, name := range r.rooms {
			if !slices.ContainsFunc(rooms, func(r room) bool { return r.name == name }) {
				t.Errorf("%s may import %s, which is not a room", r.name, name)
			}
		}
	}
}

// ignored reports whether a file is a program for go generate, in no package.
func ignored(f *ast.File) bool {
	for _, group := range f.Comments {
		for _, c := range group.List {
			if c.Text == "//go:build ignore" {
				return true
			}
		}
	}
	return false
}

// TestArrowRules: a wrong arrow would be seen.
func TestArrowRules(t *testing.T) {
	t.Parallel()
	tests := []struct {
		dir, imported string
		allowed       bool
	}{
		{"huffcodec", "fmt", true},
		{"huffcodec", "golang.org/x/term", false},
		{"huffcodec", modulePath + "/reassembly", false},
		{"reassembly", "net/netip", true},
		{"reassembly", modulePath + "/dissect", false},
		{"dissect", modulePath + "/dissect/internal/idle", true},
		{"dissect", modulePath + "/dissect/engine", false},
		{"dissect/engine", modulePath + "/dissect/internal/clock", true},
		{"dissect", modulePath + "/huffcodec", false},
		{"dissect", modulePath + "/dissect/internal/idle", true},
		{"dissect/internal/idle", modulePath + "/dissect", false},
		{"dissect/internal/clock", modulePath + "/dissect", false},
		{"dissect", modulePath + "/dissect/quake3", false},
		{"dissect", modulePath + "/dissect/render", false},
		{"dissect", "github.com/gopacket/gopacket", false},
		{"dissect/quake3", modulePath + "/dissect", true},
		{"dissect/quake3", modulePath + "/dissect/quake3/internal/tables", true},
		{"dissect/quake3", modulePath + "/dissect/teeworlds", false},
		{"dissect/quake3/internal/tables", modulePath + "/dissect/teeworlds", false},
		{"dissect/quake3", modulePath + "/dissect/render", false},
		{"dissect/quake3", modulePath + "/dissect/capture", false},
		{"dissect/quake3", modulePath + "/cmd/q3dissect", false},
		{"dissect/quake3", modulePath + "/dissect/infocolumn", true},
		{"dissect/infocolumn", modulePath + "/dissect", true},
		{"dissect/infocolumn", modulePath + "/dissect/quake3", false},
		{"dissect/internal/eventtree", modulePath + "/dissect/teeworlds", false},
		{"dissect", modulePath + "/dissect/infocolumn", false},
		{"dissect/event", modulePath + "/dissect/engine", false},
		{"dissect/view/timeline", modulePath + "/dissect/event", true},
		{"dissect/capture", "github.com/klauspost/compress/zstd", true},
		{"dissect/capture", "github.com/klauspost/compressor", false},
		{"dissect/capture", modulePath + "/dissect/render", false},
		{"dissect/capture", modulePath + "/dissect/open", false},
		{"dissect/convert", modulePath + "/dissect/render", true},
		{"dissect/convert", modulePath + "/dissect/quake3", false},
		{"dissect/open", modulePath + "/dissect/capture", true},
		{"dissect/open", modulePath + "/dissect/quake3", false},
		{"dissect/open", "github.com/klauspost/compress/zstd", false},
		{"dissect/render", "github.com/olekukonko/tablewriter/tw", false},
		{"dissect/render", modulePath + "/dissect/quake3", false},
		{"dissect/render", "github.com/spf13/cobra", false},
		{"dissect/rows", "github.com/parquet-go/parquet-go", false},
		{"dissect/convert", modulePath + "/cmd/internal/parquet", false},
		{"cmd/internal/parquet", "github.com/parquet-go/parquet-go/encoding/delta", true},
		{"dissect/all", modulePath + "/dissect/quake3", true},
		{"cmd/q3dissect", modulePath + "/dissect/all", true},
		{"cmd/q3dissect/command", modulePath + "/dissect/quake3", false},
		{"cmd/q3dissect/command", modulePath + "/huffcodec", false},
		{"cmd/q3dissect/command", "github.com/gopacket/gopacket", false},
		{"cmd/q3dissect/command", "github.com/itchyny/gojq", false},
		{"cmd/q3dissect/command", "github.com/olekukonko/tablewriter", false},
		{"cmd/q3dissect/internal/table", "github.com/olekukonko/tablewriter/pkg/twwidth", true},
		{"cmd/q3dissect/command", modulePath + "/cmd/q3dissect/internal/run", true},
		{"cmd/q3dissect/internal/run", modulePath + "/cmd/q3dissect/internal/exit", true},
		{"cmd/q3dissect/internal/exit", modulePath + "/cmd/q3dissect/internal/run", false},
		{"cmd/q3dissect/internal/jq", "github.com/itchyny/gojq", true},
		{"tools", "fmt", false},
		{"dissect/all", modulePath + "/tools", false},
	}
	for _, test := range tests {
		if why := judge(test.dir, test.imported); why == "" != test.allowed {
			t.Errorf("%s imports %s: allowed %v, want %v (%s)", test.dir, test.imported, why == "", test.allowed, why)
		}
	}
}

// What is for all games names none of them, outside its comments.
func TestGamesAreNotNamed(t *testing.T) {
	t.Parallel()
	var names []string
	for _, p := range all.Protocols() {
		names = append(names, strings.ToLower(strings.TrimRight(p.Name, "0123456789")))
	}
	general := []string{"dissect", "dissect/internal", "dissect/capture", "dissect/convert", "dissect/open", "dissect/filter", "dissect/render", "dissect/rows", "dissect/view", "dissect/export", "reassembly"}
	tokens := 0
	goFiles(t, func(dir, file string) {
		r, ok := roomOf(dir)
		if !ok || !slices.Contains(general, r.name) {
			return
		}
		src, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
			return
		}
		files := token.NewFileSet()
		var s scanner.Scanner
		s.Init(files.AddFile(file, -1, len(src)), src, nil, 0)
		for pos, tok, text := s.Scan(); tok != token.EOF; pos, tok, text = s.Scan() {
			tokens++
			if tok == token.STRING && strings.HasPrefix(text, `"`+modulePath) {
				continue // an import: the arrows are tested
			}
			for _, name := range names {
				if strings.Contains(strings.ToLower(text), name) {
					t.Errorf("%s: %s", files.Position(pos), text)
				}
			}
		}
	})
	if tokens < 10000 {
		t.Errorf("only %d tokens were looked at", tokens)
	}
}

// Each game of the Quake III family is described by its rows in quake3/internal/tables. The packages that read messages and make
// events ask the rows: outside comments and documentation they name no game, neither in an identifier nor in a string.
func TestGamesOfOneFamilyAreNotNamed(t *testing.T) {
	t.Parallel()
	const rooms, tables = "dissect/quake3", "dissect/quake3/internal/tables"
	named, labels := namesOfGames(t, tables)
	tokens := 0
	goFiles(t, func(dir, file string) {
		if dir != rooms && !strings.HasPrefix(dir, rooms+"/") || dir == tables || strings.HasPrefix(dir, tables+"/") || dir == rooms+"/truth" || strings.HasSuffix(file, "_test.go") {
			return
		}
		src, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
			return
		}
		files := token.NewFileSet()
		var s scanner.Scanner
		s.Init(files.AddFile(file, -1, len(src)), src, nil, 0)
		for pos, tok, text := s.Scan(); tok != token.EOF; pos, tok, text = s.Scan() {
			tokens++
			if tok == token.IDENT && named.MatchString(text) || tok == token.STRING && labels[text] {
				t.Errorf("%s: %s names a game", files.Position(pos), text)
			}
		}
	})
	if tokens < 50000 {
		t.Errorf("only %d tokens were looked at", tokens)
	}
}

// namesOfGames returns what identifiers that name a game match, and the strings that are names of games, in quotes. They are
// the constants of the games, and the labels and modules of their rows.
func namesOfGames(t *testing.T, dir string) (named *regexp.Regexp, labels map[string]bool) {
	t.Helper()
	constant := regexp.MustCompile(`(?m)^\t[Ff]amily([A-Za-z]+)[0-9]*\b`)
	row := regexp.MustCompile(`\b(?:Label: |Modules: \[\]string\{)("[^}\n]*?")[},\n]`)
	var names, first []string // as a word of an identifier, and as its first word
	labels = map[string]bool{}
	goFiles(t, func(at, file string) {
		if at != dir || !strings.HasPrefix(filepath.Base(file), "game") || strings.HasSuffix(file, "_test.go") {
			return
		}
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range constant.FindAllStringSubmatch(string(src), -1) {
			if m[1] != "Unknown" && !slices.Contains(names, m[1]) {
				names = append(names, m[1])
				first = append(first, strings.ToLower(m[1][:1])+m[1][1:], strings.ToLower(m[1]))
			}
		}
		for _, m := range row.FindAllStringSubmatch(string(src), -1) {
			for _, name := range strings.Split(m[1], ", ") {
				labels[name] = true
			}
		}
	})
	if len(names) < 10 || len(labels) < 9 {
		t.Fatalf("the rows have %d names and %d labels", len(names), len(labels))
	}
	return regexp.MustCompile(`(^|[a-z0-9_])(` + strings.Join(names, "|") + `)($|[^a-z])|^(` + strings.Join(first, "|") + `)($|[^a-z])`), labels
}
