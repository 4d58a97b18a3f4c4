package enet

import "github.com/q3dissect/q3dissect/dissect"

// Fields that frame others, see dissect.Framing.
var (
	codeField = dissect.Field{
		Key: "code", Name: "command", Kind: dissect.Uint, Framing: dissect.Apart, Source: headerSource,
		Doc: "number of the command",
	}
	unusedFlagsField = dissect.Field{
		Key: "unused_flags", Kind: dissect.Uint, Bits: 6, Framing: dissect.Apart, Source: headerSource,
		Doc: "bits of the flags without a meaning (1.0 and Photon)",
	}
	reservedField = dissect.Field{
		Key: "reserved", Kind: dissect.Uint, Bits: 8, Framing: dissect.Apart, Source: headerSource,
		Doc: "a byte that nothing uses (1.0 and Photon)",
	}

	commandFrame = []*dissect.Field{&codeField, &unusedFlagsField, &reservedField}
)

// frameHead shows the bits of a command's head that no field has.
func (r *reader) frameHead(at int, h *commandHead, g generation) {
	if !r.Tree.Framed() {
		return
	}
	if !g.long() {
		r.Tree.Add(&codeField, uint64(r.B[at]&^(ackFlag|unsequencedFlag)), at<<3+2, 6)
		return
	}
	if h.number != opOther {
		r.Tree.Add(&codeField, uint64(r.B[at]), at<<3, 8)
		r.Tree.Add(&unusedFlagsField, uint64(r.B[at+2]>>2), (at+2)<<3, 6)
	}
	if g != photon || h.number != opDisconnect {
		r.Tree.Add(&reservedField, uint64(r.B[at+reservedAt]), (at+reservedAt)<<3, 8)
	}
}
