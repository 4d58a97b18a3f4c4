package recover

import "math"

// commonBits are what messages of a group have in common under one hypothesis. Messages of the same few
// seconds are alike in which fields changed, and in values that are keyed with the same unknown number. So each bit is
// weighed by how often it had this value in the messages read before, and how often it has it in recorded games.
type commonBits struct {
	bits   []bitCount
	recent [numRecent]recent
	time   uint32 // of the player's last command, from the last snapshot; 0: none was read
}

// A bitCount counts how often a bit was zero and one.
type bitCount [2]uint8

// mostSeen is where counts are halved.
const mostSeen = 15

// trust is the number of bits seen that weigh as much as the counts of recorded games.
const trust = 3

// An adaptive is a bit with the logarithms that weigh it.
type adaptive [2][mostSeen + 1]int16 // by value, and how often that was seen: of the sum of seen and expected

// newAdaptive makes a bit that is one as often as counted, a little smoothed.
func newAdaptive(counted share) (a adaptive) {
	p := (float64(counted[0]) + 1) / (float64(counted[1]) + 2)
	for k := range mostSeen + 1 {
		a[0][k] = int16(bitsOf(float64(k) + trust*(1-p)))
		a[1][k] = int16(bitsOf(float64(k) + trust*p))
	}
	return a
}

// A recent is the bytes that came last where the same are expected to come again.
type recent struct {
	value [8]uint8
	count uint8 // that are there
	next  uint8
}

// What recents are of: keyed values of user commands, and the head of snapshots.
const (
	recentPitch = iota
	recentYaw
	recentForward
	recentRight
	recentUp
	recentButtonsLow
	recentButtonsHigh
	recentWeapon
	recentDelta
	recentFlags
	recentAreas
	recentResidual
	numRecent
)

func (m *model) newShared() *commonBits { return &commonBits{bits: make([]bitCount, len(m.bits))} }

func (s *commonBits) copyFrom(from *commonBits) {
	copy(s.bits, from.bits)
	s.recent, s.time = from.recent, from.time
}

// bit scores a bit, and counts it.
func (s *scene) bit(k int, v uint32) int32 {
	a := &s.m.bits[k]
	if s.shared == nil {
		return int32(a[v&1][0]) - s.m.total[0] + unit
	}
	b := &s.shared.bits[k]
	w := int32(a[v&1][b[v&1]]) - s.m.total[b[0]+b[1]] + unit
	if s.frozen {
		return w
	}
	if b[v&1]++; b[v&1] > mostSeen {
		b[0], b[1] = b[0]/2, b[1]/2
	}
	return w
}

// again scores a byte that took size bits, by those that came before, and keeps it.
func (s *scene) again(k int, v uint8, size int32) int32 {
	if s.shared == nil {
		return 0
	}
	r := &s.shared.recent[k]
	same := 0
	for _, old := range r.value[:r.count] {
		if old == v {
			same++
		}
	}
	w := size*unit + s.m.same[r.count][same]
	if r.count == 0 {
		w = 0
	}
	if s.frozen {
		return w
	}
	r.value[r.next&7] = v
	r.next++
	r.count = min(r.count+1, uint8(len(r.value)))
	return w
}

// either scores a byte that follows the usual distribution three times in four, and otherwise repeats one of the recent
// ones.
func (s *scene) either(k int, v uint8, size, usual int32) int32 {
	if s.shared == nil {
		return usual
	}
	return max(usual-unit*5/12, s.again(k, v, size)-2*unit)
}

// commandTime scores the time of the player's last command. A player who loads a map or lags sends none: then it is
// near that of other snapshots.
func (s *scene) commandTime(c *cursor, v uint32) int32 {
	w := commandTimeWeight(c.time-v, 4, c.coded)
	if s.shared == nil {
		return w
	}
	if s.shared.time != 0 {
		far := int32(v - s.shared.time)
		far = max(far, -far)
		near := int32(c.coded) * unit
		switch {
		case far < 64:
			near -= 10 * unit
		case far < 4096:
			near -= 16 * unit
		default:
			near = w
		}
		w = max(w-unit/4, near)
	}
	if !s.frozen {
		s.shared.time = v
	}
	return w
}

// sameWeights scores a byte that is the same as so many of the recent ones: it is another of them, or any.
func sameWeights() (w [9][9]int32) {
	const any = 1.
	for n := range w {
		for k := range w {
			w[n][k] = bitsOf((float64(k) + any/256) / (float64(n) + any))
		}
	}
	return w
}

// totals are the logarithms of how many bits were seen and expected.
func totals() (w [2*mostSeen + 1]int32) {
	for n := range w {
		w[n] = int32(math.Round(math.Log2(float64(n)+trust) * unit))
	}
	return w
}
