package raknet

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/prose"
)

// Protocol is RakNet's ping and pong.
type Protocol struct{}

// Name is the word that records and -d use.
func (Protocol) Name() string { return "raknet" }

// Title is the line of --list-protocols.
func (Protocol) Title() string { return "RakNet: ping and pong outside connections" }

// Root describes the object that stands under Name in a record.
func (Protocol) Root() *dissect.Field { return &rootField }

// Dissects lists the names of -d.
func (Protocol) Dissects() []string { return []string{"raknet"} }

// NewRouter makes what recognises the datagrams.
func (Protocol) NewRouter() dissect.Router { return &router{} }

// NewConversation makes what decodes the datagrams of one stream.
func (Protocol) NewConversation(dissect.Options) dissect.Conversation { return &conversation{} }

// AppendInfo writes the last column of the list.
func (Protocol) AppendInfo(dst []byte, rec *dissect.Record) []byte {
	info := prose.NewInfo(dst, rec.Tree)
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
