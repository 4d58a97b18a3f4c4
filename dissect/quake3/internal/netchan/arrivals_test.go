package netchan

import "testing"

// TestFarNumber has one packet with a number far ahead of the others: those after it are not late.
func TestFarNumber(t *testing.T) {
	a := FromFirst()
	for _, tt := range []struct {
		sequence uint32
		want     Arrival
	}{
		{1, Arrival{}},
		{1 << 20, Arrival{LostBefore: 1<<20 - 2, Far: true}},
		{2, Arrival{Reverts: true}},
		{4, Arrival{LostBefore: 1}},
		{3, Arrival{Late: true}},
		{3, Arrival{Duplicate: true}},
		{1 << 21, Arrival{LostBefore: 1<<21 - 5, Far: true}},
		{1<<21 + 1, Arrival{}}, // another follows: it is believed
		{1<<21 + 2, Arrival{}},
		{5, Arrival{Late: true}},
		{1<<21 + 66, Arrival{LostBefore: 63}}, // 64 ahead
		{1<<21 + 131, Arrival{LostBefore: 64, Far: true}},
	} {
		if got := a.Arrive(tt.sequence, true); got != tt.want {
			t.Errorf("message %d: %+v, want %+v", tt.sequence, got, tt.want)
		}
	}
}
