package parquet

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// inputsKey is the key of a file's metadata with its inputs, an array of JSON.
const inputsKey = "q3dissect.inputs"

// incompleteKey is the key with what the inputs did not give, an array of JSON; absent if nothing is missing.
const incompleteKey = "q3dissect.incomplete"

// A Stored is the files of a group in a data set.
type Stored struct {
	Inputs []string // whose rows are in the files
	files  []string
}

// Stored finds the groups in the data set, in the order of their names. What has not been written by this package is
// left out.
func (d *Dataset) Stored() ([]Stored, error) {
	folders, err := os.ReadDir(d.dir)
	if err != nil {
		return nil, err
	}
	groups := map[string]*Stored{}
	for _, folder := range folders {
		if !folder.IsDir() || folder.Name() == Writing {
			continue
		}
		files, err := os.ReadDir(filepath.Join(d.dir, folder.Name()))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			numbered, ok := strings.CutSuffix(file.Name(), suffix)
			dot := strings.LastIndexByte(numbered, '.')
			if !ok || dot < 0 || !file.Type().IsRegular() {
				continue
			}
			name := filepath.Join(d.dir, folder.Name(), file.Name())
			inputs, err := inputsOf(name)
			if err != nil {
				return nil, err
			}
			if len(inputs) == 0 {
				continue
			}
			g := groups[numbered[:dot]]
			if g == nil {
				g = &Stored{}
				groups[numbered[:dot]] = g
			}
			g.files = append(g.files, name)
			for _, input := range inputs {
				if !slices.Contains(g.Inputs, input) {
					g.Inputs = append(g.Inputs, input)
				}
			}
		}
	}
	var list []Stored
	for _, base := range slices.Sorted(maps.Keys(groups)) {
		list = append(list, *groups[base])
	}
	return list, nil
}

// Remove removes the files of a group.
func (s *Stored) Remove() error {
	for _, name := range s.files {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// inputsOf reads the names of the inputs of a file. There are none in the file of another program.
func inputsOf(name string) ([]string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	const tail = 4 + len(magic)
	end := info.Size() - int64(tail)
	var last [tail]byte
	if end < 0 {
		return nil, nil
	}
	if _, err := f.ReadAt(last[:], end); err != nil {
		return nil, err
	}
	length := int64(binary.LittleEndian.Uint32(last[:]))
	if string(last[4:]) != magic || length > end {
		return nil, nil
	}
	text := make([]byte, length)
	if _, err := f.ReadAt(text, end-length); err != nil {
		return nil, err
	}
	var footer struct { // of FileMetaData
		Keys thrift.Slice[format.KeyValue] `thrift:"5,optional"`
	}
	if thrift.Unmarshal(new(thrift.CompactProtocol), text, &footer) != nil {
		return nil, nil
	}
	var inputs []string
	for _, k := range footer.Keys {
		if k.Key == inputsKey && json.Unmarshal([]byte(k.Value), &inputs) != nil {
			return nil, nil
		}
	}
	return inputs, nil
}
