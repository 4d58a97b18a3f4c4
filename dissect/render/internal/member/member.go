// Package member describes the common part of records: each key with its type, its documentation and the
// function that appends its value.
package member

import (
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/render/internal/text"
)

// A Member is one key of a record's common part: its name, its type and how it is written. JSON, columns,
// schema and the lists of fields all use the same members.
type Member struct {
	Key  string
	Type string // JSON type of the value; of the elements for an array
	List bool   // an array: append appends its elements
	text bool   // a string that may contain anything, to be escaped
	null bool   // written as null where it is absent

	Append appender

	Unit, Doc string
	Words     []string // all values that a string can have, if they are few
}

// An appender appends the value of a member, without its key: the i-th of an array, or that of the i-th expert
// entry. ok is false, and dst unchanged, if there is none.
type appender func(dst []byte, rec *dissect.Record, i int) (out []byte, ok bool)

// Head is the part before the protocol's object, in this order.
var Head = []Member{
	{Key: "file", Type: "string", text: true, Append: appendFile, Doc: "name of the input, when there are several"},
	{Key: "frame", Type: "integer", Append: appendFrame, Doc: "number of the packet in its file, from 1; of the packet that completes the datagram"},
	{Key: "demo_message", Type: "integer", Append: appendDemoMessage, Doc: "number of the message in its demo file, from 0"},
	{Key: "time", Type: "string", Append: AppendISOTime, Doc: "time of capture, RFC 3339, UTC; absent where the file has none"},
	{Key: "time_epoch", Type: "number", Append: appendEpochTime, Unit: "s", Doc: "time of capture since 1970-01-01 00:00 UTC"},
	{Key: "time_relative", Type: "number", Append: appendRelativeTime, Unit: "s", Doc: "time since the first packet of the file"},
	{Key: "src", Type: "string", Append: appendSrc, Doc: "source address"},
	{Key: "src_port", Type: "integer", Append: appendSrcPort, Doc: "source port"},
	{Key: "dst", Type: "string", Append: appendDst, Doc: "destination address"},
	{Key: "dst_port", Type: "integer", Append: appendDstPort, Doc: "destination port"},
	{Key: "length", Type: "integer", Append: appendLength, Unit: "bytes", Doc: "length of the UDP payload on the wire, of the message in a demo, of any other packet as a whole"},
	{Key: "captured_length", Type: "integer", Append: appendCapturedLength, Unit: "bytes", Doc: "payload in the capture, where it is less than length"},
	{Key: "ip_fragments", Type: "integer", List: true, Append: appendIPFragment, Doc: "frames of the IP fragments, where there were several"},
	{Key: "protocol", Type: "string", null: true, Append: appendProtocol, Doc: "innermost protocol that is known; null for none"},
	{Key: "stream", Type: "integer", Append: AppendStream, Doc: "number of the conversation, from 0"},
	{Key: "direction", Type: "string", Append: appendDirection, Words: directionWords, Doc: "by role; absent when undecidable"},
	{Key: "info", Type: "string", text: true, Append: AppendInfoText, Doc: "what a person wants to know, the last column of the list"},
}

// Link has the members that --link adds.
var Link = []Member{
	{Key: "interface", Type: "string", text: true, Append: appendInterface, Doc: "capturing interface"},
	{Key: "vlan", Type: "integer", List: true, Append: appendVLAN, Doc: "VLAN identifiers, outermost first"},
	{Key: "ttl", Type: "integer", Append: appendTTL, Doc: "IPv4 time to live or IPv6 hop limit"},
	{Key: "ip_id", Type: "integer", Append: appendIPID, Doc: "identification of the IP packet or its fragments"},
	{Key: "comment", Type: "string", text: true, Append: appendComment, Doc: "comments of the packet in the file"},
}

// Expert has the members of one expert entry.
var Expert = []Member{
	{Key: "severity", Type: "string", Append: appendSeverity, Words: severityWords, Doc: "worth knowing, lost or odd, bytes that are wrong"},
	{Key: "code", Type: "string", Append: appendCode, Doc: "kind of the entry, see docs/expert.md"},
	{Key: "field", Type: "string", Append: appendExpertField, Doc: "path of the field concerned"},
	{Key: "bit_offset", Type: "integer", Append: appendExpertBit, Unit: "bits", Doc: "place in the message or datagram"},
	{Key: "message", Type: "string", text: true, Append: appendMessage, Doc: "the entry in words"},
}

var (
	directionWords = []string{dissect.ClientToServer.String(), dissect.ServerToClient.String()}
	severityWords  = []string{dissect.Note.String(), dissect.Warning.String(), dissect.Fault.String()}
	ScopeWords     = []string{dissect.Datagram.String(), dissect.Message.String()}
)

