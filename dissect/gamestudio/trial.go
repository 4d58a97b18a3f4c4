package gamestudio

import "github.com/q3dissect/q3dissect/dissect"

// What a trial demands before it believes in a connection that began before the capture.
const (
	dplayProof = 8 // frames with fitting counters, of both sides
	enetProof  = 6 // packets that commands explain to their end, and one command whose acknowledgement was seen
)

// A trial tests what unknown traffic between two endpoints can be.
type trial struct {
	frame uint64 // newest packet that was tested: one that is asked about anew proves nothing
	dplay dplayTrial
	enet  [2]enetTrial // 1.3; 1.1 and 1.2
}

// try tests a datagram of unknown traffic, and reports whether that is enough.
func (r *router) try(p *dissect.Packet, pr *pair, src uint8) bool {
	if pr.foreign || r.own == rawUDP {
		return false
	}
	var first trial
	t := pr.trial
	if t == nil {
		t = &first
	} else if p.Frame <= t.frame {
		return false
	}
	t.frame = p.Frame
	alive, proven, h := false, false, hint(r.own)
	if r.own == directPlay8 {
		alive = t.dplay.fits(p, src)
		proven = alive && t.dplay.proven()
	} else {
		for i := range t.enet {
			e := &t.enet[i]
			if e.dead {
				continue
			}
			if !e.fits(p, src, i == 1) {
				e.dead = true
				continue
			}
			alive = true
			if e.proven() {
				proven = true
				if i == 1 {
					h |= oldENet
				}
				break
			}
		}
	}
	switch {
	case proven:
		pr.hint |= h
		pr.trial, pr.connected = nil, true
		return true
	case alive && pr.trial == nil:
		kept := first
		pr.trial = &kept
	case !alive && pr.trial != nil:
		pr.trial, pr.foreign = nil, true
	}
	return false
}

// A dplayTrial follows the counters of data frames.
type dplayTrial struct {
	seen  [2]bool
	last  [2]uint8 // sequence number of each side's newest frame
	hits  [2]int
	cross int // frames whose acknowledgement fits what the other side sent
}

// Steps that counters take: a frame is so much before or behind the newest, and acknowledges so much less
// than was sent.
const (
	dplayStep   = 16
	dplayWindow = 64
)

// fits tests a datagram against the counters.
func (t *dplayTrial) fits(p *dissect.Packet, src uint8) bool {
	b := p.Payload
	if len(b) >= sackBytes && b[0]&commandData == 0 {
		return (b[0] == 0x80 || b[0] == 0x88) && b[1] == opSack && b[6] == 0 && b[7] == 0 && b[2]&^0x1f == 0 && t.seen[0] && t.seen[1]
	}
	if !dataFrameFits(b) {
		return false
	}
	sequence, next := b[2], b[3]
	other := 1 - src
	if t.seen[other] {
		if behind := t.last[other] + 1 - next; behind > dplayWindow {
			return false
		}
	}
	if !t.seen[src] {
		t.seen[src], t.last[src], t.hits[src] = true, sequence, 1
		return true
	}
	switch step := sequence - t.last[src]; {
	case step == 0: // seen before, or asked about anew: proves nothing
	case step <= dplayStep:
		t.last[src] = sequence
		t.hits[src]++
		if t.seen[other] {
			t.cross++
		}
	case step < 256-dplayWindow:
		return false
	}
	return true
}

// dataFrameFits tests what a sender of DirectPlay 8 cannot have put into a data frame.
func dataFrameFits(b []byte) bool {
	if len(b) < minFrame || b[0]&commandData == 0 || b[0]&commandUser1 != 0 && b[0]&commandUser2 != 0 {
		return false
	}
	var r reader
	r.reset(dplayName, b, 0, len(b), nil)
	var f dataFrame
	r.frameHeader(&f, minorUnknown, false)
	if r.failed() || f.control&controlEnd != 0 && r.rest() > signatureSize {
		return false
	}
	for i, mask := range f.masks {
		if mask == 0 && f.control&(controlSackLow<<i) != 0 {
			return false
		}
	}
	// Without the handshake only frames of version 1.5 and later are believed: earlier ones may have the bits
	// in other meanings, and so has chance.
	if f.control&controlKeepAlive != 0 && r.rest() != 0 && r.rest() != signatureSize {
		return false
	}
	if f.control&controlCoalesced == 0 {
		return true
	}
	if !f.coalesced {
		return false
	}
	var u bundle
	return u.parse(b[r.at:]) == "" || u.parse(b[min(r.at+signatureSize, len(b)):]) == ""
}

func (t *dplayTrial) proven() bool {
	return t.cross >= dplayProof && t.hits[0] >= 3 && t.hits[1] >= 3
}

// An enetTrial follows acknowledgements.
type enetTrial struct {
	dead     bool
	hits     int
	acked    bool
	checksum int8        // 0: not known; 1: none; 2: there are some
	last     [2]enetSent // newest reliable command of each side
	recent   [2][8]enetSent
	at       [2]int
}

// An enetSent is a command that wants to be acknowledged.
type enetSent struct {
	known    bool
	channel  uint8
	sequence uint16
	time     uint16
}

// fits tests a packet.
func (t *enetTrial) fits(p *dissect.Packet, src uint8, old bool) bool {
	var s enetScan
	l := layout{old: old}
	if s.scan(p.Payload, l); s.head.packed && t.hits > 0 {
		return true // compressed: it proves nothing
	}
	ok := t.checksum != 2 && s.scan(p.Payload, l) && s.commands > 0
	if !ok && !old && t.checksum != 1 {
		l.checksum = true
		ok = s.scan(p.Payload, l) && s.commands > 0
	}
	if !ok || s.reliable && !s.head.timed { // a packet with anything to acknowledge has a time
		return false
	}
	if !old {
		t.checksum = 1
		if l.checksum {
			t.checksum = 2
		}
	}
	sent := enetSent{s.reliable, s.channel, s.sequence, s.head.time}
	if s.acks > 0 {
		for _, o := range t.recent[1-src] {
			if o.known && o.channel == s.ackChannel && o.sequence == s.ackSequence && o.time == s.ackTime {
				t.acked = true
			}
		}
	}
	if s.reliable && sent != t.last[src] {
		t.last[src] = sent
		t.recent[src][t.at[src]&7] = sent
		t.at[src]++
		t.hits++
	} else if s.acks > 0 || s.data > 0 {
		t.hits++
	}
	return true
}

func (t *enetTrial) proven() bool { return t.acked && t.hits >= enetProof }
