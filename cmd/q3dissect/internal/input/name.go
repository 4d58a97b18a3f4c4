package input

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"

	"github.com/q3dissect/q3dissect/cmd/internal/pathguard"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/console"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// ErrNoName is the error of a flag whose name of a file is empty: of a variable that is not set.
var ErrNoName = errors.New("want a name")

// A Name is the value of a flag that names a file to read beside the inputs.
type Name string

// String returns the name.
func (n *Name) String() string { return string(*n) }

// Set takes a name.
func (n *Name) Set(name string) error {
	if name == "" {
		return ErrNoName
	}
	*n = Name(name)
	return nil
}

// Type is what completions call the value.
func (n *Name) Type() string { return "FILE" }

// Reads returns the name.
func (n *Name) Reads() []string {
	if *n == "" {
		return nil
	}
	return []string{string(*n)}
}

// A Places is the value of a flag that names files to read, or folders with them, any number of times.
type Places struct {
	Names []string
	Holds func(path string) bool // reports whether a file in one of the folders is read
}

// String returns the default value.
func (p *Places) String() string { return "" }

// Set adds a name.
func (p *Places) Set(name string) error {
	if name == "" {
		return ErrNoName
	}
	p.Names = append(p.Names, name)
	return nil
}

// Type is what completions call the value.
func (p *Places) Type() string { return "FILE" }

// Reads returns the names.
func (p *Places) Reads() []string { return p.Names }

// Claim adds the inputs of a command: its arguments, and what its flags name. isInput reports whether a file that is
// found in a folder is one.
func Claim(c *pathguard.Guard, stdin *os.File, args []string, flags *pflag.FlagSet, isInput func(path string) bool) {
	add := func(flag, name string, holds func(path string) bool) {
		switch info, err := os.Stat(name); {
		case name == Standard && flag == "":
			c.ReadsOpen("standard input", stdin)
		case err == nil && info.IsDir():
			c.Searches(flag, name, holds)
		default:
			c.Reads(flag, name)
		}
	}
	for _, name := range args {
		add("", name, isInput)
	}
	flags.Visit(func(f *pflag.Flag) {
		reader, ok := f.Value.(interface{ Reads() []string })
		if !ok {
			return
		}
		flag, holds := FlagName(f), isInput
		if p, ok := f.Value.(*Places); ok {
			holds = p.Holds
		} else if f.Name == "read-file" {
			flag = "" // as an argument
		}
		for _, name := range reader.Reads() {
			add(flag, name, holds)
		}
	})
}

// ReadAll reads a file beside the inputs, which is a regular one or a pipe and has so many bytes at most.
func ReadAll(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errors.New("is a directory")
	case !info.Mode().IsRegular() && info.Mode()&os.ModeNamedPipe == 0:
		return nil, errors.New("is neither a file nor a pipe")
	}
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(b)) > most {
		err = fmt.Errorf("has more than %d MB", most>>20)
	}
	return b, err
}

// FlagName returns a flag as users write it.
func FlagName(f *pflag.Flag) string {
	if f.Shorthand != "" {
		return "-" + f.Shorthand
	}
	return "--" + f.Name
}

// Files returns the files of paths, as open.Files does, without those in folders that the run writes to: standard
// output and standard error may go to one. These are named to complain; nil: nothing is said.
func Files(c *console.Console, paths []string, complain func(string)) ([]open.Path, error) {
	list, err := open.Files(paths)
	kept := list[:0]
	for _, path := range list {
		if stream := streamTo(c, path); stream == "" {
			kept = append(kept, path)
		} else if complain != nil {
			complain(path.Name + ": not read, as " + stream + " goes to it")
		}
	}
	return kept, err
}

// streamTo returns the name of the stream that goes to a file which was found in a folder; "": none does.
func streamTo(c *console.Console, path open.Path) string {
	if path.Given {
		return ""
	}
	info, err := os.Stat(path.Name)
	if err != nil {
		return ""
	}
	for _, s := range []struct {
		name string
		file *os.File
	}{{"standard output", c.Stdout}, {"standard error", c.Stderr}} {
		if out, err := s.file.Stat(); err == nil && out.Mode().IsRegular() && os.SameFile(info, out) {
			return s.name
		}
	}
	return ""
}
