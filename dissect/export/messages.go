package export

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"slices"
	"sync/atomic"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// IndexName is the name of the index of the messages.
const IndexName = "messages.ndjson"

// A MessagesManifest summarizes what was written.
type MessagesManifest struct {
	Index    string `json:"index,omitempty"` // its name; absent if it could not be written
	Messages uint64 `json:"messages"`
	SHA256   string `json:"sha256,omitempty"` // of the index
	// Undeciphered counts whole messages whose key is not known: they have no file.
	Undeciphered uint64 `json:"undeciphered,omitempty"`
	// Incomplete is what the inputs did not give, see Lacks.
	Incomplete incomplete.List `json:"incomplete,omitempty"`
	// why the export ended early: there may be more files than the index lists
	Error string `json:"error,omitempty"`
}

// A Message is a line of the index. In texts from the wire that are not UTF-8, bytes become the characters of
// the same number.
type Message struct {
	File        string   `json:"file"` // within the folder of the index
	Input       string   `json:"input,omitempty"`
	Frame       *uint64  `json:"frame,omitempty"`        // that completed it
	DemoMessage *uint64  `json:"demo_message,omitempty"` // of a recording, from 0
	Time        string   `json:"time,omitempty"`
	Src         string   `json:"src,omitempty"` // address and port
	Dst         string   `json:"dst,omitempty"`
	Protocol    string   `json:"protocol"`
	Stream      *int     `json:"stream,omitempty"`
	Session     *int     `json:"session,omitempty"`
	Direction   string   `json:"direction,omitempty"`
	Sequence    *uint32  `json:"sequence,omitempty"`
	Info        string   `json:"info"`
	Expert      []string `json:"expert,omitempty"` // codes: key_unknown if the message could not be deciphered
	Bytes       int      `json:"bytes"`
	SHA256      string   `json:"sha256"`
}

// Messages writes each message of the records of engines to a file: put together of its fragments, deciphered and
// unpacked, as Record.Message has it. The index has a line for each, in the order of the packets.
//
// The inputs come one after the other: BeginInput, then Add from the engine's Finish and Output as the engine's Output,
// then EndInput when the engine is closed, and in the end Close. A message has its name when it is whole; all
// are on the disk before the manifest has its own. Memory is bounded.
type Messages struct {
	folder  folder[*messageStream]
	index   partFile
	buf     []byte    // lines that are not written yet
	hash    hash.Hash // of the written lines
	unknown atomic.Uint64
	result  MessagesManifest
}

// A messageStream has no collected bytes.
type messageStream struct{}

func (*messageStream) flush() error { return nil }

// NewMessages checks whether messages can be written to a folder, which is created with the first of them.
func NewMessages(cfg Config) (*Messages, error) { return newMessages(cfg, openStore) }

func newMessages(cfg Config, open func(dir string, create bool) (store, error)) (*Messages, error) {
	m := &Messages{hash: sha256.New()}
	m.folder.index = true
	cfg.Join = true // an existing manifest is read, and named in the error
	if err := m.folder.open(cfg, open); err != nil {
		return nil, err
	}
	if err := m.folder.foreign("messages"); err != nil {
		return nil, err
	}
	return m, nil
}

// BeginInput begins an input. If there are several, each has a name, with which the names of its files begin.
func (m *Messages) BeginInput(name string) { m.folder.begin(name) }

// Add writes the message of a record, if it completes one, and appends its line of the index to dst. It is
// called like the engine's Finish.
func (m *Messages) Add(dst []byte, rec *dissect.Record) []byte {
	if len(rec.Message) == 0 || rec.Protocol == nil || m.Err() != nil {
		if rec.MessageDone && rec.Message == nil {
			m.unknown.Add(1)
		}
		return dst
	}
	line := m.describe(rec)
	if err := m.write(line.File, rec.Message); err != nil {
		m.folder.fail(err)
		return dst
	}
	b, err := json.Marshal(line)
	if err != nil {
		panic(err) // plain data
	}
	return append(append(dst, b...), '\n')
}

