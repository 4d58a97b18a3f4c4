package browse

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// A Record is everything about one packet.
type Record struct {
	Row
	Heading      string        `json:"heading"` // the line above the command's table
	Fields       []Field       `json:"fields"`  // in the order of the table
	Descriptions []Description `json:"descriptions"`
	Experts      []Expert      `json:"experts"`
	Layers       []Layer       `json:"layers"`
	Pieces       []Piece       `json:"pieces"`       // of the message, in its order
	LowestFirst  bool          `json:"lowest_first"` // places count the bits of a byte from the lowest on

	line   []byte // of --json
	joined bool   // joinPieces was here
}

// A Field is a field of a record.
type Field struct {
	Path    string `json:"path"`
	Depth   int    `json:"depth"`
	Label   string `json:"label"`
	Value   string `json:"value"`
	Meaning string `json:"meaning,omitempty"`
	Named   string `json:"named,omitempty"` // the beginning of the meaning: names, degrees and unit
	Bit     uint32 `json:"bit"`
	Bits    uint32 `json:"bits"`             // 0: derived, not read
	Layer   int    `json:"layer"`            // whose bits they are: 0 the datagram, 1 the message
	About   int    `json:"about"`            // number of its description
	Filter  string `json:"filter,omitempty"` // what a filter must say to find the value
	Framing bool   `json:"framing,omitempty"`
	Frames  int    `json:"frames,omitempty"` // of framing: which of the fields it frames, from 1; 0: the object around it
}

// A Description is what holds for a field in every record.
type Description struct {
	Name   string `json:"name"` // of filters and columns
	Engine string `json:"engine"`
	Kind   string `json:"kind"`
	Unit   string `json:"unit,omitempty"`
	Doc    string `json:"doc,omitempty"`
	Source string `json:"source,omitempty"`
}

// An Expert is an entry of a record.
type Expert struct {
	Severity string `json:"severity"`
	Code     string `json:"code"`
	Field    string `json:"field,omitempty"` // path of the field concerned, without numbers
	Bit      int    `json:"bit"`
	Message  string `json:"message"`
}

// Layers of a record: what bits count in. The first is the datagram of the record itself; others of its message follow
// the message.
const (
	layerWire    = "wire"
	layerMessage = "message"
)

// A Layer is bytes that are shown.
type Layer struct {
	Name   string `json:"name"`
	Frame  uint64 `json:"frame,omitempty"` // of wire: number of the packet
	Bytes  []byte `json:"bytes"`
	Length int    `json:"length"` // bytes on the wire, more where the capture lacks some
}

// A Piece is where a part of the message travelled: see dissect.WirePiece. As many bits on both sides correspond one
// by one.
type Piece struct {
	Layer       int `json:"layer"`
	Wire        int `json:"wire"`
	Bits        int `json:"bits"`
	Message     int `json:"message"`
	MessageBits int `json:"message_bits"`
}

// Record dissects the packet of a row again.
func (s *Session) Record(number int) (*Record, error) { return s.recordOf(&s.cursors, number) }

// FramedRecord is Record with what frames the fields, so that every bit lies in one.
func (s *Session) FramedRecord(number int) (*Record, error) { return s.recordOf(&s.framed, number) }

func (s *Session) recordOf(c *cursors, number int) (*Record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.framing = c == &s.framed
	a, err := c.record(s, number)
	if err != nil {
		return nil, err
	}
	s.joinPieces(c, a)
	return a, nil
}

// JSON returns the line that the command prints for a row with --json.
func (s *Session) JSON(number int) ([]byte, error) {
	rec, err := s.Record(number)
	if err != nil {
		return nil, err
	}
	return rec.line, nil
}

