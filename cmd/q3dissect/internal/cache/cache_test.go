//go:build unix

package cache

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

type value struct {
	Text string
	List []int
}

var (
	kept = value{"what was found", []int{1, 2, 3}}
	old  = time.Now().Add(-time.Hour).Truncate(time.Second)
)

// folder makes a cache with an entry for a file, and returns the name of both.
func folder(t *testing.T) (c *Cache, name, entry string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "cache")
	c, why := in(dir, "test", "this program")
	if c == nil {
		t.Fatal("no cache", why)
	}
	t.Cleanup(c.Close)
	name = filepath.Join(t.TempDir(), "file")
	write(t, name, "contents of the file")
	put(c, name, kept)
	entries, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(entries) != 1 {
		t.Fatal(entries, err)
	}
	return c, name, entries[0]
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(name, old, old); err != nil {
		t.Fatal(err)
	}
}

func put(c *Cache, name string, v value) { c.Look(name).Put(&v) }

func get(c *Cache, name string) (v value, ok bool) {
	ok = c.Look(name).Get(&v)
	return v, ok
}

func TestCache(t *testing.T) {
	t.Parallel()
	c, name, entry := folder(t)
	if v, ok := get(c, name); !ok || v.Text != kept.Text || len(v.List) != 3 {
		t.Errorf("%+v, %v", v, ok)
	}
	if _, ok := get(c, name+"2"); ok {
		t.Error("there is something of a file that is not there")
	}
	info, err := os.Stat(entry)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v: others can read who played with whom", info.Mode(), err)
	}
	var none *Cache
	put(none, name, kept)
	if _, ok := get(none, name); ok {
		t.Error("no cache has something")
	}
	none.Close()
}

// What differs in anything from what was kept is read again.
func TestChanged(t *testing.T) {
	t.Parallel()
	for what, change := range map[string]func(c *Cache, name, entry string) error{
		"contents, of the same size and time": func(_ *Cache, name, _ string) error {
			if err := os.WriteFile(name, []byte("contents of the f1le"), 0o600); err != nil {
				return err
			}
			return os.Chtimes(name, old, old)
		},
		"time": func(_ *Cache, name, _ string) error { return os.Chtimes(name, old, old.Add(time.Nanosecond)) },
		"size": func(_ *Cache, name, _ string) error {
			if err := os.Truncate(name, 5); err != nil {
				return err
			}
			return os.Chtimes(name, old, old)
		},
		"path": func(_ *Cache, name, _ string) error { // another file has its name
			other := filepath.Join(filepath.Dir(name), "other")
			if err := os.WriteFile(other, []byte("contents of another!"), 0o600); err != nil {
				return err
			}
			if err := os.Chtimes(other, old, old); err != nil {
				return err
			}
			return os.Rename(other, name)
		},
		"program":     func(c *Cache, _, _ string) error { c.program = "another"; return nil },
		"variant":     func(c *Cache, _, _ string) error { c.variant = "another"; return nil },
		"entry, gone": func(_ *Cache, _, entry string) error { return os.Remove(entry) },
		"entry, of another file": func(c *Cache, name, entry string) error {
			other := name + "2"
			if err := os.WriteFile(other, []byte("contents of the file"), 0o600); err != nil {
				return err
			}
			if err := os.Chtimes(other, old, old); err != nil {
				return err
			}
			return os.Rename(entry, filepath.Join(filepath.Dir(entry), c.Look(other).entry))
		},
		"entry, a link": func(_ *Cache, _, entry string) error {
			to := filepath.Join(filepath.Dir(filepath.Dir(entry)), "elsewhere")
			if err := os.Rename(entry, to); err != nil {
				return err
			}
			return os.Symlink(to, entry)
		},
		"entry, a link inside": func(_ *Cache, _, entry string) error {
			if err := os.Rename(entry, entry+"2"); err != nil {
				return err
			}
			return os.Symlink(filepath.Base(entry)+"2", entry)
		},
		"entry, of another user": func(_ *Cache, _, entry string) error {
			if os.Getuid() != 0 {
				return os.Remove(entry)
			}
			return os.Chown(entry, 65534, 65534)
		},
		"entry, a folder": func(_ *Cache, _, entry string) error {
			if err := os.Remove(entry); err != nil {
				return err
			}
			return os.Mkdir(entry, 0o700)
		},
		"entry, a pipe": func(_ *Cache, _, entry string) error {
			if err := os.Remove(entry); err != nil {
				return err
			}
			return syscall.Mkfifo(entry, 0o600)
		},
	} {
		c, name, entry := folder(t)
		if err := change(c, name, entry); err != nil {
			t.Fatal(err)
		}
		names := []string{name, name + "2"}
		for _, name := range names {
			if v, ok := get(c, name); ok {
				t.Errorf("%s: %+v", what, v)
			}
		}
	}
}

