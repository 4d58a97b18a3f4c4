package web_test

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/q3dissect/q3dissect/cmd/internal/web"
	"github.com/q3dissect/q3dissect/cmd/internal/web/viewer"
)

// rawText is text that is given to the page without dom.js.
var rawText = regexp.MustCompile(
	`\.(textContent|innerText|ariaLabel|placeholder|alt) \+?= |\.title \+?= [^e]|createTextNode|new Text\(|` +
		`\.(append|prepend|before|after|replaceWith|replaceChildren)\(["` + "`" + `]`)

func TestScript(t *testing.T) {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	fsys := fstest.MapFS{
		"a/main.js": file("import { two } from \"../lib.js\";\nimport { one as first } from \"./one.js\";\nfirst(two);\n"),
		"a/one.js":  file("import { two } from \"../lib.js\";\nexport function one(x) { return x + two; }\n"),
		"lib.js":    file("export const two = 2;\n"),
		"ring.js":   file("import { a } from \"./ring.js\";\n"),
		"star.js":   file("import * as lib from \"./lib.js\";\n"),
		"list.js":   file("const a = 1;\nexport { a };\n"),
		"lost.js":   file("import { a } from \"./nowhere.js\";\n"),
	}
	got, err := web.Script(fsys, "a/main.js")
	if err != nil {
		t.Fatal(err)
	}
	want := `"use strict";
// lib.js
const module1 = (() => {
const two = 2;

return { two };
})();
// a/one.js
const module2 = (() => {
const { two } = module1;
function one(x) { return x + two; }

return { one };
})();
// a/main.js
const module3 = (() => {
const { two } = module1;
const { one: first } = module2;
first(two);

return {  };
})();
`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, entry := range []string{"ring.js", "star.js", "list.js", "lost.js"} {
		if got, err := web.Script(fsys, entry); err == nil {
			t.Errorf("%s is linked to\n%s", entry, got)
		}
	}
}

// Modules of this tree put nothing together as markup, and are linked. Text reaches the page through dom.js alone, which
// makes control characters visible.
func TestModules(t *testing.T) {
	checked := 0
	check := func(fsys fs.FS, root string, link bool) {
		err := fs.WalkDir(fsys, root, func(name string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, ".js") {
				return err
			}
			if link {
				if _, err := web.Script(fsys, name); err != nil {
					t.Error(err)
				}
			}
			text, err := fs.ReadFile(fsys, name)
			checked++
			for _, word := range []string{
				"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(",
				"new Function", "createContextualFragment", "srcdoc",
			} {
				if strings.Contains(string(text), word) {
					t.Errorf("%s: %s takes markup or code", name, word)
				}
			}
			if name != "assets/dom.js" {
				if m := rawText.Find(text); m != nil {
					t.Errorf("%s: %q: text of the page is set with el, say and hint of dom.js", name, m)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	check(web.Files(), "assets", true)
	check(viewer.Files(), ".", false)
	if checked < 60 {
		t.Errorf("only %d modules", checked)
	}
}
