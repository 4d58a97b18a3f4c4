// Package pathguard keeps a run from writing over its own inputs, and its outputs from replacing each other.
//
//	var c pathguard.Guard
//	c.Reads("", "game.pcap")
//	c.Writes("-w", "out.pcapng")
//	err := c.Check() // before anything is written
//
// Files are compared as the system sees them, through symbolic links, hard links and other spellings of a path.
package pathguard

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A Guard holds the files that a run reads and those that it is going to write. The zero value is empty.
type Guard struct {
	inputs  []input
	outputs []output
	folders []folder
	found   []searchedFolder

	// IsInput reports whether a file is of a kind that a run would read: a capture or a recording. An open output that
	// is one is refused, whether it was named or not. Nil: none is.
	IsInput func(path string) bool
}

// An input is a file that is read.
type input struct {
	flag string // that names it; empty for an argument
	name string
	info fs.FileInfo
}

// An output is a file that will be written.
type output struct {
	flag string // that names it, as errors show it
	name string
	info fs.FileInfo // nil: there is no such file yet
	path string      // with the symbolic links resolved
	err  error       // why it cannot be written
	own  bool        // it is one of the program's own, in a folder that the flag names

	stream   *os.File // it is open: standard output or standard error; nil: it is not
	contents string   // a path under which what it holds can be read
}

// A StreamError is the error of an output that is open.
type StreamError struct {
	Stream *os.File
	reason string
}

// Error returns the reason.
func (e *StreamError) Error() string { return e.reason }

// A folder is one in which files are written under names of the program's own.
type folder struct {
	flag, name string
	info       fs.FileInfo
	own        func(path string) bool
}

// A searchedFolder is a folder that is searched for inputs.
type searchedFolder struct {
	flag, name string
	isInput    func(path string) bool
}

// Reads adds a file that is read. A name without a file is left to whoever opens it.
func (c *Guard) Reads(flag, name string) {
	if info, err := os.Stat(name); err == nil && !info.IsDir() {
		c.inputs = append(c.inputs, input{flag, name, info})
	}
}

// ReadsOpen adds a file that is open: standard input.
func (c *Guard) ReadsOpen(name string, f *os.File) {
	if info, err := f.Stat(); err == nil {
		c.inputs = append(c.inputs, input{"", name, info})
	}
}

// Searches adds a folder whose files are inputs if isInput returns true.
func (c *Guard) Searches(flag, name string, isInput func(path string) bool) {
	c.found = append(c.found, searchedFolder{flag, name, isInput})
}

// Writes adds a file that will be written.
func (c *Guard) Writes(flag, name string) {
	o := output{flag: flag, name: name}
	if o.path, o.err = Target(name); o.err == nil {
		o.info, o.err = os.Stat(name)
	}
	if errors.Is(o.err, fs.ErrNotExist) && o.path != "" {
		o.err = nil
	}
	c.outputs = append(c.outputs, o)
}

// WritesIn adds a file with a name of the program's own in a folder that a flag names.
func (c *Guard) WritesIn(flag, folder, file string) {
	c.Writes(flag, filepath.Join(folder, file))
	c.outputs[len(c.outputs)-1].own = true
}

// WritesStandard adds a flag whose file is standard output.
func (c *Guard) WritesStandard(flag string) {
	c.outputs = append(c.outputs, output{flag: flag, name: "-", path: "-"})
}

// WritesOpen adds an output that is open: standard output or standard error. What is written may be appended to what
// its file holds. A file that holds nothing yet may be in a folder that is searched, and is passed over there.
func (c *Guard) WritesOpen(name string, f *os.File) {
	if info, err := f.Stat(); err == nil {
		c.outputs = append(c.outputs, output{
			name: name, info: info, stream: f, contents: "/dev/fd/" + strconv.FormatUint(uint64(f.Fd()), 10),
		})
	}
}

// WritesBelow adds a folder. own reports whether a path in it, with slashes, is one that may be replaced or removed.
func (c *Guard) WritesBelow(flag, name string, own func(path string) bool) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		c.folders = append(c.folders, folder{flag, name, info, own})
	}
}

// Check returns the first conflict, or an *fs.PathError for an output whose folder is not there.
func (c *Guard) Check() error {
	for i, o := range c.outputs {
		if err := c.checkFile(&c.outputs[i]); err != nil {
			return err
		}
		for _, other := range c.outputs[:i] {
			if !o.own && !other.own && o.flag != "" && other.flag != "" && o.same(&other) {
				return fmt.Errorf("%s %s: this is the output of %s, too; write to different files", o.flag, o.name, other.flag)
			}
		}
	}
	for _, f := range c.folders {
		for _, in := range c.inputs {
			if f.holds(in.name) {
				return fmt.Errorf("%s %s: the files that are written there could replace %s; write to another folder",
					f.flag, f.name, in.what())
			}
		}
	}
	return nil
}

