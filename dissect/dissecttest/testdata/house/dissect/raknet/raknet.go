package raknet

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/infocolumn"
)

// New returns the protocol: RakNet's ping and pong.
func New() *dissect.Protocol {
	return &dissect.Protocol{
		Name:     "raknet",
		Title:    "RakNet: ping and pong outside connections",
		Root:     func() *dissect.Field { return &rootField },
		Dissects: []string{"raknet"},

		NewRouter:       func() dissect.Router { return &router{} },
		NewConversation: func(dissect.Options) dissect.Conversation { return &conversation{} },
		AppendInfo:      appendInfo,
	}
}

// appendInfo writes the last column of the list.
func appendInfo(dst []byte, rec *dissect.Record) []byte {
	info := infocolumn.NewInfo(dst, rec.Tree)
	root := rec.Tree.Top().Get(rootField.Key)
	if id := root.Get(idField.Key); id.Exists() {
		info.Add(id.Name())
	}
	if text := root.Get(textField.Key); text.Exists() {
		info.Add(": ")
		info.Printable(text.Bytes())
	}
	return info.End(rec)
}
