package gamestudio

import "github.com/q3dissect/q3dissect/dissect"

// What a record of the three protocols' conversations can be: the game's where the payload is, else the transport's.
// See conversation.Dissect.
var carries = []dissect.Protocol{Protocol{}, DirectPlay8{}, ENet{}}

// Carries implements dissect.Carrier.
func (Protocol) Carries() []dissect.Protocol { return carries }

// Carries implements dissect.Carrier.
func (DirectPlay8) Carries() []dissect.Protocol { return carries }

// Carries implements dissect.Carrier.
func (ENet) Carries() []dissect.Protocol { return carries }
