// Package browsertest drives the pages of the program in a real browser: Debian's Chromium, headless. It is a module of
// its own, so that the program's tests need nothing but Go.
//
//	.ci/browser --install           installs Chromium where that is possible, and runs everything
//	go test ./... -run Viewer       one page; CHROMIUM=/path/to/it for another browser
//	go test ./... -update           writes the pictures in docs/ again
//	Q3DISSECT_SLOW=8 go test ./...  with a slow page; Q3DISSECT_LATE=300 with answers that come late
//
// Where there is no browser the tests say so and skip.
package browsertest
