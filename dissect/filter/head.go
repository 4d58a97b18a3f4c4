package filter

import (
	"maps"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/wireshark"
)

// facts are what must be known of a packet to evaluate something.
type facts uint8

const (
	endpoints  facts = 1 << iota // addresses, which are the same for a whole conversation
	packet                       // ports, time, length: of each packet
	stream                       //
	direction                    //
	protocol                     //
	dissection                   // the tree and what goes with it

	beforehand = endpoints | packet | stream | direction | protocol // known before the packet is dissected
)

// A head is a member of the common part of records.
type head struct {
	name    string
	kind    kind
	facts   facts
	unit    string // of a number
	words   func(*Names) []string
	records bool // of records, but not of events
	link    bool // one of the facts of the link layer
	cost    int

	// each passes the values of a record to v, until v stops it.
	each func(c *evaluation, v visitor) bool
}

// one returns the each of a member with at most one value.
func one(get func(r *dissect.Record, v *value) bool) func(*evaluation, visitor) bool {
	return func(c *evaluation, to visitor) bool {
		return get(c.rec, &c.value) && to.take(&c.value)
	}
}

func directionWords(*Names) []string {
	return []string{dissect.ClientToServer.String(), dissect.ServerToClient.String()}
}

func severityWords(*Names) []string {
	return []string{dissect.Note.String(), dissect.Warning.String(), dissect.Fault.String()}
}

// heads are the common part, by the names of the JSON records and by Wireshark's.
var heads = withAliases(ownHeads[:])

// withAliases appends Wireshark's names for members of the common part, in their order.
func withAliases(own []head) []head {
	all := slices.Clone(own)
	names := wireshark.Names()
	for _, name := range slices.Sorted(maps.Keys(names)) {
		var both []*head
		for _, path := range names[name] {
			both = append(both, &own[slices.IndexFunc(own, func(h head) bool { return h.name == path })])
		}
		alias := *both[0]
		if alias.name = name; len(both) > 1 {
			alias.each = func(c *evaluation, v visitor) bool { return both[0].each(c, v) || both[1].each(c, v) }
		}
		all = append(all, alias)
	}
	return all
}

// ownHeads are the common part by the names of the JSON records.
var ownHeads = [...]head{
	{name: "file", kind: textual, facts: packet, each: one(fileOf)},
	{name: "frame", kind: number, facts: packet, each: one(frameOf)},
	{name: "demo_message", kind: number, facts: packet, each: one(demoMessageOf)},
	{name: "time", kind: timestamp, facts: packet, each: one(timeOf)},
	{name: "time_epoch", kind: number, unit: "s", facts: packet, each: one(epochOf)},
	{name: "time_relative", kind: number, unit: "s", facts: packet, each: one(relativeOf)},
	{name: "src", kind: address, facts: endpoints, each: one(srcOf)},
	{name: "src_port", kind: number, facts: packet, each: one(srcPortOf)},
	{name: "dst", kind: address, facts: endpoints, each: one(dstOf)},
	{name: "dst_port", kind: number, facts: packet, each: one(dstPortOf)},
	{name: "length", kind: number, facts: packet, records: true, each: one(lengthOf)},
	{name: "captured_length", kind: number, facts: packet, records: true, each: one(capturedOf)},
	{name: "ip_fragments", kind: number, facts: packet, records: true, each: eachFragment},
	{name: "protocol", kind: textual, facts: protocol, words: (*Names).protocolNames, each: one(protocolOf)},
	{name: "stream", kind: number, facts: stream, each: one(streamOf)},
	{name: "direction", kind: textual, facts: direction, words: directionWords, each: one(directionOf)},
	{name: "info", kind: textual, facts: dissection, records: true, cost: 40, each: eachInfo},

	{name: "link", kind: object, facts: packet, records: true, link: true, each: one(linkOf)},
	{name: "link.interface", kind: textual, facts: packet, records: true, link: true, each: one(interfaceOf)},
	{name: "link.vlan", kind: number, facts: packet, records: true, link: true, each: eachVLAN},
	{name: "link.ttl", kind: number, facts: packet, records: true, link: true, each: one(ttlOf)},
	{name: "link.ip_id", kind: number, facts: packet, records: true, link: true, each: one(ipIDOf)},
	{name: "link.comment", kind: textual, facts: packet, records: true, link: true, each: one(commentOf)},

	{name: "expert", kind: object, facts: dissection, records: true, each: eachExpert(func(*dissect.Expert, *value) bool { return true })},
	{name: "expert.severity", kind: rank, words: severityWords, facts: dissection, records: true, each: eachExpert(severityOf)},
	{name: "expert.code", kind: textual, facts: dissection, records: true, each: eachExpert(codeOf)},
	{name: "expert.field", kind: textual, facts: dissection, records: true, each: eachExpert(fieldOf)},
	{name: "expert.bit_offset", kind: number, facts: dissection, records: true, each: eachExpert(offsetOf)},
	{name: "expert.message", kind: textual, facts: dissection, records: true, each: eachExpert(messageOf)},
}

// eventInfo is the text of an event.
var eventInfo = head{name: "info", kind: textual, facts: dissection, cost: 40, each: eachEventInfo}

// eventServer is the endpoint of the server, which events have.
var eventServer = head{name: "server", kind: textual, facts: endpoints | packet | direction, each: one(serverOf)}

