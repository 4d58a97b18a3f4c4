package wireshark

import (
	"bytes"
	"strconv"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/cacheline"
	"github.com/q3dissect/q3dissect/dissect/internal/pdu"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// LinkType is that of the packets that an Encoder makes, in the numbers of https://www.tcpdump.org/linktypes.html.
const LinkType = pdu.LinkType

// An Encoder makes packets of records. It is safe for concurrent use, but for the records of one stream.
type Encoder struct {
	fields  *Fields
	program string // name and version
	beside  bool

	scratch sync.Pool // of *message

	mu    sync.Mutex
	parts map[side]*fragments
}

// NewEncoder returns an Encoder for the records of some protocols. program is the name and version of the program that
// writes them; beside means that the file has the packets of the records too.
func NewEncoder(protocols []*dissect.Protocol, program string, beside bool) *Encoder {
	e := &Encoder{fields: NewFields(protocols), program: program, beside: beside, parts: make(map[side]*fragments)}
	e.scratch.New = func() any { return &message{fields: e.fields} }
	return e
}

// maxCarried is how many bytes of a message, and of the datagrams that carried it, a packet has at most: the tree gets
// the rest.
const maxCarried = 160 << 10

// Has reports whether a record has a packet: it is of a protocol, or a datagram, and not one that an ICMP error quotes,
// which would be read back as one that was sent.
func (e *Encoder) Has(rec *dissect.Record) bool {
	return !rec.Closing && !rec.Apart() && (rec.Protocol != nil || rec.UDP)
}

// Append appends the packet of a record, without a link layer; nothing if it has none.
func (e *Encoder) Append(dst []byte, rec *dissect.Record) []byte {
	if !e.Has(rec) {
		return dst
	}
	m := e.scratch.Get().(*message)
	defer e.scratch.Put(m)
	m.begin(rec)
	h := &m.head
	h.List = e.fields.Hash
	if e.beside && rec.Raw != nil {
		h.Flags |= pdu.Beside
	}
	h.Sections[pdu.Program] = append(h.Sections[pdu.Program][:0], e.program...)
	m.carry(e.fragmentsOf(rec))
	tags := pdu.AppendTags(m.tags[:0], rec.Src, rec.Dst, rec.Frame)
	m.tags = tags
	m.room = pdu.MaxPacket - len(tags) - pdu.HeadLen
	for _, s := range h.Sections {
		m.room -= len(s)
	}
	m.experts()
	m.tree()
	e.Keep(rec)
	return h.Append(append(dst, tags...))
}

// A message is a packet that is being made, with memory that is used again.
type message struct {
	fields *Fields
	rec    *dissect.Record
	head   pdu.Head
	room   int // bytes that nodes, expert entries and their texts can still take
	tags   []byte
	text   []byte
	outer  []level // the containers around a node

	_ cacheline.Distance // workers make messages at the same time
}

// begin fills the head.
func (m *message) begin(rec *dissect.Record) {
	m.rec = rec
	sections := m.head.Sections
	for i := range sections {
		sections[i] = sections[i][:0]
	}
	m.head = pdu.Head{
		Frame: rec.Frame, Time: rec.Time, FirstTime: rec.FirstTime, Stream: int32(rec.Stream), Length: uint32(rec.Length),
		Captured: uint32(len(rec.Payload)), SrcPort: rec.Src.Port(), DstPort: rec.Dst.Port(), Direction: uint8(rec.Direction),
	}
	h := &m.head
	for _, f := range [...]struct {
		flag pdu.Flag
		set  bool
	}{{pdu.HasTime, rec.HasTime}, {pdu.Recorded, rec.Recorded()}, {pdu.UDP, rec.UDP}, {pdu.Known, rec.Protocol != nil}} {
		if f.set {
			h.Flags |= f.flag
		}
	}
	sections[pdu.File], _ = wiretext.Append(sections[pdu.File], []byte(rec.File))
	if rec.Src.IsValid() {
		sections[pdu.Src] = rec.Src.Addr().AppendTo(sections[pdu.Src])
	}
	if rec.Dst.IsValid() {
		sections[pdu.Dst] = rec.Dst.Addr().AppendTo(sections[pdu.Dst])
	}
	if rec.Protocol != nil {
		sections[pdu.Protocol] = append(sections[pdu.Protocol], rec.Protocol.Name...)
	}
	m.text = appendInfo(m.text[:0], rec)
	sections[pdu.Info], _ = wiretext.Append(sections[pdu.Info], m.text)
	if len(rec.IPFragments) > 1 {
		for _, frame := range rec.IPFragments {
			sections[pdu.IPFragments] = pdu.AppendFrame(sections[pdu.IPFragments], frame)
		}
	}
	h.Sections = sections
}

// carry fills in the message and the datagrams that carried it. earlier are the ones before the record's own.
func (m *message) carry(earlier []pdu.Datagram) {
	s, rec := &m.head.Sections, m.rec
	size := len(rec.Message) + len(rec.Payload)
	if size > maxCarried { // of recordings: datagrams are shorter
		return
	}
	if !bytes.Equal(rec.Message, rec.Payload) || !rec.Recorded() {
		s[pdu.Message] = append(s[pdu.Message], rec.Message...)
	}
	if !rec.UDP {
		return
	}
	for i := range earlier {
		d := earlier[i]
		if size += len(d.Bytes); size > maxCarried {
			d.Bytes = nil
		}
		s[pdu.Datagrams] = pdu.AppendDatagram(s[pdu.Datagrams], &d)
	}
	own := pdu.Datagram{Frame: rec.Frame, Time: rec.Time, Length: uint32(rec.Length), Bytes: rec.Payload}
	s[pdu.Datagrams] = pdu.AppendDatagram(s[pdu.Datagrams], &own)
}

// put appends a text as UTF-8, and returns its place and length.
func (m *message) put(b []byte) (place [2]uint32) {
	s := &m.head.Sections[pdu.Texts]
	at := len(*s)
	*s, _ = wiretext.Append(*s, b)
	m.room -= len(*s) - at
	return [2]uint32{uint32(at), uint32(len(*s) - at)}
}

// experts adds the expert entries. Those that there is no room for are left out like nodes.
func (m *message) experts() {
	for i := range m.rec.Experts {
		x := &m.rec.Experts[i]
		severity := uint8(x.Severity) + 1
		m.head.Severity = max(m.head.Severity, severity)
		if m.room < pdu.ExpertLen+len(x.Code)+len(x.Field)+2*len(x.Message) {
			m.head.LeftOut++
			continue
		}
		m.room -= pdu.ExpertLen
		entry := pdu.Expert{Severity: severity, Bit: uint32(x.BitOffset)}
		for _, t := range [...]struct {
			to   *[2]uint32
			text string
		}{{&entry.Code, x.Code}, {&entry.Field, x.Field}, {&entry.Message, x.Message}} {
			*t.to = m.put([]byte(t.text))
		}
		m.head.Sections[pdu.Experts] = pdu.AppendExpert(m.head.Sections[pdu.Experts], &entry)
	}
}

// A side is a direction of a stream.
type side struct {
	stream    int
	direction dissect.Direction
}

// A fragments is what is kept of the datagrams of a stream whose message is not complete.
type fragments struct {
	datagrams []pdu.Datagram
	size      int // bytes of them
}

// maxFragments and maxFragmentBytes limit what is kept for a stream. A message has fewer datagrams, and fewer bytes.
const (
	maxFragments     = 64
	maxFragmentBytes = 256 << 10
)

// Keep notes a record that gets no packet: its datagram may be a part of a message that does. It is called for all
// records of a stream in their order, by Append too.
func (e *Encoder) Keep(rec *dissect.Record) {
	if rec.Stream < 0 || rec.Recorded() || rec.Protocol == nil || rec.Protocol.AppendParts == nil ||
		rec.Protocol.Transit == nil {
		return
	}
	var t dissect.Transit
	if !rec.Protocol.Transit(rec, &t) {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	key := side{rec.Stream, rec.Direction}
	f := e.parts[key]
	if t.Whole {
		if f != nil {
			delete(e.parts, key)
		}
		return
	}
	if f == nil {
		f = &fragments{}
		e.parts[key] = f
	}
	for len(f.datagrams) == maxFragments || len(f.datagrams) > 0 && f.size+len(rec.Payload) > maxFragmentBytes {
		f.size -= len(f.datagrams[0].Bytes)
		f.datagrams = f.datagrams[1:]
	}
	f.size += len(rec.Payload)
	f.datagrams = append(f.datagrams, pdu.Datagram{
		Frame: rec.Frame, Time: rec.Time, Length: uint32(rec.Length), Bytes: bytes.Clone(rec.Payload),
	})
}

// fragmentsOf returns the datagrams that carried the message of a record, without its own.
func (e *Encoder) fragmentsOf(rec *dissect.Record) []pdu.Datagram {
	if rec.Protocol == nil || rec.Protocol.AppendParts == nil {
		return nil
	}
	var earlier []pdu.Datagram
	for _, frame := range rec.Protocol.AppendParts(nil, rec) {
		if frame != rec.Frame {
			earlier = append(earlier, pdu.Datagram{Frame: frame})
		}
	}
	if len(earlier) == 0 {
		return nil
	}
	key := side{rec.Stream, rec.Direction}
	e.mu.Lock()
	defer e.mu.Unlock()
	if f := e.parts[key]; f != nil {
		for i := range earlier {
			for _, kept := range f.datagrams {
				if kept.Frame == earlier[i].Frame {
					earlier[i] = kept
				}
			}
		}
	}
	return earlier
}

// appendInfo appends the text of the list's last column.
func appendInfo(dst []byte, rec *dissect.Record) []byte {
	if rec.Protocol == nil {
		return append(dst, rec.Note...)
	}
	return rec.Protocol.AppendInfo(dst, rec)
}

// appendIndex appends the key of an element.
func appendIndex(dst []byte, index int32) []byte { return strconv.AppendInt(dst, int64(index), 10) }

// Reset forgets the datagrams of all streams: another input begins.
func (e *Encoder) Reset() {
	e.mu.Lock()
	defer e.mu.Unlock()
	clear(e.parts)
}