// build makes the answer of a record that is dissected.
func (s *Session) build(number int, w *row, rec *dissect.Record) *Record {
	a := &Record{
		Row: s.show(number, w), Fields: []Field{}, Experts: []Expert{}, Pieces: []Piece{},
		Descriptions: []Description{},
	}
	a.line = render.AppendJSON(nil, rec, render.JSON{})
	table := render.Table{Only: []string{""}}
	heading, _, _ := bytes.Cut(table.Append(nil, rec), []byte("\n"))
	a.Heading = string(heading)
	about := map[Description]int{}
	if rec.Tree.Framing {
		rec.Tree.Separate()
	}
	for _, c := range render.FieldCells(rec) {
		f := Field{
			Path: c.Path, Depth: c.Depth, Label: c.Label, Value: c.Value, Meaning: c.Meaning, Named: c.Named,
			Bit: c.Bit, Bits: c.Bits, Filter: condition(&c), Framing: c.Field.Framing != dissect.NoFraming, Frames: c.Frames,
		}
		if c.In == dissect.Message {
			f.Layer = 1
		}
		d := describe(&c)
		n, ok := about[d]
		if !ok {
			n = len(a.Descriptions)
			about[d], a.Descriptions = n, append(a.Descriptions, d)
		}
		f.About = n
		a.Fields = append(a.Fields, f)
	}
	for i := range rec.Experts {
		e := &rec.Experts[i]
		a.Experts = append(a.Experts, Expert{e.Severity.String(), e.Code, e.Field, e.BitOffset, e.Message})
	}
	a.LowestFirst = rec.Protocol != nil && rec.Protocol.LowestFirst
	s.addLayers(a, w, rec)
	return a
}

func describe(c *render.FieldCell) Description {
	if c.Key {
		return Description{Name: c.Name, Engine: c.Label, Kind: "text", Doc: c.Meaning, Source: c.Field.Source}
	}
	return Description{
		Name: c.Name, Engine: c.Field.EngineName(), Kind: c.Field.Kind.String(), Unit: c.Field.Unit,
		Doc: c.Field.Doc, Source: c.Field.Source,
	}
}

// addLayers adds the bytes and how they belong together.
func (s *Session) addLayers(a *Record, w *row, rec *dissect.Record) {
	a.Layers = []Layer{{Name: layerWire, Frame: rec.Frame, Bytes: bytes.Clone(rec.Payload), Length: rec.Length}}
	if rec.Message == nil {
		return
	}
	a.Layers = append(a.Layers, Layer{Name: layerMessage, Bytes: bytes.Clone(rec.Message), Length: len(rec.Message)})
	layers := map[uint64]int{rec.Frame: 0}
	others := map[uint64][]byte{}
	datagram := func(frame uint64) []byte {
		if b, ok := others[frame]; ok {
			return b
		}
		n, exact := s.index.find(w.file, frame)
		if !exact {
			return nil
		}
		part, err := s.index.row(n)
		if err != nil {
			return nil
		}
		others[frame] = part.packet.Payload
		return part.packet.Payload
	}
	for _, p := range wirePieces(rec, datagram) {
		n, ok := layers[p.Frame]
		if !ok {
			n = len(a.Layers)
			layers[p.Frame] = n
			b := datagram(p.Frame)
			a.Layers = append(a.Layers, Layer{Name: layerWire, Frame: p.Frame, Bytes: b, Length: len(b)})
		}
		a.Pieces = append(a.Pieces, Piece{n, p.Wire, p.Bits, p.Message, p.MessageBits})
	}
}

// wirePieces asks the protocol where the message travelled. Of others the message is looked for in the datagram, where
// one that is carried as it is must be.
func wirePieces(rec *dissect.Record, datagram func(uint64) []byte) []dissect.WirePiece {
	if rec.Protocol != nil && rec.Protocol.AppendWire != nil {
		return rec.Protocol.AppendWire(nil, rec, datagram)
	}
	at := bytes.Index(rec.Payload, rec.Message)
	if at < 0 || len(rec.Message) == 0 || bytes.Contains(rec.Payload[at+1:], rec.Message) {
		return nil
	}
	n := len(rec.Message) << 3
	return []dissect.WirePiece{{Frame: rec.Frame, Wire: at << 3, Bits: n, MessageBits: n}}
}
