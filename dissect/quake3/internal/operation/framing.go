package operation

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
)

// Fields that frame others, see dissect.Framing.
var (
	timeIsDelta = dissect.Field{
		Key: "time_is_delta", Kind: dissect.Bool, Bits: 1, Framing: dissect.Leads, Source: usercmdSource,
		Doc: "true: the server time follows as 8 bits that are added to that of the command before; false: as 32 bits",
	}
	anyChanged = dissect.Field{
		Key: "any_changed", Kind: dissect.Bool, Bits: 1, Framing: dissect.Apart, Source: usercmdSource,
		Doc: "false: nothing changed but the time, and no more bits follow (protocols from 66 on)",
	}
	dataAlignment = dissect.Field{
		Key: "data_alignment", Name: "skipbits", Kind: dissect.Uint, Framing: dissect.Leads, Source: downloadSource,
		Doc: "bits before the data, which begin with a whole byte (protocols 24 and 43)",
	}
	cgameMore = dissect.Field{
		Key: "more", Kind: dissect.Bool, Bits: 1, Framing: dissect.Apart, Source: cgameSource,
		Doc: "true: another message follows (Medal of Honor)",
	}
	cgameAlphaSent = dissect.Field{
		Key: "alpha_sent", Kind: dissect.Bool, Bits: 1, Framing: dissect.Leads, Source: cgameSource,
		Doc: "false: the opacity is 1, and is not sent (Medal of Honor)",
	}
)

// Frames of operations, without a text and with one.
var (
	opFrame   = []*dissect.Field{&decode.Alignment, &decode.Op}
	textFrame = []*dissect.Field{&decode.Alignment, &decode.Op, &decode.Terminator}
)
