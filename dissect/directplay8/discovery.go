package directplay8

import "github.com/q3dissect/q3dissect/dissect"

// Fields of discovery.
var (
	discoveryField = dissect.Field{
		Key: "discovery", Kind: dissect.Object, Source: discoverySource, Doc: "search for sessions",
		Children: []*dissect.Field{&queryField, &responseField, &dissect.Undecoded},
	}
	queryField = dissect.Field{
		Key: "query", Name: "EnumQuery", Kind: dissect.Object, Source: discoverySource, Doc: "asks for sessions",
		Children: []*dissect.Field{&discoveryTag, &queryType, &applicationGUID, &discoveryData, &dissect.Undecoded},
		Frame:    []*dissect.Field{&discoveryHead},
	}
	responseField = dissect.Field{
		Key: "response", Name: "EnumResponse", Kind: dissect.Object, Source: discoverySource, Doc: "describes a session",
		Children: append(append([]*dissect.Field{&discoveryTag}, responseNumbers[:]...),
			&instanceGUID, &applicationGUID, &sessionName, &replyData, &discoveryData, &dissect.Undecoded),
		Frame: []*dissect.Field{&discoveryHead},
	}
	discoveryTag = dissect.Field{
		Key: "tag", Name: "EnumPayload", Kind: dissect.Uint, Bits: 16, Source: discoverySource,
		Doc: "chosen by the client, repeated in the response",
	}
	queryType = dissect.Field{
		Key: "type", Name: "QueryType", Kind: dissect.Uint, Bits: 8, Source: discoverySource,
		Doc: "1: for one application; 2: for any", Enum: &dissect.Enum{Tables: [][]string{{"", "application", "any"}}},
	}
	applicationGUID = dissect.Field{Key: "application_guid", Kind: dissect.Label, Bits: 128, Source: discoverySource, Doc: "the application"}
	instanceGUID    = dissect.Field{Key: "instance_guid", Kind: dissect.Label, Bits: 128, Source: discoverySource, Doc: "the session"}
	sessionName     = dissect.Field{Key: "session_name", Kind: dissect.Label, Source: discoverySource, Doc: "name of the session, UTF-16 on the wire"}
	replyData       = dissect.Field{Key: "reply", Kind: dissect.Hex, Source: discoverySource, Doc: "what the application sent with the response"}
	discoveryData   = dissect.Field{Key: "data", Kind: dissect.Hex, Source: discoverySource, Doc: "of a query: what the application sent with it; of a response: all bytes after the fixed part"}

	replyOffset = dissect.Field{Key: "reply_offset", Kind: dissect.Uint, Bits: 32, Unit: "bytes from the fifth one", Source: discoverySource, Doc: "where the application's reply is"}
	replySize   = dissect.Field{Key: "reply_size", Kind: dissect.Uint, Bits: 32, Unit: "bytes", Source: discoverySource, Doc: "length of the application's reply; 0: none"}
	descSize    = dissect.Field{Key: "description_size", Kind: dissect.Uint, Bits: 32, Unit: "bytes", Source: discoverySource, Doc: "always 80"}
	descFlags   = dissect.Field{
		Key: "flags", Kind: dissect.Uint, Bits: 32, Source: discoverySource, Doc: "properties of the session",
		Enum: &dissect.Enum{Mask: true, Tables: [][]string{sessionFlags}},
	}
	nameOffset      = dissect.Field{Key: "name_offset", Kind: dissect.Uint, Bits: 32, Unit: "bytes from the fifth one", Source: discoverySource, Doc: "where the session's name is; 0: it has none"}
	nameSize        = dissect.Field{Key: "name_size", Kind: dissect.Uint, Bits: 32, Unit: "bytes", Source: discoverySource, Doc: "length of the session's name"}
	responseNumbers = [...]*dissect.Field{
		&replyOffset, &replySize, &descSize, &descFlags,
		{Key: "max_players", Kind: dissect.Uint, Bits: 32, Source: discoverySource, Doc: "players at most; 0: no limit"},
		{Key: "current_players", Kind: dissect.Uint, Bits: 32, Source: discoverySource, Doc: "players now"},
		&nameOffset, &nameSize,
		{Key: "password_offset", Kind: dissect.Uint, Bits: 32, Source: discoverySource, Doc: "where the session's password is; 0: none"},
		{Key: "password_size", Kind: dissect.Uint, Bits: 32, Source: discoverySource, Doc: "length of the password"},
		{Key: "reserved_offset", Kind: dissect.Uint, Bits: 32, Source: discoverySource, Doc: "where the reserved data are; 0: none"},
		{Key: "reserved_size", Kind: dissect.Uint, Bits: 32, Source: discoverySource, Doc: "length of the reserved data"},
		{Key: "application_reserved_offset", Kind: dissect.Uint, Bits: 32, Source: discoverySource, Doc: "where the application's data about the session are; 0: none"},
		{Key: "application_reserved_size", Kind: dissect.Uint, Bits: 32, Source: discoverySource, Doc: "length of the application's data about the session"},
	}
)

