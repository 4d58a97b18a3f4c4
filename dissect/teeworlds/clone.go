package teeworlds

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
)

// save copies a conversation, see dissect.Protocol. One that writes events or files has no copy.
func save(of dissect.Conversation) (state any, size int) {
	c := of.(*conversation)
	c.snapshots.Wake()
	if c.files != nil || c.events != nil || c.rewriter != nil {
		return nil, 0
	}
	d := &conversation{
		wants: c.wants, fromClient: c.fromClient, windows: c.windows,
		gate: c.gate, placed: c.placed, asked: c.asked,
	}
	if c.reader != nil {
		d.reader = &message.Reader{Demo: c.reader.Demo, TuneValues: c.reader.TuneValues}
	}
	if c.snapshots != nil {
		d.snapshots, size = c.snapshots.Clone()
	}
	if c.historian != nil {
		d.historian, size = c.historian.Clone()
	}
	if c.ghost != nil {
		d.ghost, size = c.ghost.Clone()
	}
	return d, size + conversationSize
}

// rest makes a conversation take less memory until its next packet.
func rest(of dissect.Conversation) {
	c := of.(*conversation)
	c.snapshots.Rest()
	c.packet, c.unpacked = nil, nil
}

// restore returns a conversation that continues from a copy.
func restore(_ dissect.Options, state any) dissect.Conversation {
	c, _ := save(state.(*conversation))
	return c.(*conversation)
}

// conversationSize is about how many bytes a conversation takes without its snapshots.
const conversationSize = 1 << 10
