// Package viewer has the page of q3dissect view: three panes for the records of captures and recordings. It asks
// package browse for everything that it shows, over HTTP or in a worker that runs WebAssembly.
package viewer

import (
	"bytes"
	"embed"
	"io/fs"
)

//go:embed *.html *.css *.js
var files embed.FS

// Files are the parts of the page. Its modules are in viewer/ beside assets/ and libraries/ of package web.
func Files() fs.FS { return files }

// Secrets are what the page needs for answers of a server. They are letters and digits.
type Secrets struct {
	Questions string // in the header of every question
	Addresses string // in the addresses of exports and of the report
}

// Entrance is the page of an address with a token: it keeps the secrets in its tab and redirects to the viewer, without
// the token and with the fragment. Without secrets it does so in a tab that has them.
func Entrance(s Secrets) []byte {
	b, err := files.ReadFile("entrance.html")
	if err != nil {
		panic(err) // it is embedded
	}
	return bytes.Replace(b, []byte(`data-secrets=""`), []byte(`data-secrets="`+s.Questions+" "+s.Addresses+`"`), 1)
}
