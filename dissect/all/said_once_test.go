package all_test

import (
	"bytes"
	"go/scanner"
	"go/token"
	"os"
	"regexp"
	"slices"
	"testing"
)

// A rule has one implementation, which other packages call. Its pattern matches the code of another one.
type rule struct {
	name    string
	pattern *regexp.Regexp
	homes   []string // the directories that may match
	call    string   // what the others call
	example string   // code that the pattern matches
}

// saidOnce are the rules of the project that are implemented once. Patterns are matched with the Go code of all
// packages, without comments and tests.
var saidOnce = []rule{
	{
		name:    "the number under which a packet is shown",
		pattern: regexp.MustCompile(`\.Frame\s*-\s*1\b|\.Frame--|Recorded\(\)[^{}]*\{\s*[\w.]+--`),
		homes:   []string{"dissect", "dissect/dissecttest"}, // dissecttest: the index in a list of packets
		call:    "Packet.Number",
		example: "number := rec.Frame\nif rec.Recorded() {\n\tnumber--\n}",
	},
	{
		name:    "JSON Schema of rows",
		pattern: regexp.MustCompile(`json-schema\.org/draft`),
		homes:   []string{"dissect/members", "dissect/render/schema"}, // of rows, and of records
		call:    "members.Row.Schema, or members.Schema",
		example: `o["$schema"] = "https://json-schema.org/draft/2020-12/schema"`,
	},
	{
		name:    "numbers and times in words",
		pattern: regexp.MustCompile(`-= 3 \{|"1 " \+ \w+\b|%d:%02d|%d %ss|\+ "s"`),
		homes:   []string{"dissect/quantity"},
		call:    "quantity.Thousands, Count, Grouped, Times, Minutes or Race",
		example: "if n == 1 {\n\treturn \"1 \" + noun\n}",
	},
	{
		name:    "the cipher of the netchan",
		pattern: regexp.MustCompile(`\^=?\s*[\w.\[\]]+\s*<<\s*(shift|\([^\n]*&\s*1\))`),
		homes:   []string{"dissect/quake3/internal/netchan"},
		call:    "netchan.Decipher or NextKey",
		example: "other := key ^ d<<(s.start&1)",
	},
	{
		name:    "how packets reach an engine",
		pattern: regexp.MustCompile(`\b(?:e|engine)\.Packet\(`),
		// the tests have packets of no input
		homes:   []string{"dissect/open", "dissect/dissecttest", "dissect/internal/enginetest"},
		call:    "open.Feed or open.Dissect",
		example: "if err := r.engine.Packet(p); err != nil {",
	},
	{
		name:    "the pass that finds keys",
		pattern: regexp.MustCompile(`\bKeysOnly:`),
		homes:   []string{"dissect/open", "dissect/internal/reftest"},
		call:    "open.Keys",
		example: "Options: dissect.Options{KeysOnly: true, KeyFound: found.Add},",
	},
	{
		name:    "text of bytes that are not UTF-8",
		pattern: regexp.MustCompile(`utf8\.RuneError\s*&&`),
		homes:   []string{"dissect/wiretext", "dissect/internal/texttest"},
		call:    "wiretext.Append, String or Next",
		example: "if r == utf8.RuneError && size == 1 {\n\tr = rune(b[0])\n}",
	},
	{
		name:    "characters that a terminal must not get",
		pattern: regexp.MustCompile(`Bidi_Control|0x(2028|202a|2066)`),
		homes:   []string{"dissect/wiretext"},
		call:    "wiretext.Disturbs, or Visible",
		example: "return unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control)",
	},
	{
		name:    "the object of an infostring, and whether it is the whole text",
		pattern: regexp.MustCompile(`\bNextPair\(`),
		// quake3 and -V have all pairs, repeated keys too.
		homes: []string{
			"dissect", "dissect/internal/infostring", "dissect/quake3", "dissect/quake3/internal/secret",
			"dissect/render",
		},
		call:    "infostring.Reader, Value or Exact",
		example: "key, value, rest, ok := dissect.NextPair(s)",
	},
	{
		name:    "the common part of records",
		pattern: regexp.MustCompile(`"(captured_length|ip_fragments|time_relative)"`),
		homes:   []string{"dissect/internal/recordhead", "dissect/internal/wireshark"},
		call:    "recordhead.Common and Event",
		example: `{Key: "captured_length", Type: "integer"}`,
	},
	{
		name:    "the names of fields in filters and columns",
		pattern: regexp.MustCompile(`(CutSuffix|TrimSuffix)\([^)]*("_(raw|names?)"|(Raw|Names?)Suffix)|siblings = \[\]struct`),
		homes:   []string{"dissect/internal/fieldpath"},
		call:    "fieldpath.Compile",
		example: `plain, ok := strings.CutSuffix(name, "_raw")`,
	},
	{
		name:    "the name of a bit",
		pattern: regexp.MustCompile(`"1248"|"0x"\s*\+\s*strconv\.FormatUint\(1\s*<<|"0x1000000000000000"|Enum\.(Tables|All\(\))\[`),
		homes:   []string{"dissect"},
		call:    "Enum.BitName",
		example: `return "0x" + strconv.FormatUint(1<<bit, 16)`,
	},
	{
		name: "the kinds of events",
		pattern: regexp.MustCompile(`[kK]ind(\.Key\)\.String\(\))?\s*([!=]=|\{\s*case)\s*"[a-z_]+"|EventKind, "|\.Begin\("|` +
			`"(connect_request|(map|match|round)_(start|end)|race_finish|rcon_(granted|denied|ended))"`),
		// The tables have the names of the engines' own events.
		homes:   []string{"dissect/event", "dissect/quake3/internal/tables", "dissect/quake3/internal/tables/names"},
		call:    "the constants of package event",
		example: "switch e.Get(dissect.EventKind.Key).String() {\ncase \"kill\":\n}",
	},
}

// TestSaidOnce: a rule is called, not written again.
func TestSaidOnce(t *testing.T) {
	t.Parallel()
	seen := map[string][]string{} // the directories in which a rule's pattern matched
	goFiles(t, func(dir, file string) {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
			return
		}
		code := withoutComments(src)
		for _, r := range saidOnce {
			for _, at := range r.pattern.FindAllIndex(code, -1) {
				seen[r.name] = append(seen[r.name], dir)
				if !slices.Contains(r.homes, dir) {
					t.Errorf("%s:%d: %q: %s: call %s", file, 1+bytes.Count(code[:at[0]], []byte("\n")),
						code[at[0]:at[1]], r.name, r.call)
				}
			}
		}
	})
	for _, r := range saidOnce {
		if !r.pattern.MatchString(r.example) {
			t.Errorf("%s: the pattern does not match its example", r.name)
		}
		for _, home := range r.homes {
			if !slices.Contains(seen[r.name], home) {
				t.Errorf("%s: nothing in %s matches", r.name, home)
			}
		}
	}
}

// withoutComments returns Go code with blanks in place of its comments; line feeds stay.
func withoutComments(src []byte) []byte {
	code := bytes.Clone(src)
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, scanner.ScanComments)
	for pos, tok, text := s.Scan(); tok != token.EOF; pos, tok, text = s.Scan() {
		if tok != token.COMMENT {
			continue
		}
		at := file.Offset(pos)
		for i := range code[at : at+len(text)] {
			if code[at+i] != '\n' {
				code[at+i] = ' '
			}
		}
	}
	return code
}
