package flags

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// A Passphrase is a secret of the command line: the text itself, @FILE or env:NAME.
type Passphrase struct {
	given bool
	value string
}

// maxPassphrase bounds what is read of a file, which may be a device.
const maxPassphrase = 1 << 16

var (
	errEmptyPassphrase = errors.New("the key is empty")
	errLongPassphrase  = errors.New("the key is longer than 64 KiB")
)

// String returns nothing: the value is secret.
func (*Passphrase) String() string { return "" }

// Set takes a value.
func (p *Passphrase) Set(s string) error {
	*p = Passphrase{given: true, value: s}
	return nil
}

// Type is what completions call the value.
func (*Passphrase) Type() string { return "key" }

// Given reports whether the flag was given, with whatever value.
func (p *Passphrase) Given() bool { return p.given }

// Reads returns the file that has the passphrase, if one does.
func (p *Passphrase) Reads() []string {
	if name, isFile := strings.CutPrefix(p.value, "@"); isFile {
		return []string{name}
	}
	return nil
}

// Read returns the passphrase. Line ends after that of a file are not part of it. White space alone is no passphrase:
// it is what an unset variable or an empty file leaves.
func (p *Passphrase) Read() ([]byte, error) {
	var text []byte
	if name, isFile := strings.CutPrefix(p.value, "@"); isFile {
		var err error
		if text, err = readPassphrase(name); err != nil {
			return nil, err
		}
	} else if name, isVariable := strings.CutPrefix(p.value, "env:"); isVariable {
		value, set := os.LookupEnv(name)
		if !set {
			return nil, fmt.Errorf("the variable %s is not set", name)
		}
		text = []byte(value)
	} else {
		text = []byte(p.value)
	}
	switch {
	case len(bytes.TrimSpace(text)) == 0:
		return nil, errEmptyPassphrase
	case len(text) > maxPassphrase:
		return nil, errLongPassphrase
	}
	return text, nil
}

// readPassphrase reads a file without the line ends after the text.
func readPassphrase(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, withoutPath(name, err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxPassphrase+1))
	if err != nil {
		return nil, withoutPath(name, err)
	}
	return bytes.TrimRight(text, "\r\n"), nil
}

// withoutPath names the file once.
func withoutPath(name string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}
