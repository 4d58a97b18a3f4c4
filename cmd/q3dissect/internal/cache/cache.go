// Package cache keeps what was found in files, in the user's cache folder, so that a second question about the same
// files need not read them again.
//
//	c, why := cache.Open("catalogue")
//	defer c.Close()
//	seen := c.Look(name)
//	if !seen.Get(&found) {
//		found = read(name)
//		seen.Put(&found)
//	}
//
// An entry counts if the program, the file's path, size and time, and the checksum of all its bytes are those of the
// entry, and the entry is whole. Everything else is as if there were none: a folder that cannot be used, a damaged
// entry, one of another program. Runs at the same time share the folder; entries appear whole.
package cache

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"sync/atomic"
	"time"
)

// A Cache is a folder of entries, one for each file. It is safe for concurrent use. A nil Cache is empty and stays so.
type Cache struct {
	folder  *os.Root
	variant string
	program string
	changed atomic.Bool // an entry was written
}

const (
	// format is the version of the entries.
	format = 1
	// maxEntry is the size of an entry beyond which none is written or read, in bytes.
	maxEntry = 16 << 20
	// settled is how old a file must be to be kept: while it is written, it may change without another time.
	settled = 2 * time.Second
)

// Open returns the cache of the user. variant names what the entries hold and the options they depend on: entries of
// another variant are other entries. It returns nil if there is no folder that is the user's alone. why says what is
// wrong with a folder that is there.
func Open(variant string) (c *Cache, why string) {
	base, err := os.UserCacheDir()
	if err != nil {
		return nil, ""
	}
	return in(filepath.Join(base, "q3dissect"), variant, program())
}

// in opens a folder, which it makes if it is not there.
func in(path, variant, program string) (c *Cache, why string) {
	if program == "" || os.MkdirAll(path, 0o700) != nil {
		return nil, ""
	}
	if info, err := os.Lstat(path); err != nil || !info.IsDir() {
		return nil, strconv.Quote(path) + " is not a folder"
	}
	folder, err := os.OpenRoot(path)
	if err != nil {
		return nil, ""
	}
	// The folder that was opened: another may have its name by now.
	info, err := folder.Stat(".")
	switch {
	case err != nil:
	case !own(info):
		why = strconv.Quote(path) + " belongs to another user"
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0:
		why = "others can write to " + strconv.Quote(path)
	default:
		return &Cache{folder: folder, variant: variant, program: program}, ""
	}
	_ = folder.Close() // it was not used
	return nil, why
}

// Close ends the use of the cache, and removes old entries if there are too many.
func (c *Cache) Close() {
	if c == nil {
		return
	}
	if c.changed.Load() {
		c.prune(maxEntries, maxBytes)
	}
	_ = c.folder.Close() // it was only read
}

// A head is the first line of an entry.
type head struct {
	Format  int    `json:"format"`
	Program string `json:"program"`
	Variant string `json:"variant"`
	Path    string `json:"path"`
	Size    int64  `json:"size"`
	Time    int64  `json:"time"`  // Unix nanoseconds
	File    string `json:"file"`  // SHA-256 of the file
	Entry   string `json:"entry"` // SHA-256 of what follows the line
}

// A Seen is a file as it was when it was looked at. A nil Seen is a file without kept results.
type Seen struct {
	cache *Cache
	name  string // as given
	entry string // name of its entry
	head  head
	young bool // it was changed just before
}

// Look looks at a file. It returns nil for what is not a regular file.
func (c *Cache) Look(name string) *Seen {
	if c == nil {
		return nil
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return nil
	}
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	sum := sha256.Sum256([]byte(c.variant + "\x00" + path))
	return &Seen{
		cache: c, name: name, entry: hex.EncodeToString(sum[:]), young: time.Since(info.ModTime()) < settled,
		head: head{
			Format: format, Program: c.program, Variant: c.variant, Path: path, Size: info.Size(),
			Time: info.ModTime().UnixNano(),
		},
	}
}

// Get fills v with what is kept of the file, and reports whether there is something.
func (s *Seen) Get(v any) bool {
	if s == nil {
		return false
	}
	info, err := s.cache.folder.Lstat(s.entry)
	if err != nil || !info.Mode().IsRegular() || !own(info) || info.Size() > maxEntry {
		return false
	}
	entry, err := s.cache.folder.ReadFile(s.entry)
	if err != nil {
		return false
	}
	line, body, ok := bytes.Cut(entry, []byte("\n"))
	var h head
	if !ok || json.Unmarshal(line, &h) != nil {
		return false
	}
	want := s.head
	want.File, want.Entry = h.File, sumOf(body)
	if h != want {
		return false
	}
	sum, ok := sumOfFile(s.name)
	return ok && sum == h.File && json.Unmarshal(body, v) == nil
}

// Put keeps a value for the file as it was when it was looked at: nothing if it has changed since, or if the value
// would come back as another one.
func (s *Seen) Put(v any) {
	if s == nil || s.young {
		return
	}
	body, err := json.Marshal(v)
	if err != nil || !comesBack(v, body) {
		return
	}
	h, ok := s.head, false
	if h.File, ok = sumOfFile(s.name); !ok {
		return
	}
	info, err := os.Stat(s.name)
	if err != nil || info.Size() != h.Size || info.ModTime().UnixNano() != h.Time {
		return
	}
	h.Entry = sumOf(body)
	line, err := json.Marshal(h)
	if err != nil {
		return
	}
	entry := append(append(line, '\n'), body...)
	if len(entry) <= maxEntry {
		s.cache.write(s.entry, entry)
	}
}

// comesBack reports whether a value, a pointer, is read from its JSON as it is.
func comesBack(v any, body []byte) bool {
	back := reflect.New(reflect.TypeOf(v).Elem())
	return json.Unmarshal(body, back.Interface()) == nil && reflect.DeepEqual(v, back.Interface())
}

// partSuffix ends the names of entries that are being written.
const partSuffix = ".part"

// write writes an entry, which appears whole or not at all.
func (c *Cache) write(name string, entry []byte) {
	part := name + "." + rand.Text()[:8] + partSuffix
	f, err := c.folder.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return
	}
	_, err = f.Write(entry)
	if fault := f.Close(); err == nil {
		err = fault
	}
	if err == nil {
		err = c.folder.Rename(part, name)
	}
	if err != nil {
		_ = c.folder.Remove(part) // prune removes it later
	}
	c.changed.Store(true)
}

func sumOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func sumOfFile(name string) (sum string, ok bool) {
	f, err := os.Open(name)
	if err != nil {
		return "", false
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.CopyBuffer(h, struct{ io.Reader }{f}, make([]byte, 256<<10)); err != nil {
		return "", false
	}
	return hex.EncodeToString(h.Sum(nil)), true
}

// entries returns the entries, and those that were left unfinished.
func (c *Cache) entries() (list []fs.FileInfo, unfinished []string) {
	all, err := fs.ReadDir(c.folder.FS(), ".")
	if err != nil {
		return nil, nil
	}
	for _, e := range all {
		info, err := e.Info()
		switch {
		case err != nil || !info.Mode().IsRegular():
		case filepath.Ext(e.Name()) == partSuffix:
			if time.Since(info.ModTime()) > time.Hour {
				unfinished = append(unfinished, e.Name())
			}
		case len(e.Name()) == 2*sha256.Size:
			list = append(list, info)
		}
	}
	return list, unfinished
}
