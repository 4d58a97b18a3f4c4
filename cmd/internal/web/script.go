package web

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"
)

// moduleLines are the lines of a module about other modules. Modules say what they take and give in two forms alone,
// each on one line; whatever else begins with import or export is refused, so that a module that is served and one that
// is linked are the same.
type moduleLines struct{ imports, exports, other *regexp.Regexp }

var compileLines = sync.OnceValue(func() moduleLines {
	return moduleLines{
		imports: regexp.MustCompile(`^import \{ ([\w$, ]+) \} from "(\.[\w./-]+\.js)";$`),
		exports: regexp.MustCompile(`^export ((?:async )?function\*?|const|class) ([\w$]+)`),
		other:   regexp.MustCompile(`^\s*(import|export)\b[^(]`),
	}
})

// Script makes one script of a module and all that it imports: every module is a function that is called once, in the
// order in which they need each other, and gives what it exports.
func Script(fsys fs.FS, entry string) ([]byte, error) {
	l := linker{fsys: fsys, lines: compileLines(), names: map[string]string{}}
	l.out.WriteString("\"use strict\";\n")
	if _, err := l.module(entry, nil); err != nil {
		return nil, err
	}
	return l.out.Bytes(), nil
}

// A linker writes modules after those that they import.
type linker struct {
	fsys  fs.FS
	lines moduleLines
	out   bytes.Buffer
	names map[string]string // of the variables with what modules export, by path
}

// module writes a module, if it is not there yet, and gives the name of its variable. above are the modules that ask
// for it.
func (l *linker) module(name string, above []string) (string, error) {
	if variable, ok := l.names[name]; ok {
		return variable, nil
	}
	for _, a := range above {
		if a == name {
			return "", fmt.Errorf("%s imports itself, by way of %s", name, strings.Join(above, ", "))
		}
	}
	text, err := fs.ReadFile(l.fsys, name)
	if err != nil {
		return "", err
	}
	var body strings.Builder
	var exports []string
	for i, line := range strings.Split(string(text), "\n") {
		if m := l.lines.imports.FindStringSubmatch(line); m != nil {
			from, err := l.module(path.Join(path.Dir(name), m[2]), append(above, name))
			if err != nil {
				return "", err
			}
			line = "const { " + strings.ReplaceAll(m[1], " as ", ": ") + " } = " + from + ";"
		} else if m := l.lines.exports.FindStringSubmatch(line); m != nil {
			exports = append(exports, m[2])
			line = strings.TrimPrefix(line, "export ")
		} else if l.lines.other.MatchString(line) {
			return "", fmt.Errorf("%s:%d: want `import { a, b } from \"./c.js\";` or `export function`, const or class, have %q",
				name, i+1, line)
		}
		body.WriteString(line)
		body.WriteByte('\n')
	}
	variable := fmt.Sprintf("module%d", len(l.names)+1)
	l.names[name] = variable
	fmt.Fprintf(&l.out, "// %s\nconst %s = (() => {\n%sreturn { %s };\n})();\n", name, variable, body.String(),
		strings.Join(exports, ", "))
	return variable, nil
}