func (c *Guard) checkFile(o *output) error {
	switch {
	case o.err != nil:
		return &fs.PathError{Op: "open", Path: o.name, Err: reason(o.err)}
	case o.info == nil:
		return nil
	case o.info.IsDir():
		return fmt.Errorf("%s %s: is a folder; name a file", o.flag, o.name)
	case o.info.Mode()&(fs.ModeCharDevice|fs.ModeSocket) != 0: // a terminal and /dev/null are read and written
		return nil
	case o.stream != nil && !o.info.Mode().IsRegular():
		return nil
	}
	for _, in := range c.inputs {
		if os.SameFile(in.info, o.info) {
			return o.conflict(in.what())
		}
	}
	if o.stream != nil && o.info.Size() == 0 {
		return nil
	}
	for _, f := range c.found {
		if path := f.find(o.info); path != "" {
			return o.conflict((&input{flag: f.flag, name: path}).what())
		}
	}
	if o.stream != nil && !c.continuesPackets() && c.IsInput != nil && c.IsInput(o.contents) {
		return o.conflict("a capture or a recording")
	}
	return nil
}

// conflict returns the error of an output that is something else as well.
func (o *output) conflict(what string) error {
	text := fmt.Sprintf("%s: this is %s; write to another file", strings.TrimSpace(o.flag+" "+o.name), what)
	if o.stream != nil {
		return &StreamError{o.stream, text}
	}
	return errors.New(text)
}

// continuesPackets reports whether a flag writes its file to standard output: packets may follow those of another
// program there.
func (c *Guard) continuesPackets() bool {
	return slices.ContainsFunc(c.outputs, func(o output) bool { return o.path == "-" })
}

// what describes an input in an error.
func (in *input) what() string {
	if in.flag != "" {
		return "the file " + in.name + " of " + in.flag
	}
	return "the input " + in.name
}

// same reports whether two outputs are one file.
func (o *output) same(other *output) bool {
	if o.info != nil && other.info != nil {
		return os.SameFile(o.info, other.info) && o.info.Mode()&fs.ModeDevice == 0
	}
	return o.info == nil && other.info == nil && o.path == other.path
}

// reason returns an error of the system without the name of the file.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// find returns the path of a file in the folder, if it is one of the inputs there; empty if it is not.
func (f *searchedFolder) find(file fs.FileInfo) (path string) {
	root := f.name + string(filepath.Separator) // the folder may be a link, which the program follows
	_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !file.Mode().IsRegular() {
			return nil
		}
		if info, err := os.Stat(name); err == nil && os.SameFile(info, file) && f.isInput(name) {
			path = name
			return fs.SkipAll
		}
		return nil
	})
	return path
}

// holds reports whether a file has one of the program's own paths in f.
func (f *folder) holds(name string) bool {
	path, err := filepath.Abs(name)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return false
	}
	for below := filepath.Base(path); ; below = filepath.Base(path) + "/" + below {
		up := filepath.Dir(path)
		if up == path {
			return false
		}
		if info, err := os.Stat(up); err == nil && os.SameFile(info, f.info) {
			return f.own(below)
		}
		path = up
	}
}

// maxLinks is how many symbolic links a name may have in its end, as in the system.
const maxLinks = 40

var errLinks = errors.New("too many levels of symbolic links")

// IsDescriptor reports whether a path is that of an open file, as /dev/stdout and /dev/fd/3 are: its name cannot be
// given to another file.
func IsDescriptor(path string) bool {
	return strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/") &&
		filepath.Base(filepath.Dir(path)) == "fd"
}

// Target returns where a file is that is written under a name: a symbolic link at the end of it is followed, also one
// to a file that is not there yet.
func Target(name string) (string, error) {
	for range maxLinks {
		dir, err := filepath.EvalSymlinks(filepath.Dir(name))
		if err == nil {
			dir, err = filepath.Abs(dir)
		}
		if err != nil {
			return "", err
		}
		if name = filepath.Join(dir, filepath.Base(name)); IsDescriptor(name) {
			return name, nil
		}
		info, err := os.Lstat(name)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return name, nil
		}
		target, err := os.Readlink(name)
		if err != nil {
			return "", err
		}
		if name = target; !filepath.IsAbs(target) {
			name = filepath.Join(dir, target)
		}
	}
	return "", errLinks
}
