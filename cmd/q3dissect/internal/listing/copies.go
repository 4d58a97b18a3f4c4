package listing

import (
	"crypto/sha256"
	"io"
	"os"

	"github.com/q3dissect/q3dissect/dissect/open"
)

// copiesOf finds the files that have the same bytes as an earlier one, and returns that for each. Only files of one
// size are compared: by their beginning first, and then as a whole.
func copiesOf(paths []open.Path) map[string]string {
	sizes := map[int64][]string{}
	for _, path := range paths {
		if info, err := os.Stat(path.Name); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
			sizes[info.Size()] = append(sizes[info.Size()], path.Name)
		}
	}
	copies := map[string]string{}
	for _, names := range sizes {
		for _, alike := range sameSum(names, beginning) {
			for _, same := range sameSum(alike, -1) {
				for _, name := range same[1:] {
					if name != same[0] {
						copies[name] = same[0]
					}
				}
			}
		}
	}
	return copies
}

// beginning is how much of files is compared first.
const beginning = 4096

// sameSum divides files into those with the same checksum of their first bytes, of all with -1. Those that are alone,
// and those that cannot be read, are left out.
func sameSum(names []string, size int64) (groups [][]string) {
	if len(names) < 2 {
		return nil
	}
	sums, order := map[[sha256.Size]byte][]string{}, [][sha256.Size]byte{}
	for _, name := range names {
		sum, err := sumOf(name, size)
		if err != nil {
			continue
		}
		if sums[sum] == nil {
			order = append(order, sum)
		}
		sums[sum] = append(sums[sum], name)
	}
	for _, sum := range order {
		if len(sums[sum]) > 1 {
			groups = append(groups, sums[sum])
		}
	}
	return groups
}

func sumOf(name string, size int64) (sum [sha256.Size]byte, err error) {
	file, err := os.Open(name)
	if err != nil {
		return sum, err
	}
	defer file.Close()
	var from io.Reader = file
	if size >= 0 {
		from = io.LimitReader(file, size)
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, from); err != nil {
		return sum, err
	}
	return [sha256.Size]byte(hash.Sum(nil)), nil
}