func serverOf(r *dissect.Record, v *value) bool {
	server, ok := r.Server()
	return ok && v.setString(server.String())
}

func fileOf(r *dissect.Record, v *value) bool { return v.setString(r.File) && r.File != "" }

func frameOf(r *dissect.Record, v *value) bool {
	return v.setUint(r.Frame) && !r.Recorded()
}

func demoMessageOf(r *dissect.Record, v *value) bool {
	return v.setUint(r.Number()) && r.Recorded()
}

func timeOf(r *dissect.Record, v *value) bool { return v.setTime(r.Time) && r.HasTime }

func epochOf(r *dissect.Record, v *value) bool { return v.setNanoseconds(r.Time) && r.HasTime }

func relativeOf(r *dissect.Record, v *value) bool {
	return v.setNanoseconds(r.Time-r.FirstTime) && r.HasTime
}

func srcOf(r *dissect.Record, v *value) bool { return v.setAddress(r.Src.Addr()) && r.Src.IsValid() }

func dstOf(r *dissect.Record, v *value) bool { return v.setAddress(r.Dst.Addr()) && r.Dst.IsValid() }

func srcPortOf(r *dissect.Record, v *value) bool {
	return v.setUint(uint64(r.Src.Port())) && r.UDP && r.Src.IsValid()
}

func dstPortOf(r *dissect.Record, v *value) bool {
	return v.setUint(uint64(r.Dst.Port())) && r.UDP && r.Dst.IsValid()
}

func lengthOf(r *dissect.Record, v *value) bool { return v.setInt(int64(r.Length)) }

func capturedOf(r *dissect.Record, v *value) bool {
	return v.setInt(int64(len(r.Payload))) && r.Truncated()
}

func eachFragment(c *evaluation, to visitor) bool {
	if len(c.rec.IPFragments) < 2 {
		return false
	}
	for _, frame := range c.rec.IPFragments {
		if c.value.setUint(frame) && to.take(&c.value) {
			return true
		}
	}
	return false
}

func protocolOf(r *dissect.Record, v *value) bool {
	return r.Protocol != nil && v.setString(r.Protocol.Name)
}

func streamOf(r *dissect.Record, v *value) bool {
	return v.setInt(int64(r.Stream)) && r.Stream >= 0 && !r.Recorded()
}

func directionOf(r *dissect.Record, v *value) bool {
	return r.Direction != dissect.Undecidable && v.setString(r.Direction.String())
}

// eachInfo passes the text of the list's last column, which is made once for a record.
func eachInfo(c *evaluation, to visitor) bool {
	if !c.hasInfo {
		c.info, c.hasInfo = c.info[:0], true
		if c.rec.Protocol == nil {
			c.info = append(c.info, c.rec.Note...)
		} else {
			c.info = c.rec.Protocol.AppendInfo(c.info, c.rec)
		}
	}
	c.value = value{kind: isText, b: c.shown(c.info)}
	return to.take(&c.value)
}

func eachEventInfo(c *evaluation, to visitor) bool {
	p := c.rec.Protocol
	if p == nil || p.AppendEvent == nil {
		return false
	}
	if !c.hasInfo {
		c.info, c.hasInfo = p.AppendEvent(c.info[:0], c.tree, c.event), true
	}
	c.value = value{kind: isText, b: c.shown(c.info)}
	return to.take(&c.value)
}

func linkOf(r *dissect.Record, _ *value) bool { return r.Link != nil }

func interfaceOf(r *dissect.Record, v *value) bool {
	return r.Link != nil && r.Link.Interface != "" && v.setString(r.Link.Interface)
}

func eachVLAN(c *evaluation, to visitor) bool {
	if c.rec.Link == nil {
		return false
	}
	for _, id := range c.rec.Link.VLAN {
		if c.value.setUint(uint64(id)) && to.take(&c.value) {
			return true
		}
	}
	return false
}

func ttlOf(r *dissect.Record, v *value) bool {
	return r.Link != nil && r.Src.IsValid() && v.setUint(uint64(r.Link.TTL))
}

func ipIDOf(r *dissect.Record, v *value) bool {
	return r.Link != nil && r.Link.HasIPID && v.setUint(uint64(r.Link.IPID))
}

func commentOf(r *dissect.Record, v *value) bool {
	return r.Link != nil && r.Link.Comment != "" && v.setString(r.Link.Comment)
}

// eachExpert returns the each of a member of the expert entries.
func eachExpert(get func(*dissect.Expert, *value) bool) func(*evaluation, visitor) bool {
	return func(c *evaluation, to visitor) bool {
		for i := range c.rec.Experts {
			if get(&c.rec.Experts[i], &c.value) && to.take(&c.value) {
				return true
			}
		}
		return false
	}
}

func severityOf(e *dissect.Expert, v *value) bool {
	*v = value{kind: isRank, i: int64(e.Severity)}
	return true
}

func codeOf(e *dissect.Expert, v *value) bool    { return v.setString(e.Code) }
func fieldOf(e *dissect.Expert, v *value) bool   { return e.Field != "" && v.setString(e.Field) }
func offsetOf(e *dissect.Expert, v *value) bool  { return v.setInt(int64(e.BitOffset)) }
func messageOf(e *dissect.Expert, v *value) bool { return v.setString(e.Message) }
