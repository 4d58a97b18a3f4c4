package export

import (
	"encoding/json"
	"reflect"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/incomplete"
)

// readEarlier reads the manifest of an earlier export. A manifest without demos is an error, as a file of its name.
func (d *Demos) readEarlier() error {
	if d.folder.earlier == nil {
		return nil
	}
	if err := json.Unmarshal(d.folder.earlier, &d.earlier); err != nil || d.earlier.Demos == nil {
		d.earlier, d.folder.earlier = Manifest{}, nil
		return d.folder.vacant(ManifestName)
	}
	d.known = map[string]string{}
	for i := range d.earlier.Demos {
		if there, err := d.folder.store.exists(d.earlier.Demos[i].File); err == nil && there {
			d.known[d.earlier.Demos[i].SHA256] = d.earlier.Demos[i].File
		}
	}
	return nil
}

// isPresent reports whether the folder has a demo with a checksum already, under any name.
func (d *Demos) isPresent(sha256 string) bool {
	name := d.known[sha256]
	if name == "" || !d.folder.beside() {
		return false
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.present = append(d.present, name)
	return true
}

// Written returns the demos that this export wrote, after Close: the manifest may have others.
func (d *Demos) Written() []Demo { return d.result.Demos[d.before:] }

// Skipped returns the sessions that this export wrote no demo of, after Close.
func (d *Demos) Skipped() []SkippedSession { return d.skipped }

// Present returns the names of demos of an earlier export that would have been written again, in order.
func (d *Demos) Present() []string {
	slices.Sort(d.present)
	return d.present
}

// Replaced returns the names of the files that were replaced, in order.
func (d *Demos) Replaced() []string {
	slices.Sort(d.folder.replaced)
	return d.folder.replaced
}

// join adds what an earlier export wrote to the manifest, as far as it is still there.
func (d *Demos) join() {
	all := []Demo{}
	for _, demo := range d.earlier.Demos {
		if d.known[demo.SHA256] == demo.File && !slices.Contains(d.folder.replaced, demo.File) {
			all = append(all, demo)
		}
	}
	d.before = len(all)
	d.result.Demos = append(all, d.result.Demos...)
	skipped := d.earlier.Skipped
	for _, s := range d.result.Skipped {
		if !slices.ContainsFunc(skipped, func(o SkippedSession) bool { return reflect.DeepEqual(o, s) }) {
			skipped = append(skipped, s)
		}
	}
	lacks := d.earlier.Incomplete
	for _, r := range d.result.Incomplete {
		if !slices.ContainsFunc(lacks, func(o incomplete.Reason) bool { return reflect.DeepEqual(o, r) }) {
			lacks = append(lacks, r)
		}
	}
	d.result.Incomplete = lacks
	d.skipped, d.result.Skipped = d.result.Skipped, skipped
}