// describe makes a record's line.
func (m *Messages) describe(rec *dissect.Record) *Message {
	sum := sha256.Sum256(rec.Message)
	l := &Message{
		Input: wiretext.String([]byte(m.folder.input)), Protocol: rec.Protocol.Name, Direction: rec.Direction.String(),
		Info: wiretext.String(rec.Protocol.AppendInfo(nil, rec)), Bytes: len(rec.Message), SHA256: hex.EncodeToString(sum[:]),
	}
	number := rec.Number()
	if rec.Recorded() {
		l.DemoMessage = &number
	} else {
		l.Frame = &number
		if rec.Src.IsValid() {
			l.Src, l.Dst = rec.Src.String(), rec.Dst.String()
		}
		if rec.Stream >= 0 {
			l.Stream = &rec.Stream
		}
	}
	if rec.HasTime {
		l.Time = time.Unix(0, rec.Time).UTC().Format("2006-01-02T15:04:05.000000000Z")
	}
	session := 0
	var t dissect.Transit
	if rec.Transit(&t) {
		session = t.Session
		l.Session, l.Sequence = &t.Session, &t.Sequence
	}
	for i := range rec.Experts {
		if code := rec.Experts[i].Code; !slices.Contains(l.Expert, code) {
			l.Expert = append(l.Expert, code)
		}
	}
	way := [...]string{
		dissect.Undecidable: "both", dissect.ClientToServer: "client",
		dissect.ServerToClient: "server",
	}[rec.Direction]
	l.File = fmt.Sprintf("%s%03d-%d-%08d-%s.bin", m.folder.prefix, max(rec.Stream, 0), session, number, way)
	return l
}

// write writes a message and gives it its name.
func (m *Messages) write(name string, message []byte) error {
	s, err := m.folder.files()
	if err != nil {
		return err
	}
	part := partFile{store: s, name: name + m.folder.partSuffix}
	if err = part.write(message); err == nil {
		err = m.folder.publish(part.name, name)
	}
	if err != nil {
		return errors.Join(err, part.discard())
	}
	return nil
}

// Output takes lines of the index, as the engine's Output does.
func (m *Messages) Output(b []byte) error {
	if m.Err() == nil && len(b) > 0 {
		m.folder.fail(m.list(b))
	}
	return m.Err()
}

// indexBuffer is how many bytes of the index are collected before they are written.
const indexBuffer = 64 << 10

func (m *Messages) list(b []byte) error {
	m.result.Messages += uint64(bytes.Count(b, []byte{'\n'}))
	if m.buf = append(m.buf, b...); len(m.buf) < indexBuffer {
		return nil
	}
	return m.flush()
}

// flush writes the collected lines.
func (m *Messages) flush() error {
	if m.index.store == nil {
		files, err := m.folder.files()
		if err == nil {
			err = m.folder.vacant(IndexName)
		}
		if err != nil {
			return err
		}
		m.index = partFile{store: files, name: IndexName + m.folder.partSuffix}
	}
	_, _ = m.hash.Write(m.buf) // never fails
	err := m.index.write(m.buf)
	m.buf = m.buf[:0]
	return err
}

// EndInput ends an input.
func (m *Messages) EndInput() error {
	m.folder.end()
	return m.Err()
}

// Lacks adds what an input did not give to the manifest. It is called before EndInput.
func (m *Messages) Lacks(lacks incomplete.List) {
	m.result.Incomplete = append(m.result.Incomplete, lacks...)
}

// Abandon ends an export without a manifest. It takes the place of Close where no input could be read.
func (m *Messages) Abandon() error { return m.folder.abandon() }

// Err returns the first error so far.
func (m *Messages) Err() error { return m.folder.first() }

// Close completes the index and writes the manifest, and returns it, even after an error. Without a
// message there is neither, nor a folder for them.
func (m *Messages) Close() (*MessagesManifest, error) {
	m.result.Undeciphered = m.unknown.Load()
	if m.result.Messages == 0 {
		return &m.result, m.folder.abandon()
	}
	m.folder.fail(m.complete())
	if err := m.Err(); err != nil {
		m.result.Error = err.Error()
	}
	return &m.result, m.folder.describe(&m.result)
}

// complete writes the rest of the index and gives it its name.
func (m *Messages) complete() error {
	err := m.flush()
	syncAll()
	if err == nil {
		err = m.index.finish()
	}
	if err == nil {
		err = m.folder.publish(m.index.name, IndexName)
	}
	if err != nil {
		return errors.Join(err, m.index.discard())
	}
	m.result.Index, m.result.SHA256 = IndexName, hex.EncodeToString(m.hash.Sum(nil))
	return nil
}
