// Package web has the pages' parts: styles, modules, and the libraries of others. They are embedded as they are in
// the tree; there is no build step.
//
//	assets/    style.css and the modules that the report and the viewer share; assets/report those of the report alone
//	libraries/ those of others by version, with their licences; libraries/refresh.sh fetches them again. It is not called
//	           vendor because Go leaves such folders out of modules
//
// A server hands out Files as they are: the modules import each other by relative paths. A page that is one file takes
// Script, which is a module with all that it imports.
package web

import (
	"io/fs"
	"path"
)

// Files are all parts: "assets/dom.js", "libraries/echarts/echarts.min.js". In a browser the libraries are not among
// them: its page has them beside it.
func Files() fs.FS { return files }

// Style is the style sheet that the pages share.
func Style() []byte { return read("assets/style.css") }

// ReportStyle is the style sheet of the report alone.
func ReportStyle() []byte {
	return append(read("assets/report/report.css"), read("assets/report/replay.css")...)
}

// Echarts is the library of plots. As a classic script it defines echarts.
func Echarts() []byte { return read("libraries/echarts/echarts.min.js") }

// read returns a part that is in the tree.
func read(name string) []byte {
	b, err := files.ReadFile(path.Clean(name))
	if err != nil {
		panic(err) // it is embedded, or a test has failed
	}
	return b
}
