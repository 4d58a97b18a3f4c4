package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A folder is one that was given.
type folder struct {
	root *os.Root
	path string // absolute
}

// folders are all that can be read. Names in the first are relative to it; those in others are absolute.
type folders []folder

// openFolders opens the folders of the command line; without any, the one in which the program runs.
func openFolders(names []string) (list folders, err error) {
	if len(names) == 0 {
		names = []string{"."}
	}
	for _, name := range names {
		path, err := filepath.Abs(name)
		if err != nil {
			return nil, err
		}
		if path, err = filepath.EvalSymlinks(path); err != nil { // links of the one who starts the program are meant
			return nil, err
		}
		root, err := os.OpenRoot(path)
		if err != nil {
			return nil, err
		}
		list = append(list, folder{root, path})
	}
	return list, nil
}

// paths returns the folders' paths.
func (l folders) paths() (paths []string) {
	for _, f := range l {
		paths = append(paths, f.path)
	}
	return paths
}

// mostName bounds a name, as systems do.
const mostName = 4096

var (
	errOutside = errors.New("is not below the folders of this server; the tool files lists what is")
	errKind    = errors.New("is neither a file nor a folder")
	errFolder  = errors.New("is a folder; this tool reads a file")
)

// find returns the folder of a name that an agent gave, and the name in it.
func (l folders) find(name string) (folder, string, error) {
	switch {
	case name == "" || len(name) > mostName || strings.ContainsRune(name, 0):
		return folder{}, "", errors.New("is no name of a file")
	case slices.Contains(strings.FieldsFunc(name, isSeparator), ".."):
		return folder{}, "", errOutside // behind a link it leads elsewhere than the name says
	case !filepath.IsAbs(name):
		if filepath.IsLocal(name) {
			return l[0], filepath.Clean(name), nil
		}
		return folder{}, "", errOutside
	}
	for _, f := range l {
		if inner, err := filepath.Rel(f.path, filepath.Clean(name)); err == nil && filepath.IsLocal(inner) {
			return f, inner, nil
		}
	}
	return folder{}, "", errOutside
}

func isSeparator(r rune) bool { return r == '/' || r == filepath.Separator }

// input returns the name of an input for the command, which runs in the first folder. Links are followed as long as
// they lead to somewhere below the folder; devices, pipes and sockets are refused before they are opened. whole means
// that it may be a folder.
func (l folders) input(name string, whole bool) (string, error) {
	f, inner, err := l.find(name)
	if err == nil {
		var info fs.FileInfo
		switch info, err = f.root.Stat(inner); {
		case err != nil:
			err = reason(err)
		case info.IsDir() && !whole:
			err = errFolder
		case info.IsDir():
			err = f.checkLinks(inner)
		case !info.Mode().IsRegular():
			err = errKind
		}
	}
	if err != nil {
		return "", fmt.Errorf("%q %w", name, err)
	}
	switch {
	case f.path != l[0].path:
		return filepath.Join(f.path, inner), nil
	case strings.HasPrefix(inner, "-"): // standard input, or a flag
		return "./" + inner, nil
	}
	return filepath.ToSlash(inner), nil
}

// reason is the error of a name for the one who gave it, without the path of the folder.
func reason(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("does not exist; the tool files lists what does")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("may not be read")
	}
	return errOutside
}

// checkLinks refuses a folder with a link that leads out: the command would follow it.
func (f folder) checkLinks(inner string) error {
	return fs.WalkDir(f.root.FS(), filepath.ToSlash(inner), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeSymlink == 0 {
			return nil // the command says what it cannot read
		}
		if _, err := f.root.Stat(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("has a link that leads out of it: %q; name files instead", name)
		}
		return nil
	})
}

// A listed file is a row of the tool files.
type listed struct {
	File     string `json:"file"`
	Bytes    int64  `json:"bytes"`
	Modified string `json:"modified"`
}

// all calls each with the files below a name, or below all folders for "", in the order of their names. Hidden ones,
// and those that links reach, are as for the command.
func (l folders) all(ctx context.Context, below string, each func(listed)) error {
	if below == "" {
		for i := range l {
			if err := l.walk(ctx, l[i], ".", each); err != nil {
				return err
			}
		}
		return nil
	}
	f, inner, err := l.find(below)
	if err == nil {
		if _, err = f.root.Stat(inner); err != nil {
			err = reason(err)
		}
	}
	if err != nil {
		return fmt.Errorf("%q %w", below, err)
	}
	return l.walk(ctx, f, filepath.ToSlash(inner), each)
}

// walk calls each with the files at or below a name in a folder.
func (l folders) walk(ctx context.Context, f folder, below string, each func(listed)) error {
	return fs.WalkDir(f.root.FS(), below, func(name string, d fs.DirEntry, err error) error {
		hidden := err == nil && name != below && strings.HasPrefix(d.Name(), ".")
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case hidden && d.IsDir():
			return fs.SkipDir
		case err != nil, hidden, d.IsDir():
			return nil
		}
		info, err := f.root.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			return nil
		}
		row := listed{name, info.Size(), info.ModTime().UTC().Format("2006-01-02T15:04:05Z")}
		if f.path != l[0].path {
			row.File = filepath.Join(f.path, filepath.FromSlash(name))
		}
		each(row)
		return nil
	})
}