// An entry that was cut or in which a bit is another is none.
func TestDamaged(t *testing.T) {
	t.Parallel()
	c, name, entry := folder(t)
	whole, err := os.ReadFile(entry)
	if err != nil {
		t.Fatal(err)
	}
	try := func(what string, b []byte) {
		if err := os.WriteFile(entry, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if v, ok := get(c, name); ok && v.Text != kept.Text {
			t.Errorf("%s: %+v", what, v)
		} else if ok {
			t.Errorf("%s is of no consequence", what)
		}
	}
	for i := range whole {
		try(fmt.Sprint("the first ", i, " bytes"), whole[:i])
		b := bytes.Clone(whole)
		b[i] ^= 1 << (i % 8)
		if b[i]|0x20 != whole[i]|0x20 || i > bytes.IndexByte(whole, '\n') { // keys of JSON may be of either case
			try(fmt.Sprint("a bit of byte ", i), b)
		}
	}
	try("more bytes", append(bytes.Clone(whole), ' '))
	if err := os.WriteFile(entry, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok := get(c, name); !ok {
		t.Error("the whole entry is none")
	}
}

// A file that was changed just now, or changes while it is read, is not kept, nor is what would come back as another
// value.
func TestNotKept(t *testing.T) {
	t.Parallel()
	c, name, entry := folder(t)
	again := func(what string, put func()) {
		t.Helper()
		if err := os.Remove(entry); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		put()
		if _, err := os.Stat(entry); err == nil {
			t.Error(what, "is kept")
		}
	}
	again("a file that changes", func() {
		seen := c.Look(name)
		if err := os.Chtimes(name, old, old.Add(time.Second)); err != nil {
			t.Fatal(err)
		}
		seen.Put(&kept)
	})
	again("a text that JSON cannot have", func() { put(c, name, value{Text: "\xff"}) })
	again("a large value", func() { put(c, name, value{Text: string(make([]byte, maxEntry))}) })
	again("a file that was changed just now", func() {
		now := time.Now()
		if err := os.Chtimes(name, now, now); err != nil {
			t.Fatal(err)
		}
		put(c, name, kept)
	})
}

// Folders to which others can write, or that a link leads to, are not used; nor those that cannot be written to, which
// is no error.
func TestFolders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	write(t, file, "contents")
	link, shared, readable := filepath.Join(dir, "link"), filepath.Join(dir, "shared"), filepath.Join(dir, "readable")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{shared, readable} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(shared, 0o777); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		link: "is not a folder", shared: "others can write", file: "", filepath.Join(file, "cache"): "",
	} {
		if c, why := in(path, "test", "program"); c != nil || !strings.Contains(why, want) {
			t.Errorf("%s is used: %v, %q", path, c != nil, why)
		}
	}
	if os.Getuid() == 0 {
		foreign := filepath.Join(dir, "foreign")
		if err := os.Mkdir(foreign, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(foreign, 65534, 65534); err != nil {
			t.Fatal(err)
		}
		if c, why := in(foreign, "test", "program"); c != nil || !strings.Contains(why, "belongs to another user") {
			t.Errorf("the folder of another user is used: %v, %q", c != nil, why)
		}
	}
	if err := os.Chmod(readable, 0o500); err != nil {
		t.Fatal(err)
	}
	c, _ := in(readable, "test", "program")
	put(c, file, kept)
	get(c, file)
	c.Close()
}

// Runs at the same time see whole entries.
func TestTwoRuns(t *testing.T) {
	t.Parallel()
	c, name, entry := folder(t)
	var working sync.WaitGroup
	for i := range 4 {
		working.Go(func() {
			other, _ := in(filepath.Dir(entry), "test", "this program")
			defer other.Close()
			for range 50 {
				if i%2 == 0 {
					put(other, name, kept)
				}
				if v, ok := get(other, name); !ok || v.Text != kept.Text {
					t.Errorf("%+v %v", v, ok)
				}
			}
		})
	}
	working.Wait()
	if list, err := filepath.Glob(filepath.Join(filepath.Dir(entry), "*")); err != nil || len(list) != 1 {
		t.Errorf("%q remain: %v", list, err)
	}
	_ = c
}

// The oldest entries are removed beyond a number or a size, and what unfinished runs have left.
func TestPrune(t *testing.T) {
	t.Parallel()
	c, name, entry := folder(t)
	dir := filepath.Dir(entry)
	if err := os.Remove(entry); err != nil {
		t.Fatal(err)
	}
	var names []string
	for i := range 8 {
		file := fmt.Sprint(name, i)
		write(t, file, "contents")
		put(c, file, kept)
		names = append(names, file)
		at := old.Add(time.Duration(-i) * time.Minute)
		if err := os.Chtimes(filepath.Join(dir, c.Look(file).entry), at, at); err != nil {
			t.Fatal(err)
		}
	}
	part, begun := filepath.Join(dir, "a"+partSuffix), filepath.Join(dir, "b"+partSuffix)
	write(t, begun, "")
	if err := os.Chtimes(begun, time.Now(), time.Now()); err != nil {
		t.Fatal(err)
	}
	write(t, part, "")
	past := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(part, past, past); err != nil {
		t.Fatal(err)
	}
	c.prune(8, 1<<20)
	count := func() (n int) {
		for _, name := range names {
			if _, ok := get(c, name); ok {
				n++
			}
		}
		return n
	}
	if n := count(); n != 8 {
		t.Errorf("%d entries of 8, which are not too many", n)
	}
	if _, err := os.Stat(part); err == nil {
		t.Error("an unfinished entry remains")
	}
	if _, err := os.Stat(begun); err != nil {
		t.Error("an entry that is being written is removed")
	}
	c.prune(7, 1<<20)
	if _, ok := get(c, names[0]); count() != 5 || !ok {
		t.Errorf("%d entries, the newest %v", count(), ok)
	}
	c.prune(7, 1)
	if n := count(); n != 0 {
		t.Errorf("%d entries of more than a byte", n)
	}
}

func TestProgram(t *testing.T) {
	t.Parallel()
	if one := program(); len(one) != 64 || one != program() {
		t.Errorf("%q", one)
	}
}
