package cache

import (
	"cmp"
	"io/fs"
	"slices"
)

// The cache is at most so large after a run.
const (
	maxEntries = 20_000
	maxBytes   = 256 << 20
)

// prune removes what unfinished runs have left, and the oldest entries beyond a number and a size: to three quarters,
// so that not every run removes some.
func (c *Cache) prune(most int, mostBytes int64) {
	list, unfinished := c.entries()
	for _, name := range unfinished {
		_ = c.folder.Remove(name) // another run may have done it
	}
	var bytes int64
	for _, e := range list {
		bytes += e.Size()
	}
	if len(list) <= most && bytes <= mostBytes {
		return
	}
	slices.SortFunc(list, func(a, b fs.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	for _, e := range list {
		if len(list) <= most*3/4 && bytes <= mostBytes*3/4 {
			return
		}
		_ = c.folder.Remove(e.Name())
		list, bytes = list[1:], bytes-e.Size()
	}
}
