// Package piece decodes parts of messages and datagrams by themselves: bytes that somebody pasted, from a page about a
// protocol or a debugger.
//
//	data, err := piece.Parse("40 06 0c 08 00 40 00 91 3b")
//	kind, err := piece.Find(all.Protocols(), "teeworlds.chunk")
//	rec := kind.Decode(data, dissect.PieceOptions{})
//	out := render.AppendJSON(nil, rec, render.JSON{})
//
// The protocols describe their pieces (dissect.Protocol.Pieces). A piece is decoded without the packets before it: what
// only these show is missing, as in a capture that begins with it.
package piece

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/suggest"
)

// A Kind is a kind of piece of one protocol.
type Kind struct {
	dissect.Piece
	Protocol *dissect.Protocol
}

// Kinds returns the kinds of some protocols, in their order.
func Kinds(protocols []*dissect.Protocol) (list []Kind) {
	for _, p := range protocols {
		for i := range p.Pieces {
			list = append(list, Kind{Piece: p.Pieces[i], Protocol: p})
		}
	}
	return list
}

// Names returns the names of the kinds of some protocols, and of the codes.
func Names(protocols []*dissect.Protocol) (names []string) {
	for _, k := range Kinds(protocols) {
		names = append(names, k.Name)
	}
	for i := range Codes {
		names = append(names, Codes[i].Name)
	}
	return names
}

// Find returns the kind with a name; nil: there is none.
func Find(protocols []*dissect.Protocol, name string) *Kind {
	for _, k := range Kinds(protocols) {
		if k.Name == name {
			return &k
		}
	}
	return nil
}

// FindCode returns the Huffman code with a name; nil: there is none.
func FindCode(name string) *Code {
	for i := range Codes {
		if Codes[i].Name == name {
			return &Codes[i]
		}
	}
	return nil
}

// Choices says which names there are, the nearest to a wrong one first.
func Choices(protocols []*dissect.Protocol, name string) string {
	return suggest.Choices(name, Names(protocols))
}

// Decode decodes a piece. The record refers to data. It has no frame of a file: its number is 1.
func (k *Kind) Decode(data []byte, o dissect.PieceOptions) *dissect.Record {
	rec := dissect.NewRecord()
	rec.Packet = dissect.Packet{Frame: 1, UDP: true, Length: len(data), Payload: data}
	rec.Protocol = k.Protocol
	if o.Version == "" && len(k.Versions) > 0 {
		o.Version = k.Versions[0]
	}
	rec.Tree.Framing = o.Framing
	k.Piece.Decode(rec, o)
	return rec
}
