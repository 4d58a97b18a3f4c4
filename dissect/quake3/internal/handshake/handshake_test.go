package handshake

import (
	"slices"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
)

func word(kind oob.Kind, challenge int32, protocol int) *oob.Packet {
	return &oob.Packet{Kind: kind, Challenge: challenge, HasChallenge: challenge != 0, Protocol: protocol}
}

// TestSee has words of handshakes, genuine and forged, and the sessions that begin with them, by their challenges: the
// code of the engines' CL_ConnectionlessPacket and SV_DirectConnect, with what a bystander can add.
func TestSee(t *testing.T) {
	get, again := word(oob.GetChallenge, 0, 0), word(oob.ConnectResponse, 5, 0)
	given, forged := word(oob.ChallengeResponse, 5, 0), word(oob.ChallengeResponse, 66, 0)
	connect, answer := word(oob.Connect, 5, 68), word(oob.ConnectResponse, 0, 0)
	for _, tt := range []struct {
		name   string
		words  []*oob.Packet
		begins []int32
		others []int32 // challenges that may be the right ones too
	}{
		{"of 1.32", []*oob.Packet{get, given, connect, answer}, []int32{5}, nil},
		{"of ioquake3", []*oob.Packet{get, given, connect, again}, []int32{5}, nil},
		{"said ten times", append([]*oob.Packet{get, given, connect}, slices.Repeat([]*oob.Packet{again}, 10)...), []int32{5}, nil},
		{"not answered", []*oob.Packet{get, given, connect}, nil, []int32{5}},
		{"answered before the client asks", []*oob.Packet{get, given, answer}, nil, []int32{5}},
		{"a forged challenge before connect", []*oob.Packet{get, given, forged, connect, again}, []int32{5}, []int32{66}},
		{"a forged challenge after connect", []*oob.Packet{get, given, connect, forged, again}, []int32{5}, []int32{66}},
		{"a forged challenge, and an answer without one", []*oob.Packet{get, given, connect, forged, answer}, []int32{5}, []int32{66}},
		{"only the server's side", []*oob.Packet{given, again}, []int32{5}, nil},
		{"a second connection", []*oob.Packet{
			get, given, connect, again,
			get, word(oob.ChallengeResponse, 6, 0), word(oob.Connect, 6, 68), word(oob.ConnectResponse, 6, 0),
		}, []int32{5, 6}, nil},
	} {
		var o Offers
		var s Session
		var begins []int32
		for _, p := range tt.words {
			step := o.See(p, s)
			if !step.Begins {
				continue
			}
			begins = append(begins, o.Offered.Challenge)
			o.Offered.Fresh = false
			s = Session{Begun: true, Challenge: o.Offered.Challenge, Version: 68, Plays: true}
		}
		if !slices.Equal(begins, tt.begins) {
			t.Errorf("%s: sessions begin with %v, want %v", tt.name, begins, tt.begins)
		}
		if others := challenges(&o, s.Challenge); !slices.Equal(others, tt.others) {
			t.Errorf("%s: the others are %v, want %v", tt.name, others, tt.others)
		}
	}
}

func challenges(o *Offers, of int32) (list []int32) {
	for f := range o.Others(of) {
		list = append(list, f.Challenge)
	}
	return list
}

// TestSettle forgets the others when a message could be read, and accepts one whose key reads it.
func TestSettle(t *testing.T) {
	with := func() *Offers {
		return &Offers{
			Offered: Offer{Challenge: 66, Known: true, Fresh: false},
			rivals:  rivals{{Challenge: 5, Known: true, Fresh: true}},
		}
	}
	o := with()
	if !o.Contested() || !o.Gave(5) || !o.Gave(66) || o.Gave(7) {
		t.Error("the two challenges are not both known")
	}
	if o.Settle(); o.Contested() || o.Gave(5) {
		t.Error("the other challenge is still one that counts")
	}
	o = with()
	for f := range o.Others(66) {
		o.Accept(f, 66)
	}
	if o.Offered.Challenge != 5 || o.Offered.Fresh || o.Contested() {
		t.Errorf("accepted: %+v", o.Offered)
	}
}
