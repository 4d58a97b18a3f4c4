package gamestudio

import "github.com/q3dissect/q3dissect/dissect"

// enetProof is what a trial demands before it believes in a connection that began before the capture: so many
// packets that commands explain to their end, and one command whose acknowledgement was seen.
const enetProof = 6

// A trial tests whether unknown traffic between two endpoints can be ENet.
type trial struct {
	frame uint64       // newest packet that was tested: one that is asked about anew proves nothing
	enet  [2]enetTrial // 1.3; 1.1 and 1.2
}

// try tests a datagram of unknown traffic, and reports whether that is enough.
func (r *router) try(p *dissect.Packet, pr *pair, src uint8) bool {
	switch {
	case pr.foreign || r.own == rawUDP:
		return false
	case r.own == directPlay8:
		return r.tryDirectPlay8(p, pr, src)
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
	ok := s.scan(p.Payload, l)
	if s.head.packed && t.hits > 0 {
		return true // compressed: it proves nothing
	}
	ok = ok && t.checksum != 2 && s.commands > 0
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
