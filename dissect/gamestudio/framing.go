package gamestudio

import "github.com/q3dissect/q3dissect/dissect"

// commandField frames the fields of a message, see dissect.Framing.
var commandField = dissect.Field{
	Key: "command", Kind: dissect.Uint, Bits: 8, Framing: dissect.Apart, Source: lateSource,
	Doc: "code of the message; of an update with a bit for each parameter that follows",
}

// Fields that frame those of the prefix of DirectPlay 4.
var (
	dplay4Zeros = dissect.Field{
		Key: "zeros", Kind: dissect.Hex, Bits: 64, Framing: dissect.Apart, Source: dplay4Source,
		Doc: "the rest of the address",
	}
	dplay4Mark = dissect.Field{
		Key: "mark", Kind: dissect.Text, Bits: 32, Framing: dissect.Apart, Source: dplay4Source,
		Doc: "play: what system messages have before their command",
	}
)

var messageFrame = []*dissect.Field{&commandField}

// frame shows the code of the message at a byte.
func (w *walker) frame(at int) {
	if w.r.Tree.Framed() {
		w.r.Tree.Add(&commandField, uint64(w.r.B[at]), at<<3, 8)
	}
}
