package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/incomplete"
)

// An earlierExport is what a folder has of an earlier export of the same kind.
type earlierExport struct {
	manifest []byte            // nil: there is none
	there    map[string]bool   // names of its files that are still in the folder
	sums     map[string]string // their names, by what says that a file has the same content
	present  []string          // those that would have been written again
}

// know notes a file that the earlier manifest lists.
func (f *folder[S]) know(name, sum string) {
	e := &f.earlier
	if e.there == nil {
		e.there, e.sums = map[string]bool{}, map[string]string{}
	}
	if there, err := f.store.exists(name); err == nil && there {
		e.there[name], e.sums[sum] = true, name
	}
}

// kept reports whether a file of the earlier manifest is still there, and the same.
func (f *folder[S]) kept(name string) bool {
	return f.earlier.there[name] && !slices.Contains(f.replaced, name)
}

// findPresent returns the name under which the folder has a content already; empty: none. Safe for concurrent use.
func (f *folder[S]) findPresent(sum string) string {
	if !f.beside() || f.earlier.sums[sum] == "" {
		return ""
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.earlier.present = append(f.earlier.present, f.earlier.sums[sum])
	return f.earlier.sums[sum]
}

// beside reports whether the files of this export go beside those of an earlier one, whatever these are called.
func (f *folder[S]) beside() bool { return f.earlier.manifest != nil && !f.Overwrite }

// foreign gives up the manifest in the folder, which is not of this kind of export. Unless it may be replaced that is
// an error.
func (f *folder[S]) foreign(mine string) error {
	manifest := f.earlier.manifest
	if f.earlier.manifest = nil; manifest == nil || f.Overwrite {
		return nil
	}
	return errors.Join(&fs.PathError{
		Op: "create", Path: filepath.Join(f.Dir, ManifestName), Err: &takenError{kindOf(manifest), mine},
	}, f.release())
}

// A takenError means that a folder has the manifest of another kind of export.
type takenError struct{ is, mine string }

func (e *takenError) Error() string {
	if e.is == e.mine {
		return fmt.Sprintf("%v: it lists %s, and others cannot go beside them", fs.ErrExist, e.is)
	}
	return fmt.Sprintf("%v: it lists %s, and %s cannot go beside them", fs.ErrExist, e.is, e.mine)
}

func (e *takenError) Unwrap() error { return fs.ErrExist }

// kindOf says what a manifest lists.
func kindOf(manifest []byte) string {
	var keys map[string]json.RawMessage
	_ = json.Unmarshal(manifest, &keys) // of something else it has no keys
	for _, kind := range []string{"demos", "files", "messages"} {
		if keys[kind] != nil {
			return kind
		}
	}
	return "something else"
}

// joined adds to what an earlier export says what this one says that is new.
func joined[T any](earlier, own []T, same func(a, b *T) bool) []T {
	for i := range own {
		if !slices.ContainsFunc(earlier, func(e T) bool { return same(&e, &own[i]) }) {
			earlier = append(earlier, own[i])
		}
	}
	return earlier
}

func sameReason(a, b *incomplete.Reason) bool { return reflect.DeepEqual(a, b) }

// readEarlier reads the manifest of an earlier export. A manifest without demos is an error, as a file of its name.
func (d *Demos) readEarlier() error {
	if d.folder.earlier.manifest == nil {
		return nil
	}
	if err := json.Unmarshal(d.folder.earlier.manifest, &d.earlier); err != nil || d.earlier.Demos == nil {
		d.earlier = Manifest{}
		return d.folder.foreign("demos")
	}
	for i := range d.earlier.Demos {
		d.folder.know(d.earlier.Demos[i].File, d.earlier.Demos[i].SHA256)
	}
	return nil
}

// Written returns the demos that this export wrote, after Close: the manifest may have others.
func (d *Demos) Written() []Demo { return d.result.Demos[d.before:] }

// Skipped returns the sessions that this export wrote no demo of, after Close.
func (d *Demos) Skipped() []SkippedSession { return d.skipped }

// Present returns the names of demos of an earlier export that would have been written again, in order.
func (d *Demos) Present() []string { return slices.Sorted(slices.Values(d.folder.earlier.present)) }

// Replaced returns the names of the files that were replaced, in order.
func (d *Demos) Replaced() []string { return slices.Sorted(slices.Values(d.folder.replaced)) }

// join adds what an earlier export wrote to the manifest, as far as it is still there.
func (d *Demos) join() {
	all := slices.DeleteFunc(append([]Demo{}, d.earlier.Demos...), func(e Demo) bool { return !d.folder.kept(e.File) })
	d.before = len(all)
	d.result.Demos = append(all, d.result.Demos...)
	d.skipped = d.result.Skipped
	d.result.Skipped = joined(d.earlier.Skipped, d.result.Skipped, func(a, b *SkippedSession) bool {
		return reflect.DeepEqual(a, b)
	})
	d.result.Incomplete = joined(d.earlier.Incomplete, d.result.Incomplete, sameReason)
}

// readEarlier reads the manifest of an earlier export. A manifest without files is an error, as a file of its name.
func (f *Files) readEarlier() error {
	if f.folder.earlier.manifest == nil {
		return nil
	}
	if err := json.Unmarshal(f.folder.earlier.manifest, &f.earlier); err != nil || f.earlier.Files == nil {
		f.earlier = FilesManifest{}
		return f.folder.foreign("files")
	}
	for i := range f.earlier.Files {
		if e := &f.earlier.Files[i]; e.File != "" {
			f.folder.know(e.File, content(e.SHA256, e.Complete))
		}
	}
	return nil
}

// content is equal for two files of the same bytes if both are complete, or neither is.
func content(sha256 string, complete bool) string { return fmt.Sprint(sha256, complete) }

// Own returns the files of this export, after Close, those that were there already too: the manifest may have others.
func (f *Files) Own() []File { return f.own }

// Present returns the names of files of an earlier export that would have been written again, in order.
func (f *Files) Present() []string { return slices.Sorted(slices.Values(f.folder.earlier.present)) }

// Replaced returns the names of the files that were replaced, in order.
func (f *Files) Replaced() []string { return slices.Sorted(slices.Values(f.folder.replaced)) }

// join adds the entries of an earlier export to the manifest if their files are still there, and reports whether this
// export adds something. A transfer that the earlier one lists too is not listed again.
func (f *Files) join() bool {
	all := slices.DeleteFunc(append([]File{}, f.earlier.Files...), func(e File) bool {
		return e.File != "" && !f.folder.kept(e.File)
	})
	before := len(all)
	f.result.Files = joined(all, f.own, sameTransfer)
	f.result.Incomplete = joined(f.earlier.Incomplete, f.result.Incomplete, sameReason)
	return len(f.result.Files) > before
}

// sameTransfer reports whether two entries describe the same transfer. A single input has no name.
func sameTransfer(a, b *File) bool {
	one, other := *a, *b
	if one.Input == "" || other.Input == "" {
		one.Input, other.Input = "", ""
	}
	return reflect.DeepEqual(one, other)
}

// Replaced returns the names of the files that were replaced, in order.
func (m *Messages) Replaced() []string { return slices.Sorted(slices.Values(m.folder.replaced)) }
