// Package browse answers what a person asks who looks around in captures and recordings: rows of the list, one record
// with its fields and bytes, what a filter finds, statistics, conversations, events. It is the one way to ask, whoever
// asks: the command serves the answers over HTTP, a browser's worker has them in WebAssembly.
//
//	s, err := browse.Open([]browse.Source{browse.File("game.pcap")}, browse.Options{Protocols: all.Protocols()})
//	defer s.Close()
//	page, err := s.Rows(browse.Range{From: 0, Count: 100})
//	record, err := s.Record(0)
//
// Open returns at once; the inputs are read in the background, and answers cover what was read so far. The rows of the
// list are in a temporary file with the bytes of their packets, and no tree is kept: a record is dissected again
// from a place of its stream that is remembered. Records are those of the command with the same options.
//
// All answers are structs for encoding/json. A Session is safe for concurrent use.
package browse

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/keys"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
)

// A Source is an input that can be opened any number of times.
type Source struct {
	Name string // what the user calls it; its suffix may say which protocol a recording is of
	Path string // of the file, if it is one
	Size int64  // bytes, 0: not known
	Open func() (io.ReadCloser, error)
}

// File is the source of a file's name.
func File(name string) Source {
	s := Source{Name: name, Path: name, Open: func() (io.ReadCloser, error) { return os.Open(name) }}
	if info, err := os.Stat(name); err == nil {
		s.Size = info.Size()
	}
	return s
}

// Options say how the inputs are read.
type Options struct {
	Protocols []*dissect.Protocol // that are looked for: all.Protocols(), or fewer
	// goroutines that dissect; 0: the one that reads an input does it, for programs with one thread
	Workers      int
	DecodeAs     []engine.DecodeAs // -d
	DemoProtocol int               // --demo-protocol
	All          bool              // --all
	State        bool              // --state
	Secrets      bool              // --show-secrets: passwords are shown as they are
	NoRecover    bool              // --no-recover
	Memory       int               // --memory, in bytes
	// Keys returns keys that the user knows (--keys), or nil.
	Keys func(keys.Key) *keys.Key

	// Pause, if not nil, is called again and again while inputs are read, for programs with one thread.
	Pause func()

	Application string // name and version of the program, for files of packets

	Folder   string // for temporary files; "": the system's
	InMemory bool   // the index of rows is kept in memory: there are no files

	saveEvery  uint64 // for tests; 0: the constants of savedStates
	savedBytes int
	ordered    int // rows that are sorted at most, half as many by a text; 0: the constants

	sortedBytes int64 // of records that are sorted at most; 0: the constants
}

// A Session is open inputs.
type Session struct {
	opts    Options
	sources []Source
	names   *filter.Names
	index   *index
	saved   *savedStates
	keys    []*open.Keys // by source

	ctx   context.Context
	stop  context.CancelFunc
	tasks sync.WaitGroup

	running chan struct{} // an element for each pass of a job

	once struct{ fields sync.Once }
	list []schema.FieldInfo // names of filters

	mu         sync.Mutex
	cursors    cursors
	framed     cursors // with framing
	selections selections
	panels     panels
	columns    jobs // by field
	orders     jobs // by filter and column
}

// Open begins to read inputs.
func Open(sources []Source, o Options) (*Session, error) {
	if len(sources) == 0 {
		return nil, errors.New("no input")
	}
	o.Workers = max(o.Workers, 0)
	names := map[string]bool{}
	s := &Session{opts: o, names: filter.Records(o.Protocols), running: make(chan struct{}, runningJobs)}
	for _, source := range sources {
		if !names[source.Name] { // records of two inputs of one name could not be distinguished
			names[source.Name] = true
			s.sources = append(s.sources, source)
		}
	}
	rows, err := newStore(o.Folder, o.InMemory)
	if err != nil {
		return nil, err
	}
	s.saved = newSavedStates(&o)
	s.index = newIndex(rows, newReadings(o.Protocols), len(s.sources))
	s.ctx, s.stop = context.WithCancel(context.Background())
	for _, source := range s.sources {
		s.keys = append(s.keys, &open.Keys{
			Options: s.reading(false), Workers: 1, DecodeAs: o.DecodeAs, NoRecover: o.NoRecover, Given: o.Keys,
			Each: s.pausing(context.Background()), Sources: []open.Source{{Name: source.Name, Open: source.Open}},
		})
	}
	s.tasks.Go(func() { s.index.finish(s.read(s.ctx)) })
	return s, nil
}

// Close stops everything and forgets the inputs.
func (s *Session) Close() error {
	s.stop()
	s.index.wake()
	s.tasks.Wait()
	return s.index.rows.Close()
}

// Wait returns when the inputs were read to their ends.
func (s *Session) Wait() { s.index.wait(func() bool { return s.index.done }) }

// Status is how far the inputs were read.
type Status struct {
	Rows   int          `json:"rows"`
	Done   bool         `json:"done"` // all inputs were read
	Read   int64        `json:"read"` // bytes of the inputs so far
	Size   int64        `json:"size"` // bytes of all inputs, 0 where that is not known
	Files  []StatusFile `json:"files"`
	Demo   bool         `json:"demo,omitempty"` // the inputs are recordings: their rows count from 0 and have no addresses
	Paths  bool         `json:"paths,omitempty"`
	Errors []string     `json:"errors,omitempty"`

	Packets   uint64 `json:"packets"`
	Datagrams uint64 `json:"datagrams"`
	Game      uint64 `json:"game"`
	Unknown   uint64 `json:"unknown"`
	Streams   int    `json:"streams"`
}

// A StatusFile is an input of a Status.
type StatusFile struct {
	Name  string `json:"name"`
	File  string `json:"file,omitempty"` // the field file of its records, where there are several inputs
	Size  int64  `json:"size,omitempty"`
	Rows  int    `json:"rows"`
	Error string `json:"error,omitempty"` // why it could not be read, or not to its end
	Demo  bool   `json:"demo,omitempty"`
}

// Status returns the status now.
func (s *Session) Status() Status {
	x := s.index
	x.mu.Lock()
	defer x.mu.Unlock()
	st := Status{Rows: x.count, Done: x.done, Read: x.read.Load(), Streams: len(x.streams)}
	for i, source := range s.sources {
		f := &x.files[i]
		st.Size += source.Size
		st.Files = append(st.Files, StatusFile{
			Name: filepath.Base(source.Name), File: s.recordFile(i), Size: source.Size, Rows: f.rows,
			Error: f.fault, Demo: f.recording,
		})
		st.Demo = st.Demo || f.recording
		if f.fault != "" {
			st.Errors = append(st.Errors, filepath.Base(source.Name)+": "+f.fault)
		}
	}
	st.Packets, st.Datagrams, st.Game, st.Unknown = x.stats.Packets, x.stats.Datagrams, x.stats.Game, x.stats.Unknown
	return st
}
