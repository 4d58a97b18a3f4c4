package main

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"
)

// The exit statuses, as they are promised. Of several files the highest counts.
const (
	statusDone       = 0
	statusNoMatch    = 1 // nothing matched, and --exit-status was given
	statusUsage      = 2 // what was asked for makes no sense, or is not built
	statusUnreadable = 3 // an input cannot be read or is of no known kind, or the output cannot be written
	statusBrokenOff  = 4 // an input ends early; what stands before was written
)

// A statusError ends the program with a status. Its text may be empty: everything was said then.
type statusError struct {
	status int
	text   string
}

// Error gives the text.
func (e *statusError) Error() string { return e.text }

// usageError says in one sentence what is wrong with the command line.
func usageError(format string, args ...any) error {
	return &statusError{statusUsage, fmt.Sprintf(format, args...)}
}

// statusOf gives the exit status of an error. What does not know its own comes from cobra and is about
// the command line.
func statusOf(err error) int {
	var s *statusError
	if errors.As(err, &s) {
		return s.status
	}
	return statusUsage
}

// complain writes one line about an error to standard error.
func (p *program) complain(message string) {
	fmt.Fprintf(p.stderr, "q3dissect: %s\n", visible(message))
}

// visible makes a text safe for a terminal: control characters (C0, DEL, C1), what changes the direction
// of writing, and bytes outside UTF-8 appear as \x1b. File names and messages of others may hold them.
func visible(s string) string {
	if strings.IndexFunc(s, disturbs) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r < 0x100 && disturbs(r):
			fmt.Fprintf(&b, `\x%02x`, r)
		case disturbs(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

func disturbs(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp)
}

// sentence gives the text of an error on one line: what errors.Join put on lines of their own stands after
// semicolons.
func sentence(err error) string {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var lines, parts []string
		for _, e := range joined.Unwrap() {
			lines, parts = append(lines, e.Error()), append(parts, sentence(e))
		}
		if err.Error() == strings.Join(lines, "\n") {
			return strings.Join(parts, "; ")
		}
	}
	return err.Error()
}

// isClosedPipe reports whether a write failed because nobody reads any more.
func isClosedPipe(err error) bool {
	const errorBrokenPipe, errorNoData = syscall.Errno(109), syscall.Errno(232) // winerror.h
	if runtime.GOOS == "windows" && (errors.Is(err, errorBrokenPipe) || errors.Is(err, errorNoData)) {
		return true
	}
	return errors.Is(err, syscall.EPIPE)
}
