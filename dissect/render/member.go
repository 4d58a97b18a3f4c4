package render

import (
	"time"

	"github.com/q3dissect/q3dissect/dissect"
)

// A member is one key of a record's common part: what it is called, what it is and how it is written.
// JSON, columns, schema and the lists of fields all read the same members.
type member struct {
	key  string
	typ  string // JSON type of the value; of the elements for an array
	list bool   // an array: append gives its elements
	text bool   // a string that may hold anything, to be escaped
	null bool   // written as null where it is absent

	append appender

	unit, doc string
	words     []string // all values that a string can have, where they are few
}

// An appender appends the value of a member, bare: the i-th of an array, or that of the i-th expert
// entry. ok is false, and dst unchanged, where there is none.
type appender func(dst []byte, rec *dissect.Record, i int) (out []byte, ok bool)

// head is what stands before the protocol's object, in this order.
var head = []member{
	{key: "file", typ: "string", text: true, append: appendFile, doc: "name of the input, when there are several"},
	{key: "frame", typ: "integer", append: appendFrame, doc: "number of the packet in its file, from 1; of the packet that completes the datagram"},
	{key: "demo_message", typ: "integer", append: appendDemoMessage, doc: "number of the message in its demo file, from 0"},
	{key: "time", typ: "string", append: appendISOTime, doc: "time of capture, RFC 3339, UTC; absent where the file has none"},
	{key: "time_epoch", typ: "number", append: appendEpochTime, unit: "s", doc: "time of capture since 1970-01-01 00:00 UTC"},
	{key: "time_relative", typ: "number", append: appendRelativeTime, unit: "s", doc: "time since the first packet of the file"},
	{key: "src", typ: "string", append: appendSrc, doc: "source address"},
	{key: "src_port", typ: "integer", append: appendSrcPort, doc: "source port"},
	{key: "dst", typ: "string", append: appendDst, doc: "destination address"},
	{key: "dst_port", typ: "integer", append: appendDstPort, doc: "destination port"},
	{key: "length", typ: "integer", append: appendLength, unit: "bytes", doc: "length of the UDP payload on the wire, of the message in a demo, of any other packet as a whole"},
	{key: "captured_length", typ: "integer", append: appendCapturedLength, unit: "bytes", doc: "payload in the capture, where it is less than length"},
	{key: "ip_fragments", typ: "integer", list: true, append: appendIPFragment, doc: "frames of the IP fragments, where there were several"},
	{key: "protocol", typ: "string", null: true, append: appendProtocol, doc: "innermost protocol that is known; null for none"},
	{key: "stream", typ: "integer", append: appendStream, doc: "number of the conversation, from 0"},
	{key: "direction", typ: "string", append: appendDirection, words: directionWords, doc: "by role; absent when undecidable"},
	{key: "info", typ: "string", text: true, append: appendInfoText, doc: "what a person wants to know, the last column of the list"},
}

// linkMembers are what --link adds.
var linkMembers = []member{
	{key: "interface", typ: "string", text: true, append: appendInterface, doc: "capturing interface"},
	{key: "vlan", typ: "integer", list: true, append: appendVLAN, doc: "VLAN identifiers, outermost first"},
	{key: "ttl", typ: "integer", append: appendTTL, doc: "IPv4 time to live or IPv6 hop limit"},
	{key: "ip_id", typ: "integer", append: appendIPID, doc: "identification of the IP packet or its fragments"},
	{key: "comment", typ: "string", text: true, append: appendComment, doc: "comments of the packet in the file"},
}

// expertMembers are those of one expert entry.
var expertMembers = []member{
	{key: "severity", typ: "string", append: appendSeverity, words: severityWords, doc: "worth knowing, lost or odd, bytes that are wrong"},
	{key: "code", typ: "string", append: appendCode, doc: "kind of the entry, see docs/expert.md"},
	{key: "field", typ: "string", append: appendExpertField, doc: "path of the field concerned"},
	{key: "bit_offset", typ: "integer", append: appendExpertBit, unit: "bits", doc: "place in the message or datagram"},
	{key: "message", typ: "string", text: true, append: appendMessage, doc: "the entry in words"},
}

var (
	directionWords = []string{dissect.ClientToServer.String(), dissect.ServerToClient.String()}
	severityWords  = []string{dissect.Note.String(), dissect.Warning.String(), dissect.Fault.String()}
	scopeWords     = []string{dissect.Datagram.String(), dissect.Message.String()}
)

// appendJSON appends key, value and a comma, or nothing.
func (m *member) appendJSON(dst []byte, rec *dissect.Record, i int) []byte {
	mark := len(dst)
	dst = appendKey(dst, m.key)
	var ok bool
	if m.list {
		dst, ok = m.appendArray(append(dst, '['), rec)
	} else {
		dst, ok = m.appendValue(dst, rec, i)
	}
	switch {
	case ok:
		return append(dst, ',')
	case m.null:
		return append(dst, "null,"...)
	}
	return dst[:mark]
}

func (m *member) appendArray(dst []byte, rec *dissect.Record) (out []byte, ok bool) {
	for i := 0; ; i++ {
		if dst, ok = m.appendValue(dst, rec, i); !ok {
			return closeWith(dst, ']'), i > 0
		}
		dst = append(dst, ',')
	}
}

// appendValue appends the value as JSON.
func (m *member) appendValue(dst []byte, rec *dissect.Record, i int) (out []byte, ok bool) {
	if m.typ != "string" {
		return m.append(dst, rec, i)
	}
	from := len(dst) + 1
	dst, ok = m.append(append(dst, '"'), rec, i)
	switch {
	case !ok:
		return dst[:from-1], false
	case m.text:
		return closeString(dst, from), true
	}
	return append(dst, '"'), true
}