// AppendJSON appends key, value and a comma, or nothing.
func (m *Member) AppendJSON(dst []byte, rec *dissect.Record, i int) []byte {
	mark := len(dst)
	dst = text.AppendKey(dst, m.Key)
	var ok bool
	if m.List {
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

func (m *Member) appendArray(dst []byte, rec *dissect.Record) (out []byte, ok bool) {
	for i := 0; ; i++ {
		if dst, ok = m.appendValue(dst, rec, i); !ok {
			return text.CloseWith(dst, ']'), i > 0
		}
		dst = append(dst, ',')
	}
}

// appendValue appends the value as JSON.
func (m *Member) appendValue(dst []byte, rec *dissect.Record, i int) (out []byte, ok bool) {
	if m.Type != "string" {
		return m.Append(dst, rec, i)
	}
	from := len(dst) + 1
	dst, ok = m.Append(append(dst, '"'), rec, i)
	switch {
	case !ok:
		return dst[:from-1], false
	case m.text:
		return text.CloseJSON(dst, from), true
	}
	return append(dst, '"'), true
}

// AppendAll appends an object.
func AppendAll(dst []byte, members []Member, rec *dissect.Record, i int) []byte {
	dst = append(dst, '{')
	for m := range members {
		dst = members[m].AppendJSON(dst, rec, i)
	}
	return text.CloseWith(dst, '}')
}

func appendFile(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	return append(dst, rec.File...), rec.File != ""
}

func appendFrame(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	if rec.Recorded() {
		return dst, false
	}
	return text.AppendUint(dst, rec.Frame), true
}

func appendDemoMessage(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	if !rec.Recorded() {
		return dst, false
	}
	return text.AppendUint(dst, rec.Number()), true
}

func AppendISOTime(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	if !rec.HasTime {
		return dst, false
	}
	t := time.Unix(0, rec.Time).UTC()
	dst = text.AppendDate(dst, t)
	dst = append(dst, 'T')
	dst = text.AppendClock(dst, t, 9)
	return append(dst, 'Z'), true
}

func appendEpochTime(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	if !rec.HasTime {
		return dst, false
	}
	return text.AppendSeconds(dst, rec.Time, 0, 9), true
}

func appendRelativeTime(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	if !rec.HasTime {
		return dst, false
	}
	return text.AppendSeconds(dst, rec.Time, rec.FirstTime, 9), true
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
	return text.AppendUint(dst, uint64(rec.Src.Port())), true
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
	return text.AppendUint(dst, uint64(rec.Dst.Port())), true
}

func appendLength(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	return text.AppendInt(dst, int64(rec.Length)), true
}

func appendCapturedLength(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	if !rec.Truncated() {
		return dst, false
	}
	return text.AppendInt(dst, int64(len(rec.Payload))), true
}

func appendIPFragment(dst []byte, rec *dissect.Record, i int) ([]byte, bool) {
	if len(rec.IPFragments) < 2 || i >= len(rec.IPFragments) {
		return dst, false
	}
	return text.AppendUint(dst, rec.IPFragments[i]), true
}

func appendProtocol(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	if rec.Protocol == nil {
		return dst, false
	}
	return append(dst, rec.Protocol.Name...), true
}

func AppendStream(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	if rec.Stream < 0 || rec.Recorded() {
		return dst, false
	}
	return text.AppendInt(dst, int64(rec.Stream)), true
}

func appendDirection(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	return append(dst, rec.Direction.String()...), rec.Direction != dissect.Undecidable
}

// AppendInfoText appends the text of the list's last column.
func AppendInfoText(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
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
	return text.AppendUint(dst, uint64(rec.Link.VLAN[i])), true
}

// appendTTL appends the time to live of packets that are IP.
func appendTTL(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	if rec.Link == nil || !rec.Src.IsValid() {
		return dst, false
	}
	return text.AppendUint(dst, uint64(rec.Link.TTL)), true
}

func appendIPID(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	if rec.Link == nil || !rec.Link.HasIPID {
		return dst, false
	}
	return text.AppendUint(dst, uint64(rec.Link.IPID)), true
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

// appendExpertField appends the path, which entries about the datagram as a whole do not have.
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
	return text.AppendInt(dst, int64(rec.Experts[i].BitOffset)), true
}

func appendMessage(dst []byte, rec *dissect.Record, i int) ([]byte, bool) {
	if i >= len(rec.Experts) {
		return dst, false
	}
	return append(dst, rec.Experts[i].Message...), true
}

// EventHead is the part before the keys of an event: the common part of the record that shows it, without what
// concerns only the datagram.
var EventHead = func() []Member {
	var members []Member
	for _, m := range Head {
		switch m.Key {
		case "length", "captured_length", "ip_fragments", "info":
		default:
			members = append(members, m)
		}
	}
	return append(members, eventServer)
}()

// eventServer names the server of the game in which an event happens, whichever side sent the datagram.
var eventServer = Member{
	Key: "server", Type: "string", Append: appendServer, Doc: "address and port of the server; absent of a recording and where the direction is not known",
}

func appendServer(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	server, ok := rec.Server()
	if !ok {
		return dst, false
	}
	return server.AppendTo(dst), true
}

// EventInfo is the last key of an event.
var EventInfo = Member{Key: "info", Type: "string", text: true, Doc: "the event in words"}

// Merged replace the stream in events of several streams that were combined.
var Merged = []Member{
	{Key: "streams", Type: "integer", List: true, Doc: "streams of the server that tell of it"},
	{Key: "not_seen_by", Type: "integer", List: true, Doc: "streams that tell of others before and after, and not of this, which every client is sent"},
}
