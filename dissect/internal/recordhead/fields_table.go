package recordhead

import (
	"net/netip"

	"github.com/q3dissect/q3dissect/dissect"
)

// Common is the part of records before the protocol's object, in its order.
var Common = []Field{
	{
		Key: "file", Kind: Text, Name: true, Doc: "name of the input, when there are several",
		Get: func(r *dissect.Record, _ int) (Value, bool) { return Value{Text: r.File}, r.File != "" },
	},
	{
		Key: "frame", Doc: "number of the packet in its file, from 1; of the packet that completes the datagram",
		Get: func(r *dissect.Record, _ int) (Value, bool) { return Value{Int: int64(r.Frame)}, !r.Recorded() },
	},
	{
		Key: "demo_message", Doc: "number of the message in its demo file, from 0",
		Get: func(r *dissect.Record, _ int) (Value, bool) { return Value{Int: int64(r.Number())}, r.Recorded() },
	},
	{
		Key: "time", Kind: Time, Doc: "time of capture, RFC 3339, UTC; absent where the file has none",
		Get: func(r *dissect.Record, _ int) (Value, bool) { return Value{Int: r.Time}, r.HasTime },
	},
	{
		Key: "time_epoch", Kind: Seconds, Unit: "s", Doc: "time of capture since 1970-01-01 00:00 UTC",
		Get: func(r *dissect.Record, _ int) (Value, bool) { return Value{Int: r.Time}, r.HasTime },
	},
	{
		Key: "time_relative", Kind: Elapsed, Unit: "s", Doc: "time since the first packet of the file",
		Get: func(r *dissect.Record, _ int) (Value, bool) { return Value{Int: r.Time}, r.HasTime },
	},
	{
		Key: "src", Kind: Address, Doc: "source address",
		Addr: func(r *dissect.Record) (netip.AddrPort, bool) { return r.Src, r.Src.IsValid() },
	},
	{
		Key: "src_port", Doc: "source port",
		Get: func(r *dissect.Record, _ int) (Value, bool) {
			return Value{Int: int64(r.Src.Port())}, r.UDP && r.Src.IsValid()
		},
	},
	{
		Key: "dst", Kind: Address, Doc: "destination address",
		Addr: func(r *dissect.Record) (netip.AddrPort, bool) { return r.Dst, r.Dst.IsValid() },
	},
	{
		Key: "dst_port", Doc: "destination port",
		Get: func(r *dissect.Record, _ int) (Value, bool) {
			return Value{Int: int64(r.Dst.Port())}, r.UDP && r.Dst.IsValid()
		},
	},
	{
		Key: "length", Unit: "bytes", Datagram: true,
		Doc: "length of the UDP payload on the wire, of the message in a demo, of any other packet as a whole",
		Get: func(r *dissect.Record, _ int) (Value, bool) { return Value{Int: int64(r.Length)}, true },
	},
	{
		Key: "captured_length", Unit: "bytes", Doc: "payload bytes in the capture, if fewer than length", Datagram: true,
		Get: func(r *dissect.Record, _ int) (Value, bool) { return Value{Int: int64(len(r.Payload))}, r.Truncated() },
	},
	{
		Key: "ip_fragments", List: true, Doc: "frames of the IP fragments, where there were several", Datagram: true,
		Get: func(r *dissect.Record, i int) (Value, bool) {
			if len(r.IPFragments) < 2 || i >= len(r.IPFragments) {
				return Value{}, false
			}
			return Value{Int: int64(r.IPFragments[i])}, true
		},
	},
	{
		Key: "protocol", Kind: Label, Null: true, Doc: "innermost protocol that is known; null for none",
		Get: func(r *dissect.Record, _ int) (Value, bool) {
			if r.Protocol == nil {
				return Value{}, false
			}
			return Value{Text: r.Protocol.Name}, true
		},
	},
	{
		Key: "stream", Doc: "number of the conversation, from 0",
		Get: func(r *dissect.Record, _ int) (Value, bool) {
			return Value{Int: int64(r.Stream)}, r.Stream >= 0 && !r.Recorded()
		},
	},
	{
		Key: "direction", Kind: Label, Doc: "client_to_server or server_to_client, by role; absent if unknown",
		Words: []string{dissect.ClientToServer.String(), dissect.ServerToClient.String()},
		Get: func(r *dissect.Record, _ int) (Value, bool) {
			return Value{Text: r.Direction.String()}, r.Direction != dissect.Undecidable
		},
	},
	{
		Key: "quoted_by", Kind: Label, Datagram: true, Quote: true,
		Doc: "the ICMP error that quotes the datagram (port_unreachable, ttl_exceeded, fragmentation_needed, ...); the " +
			"frame is the error's, and addresses, length and the rest are the datagram's",
		Get: ofQuote(func(q *dissect.Quote) Value { return Value{Text: q.Name()} }),
	},
	{
		Key: "quoted_by_type", Datagram: true, Quote: true, Doc: "type of the ICMP error",
		Get: ofQuote(func(q *dissect.Quote) Value { return Value{Int: int64(q.Type)} }),
	},
	{
		Key: "quoted_by_code", Datagram: true, Quote: true, Doc: "code of the ICMP error",
		Get: ofQuote(func(q *dissect.Quote) Value { return Value{Int: int64(q.Code)} }),
	},
	{
		Key: "quoted_by_src", Kind: Address, Datagram: true, Quote: true, Doc: "who sent the ICMP error",
		Addr: func(r *dissect.Record) (netip.AddrPort, bool) {
			if r.Quote == nil {
				return netip.AddrPort{}, false
			}
			return netip.AddrPortFrom(r.Quote.By, 0), true
		},
	},
	{Key: "info", Kind: Info, Doc: "summary in words: the list's last column", Datagram: true},
}

