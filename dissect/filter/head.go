package filter

import (
	"maps"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/recordhead"
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
	records bool   // of records, but not of events
	link    bool   // one of the facts of the link layer
	raw     bool   // one of the packet of the file
	cost    int

	field *recordhead.Field // nil: the object link, or expert

	// each passes the values of a record to v, until v stops it.
	each func(c *evaluation, v visitor) bool
}

// eachOf returns the each of a field.
func eachOf(f *recordhead.Field) func(*evaluation, visitor) bool {
	switch {
	case f.Kind == recordhead.Info:
		return eachInfo
	case f.List:
		return func(c *evaluation, to visitor) bool {
			for i := 0; ; i++ {
				got, ok := f.Get(c.rec, i)
				if !ok || c.value.setInt(got.Int) && to.take(&c.value) {
					return ok
				}
			}
		}
	case f.Kind == recordhead.Integer: // without the choice of setHead
		return func(c *evaluation, to visitor) bool {
			got, ok := f.Get(c.rec, 0)
			return ok && c.value.setInt(got.Int) && to.take(&c.value)
		}
	}
	return func(c *evaluation, to visitor) bool { return c.value.setHead(f, c.rec, 0) && to.take(&c.value) }
}

// eachExpert returns the each of a field of the expert entries; nil: of the entries themselves.
func eachExpert(f *recordhead.Field) func(*evaluation, visitor) bool {
	return func(c *evaluation, to visitor) bool {
		for i := range c.rec.Experts {
			if (f == nil || c.value.setHead(f, c.rec, i)) && to.take(&c.value) {
				return true
			}
		}
		return false
	}
}

func eachLink(c *evaluation, to visitor) bool { return c.rec.Link != nil && to.take(&c.value) }

// setHead takes the value of a field of the common part, or returns false.
func (v *value) setHead(f *recordhead.Field, rec *dissect.Record, i int) bool {
	switch f.Kind {
	case recordhead.Address:
		at, ok := f.Addr(rec)
		return ok && v.setAddress(at.Addr())
	case recordhead.Endpoint:
		at, ok := f.Addr(rec)
		return ok && v.setString(at.String())
	}
	got, ok := f.Get(rec, i)
	switch f.Kind {
	case recordhead.Label, recordhead.Text:
		return ok && v.setString(got.Text)
	case recordhead.Bytes:
		*v = value{kind: isBytes, b: []byte(got.Text)}
		return ok
	case recordhead.Time:
		return ok && v.setTime(got.Int)
	case recordhead.Seconds:
		return ok && v.setNanoseconds(got.Int)
	case recordhead.Elapsed:
		return ok && v.setNanoseconds(got.Int-rec.FirstTime)
	case recordhead.Severity:
		*v = value{kind: isRank, i: got.Int}
		return ok
	}
	return ok && v.setInt(got.Int)
}

// headKinds are the kinds of operands, by those of the fields.
var headKinds = [...]kind{
	recordhead.Integer: number, recordhead.Label: textual, recordhead.Text: textual, recordhead.Address: address,
	recordhead.Endpoint: textual, recordhead.Time: timestamp, recordhead.Seconds: number, recordhead.Elapsed: number,
	recordhead.Severity: rank, recordhead.Info: textual, recordhead.Bytes: binary,
}

// headFacts are what must be known to have some fields of the common part. For the others the packet is enough.
var headFacts = map[string]facts{
	"src": endpoints, "dst": endpoints, "protocol": protocol, "stream": stream, "direction": direction,
	"server": endpoints | packet | direction,
}

// headOf returns the member of the common part that has the values of a field.
func headOf(f *recordhead.Field) head {
	h := head{name: f.Key, kind: headKinds[f.Kind], facts: packet, records: f.Datagram, field: f, each: eachOf(f)}
	if known, ok := headFacts[f.Key]; ok {
		h.facts = known
	}
	switch f.Kind {
	case recordhead.Seconds, recordhead.Elapsed:
		h.unit = f.Unit
	case recordhead.Info:
		h.facts, h.cost = dissection, 40
	}
	return h
}

// heads are the common part, by the names of the JSON records and by Wireshark's.
var heads = withAliases(ownHeads())

// withAliases appends Wireshark's names for members of the common part, in their order.
func withAliases(own []head) []head {
	all := slices.Clone(own)
	names := wireshark.Names()
	for _, name := range slices.Sorted(maps.Keys(names)) {
		var both []*head
		if names[name].Paths[0] == name {
			continue
		}
		for _, path := range names[name].Paths {
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

// ownHeads returns the common part by the names of the JSON records.
func ownHeads() (list []head) {
	for i := range recordhead.Common {
		list = append(list, headOf(&recordhead.Common[i]))
	}
	list = append(list, head{name: "link", kind: object, facts: packet, records: true, link: true, each: eachLink})
	for i := range recordhead.Asked {
		list = append(list, headOf(&recordhead.Asked[i]))
	}
	for i := range recordhead.Wireshark {
		f := &recordhead.Wireshark[i]
		h := headOf(f)
		h.records, h.raw = true, f.Raw
		if f.Raw || f.Kind == recordhead.Bytes { // which are not read before it is known that the packet counts
			h.facts = dissection
		}
		list = append(list, h)
	}
	for i := range recordhead.Link {
		h := headOf(&recordhead.Link[i])
		h.name, h.records, h.link = "link."+h.name, true, true
		list = append(list, h)
	}
	list = append(list, head{name: "expert", kind: object, facts: dissection, records: true, each: eachExpert(nil)})
	for i := range recordhead.Expert {
		h := headOf(&recordhead.Expert[i])
		h.name, h.records, h.facts, h.each = "expert."+h.name, true, dissection, eachExpert(h.field)
		list = append(list, h)
	}
	return list
}

// eventHeads are the members that events have beside those of records.
var eventHeads = func() []head {
	server, info := headOf(recordhead.Find(recordhead.Event, "server")), headOf(&recordhead.EventInfo)
	info.each = eachEventInfo
	return []head{server, info}
}()

// eachInfo passes the text of the list's last column, which is made once for a record.
func eachInfo(c *evaluation, to visitor) bool {
	if !c.hasInfo {
		c.info, c.hasInfo = c.info[:0], true
		c.info = c.rec.AppendInfo(c.info)
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
