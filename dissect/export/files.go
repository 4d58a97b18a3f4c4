package export

import (
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// A FilesManifest lists the files that were transferred.
type FilesManifest struct {
	Files []File `json:"files"`
	// Incomplete is what the inputs did not give, see Lacks.
	Incomplete incomplete.List `json:"incomplete,omitempty"`
	Error      string          `json:"error,omitempty"` // why the export ended early: there may be more files than listed
}

// A File is a file that a server sent to a client, or announced. In texts from the wire that are not UTF-8,
// bytes become the characters of the same number.
type File struct {
	File    string `json:"file,omitempty"`  // within the folder of the manifest; absent if no byte was received
	Input   string `json:"input,omitempty"` // if there are several
	Stream  int    `json:"stream"`
	Session int    `json:"session"`
	Server  string `json:"server"` // address and port; empty: a demo carries the file
	Client  string `json:"client"` // when the file begins
	Name    string `json:"name"`   // as it was sent; empty: not known

	Complete bool   `json:"complete"`
	Size     *int64 `json:"size,omitempty"` // announced; absent if not known
	Received int64  `json:"received"`       // bytes received, each counted once

	Gaps []ByteRange `json:"gaps,omitempty"` // missing parts, as far as the size is known
	// AssumedOrder means that pieces have no number and some may be missing: those after them are at the right
	// position only if all missing chunks were pieces.
	AssumedOrder bool   `json:"assumed_order,omitempty"`
	Excess       int64  `json:"excess,omitempty"`   // bytes after the announced size, which are left out
	LeftOut      int64  `json:"left_out,omitempty"` // bytes in too many parts to assemble
	Refused      string `json:"refused,omitempty"`  // why the server does not send the file

	Frames *Span `json:"frames,omitempty"` // of the capture, from the request to the last that has to do with it

	Bytes int64 `json:"bytes"` // length of what was written; gaps are zeros
	// bytes of it that came: fewer than received where a gap is too wide to be filled
	Written         int64  `json:"written"`
	SHA256          string `json:"sha256,omitempty"`
	CRC32           string `json:"crc32,omitempty"`
	AnnouncedSHA256 string `json:"announced_sha256,omitempty"`
	AnnouncedCRC32  string `json:"announced_crc32,omitempty"`
	SHA256Matches   *bool  `json:"sha256_matches,omitempty"` // of complete files
	CRC32Matches    *bool  `json:"crc32_matches,omitempty"`
}

// A ByteRange is a run of bytes of a file.
type ByteRange struct {
	Offset int64 `json:"offset"`
	Length int64 `json:"length"`
}

// Files writes the files that the records of engines hold (Options.Files): the same whatever the number of
// workers.
//
// The inputs come one after the other: BeginInput, then Add from the engine's Finish, then EndInput when the
// engine is closed, and in the end Close. A file is kept under a name that ends with ".part" until nothing more can
// come and it is on the disk. After an error no further file gets its name. Memory is bounded for each file that is on
// its way; nothing is reserved for what is only announced.
type Files struct {
	folder  folder[*fileStream]
	result  FilesManifest
	own     []File // of this export
	earlier FilesManifest
}

// A fileStream is what is written of one stream.
type fileStream struct {
	open  *transfer
	names map[string]bool
	files []File
}

// flush writes what waits of the file that is on its way, if one is.
func (s *fileStream) flush() error {
	if s.open == nil || len(s.open.buf) == 0 {
		return nil
	}
	return s.open.flush()
}

// NewFiles checks whether files can be written to a folder, which is created with the first of them.
func NewFiles(cfg Config) (*Files, error) { return newFiles(cfg, openStore) }

func newFiles(cfg Config, open func(dir string, create bool) (store, error)) (*Files, error) {
	f := new(Files)
	if err := f.folder.open(cfg, open); err != nil {
		return nil, err
	}
	if err := f.readEarlier(); err != nil {
		return nil, err
	}
	return f, nil
}

// BeginInput begins an input. If there are several, each has a name, with which the names of its files begin.
func (f *Files) BeginInput(name string) { f.folder.begin(name) }

// Add writes a record's part of a file. It is called like the engine's Finish.
func (f *Files) Add(worker int, rec *dissect.Record) {
	for i := range rec.Files {
		if f.Err() != nil {
			return
		}
		f.folder.fail(f.add(&f.folder.workers[worker], rec, &rec.Files[i]))
	}
}

func (f *Files) add(w *worker[*fileStream], rec *dissect.Record, p *extract.File) error {
	stream := max(rec.Stream, 0)
	s := w.streams[stream]
	if s == nil {
		s = &fileStream{names: map[string]bool{}}
		w.streams[stream] = s
	}
	if p.Begin {
		if err := f.complete(s); err != nil {
			return err
		}
		s.open = f.begin(rec, s, p)
	}
	if s.open == nil { // the conversation was idle for long after its beginning
		return nil
	}
	if len(p.Data) > 0 && s.open.bytes == 0 {
		if err := f.place(s.open); err != nil {
			return err
		}
	}
	return errors.Join(s.open.add(rec, p), w.wait(len(p.Data)))
}

// begin begins a file.
func (f *Files) begin(rec *dissect.Record, s *fileStream, p *extract.File) *transfer {
	name, extension := fileName(string(p.File.Name), p.File.Extension)
	base := fmt.Sprintf("%s%03d-%d-%s", f.folder.prefix, max(rec.Stream, 0), p.Session, name)
	unique := f.folder.uniqueName(base, extension, s.names)
	t := &transfer{end: -1, head: extract.FileHead{Size: -1}}
	t.file = File{
		File: unique, Input: wiretext.String([]byte(f.folder.input)), Stream: max(rec.Stream, 0),
		Session: p.Session,
	}
	if rec.Recorded() {
		return t // it has no addresses
	}
	t.file.Server, t.file.Client = rec.Src.String(), rec.Dst.String()
	if rec.Direction == dissect.ClientToServer {
		t.file.Server, t.file.Client = t.file.Client, t.file.Server
	}
	return t
}

// place prepares for the first bytes of a file.
func (f *Files) place(t *transfer) error {
	files, err := f.folder.files()
	if err != nil {
		return err
	}
	for _, name := range []string{t.file.File, t.file.File + incompleteSuffix} {
		if err := f.folder.vacant(name); err != nil {
			return err
		}
	}
	t.kept = partFile{store: files, name: t.file.File + ".pieces" + f.folder.partSuffix}
	t.whole = partFile{store: files, name: t.file.File + f.folder.partSuffix}
	return nil
}

// complete completes the file in transfer of a stream, if there is one.
func (f *Files) complete(s *fileStream) error {
	if s.open == nil {
		return nil
	}
	file, err := s.open.close(f.folder.findPresent, f.folder.publish)
	s.open = nil
	if err != nil {
		return err
	}
	s.files = append(s.files, file)
	return nil
}

// EndInput completes the files of the input. It returns the first error so far.
func (f *Files) EndInput() error {
	for _, s := range f.folder.end() {
		if f.Err() != nil && s.open != nil { // parts of it may be missing
			_ = s.open.discard() // the first error counts
		} else {
			f.folder.fail(f.complete(s))
		}
		maps.Copy(f.folder.taken, s.names)
		f.own = append(f.own, s.files...)
	}
	return f.Err()
}

// Lacks adds what an input did not give to the manifest. It is called before EndInput.
func (f *Files) Lacks(lacks incomplete.List) {
	f.result.Incomplete = append(f.result.Incomplete, lacks...)
}

// Abandon ends an export without a manifest. It takes the place of Close where no input could be read.
func (f *Files) Abandon() error { return f.folder.abandon() }

// Err returns the first error so far: nothing is written after it.
func (f *Files) Err() error { return f.folder.first() }

// Close writes the manifest, and returns it, even after an error. It lists the files of an earlier export in the folder
// first. If this export adds nothing, sent or announced, it leaves the folder as it was, or absent.
func (f *Files) Close() (*FilesManifest, error) {
	err := f.Err()
	if err != nil && f.own != nil {
		f.result.Error, err = err.Error(), nil
	}
	if adds := f.join(); err != nil || !adds {
		return &f.result, f.folder.abandon()
	}
	return &f.result, f.folder.describe(&f.result)
}

// Limits of the part of a file's name that comes from the wire.
const (
	maxFileName  = 60
	maxExtension = 8
)

// fileName makes a file name and an extension from a name of the wire: letters, digits, - and _, without the
// folders. more is the extension that the name was sent without.
func fileName(name, more string) (base, extension string) {
	name = name[strings.LastIndexAny(name, `/\:`)+1:]
	if more == "" {
		dot := strings.LastIndexByte(name, '.')
		if dot > 0 && len(name)-dot-1 <= maxExtension && !strings.EqualFold(name[dot:], ".part") { // which is ours
			name, more = name[:dot], name[dot+1:]
		}
	}
	if name = portable(name, maxFileName); name == "" {
		name = "unknown"
	}
	if more = portable(more, maxExtension); more != "" {
		more = "." + more
	}
	return name, more
}

// portable replaces the characters that are not safe in file names on every system.
func portable(s string, length int) string {
	b := []byte(s[:min(len(s), length)])
	for i, c := range b {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_':
		default:
			b[i] = '_'
		}
	}
	return string(b)
}
