package gamestudio

import (
	"encoding/binary"
	"net/netip"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/cursor"
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
		Frame: []*dissect.Field{&dplay4Zeros, &dplay4Mark},
	}
	dplay4Size  = dissect.Field{Key: "size", Kind: dissect.Uint, Bits: 20, Unit: "bytes", Source: dplay4Source, Doc: "length of the message"}
	dplay4Token = dissect.Field{
		Key: "token", Kind: dissect.Uint, Bits: 12, Source: dplay4Source,
		Doc: "where the message comes from: 0xfab another player, 0xcab forwarded, 0xbab a server",
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

// hasDirectPlay4Prefix reports whether a datagram is a DirectPlay 4 message: its length and a token in the first
// four bytes, an IPv4 address, eight zeros.
func hasDirectPlay4Prefix(p *dissect.Packet) bool {
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

// dissectDirectPlay4 reads the prefix, and leaves the packet of a player message. It returns false
// if there is no prefix, which the reliable protocol of DirectPlay 4 can omit.
func (c *conversation) dissectDirectPlay4(rec *dissect.Record, tree *dissect.Tree) bool {
	if !hasDirectPlay4Prefix(&rec.Packet) {
		return false
	}
	var r reader
	r.Reset(gameName, rec.Payload, 0, len(rec.Payload), tree)
	r.Cut = rec.Truncated()
	r.Enter(&directPlay4Field)
	if b := r.Take(&dplay4Size, dplay4Prefix); b != nil {
		word := cursor.Little(b[:4])
		tree.Add(&dplay4Size, word&(1<<dplay4SizeBits-1), 0, dplay4SizeBits)
		tree.Add(&dplay4Token, word>>dplay4SizeBits, dplay4SizeBits, 32-dplay4SizeBits)
		tree.Add(&dplay4Family, cursor.Little(b[4:6]), 4<<3, 16)
		tree.Add(&dplay4Port, uint64(binary.BigEndian.Uint16(b[6:])), 6<<3, 16)
		if tree != nil {
			tree.AddLabel(&dplay4Address, netip.AddrFrom4([4]byte(b[8:12])).String(), 8<<3, 32)
		}
		if tree.Framed() {
			tree.AddBytes(&dplay4Zeros, b[12:dplay4Prefix], 12<<3, (dplay4Prefix-12)<<3)
		}
		if r.Rest() >= 8 && string(r.B[r.At:r.At+4]) == dplay4System {
			if tree.Framed() {
				tree.AddBytes(&dplay4Mark, r.B[r.At:r.At+4], r.At<<3, 32)
			}
			r.At += 4
			r.Number(&dplay4Command)
			r.Number(&dplay4Version)
			r.Hex(&dplay4Body, r.Rest())
		} else {
			r.Number(&dplay4From)
			r.Number(&dplay4To)
			if !r.Failed() {
				c.carried.Payloads = append(c.carried.Payloads,
					dissect.Payload{At: r.At, End: r.End, Direction: rec.Direction, Cut: r.Cut})
			}
		}
	}
	r.Report(rec)
	r.Leave()
	return true
}
