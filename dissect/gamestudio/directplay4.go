package gamestudio

import (
	"encoding/binary"

	"github.com/q3dissect/q3dissect/dissect"
)

const dplay4Source = "MC-DPL4CS, DirectPlay 4 Protocol: Core and Service Providers"

// Fields of the prefix of a DirectPlay 4 message.
var (
	directPlay4Field = dissect.Field{
		Key: "directplay4", Kind: dissect.Object, Scope: dissect.Datagram, Source: dplay4Source,
		Doc: "DirectPlay 4 message that carries the packet, as the A5 engine is thought to have sent them (inferred)",
		Children: []*dissect.Field{
			&dplay4Size, &dplay4Token, &dplay4Family, &dplay4Port, &dplay4Address, &dplay4Command, &dplay4Version, &dplay4Body,
			&dplay4From, &dplay4To, &dissect.Undecoded,
		},
	}
	dplay4Size  = dissect.Field{Key: "size", Kind: dissect.Uint, Bits: 20, Unit: "bytes", Source: dplay4Source, Doc: "length of the message"}
	dplay4Token = dissect.Field{
		Key: "token", Kind: dissect.Uint, Bits: 12, Source: dplay4Source, Doc: "where the message comes from: 0xfab another player, 0xcab forwarded, 0xbab a server",
	}
	dplay4Family  = dissect.Field{Key: "address_family", Kind: dissect.Uint, Bits: 16, Source: dplay4Source, Doc: "2: IPv4"}
	dplay4Port    = dissect.Field{Key: "port", Kind: dissect.Uint, Bits: 16, Source: dplay4Source, Doc: "port at which the sender takes answers"}
	dplay4Address = dissect.Field{Key: "address", Kind: dissect.Label, Bits: 32, Source: dplay4Source, Doc: "IPv4 address of the sender; 0.0.0.0: that of the datagram"}
	dplay4Command = dissect.Field{Key: "command", Kind: dissect.Uint, Bits: 16, Source: dplay4Source, Doc: "kind of a system message"}
	dplay4Version = dissect.Field{Key: "version", Kind: dissect.Uint, Bits: 16, Source: dplay4Source, Doc: "version of the protocol"}
	dplay4Body    = dissect.Field{Key: "data", Kind: dissect.Hex, Source: dplay4Source, Doc: "the rest of a system message"}
	dplay4From    = dissect.Field{Key: "from", Kind: dissect.Uint, Bits: 32, Source: dplay4Source, Doc: "DirectPlay id of the sending player"}
	dplay4To      = dissect.Field{Key: "to", Kind: dissect.Uint, Bits: 32, Source: dplay4Source, Doc: "DirectPlay id of the player that it is for"}
)

// The prefix of a DirectPlay 4 message.
const (
	dplay4Prefix    = 20
	dplay4SizeBits  = 20
	dplay4Remote    = 0xfab
	dplay4Forwarded = 0xcab
	dplay4Server    = 0xbab
	dplay4System    = "play"
	dplay4IDs       = 8
)

// isDirectPlay4 reports whether a datagram is a DirectPlay 4 message: its length and a token in the first
// four bytes, an IPv4 address, eight zeros.
func isDirectPlay4(p *dissect.Packet) bool {
	b := p.Payload
	if len(b) < dplay4Prefix+4 {
		return false
	}
	word := binary.LittleEndian.Uint32(b)
	token := word >> dplay4SizeBits
	return int(word&(1<<dplay4SizeBits-1)) == p.Length &&
		(token == dplay4Remote || token == dplay4Forwarded || token == dplay4Server) &&
		b[4] == 2 && b[5] == 0 && binary.LittleEndian.Uint64(b[12:]) == 0
}

// dissectDirectPlay4 reads the prefix, and leaves a player message in parts. It answers false where there is
// no prefix: the reliable protocol of DirectPlay 4 can leave it out.
func (c *conversation) dissectDirectPlay4(rec *dissect.Record, tree *dissect.Tree) bool {
	if !isDirectPlay4(&rec.Packet) {
		return false
	}
	var r reader
	r.reset(gameName, rec.Payload, 0, len(rec.Payload), tree)
	r.cut = rec.Truncated()
	r.enter(&directPlay4Field)
	if b := r.take(&dplay4Size, dplay4Prefix); b != nil {
		word := little(b[:4])
		tree.Add(&dplay4Size, word&(1<<dplay4SizeBits-1), 0, dplay4SizeBits)
		tree.Add(&dplay4Token, word>>dplay4SizeBits, dplay4SizeBits, 32-dplay4SizeBits)
		tree.Add(&dplay4Family, little(b[4:6]), 4<<3, 16)
		tree.Add(&dplay4Port, uint64(binary.BigEndian.Uint16(b[6:])), 6<<3, 16)
		if tree != nil {
			tree.AddLabel(&dplay4Address, dotted(b[8:12]), 8<<3, 32)
		}
		if r.rest() >= 8 && string(r.b[r.at:r.at+4]) == dplay4System {
			r.at += 4
			r.number(&dplay4Command)
			r.number(&dplay4Version)
			r.hex(&dplay4Body, r.rest())
		} else {
			r.number(&dplay4From)
			r.number(&dplay4To)
			if !r.failed() {
				c.parts = append(c.parts, part{at: r.at, end: r.end, cut: r.cut})
			}
		}
	}
	r.report(rec)
	r.leave()
	return true
}
