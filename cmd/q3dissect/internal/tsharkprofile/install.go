// Package tsharkprofile installs the plug-in and a profile into Wireshark's personal folders. It never replaces the
// user's own files.
package tsharkprofile

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/console"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/output"
)

// Tried are the versions of Wireshark that the plug-in was tried with.
const Tried = "tried with Wireshark 4.0.17, and is written for 4.0 to 4.4 (Lua 5.2 and 5.4)"

// A File is a text to be installed. Its first line has the sum of the rest: a file whose sum is another one, or that
// has none, is the user's.
type File struct {
	Path    string
	Comment string // begins a comment: "--"
	Text    []byte
}

// mark is in the first line of all files, before the sum.
const mark = "written by q3dissect wireshark install, sha256 of what follows: "

// content returns the file with its first line.
func (f *File) content() []byte {
	sum := sha256.Sum256(f.Text)
	line := f.Comment + " " + mark + hex.EncodeToString(sum[:]) + "\n"
	return append([]byte(line), f.Text...)
}

// own reports whether a file is as an earlier install wrote it.
func own(b []byte) bool {
	line, rest, ok := bytes.Cut(b, []byte{'\n'})
	_, sum, marked := strings.Cut(string(bytes.TrimRight(line, "\r")), mark)
	want := sha256.Sum256(rest)
	return ok && marked && sum == hex.EncodeToString(want[:])
}

// maxFile is the size of the largest file that is compared, in bytes. None that was written here is as large.
const maxFile = 16 << 20

// check reports what a file would replace that is not an unchanged file of an earlier install.
func (f *File) check() error {
	info, err := os.Stat(f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return exit.Unwritable(f.Path, errors.New(exit.Reason(err)))
	case !info.Mode().IsRegular():
		return exit.Unwritable(f.Path, errors.New("is not a file"))
	}
	var b []byte
	if info.Size() <= maxFile {
		if b, err = os.ReadFile(f.Path); err != nil {
			return exit.Unwritable(f.Path, errors.New(exit.Reason(err)))
		}
	}
	if !own(b) {
		return exit.Unwritable(f.Path, errors.New(
			"is there already, and is not as q3dissect wrote it; move it away, or choose another folder with --dir"))
	}
	return nil
}

// Install writes the files. It overwrites only what an earlier install wrote, and writes either all files or none.
func Install(c *console.Console, files []File) error {
	for i := range files {
		if err := files[i].check(); err != nil {
			return err
		}
	}
	for i := range files {
		f := &files[i]
		if err := os.MkdirAll(filepath.Dir(f.Path), 0o755); err != nil {
			return exit.Unwritable(filepath.Dir(f.Path), errors.New(exit.Reason(err)))
		}
		out, err := output.Name(f.Path).Create(c)
		if err != nil {
			return exit.Unwritable(f.Path, err)
		}
		if _, err = out.Write(f.content()); err != nil {
			out.Drop()
			return exit.Unwritable(f.Path, errors.New(exit.Reason(err)))
		}
		if err := out.Commit(); err != nil {
			return exit.Unwritable(f.Path, err)
		}
	}
	return nil
}

// Folders are Wireshark's personal folders.
type Folders struct {
	Plugins string // of Lua programs
	Config  string // with the profiles
	Guessed bool   // no tshark was asked: they are where Wireshark has them if nobody changed that
}

// patience is how long tshark gets to print its folders.
const patience = 20 * time.Second

// FindFolders asks tshark for the folders.
func FindFolders() (Folders, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	out, err := exec.CommandContext(ctx, "tshark", "-G", "folders").Output()
	if err == nil {
		if f, ok := parseFolders(string(out)); ok {
			return f, nil
		}
	}
	return usualFolders()
}

// parseFolders reads what tshark -G folders prints: a name, a colon, tabs and a path in each line.
func parseFolders(text string) (f Folders, ok bool) {
	for line := range strings.Lines(text) {
		name, path, _ := strings.Cut(strings.TrimRight(line, "\r\n"), ":")
		path = strings.TrimSpace(path)
		switch name {
		case "Personal Lua Plugins":
			f.Plugins = path
		case "Personal configuration":
			f.Config = path
		}
	}
	return f, f.Plugins != "" && f.Config != ""
}

// usualFolders returns the folders of the User's Guide of Wireshark, appendix B.
func usualFolders() (Folders, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return Folders{}, fmt.Errorf("neither tshark nor a home folder is found (%w); name the folder with --dir", err)
	}
	if runtime.GOOS == "windows" {
		root := filepath.Join(os.Getenv("APPDATA"), "Wireshark")
		return Folders{Plugins: filepath.Join(root, "plugins"), Config: root, Guessed: true}, nil
	}
	return Folders{
		Plugins: filepath.Join(home, ".local", "lib", "wireshark", "plugins"),
		Config:  filepath.Join(home, ".config", "wireshark"), Guessed: true,
	}, nil
}
