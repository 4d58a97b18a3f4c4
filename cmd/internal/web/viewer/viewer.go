// Package viewer has the page of q3dissect view: three panes for the records of captures and recordings. It asks
// package browse for everything that it shows, over HTTP or in a worker that runs WebAssembly.
package viewer

import (
	"embed"
	"io/fs"
)

//go:embed *.html *.css *.js
var files embed.FS

// Files are the parts of the page. Its modules are in viewer/ beside assets/ and libraries/ of package web.
func Files() fs.FS { return files }

// Entrance is the page of an address with a token: it redirects to the viewer, without the token and with the fragment.
func Entrance() []byte {
	b, err := files.ReadFile("entrance.html")
	if err != nil {
		panic(err) // it is embedded
	}
	return b
}
