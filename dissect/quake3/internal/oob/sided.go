package oob

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// In Medal of Honor a byte for the sender precedes the text, NET_OutOfBandPrint and NET_OutOfBandData in
// code/qcommon/net_chan.c of openmohaa. Its readers skip it.

// sides are the directions by that byte.
var sides = [...]dissect.Direction{1: dissect.ServerToClient, 2: dissect.ClientToServer}

var senderField = dissect.Field{
	Key: "sender", Kind: dissect.Uint, Bits: 8, Enum: &tables.SenderNames,
	Doc:    "who has sent the packet: a byte before the text (Medal of Honor); absent otherwise",
	Source: "NET_OutOfBandPrint, code/qcommon/net_chan.c of openmohaa",
}

// findText finds where the text of the datagram begins. A word of letters follows a byte for the sender; other games'
// texts have no such byte.
func (p *Packet) findText() {
	p.mark = markerLen
	if len(p.payload) <= markerLen+1 {
		return
	}
	side, letter := p.payload[markerLen], p.payload[markerLen+1]|0x20
	if p.Sided = side != 0 && int(side) < len(sides) && letter >= 'a' && letter <= 'z'; p.Sided {
		p.mark++
	}
}

// addSender adds the byte for the sender.
func (p *Packet) addSender(t *dissect.Tree) {
	if p.Sided {
		t.Add(&senderField, uint64(p.payload[markerLen]), 8*markerLen, 8)
	}
}
