package open

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A Path is a file that was found at or below given paths.
type Path struct {
	Name string
	// Given means that the name itself was given, rather than a folder with the file: a file of unknown kind is
	// then an error. In a folder it is skipped.
	Given bool
}

// Files expands paths: a folder becomes all files in it and in its folders, in the order of
// their names. Names that begin with a dot are left out, links to folders in them are not
// followed, unlike one that is given. A path other than a folder
// is returned as it is, even if there is no such file: opening it reports the error.
//
// The error is that of the first folder that cannot be read; the files that were found are given with it.
func Files(paths []string) ([]Path, error) {
	var list []Path
	var first error
	for _, path := range paths {
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			list = append(list, Path{Name: path, Given: true})
			continue
		}
		// The walk continues after a folder that cannot be read.
		root := path
		if !os.IsPathSeparator(root[len(root)-1]) {
			root += string(filepath.Separator) // a link that was given is followed
		}
		_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			switch hidden := name != root && strings.HasPrefix(d.Name(), "."); {
			case err != nil && first == nil:
				first = err
			case err != nil:
			case hidden && d.IsDir():
				return fs.SkipDir
			case !hidden && isFile(name, d):
				list = append(list, Path{Name: name})
			}
			return nil
		})
	}
	return list, first
}

// isFile reports whether an entry of a folder is a file, or a link to one.
func isFile(name string, d fs.DirEntry) bool {
	if d.Type()&fs.ModeSymlink == 0 {
		return d.Type().IsRegular()
	}
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}