// Link are the facts of the layers below UDP.
var Link = []Field{
	{
		Key: "interface", Kind: Text, Doc: "capturing interface",
		Get: ofLink(func(l *dissect.Link, _ int) (Value, bool) { return Value{Text: l.Interface}, l.Interface != "" }),
	},
	{
		Key: "vlan", List: true, Doc: "VLAN identifiers, outermost first",
		Get: ofLink(func(l *dissect.Link, i int) (Value, bool) {
			if i >= len(l.VLAN) {
				return Value{}, false
			}
			return Value{Int: int64(l.VLAN[i])}, true
		}),
	},
	{
		Key: "ttl", Doc: "IPv4 time to live or IPv6 hop limit",
		Get: func(r *dissect.Record, _ int) (Value, bool) {
			if r.Link == nil {
				return Value{}, false
			}
			return Value{Int: int64(r.Link.TTL)}, r.Src.IsValid()
		},
	},
	{
		Key: "ip_id", Doc: "identification of the IP packet or its fragments",
		Get: ofLink(func(l *dissect.Link, _ int) (Value, bool) { return Value{Int: int64(l.IPID)}, l.HasIPID }),
	},
	{
		Key: "comment", Kind: Text, Doc: "comments of the packet in the file",
		Get: ofLink(func(l *dissect.Link, _ int) (Value, bool) { return Value{Text: l.Comment}, l.Comment != "" }),
	},
}

// ofQuote gets a value of records of quoted datagrams.
func ofQuote(get func(*dissect.Quote) Value) func(*dissect.Record, int) (Value, bool) {
	return func(r *dissect.Record, _ int) (Value, bool) {
		if r.Quote == nil {
			return Value{}, false
		}
		return get(r.Quote), true
	}
}

func ofLink(get func(l *dissect.Link, i int) (Value, bool)) func(*dissect.Record, int) (Value, bool) {
	return func(r *dissect.Record, i int) (Value, bool) {
		if r.Link == nil {
			return Value{}, false
		}
		return get(r.Link, i)
	}
}

// Expert are the members of an expert entry. Entries about the datagram as a whole have no field.
var Expert = []Field{
	{
		Key: "severity", Kind: Severity, Doc: "worth knowing, lost or odd, bytes that are wrong",
		Words: []string{dissect.Note.String(), dissect.Warning.String(), dissect.Fault.String()},
		Get:   ofExpert(func(e *dissect.Expert) (Value, bool) { return Value{Int: int64(e.Severity)}, true }),
	},
	{
		Key: "code", Kind: Label, Doc: "kind of the entry, see docs/expert.md",
		Get: ofExpert(func(e *dissect.Expert) (Value, bool) { return Value{Text: e.Code}, true }),
	},
	{
		Key: "field", Kind: Label, Doc: "path of the field concerned",
		Get: ofExpert(func(e *dissect.Expert) (Value, bool) { return Value{Text: e.Field}, e.Field != "" }),
	},
	{
		Key: "bit_offset", Unit: "bits", Doc: "place in the message or datagram",
		Get: ofExpert(func(e *dissect.Expert) (Value, bool) { return Value{Int: int64(e.BitOffset)}, true }),
	},
	{
		Key: "message", Kind: Text, Doc: "the entry in words",
		Get: ofExpert(func(e *dissect.Expert) (Value, bool) { return Value{Text: e.Message}, true }),
	},
}

func ofExpert(get func(*dissect.Expert) (Value, bool)) func(*dissect.Record, int) (Value, bool) {
	return func(r *dissect.Record, i int) (Value, bool) {
		if i >= len(r.Experts) {
			return Value{}, false
		}
		return get(&r.Experts[i])
	}
}

// Event is the part of events before their own keys: the common part of the record, without what is about the datagram
// alone, and the server.
var Event = func() []Field {
	var fields []Field
	for _, f := range Common {
		if !f.Datagram {
			fields = append(fields, f)
		}
	}
	return append(fields, Field{
		Key: "server", Kind: Endpoint, Doc: "address and port of the server; absent of a recording and where the direction is not known",
		Addr: (*dissect.Record).Server,
	})
}()

// EventInfo is the last key of an event. Its protocol appends the text.
var EventInfo = Field{Key: "info", Kind: Info, Doc: "the event in words"}

// Merged replace the stream in events of several streams that were combined.
var Merged = []Field{
	{Key: "streams", List: true, Doc: "streams of the server that tell of it"},
	{Key: "not_seen_by", List: true, Doc: "streams that tell of others before and after, and not of this, which every client is sent"},
	{Key: "recordings", List: true, Doc: "of several inputs: those that show it, numbered from 0 as they are given"},
	{Key: "not_in", List: true, Doc: "of several inputs: those that show others before and after, and not this, which every client is sent"},
}
