package serve

import (
	"html"
	"os"
	"path/filepath"
	"time"
)

// doorTime is how long a browser has to start.
const doorTime = time.Minute

// Door makes a page in a file that leads to the address, and returns its name. The arguments of a program that is
// started are seen by all users of the machine: they may name this file, which nobody else can read, and not the
// address. The file is gone when the token was used, after a minute, or with close. It must be called before Run.
func (s *Server) Door() (name string, close func(), err error) {
	folder, err := os.MkdirTemp("", "q3dissect-view-*") // 0700
	if err != nil {
		return "", nil, err
	}
	remove := func() { os.RemoveAll(folder) } // nothing can be done about a fault here
	name = filepath.Join(folder, "viewer.html")
	page := "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>q3dissect</title>\n" +
		"<meta name=\"referrer\" content=\"no-referrer\">\n" +
		"<meta http-equiv=\"refresh\" content=\"0; url=" + html.EscapeString(s.URL()) + "\">\n"
	if err := os.WriteFile(name, []byte(page), 0o600); err != nil {
		remove()
		return "", nil, err
	}
	go func() {
		select {
		case <-s.used:
		case <-time.After(doorTime):
		}
		remove()
	}()
	return name, remove, nil
}
