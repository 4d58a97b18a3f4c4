// Package demomaps finds the files of the maps that demos are played on.
package demomaps

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
)

// maxBytes is the longest map that goes into a demo, in bytes.
const maxBytes = 256 << 20

// Places are where maps of demos are looked for: files, and folders that have them under the names that
// the game uses.
type Places []string

// Find returns the content of a map's file; nil: it is in none of the places. Only the very file counts,
// by its SHA-256, or by its CRC-32 where the recording has no other.
func (places Places) Find(name string, sum [32]byte, crc uint32) []byte {
	name = filepath.Base(strings.ReplaceAll(name, `\`, "/")) // a name of a file, whatever a recording says
	for _, place := range places {
		candidates := []string{place}
		if info, err := os.Stat(place); err != nil {
			continue
		} else if info.IsDir() {
			candidates = nil
			for _, suffix := range []string{"", "_" + hex.EncodeToString(sum[:]), fmt.Sprintf("_%08x", crc)} {
				candidates = append(candidates, filepath.Join(place, name+suffix+".map"))
			}
		}
		for _, file := range candidates {
			if b := read(file, sum, crc); b != nil {
				return b
			}
		}
	}
	return nil
}

// read returns the content of a file if it is the map with a checksum.
func read(file string, sum [32]byte, crc uint32) []byte {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 || info.Size() > maxBytes {
		return nil
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	if sum != [32]byte{} && sha256.Sum256(b) != sum || sum == [32]byte{} && crc32.ChecksumIEEE(b) != crc {
		return nil
	}
	return b
}
