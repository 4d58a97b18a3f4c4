package gamemap

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Library finds map files by the names of maps. The zero value is empty. What was added first wins.
type Library struct {
	sources []source
}

// A source is where maps may be.
type source struct {
	from string
	// open returns the file of a map, fs.ErrNotExist where it has none of that name.
	open func(mapName string) (name string, data []byte, err error)
	only bool // it is one map, whatever its name: it is used where nothing else is played
}

// ErrNoFile means that a name is neither that of a regular file nor that of a folder.
var ErrNoFile = errors.New("is no regular file")

// AddPath adds a map file, a pk3 file, or a folder with such files. As in the games, the pk3 file that is last by its
// name counts first.
func (l *Library) AddPath(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return l.addFolder(name)
	}
	if !info.Mode().IsRegular() { // a device has no end, and a pipe is read once
		return ErrNoFile
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	var magic [4]byte
	_, _ = io.ReadFull(f, magic[:]) // a shorter file is of no known format
	if string(magic[:]) == zipMagic {
		return l.addArchive(name, func() (io.ReaderAt, int64, io.Closer, error) {
			f, err := os.Open(name)
			return f, info.Size(), f, err
		})
	}
	if info.Size() > MaxFile {
		return ErrFormat
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	data, err := io.ReadAll(io.LimitReader(f, MaxFile)) // it may have grown
	if err != nil {
		return err
	}
	return l.addMap(filepath.Base(name), filepath.Base(name), data)
}

const zipMagic = "PK\x03\x04"

// AddFile adds a file that an input carries: a map or a pk3 file.
func (l *Library) AddFile(name string, data []byte) error {
	const from = "carried by the input"
	if bytes.HasPrefix(data, []byte(zipMagic)) {
		return l.addArchive(from, func() (io.ReaderAt, int64, io.Closer, error) {
			return bytes.NewReader(data), int64(len(data)), io.NopCloser(nil), nil
		})
	}
	return l.addMap(from, name, data)
}

func (l *Library) addMap(from, name string, data []byte) error {
	if _, err := Read(name, data); err != nil {
		return err
	}
	own := strings.TrimSuffix(name, filepath.Ext(name))
	l.sources = append(l.sources, source{from: from, only: true, open: func(mapName string) (string, []byte, error) {
		if mapName != "" && !strings.EqualFold(base(mapName), base(own)) {
			return "", nil, fs.ErrNotExist
		}
		return name, data, nil
	}})
	return nil
}

// base is a map's name without folders: "mp/ffa3" is stored as maps/mp/ffa3.bsp, and may be handed over as ffa3.bsp.
func base(mapName string) string { return mapName[strings.LastIndexAny(mapName, `/\`)+1:] }

func (l *Library) addArchive(from string, open func() (io.ReaderAt, int64, io.Closer, error)) error {
	look := func(mapName string) (string, []byte, error) {
		r, size, closer, err := open()
		if err != nil {
			return "", nil, err
		}
		defer closer.Close()
		z, err := zip.NewReader(r, size)
		if err != nil {
			return "", nil, fmt.Errorf("%w: %w", ErrFormat, err)
		}
		for _, f := range z.File {
			if strings.EqualFold(f.Name, "maps/"+mapName+".bsp") {
				data, err := unpack(f)
				return f.Name, data, err
			}
		}
		return "", nil, fs.ErrNotExist
	}
	if _, _, err := look(""); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	l.sources = append(l.sources, source{from: from, open: look})
	return nil
}

// unpack returns a file of an archive, as far as a map may go.
func unpack(f *zip.File) ([]byte, error) {
	if f.UncompressedSize64 > MaxFile {
		return nil, ErrFormat
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, MaxFile))
}

// addFolder adds the maps and pk3 files of a folder, and those of its folder maps.
func (l *Library) addFolder(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	slices.Reverse(entries)
	l.sources = append(l.sources, source{from: dir, open: func(mapName string) (string, []byte, error) {
		if !filepath.IsLocal(mapName) {
			return "", nil, fs.ErrNotExist
		}
		for _, place := range []string{"maps/" + mapName + ".bsp", mapName + ".bsp", "maps/" + mapName +
			".map", mapName + ".map"} {
			name := filepath.Join(dir, filepath.FromSlash(place))
			if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && info.Size() <= MaxFile {
				data, err := os.ReadFile(name)
				return place, data, err
			}
		}
		return "", nil, fs.ErrNotExist
	}})
	for _, e := range entries {
		if strings.EqualFold(filepath.Ext(e.Name()), ".pk3") && !e.IsDir() {
			_ = l.AddPath(filepath.Join(dir, e.Name())) // of many archives a damaged one is left out
		}
	}
	return nil
}

// Empty reports whether there is nothing to look in.
func (l *Library) Empty() bool { return len(l.sources) == 0 }

// Find draws the map of a name; nil: there is none. alone means that nothing else is played: then a map that was added
// as a file counts under any name.
func (l *Library) Find(mapName string, alone bool) (*Map, error) {
	if mapName != "" {
		for i := range l.sources {
			if p, err := l.sources[i].draw(mapName); p != nil || err != nil {
				return p, err
			}
		}
	}
	for i := range l.sources {
		if s := &l.sources[i]; s.only && alone {
			return s.draw("")
		}
	}
	return nil, nil
}

func (s *source) draw(mapName string) (*Map, error) {
	name, data, err := s.open(mapName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.from, err)
	}
	p, err := Read(base(name), data)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", s.from, name, err)
	}
	p.From = filepath.Base(s.from)
	return p, nil
}