// appendMembers appends an object.
func appendMembers(dst []byte, members []member, rec *dissect.Record, i int) []byte {
	dst = append(dst, '{')
	for m := range members {
		dst = members[m].appendJSON(dst, rec, i)
	}
	return closeWith(dst, '}')
}

func appendFile(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	return append(dst, rec.File...), rec.File != ""
}

func appendFrame(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	if rec.Recorded() {
		return dst, false
	}
	return appendUint(dst, rec.Frame), true
}

func appendDemoMessage(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	if !rec.Recorded() {
		return dst, false
	}
	return appendUint(dst, rec.Frame-1), true
}

func appendISOTime(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	if !rec.HasTime {
		return dst, false
	}
	t := time.Unix(0, rec.Time).UTC()
	dst = appendDate(dst, t)
	dst = append(dst, 'T')
	dst = appendClock(dst, t, 9)
	return append(dst, 'Z'), true
}

func appendEpochTime(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	if !rec.HasTime {
		return dst, false
	}
	return appendSeconds(dst, rec.Time, 0, 9), true
}

func appendRelativeTime(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	if !rec.HasTime {
		return dst, false
	}
	return appendSeconds(dst, rec.Time, rec.FirstTime, 9), true
}

func appendSrc(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	if !rec.Src.IsValid() {
		return dst, false
	}
	return rec.Src.Addr().AppendTo(dst), true
}

func appendSrcPort(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	if !rec.UDP || !rec.Src.IsValid() {
		return dst, false
	}
	return appendUint(dst, uint64(rec.Src.Port())), true
}

func appendDst(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	if !rec.Dst.IsValid() {
		return dst, false
	}
	return rec.Dst.Addr().AppendTo(dst), true
}

func appendDstPort(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	if !rec.UDP || !rec.Dst.IsValid() {
		return dst, false
	}
	return appendUint(dst, uint64(rec.Dst.Port())), true
}

func appendLength(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	return appendInt(dst, int64(rec.Length)), true
}

func appendCapturedLength(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	if !rec.Truncated() {
		return dst, false
	}
	return appendInt(dst, int64(len(rec.Payload))), true
}

func appendIPFragment(dst []byte, rec *dissect.Record, i int) ([]byte, bool) {
	if len(rec.IPFragments) < 2 || i >= len(rec.IPFragments) {
		return dst, false
	}
	return appendUint(dst, rec.IPFragments[i]), true
}

func appendProtocol(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	if rec.Protocol == nil {
		return dst, false
	}
	return append(dst, rec.Protocol.Name()...), true
}

func appendStream(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	if rec.Stream < 0 || rec.Recorded() {
		return dst, false
	}
	return appendInt(dst, int64(rec.Stream)), true
}

func appendDirection(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	return append(dst, rec.Direction.String()...), rec.Direction != dissect.Undecidable
}

// appendInfoText appends the text of the list's last column.
func appendInfoText(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	if rec.Protocol == nil {
		return append(dst, rec.Note...), true
	}
	return rec.Protocol.AppendInfo(dst, rec), true
}

func appendInterface(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	if rec.Link == nil || rec.Link.Interface == "" {
		return dst, false
	}
	return append(dst, rec.Link.Interface...), true
}

func appendVLAN(dst []byte, rec *dissect.Record, i int) ([]byte, bool) {
	if rec.Link == nil || i >= len(rec.Link.VLAN) {
		return dst, false
	}
	return appendUint(dst, uint64(rec.Link.VLAN[i])), true
}

// appendTTL appends the time to live of packets that are IP.
func appendTTL(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	if rec.Link == nil || !rec.Src.IsValid() {
		return dst, false
	}
	return appendUint(dst, uint64(rec.Link.TTL)), true
}

func appendIPID(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	if rec.Link == nil || !rec.Link.HasIPID {
		return dst, false
	}
	return appendUint(dst, uint64(rec.Link.IPID)), true
}

func appendComment(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	if rec.Link == nil || rec.Link.Comment == "" {
		return dst, false
	}
	return append(dst, rec.Link.Comment...), true
}

func appendSeverity(dst []byte, rec *dissect.Record, i int) ([]byte, bool) {
	if i >= len(rec.Experts) {
		return dst, false
	}
	return append(dst, rec.Experts[i].Severity.String()...), true
}

func appendCode(dst []byte, rec *dissect.Record, i int) ([]byte, bool) {
	if i >= len(rec.Experts) {
		return dst, false
	}
	return append(dst, rec.Experts[i].Code...), true
}

// appendExpertField appends the path, which only entries about the datagram as a whole lack.
func appendExpertField(dst []byte, rec *dissect.Record, i int) ([]byte, bool) {
	if i >= len(rec.Experts) || rec.Experts[i].Field == "" {
		return dst, false
	}
	return append(dst, rec.Experts[i].Field...), true
}

func appendExpertBit(dst []byte, rec *dissect.Record, i int) ([]byte, bool) {
	if i >= len(rec.Experts) {
		return dst, false
	}
	return appendInt(dst, int64(rec.Experts[i].BitOffset)), true
}

func appendMessage(dst []byte, rec *dissect.Record, i int) ([]byte, bool) {
	if i >= len(rec.Experts) {
		return dst, false
	}
	return append(dst, rec.Experts[i].Message...), true
}
