package output

import (
	"os"

	"github.com/spf13/pflag"

	"github.com/q3dissect/q3dissect/cmd/internal/pathguard"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
)

// A Name is the value of a flag that names a file to write; - is standard output. Create takes nothing else, so that
// every file that the command writes is among the outputs that Claim finds.
type Name string

// String returns the name.
func (n *Name) String() string { return string(*n) }

// Set takes a name.
func (n *Name) Set(name string) error {
	if name == "" {
		return input.ErrNoName
	}
	*n = Name(name)
	return nil
}

// Type is what completions call the value.
func (n *Name) Type() string { return "FILE" }

func (n *Name) claim(c *pathguard.Guard, flag string) {
	if *n == input.Standard {
		c.WritesStandard(flag)
	} else {
		c.Writes(flag, string(*n))
	}
}

// A Folder is the value of a flag that names a folder to write files into.
type Folder struct {
	Name  string
	Files []string               // that are always written there
	Own   func(path string) bool // reports whether a file in it may be replaced or removed; nil: none is
}

// String returns the name.
func (f *Folder) String() string { return f.Name }

// Set takes a name.
func (f *Folder) Set(name string) error {
	if name == "" {
		return input.ErrNoName
	}
	f.Name = name
	return nil
}

// Type is what completions call the value.
func (f *Folder) Type() string { return "DIR" }

func (f *Folder) claim(c *pathguard.Guard, flag string) {
	if info, err := os.Stat(f.Name); err != nil || !info.IsDir() {
		return // it is made, or cannot be
	}
	for _, file := range f.Files {
		c.WritesIn(flag, f.Name, file)
	}
	if f.Own != nil {
		c.WritesBelow(flag, f.Name, f.Own)
	}
}

// Claim adds the outputs that the flags of a command name.
func Claim(c *pathguard.Guard, flags *pflag.FlagSet) {
	flags.Visit(func(f *pflag.Flag) {
		if out, ok := f.Value.(interface {
			claim(*pathguard.Guard, string)
		}); ok {
			out.claim(c, input.FlagName(f))
		}
	})
}