// Bytes of discovery datagrams.
const (
	discoveryQuery    = 2
	discoveryResponse = 3
	queryOfOne        = 1 // a GUID follows
	queryOfAny        = 2
	queryOfInvented   = -1 // queryOfOne with a GUID that no generator made
	guidBytes         = 16
	offsetsFrom       = 4 // offsets of a response count from the byte after the tag
	responseBytes     = offsetsFrom + 4*len(responseNumbers) + 2*guidBytes
	descriptionBytes  = 80
)

// discovery reads a query or a response.
func (r *reader) discovery() {
	r.Enter(&discoveryField)
	defer r.Leave()
	head := r.Take(&discoveryField, 2)
	switch {
	case head == nil:
	case head[1] == discoveryQuery:
		r.EnterAt(&queryField, 0)
		r.frameDiscovery(head)
		r.Number(&discoveryTag)
		if r.Number(&queryType) == queryOfOne {
			r.guid(&applicationGUID)
		}
		if r.Rest() > 0 && !r.Failed() {
			r.Hex(&discoveryData, r.Rest())
		}
		r.Leave()
	case head[1] == discoveryResponse:
		r.EnterAt(&responseField, 0)
		r.frameDiscovery(head)
		r.Number(&discoveryTag)
		var numbers [len(responseNumbers)]uint64
		for i, f := range responseNumbers {
			numbers[i] = r.Number(f)
		}
		r.guid(&instanceGUID)
		r.guid(&applicationGUID)
		if r.Rest() > 0 && !r.Failed() {
			r.outside(&sessionName, numbers[6], numbers[7])
			r.outside(&replyData, numbers[0], numbers[1])
			r.Hex(&discoveryData, r.Rest())
		}
		r.Leave()
	default:
		r.Malformed(&discoveryField, 1, "0x%02x is neither a query nor a response", head[1])
	}
}

// outside adds the bytes at an offset of the datagram, if there are any, without decoding them.
func (r *reader) outside(f *dissect.Field, offset, size uint64) {
	end := uint64(r.End)
	if offset == 0 || size == 0 || offset > end || size > end || offsetsFrom+offset+size > end {
		return
	}
	at := int(offsetsFrom + offset)
	b := r.B[at : at+int(size)]
	if f.Kind == dissect.Label {
		r.utf16(f, b, at)
		return
	}
	r.Tree.AddBytes(f, b, at<<3, len(b)<<3)
}

// utf16 adds a text of 16-bit units, to its zero.
func (r *reader) utf16(f *dissect.Field, b []byte, at int) {
	if r.Tree != nil {
		r.Tree.AddLabel(f, utf16Text(b), at<<3, len(b)<<3)
	}
}

// guid reads a GUID and writes it as Windows does.
func (r *reader) guid(f *dissect.Field) {
	const digits = "0123456789abcdef"
	at := r.At
	b := r.Take(f, guidBytes)
	if b == nil || r.Tree == nil {
		return
	}
	var text [36]byte
	order := [guidBytes]int{3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15}
	n := 0
	for i, from := range order {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			text[n] = '-'
			n++
		}
		text[n], text[n+1] = digits[b[from]>>4], digits[b[from]&15]
		n += 2
	}
	r.Tree.AddLabel(f, string(text[:]), at<<3, guidBytes<<3)
}
