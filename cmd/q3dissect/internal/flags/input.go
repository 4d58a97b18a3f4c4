package flags

import (
	"slices"

	"github.com/spf13/pflag"
)

// A File is a file given with -r, and how many files stood before it without.
type File struct {
	name   string
	before int
}

// An Inputs is -r. It notes where among the other files it stands.
type Inputs struct {
	files *[]File
	flags *pflag.FlagSet
}

// String gives the default value.
func (i *Inputs) String() string { return "" }

// Set takes a file.
func (i *Inputs) Set(name string) error {
	*i.files = append(*i.files, File{name, i.flags.NArg()})
	return nil
}

// Type is what completions call the value.
func (i *Inputs) Type() string { return "FILE" }

// NewInputs makes a -r that adds to a list.
func NewInputs(files *[]File, flags *pflag.FlagSet) *Inputs {
	return &Inputs{files, flags}
}

// InsertFiles puts the files of -r between the other arguments, where they stood.
func InsertFiles(args []string, files []File) []string {
	list := slices.Clone(args)
	for i, in := range files {
		list = slices.Insert(list, in.before+i, in.name)
	}
	return list
}
