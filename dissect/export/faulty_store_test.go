package export

import (
	"errors"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
)

// What a faulty disk answers.
var (
	errFull   = errors.New("no space left on device")
	errBroken = errors.New("input/output error")
)

// A fault makes operations of a store fail.
type fault struct {
	at      int  // number of the first operation that fails; 0: none
	forever bool // those after it fail too, as they do when the program is killed
	space   int  // bytes that can be written; negative: any number

	count int
	note  func() // called before every operation
}

// fails counts an operation.
func (f *fault) fails() error {
	if f.note != nil {
		f.note()
	}
	f.count++
	if f.at > 0 && (f.count == f.at || f.forever && f.count > f.at) {
		return errBroken
	}
	return nil
}

// open opens a store that fails as f does. The disk is not waited for: the tests open thousands.
func (f *fault) open(dir string, create bool) (store, error) {
	s, err := openStore(dir, create)
	if err != nil {
		return nil, err
	}
	return &faultyStore{s, f}, nil
}

type faultyStore struct {
	store
	*fault
}

func (s *faultyStore) create(name string) (storeFile, error) { return s.file(s.store.create, name) }

func (s *faultyStore) extend(name string) (storeFile, error) { return s.file(s.store.extend, name) }

func (s *faultyStore) file(open func(string) (storeFile, error), name string) (storeFile, error) {
	if err := s.fails(); err != nil {
		return nil, err
	}
	file, err := open(name)
	return &faultyFile{file, s.fault}, err
}

func (s *faultyStore) publish(from, to string, replace bool) error {
	if err := s.fails(); err != nil {
		return err
	}
	return s.store.publish(from, to, replace)
}

func (s *faultyStore) remove(name string) error {
	if err := s.fails(); err != nil {
		return err
	}
	return s.store.remove(name)
}

func (s *faultyStore) sync() error { return s.fails() }

type faultyFile struct {
	storeFile
	*fault
}

// Write writes what the disk has room for.
func (f *faultyFile) Write(b []byte) (int, error) {
	if err := f.fails(); err != nil {
		return 0, err
	}
	if f.space < 0 || len(b) <= f.space {
		f.space -= min(len(b), max(f.space, 0))
		return f.storeFile.Write(b)
	}
	n, err := f.storeFile.Write(b[:f.space])
	f.space -= n
	return n, errors.Join(err, errFull)
}

func (f *faultyFile) Sync() error { return f.fails() }

// An exporting writes files of several streams and inputs into a folder. Their contents differ with the letter.
type exporting func(dir string, overwrite bool, letter string, open func(string, bool) (store, error)) error

func exportDemos(dir string, overwrite bool, letter string, open func(string, bool) (store, error)) error {
	d, err := newDemos(Config{Dir: dir, Overwrite: overwrite, Workers: 2}, open)
	if err != nil {
		return err
	}
	for _, input := range []string{"one", "two"} {
		d.BeginInput(input)
		for stream := range 2 {
			d.Add(stream, part(stream, 1, beginning(1, letter, "lab")))
			again := beginning(2, letter+letter, "lab")
			again.Begin.Again = true
			d.Add(stream, part(stream, 2, again))
			d.Add(stream, part(stream, 3, beginning(3, letter+"2", "lab")))
			d.Add(stream, part(stream, 4, more(4, letter+"3")))
		}
		if err := d.EndInput(); err != nil {
			break
		}
	}
	_, err = d.Close()
	return err
}

func exportFiles(dir string, overwrite bool, letter string, open func(string, bool) (store, error)) error {
	f, err := newFiles(Config{Dir: dir, Overwrite: overwrite, Workers: 2}, open)
	if err != nil {
		return err
	}
	for _, input := range []string{"one", "two"} {
		f.BeginInput(input)
		for stream := range len(input) - 2 {
			for _, p := range []extract.File{
				begin("a.pk3", 2), at(1, letter), at(0, letter), begin("A.pk3", 9), at(4, letter+letter), begin("c", -1),
				at(0, letter),
				{Offset: 1, End: true},
			} {
				rec := dissect.NewRecord()
				rec.Stream, rec.Direction = stream, dissect.ServerToClient
				rec.Files = append(rec.Files, p)
				f.Add(stream, rec)
			}
		}
		if err := f.EndInput(); err != nil {
			break
		}
	}
	_, err = f.Close()
	return err
}

func exportAllMessages(dir string, overwrite bool, letter string, open func(string, bool) (store, error)) error {
	m, err := newMessages(Config{Dir: dir, Overwrite: overwrite, Workers: 2}, open)
	if err != nil {
		return err
	}
	for _, input := range []string{"one", "two"} {
		m.BeginInput(input)
		for frame := range uint64(3) {
			if m.Output(m.Add(nil, withMessage(frame+1, letter+input))) != nil {
				break
			}
		}
		if err := m.EndInput(); err != nil {
			break
		}
	}
	_, err = m.Close()
	return err
}

var exportings = map[string]exporting{"demos": exportDemos, "files": exportFiles, "messages": exportAllMessages}
