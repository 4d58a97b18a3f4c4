package flags

import (
	"slices"

	"github.com/spf13/pflag"
)

// A File is a file given with -r, and the number of arguments before it without -r.
type File struct {
	name   string
	before int
}

// An Inputs is the value of -r. It records the position among the other files.
type Inputs struct {
	files *[]File
	flags *pflag.FlagSet
}

// String returns the default value.
func (i *Inputs) String() string { return "" }

// Set takes a file.
func (i *Inputs) Set(name string) error {
	*i.files = append(*i.files, File{name, i.flags.NArg()})
	return nil
}

// Reads returns the names.
func (i *Inputs) Reads() (names []string) {
	for _, f := range *i.files {
		names = append(names, f.name)
	}
	return names
}

// Type is what completions call the value.
func (i *Inputs) Type() string { return "FILE" }

// NewInputs returns a -r that adds to a list.
func NewInputs(files *[]File, flags *pflag.FlagSet) *Inputs {
	return &Inputs{files, flags}
}

// InsertFiles inserts the files of -r among the other arguments, at their positions.
func InsertFiles(args []string, files []File) []string {
	list := slices.Clone(args)
	for i, in := range files {
		list = slices.Insert(list, in.before+i, in.name)
	}
	return list
}
