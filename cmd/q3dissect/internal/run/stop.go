package run

import (
	"time"

	"github.com/q3dissect/q3dissect/dissect"
)

// A stop decides when enough of an input has been read: after -c packets, or when no packet of --frames can
// change any more.
type stop struct {
	packets uint64 // of this input
	frame   uint64 // last one selected
	newest  int64  // time of any datagram up to that frame
	dated   bool   // newest is known
}

// A record waits for later packets no longer than the contract's second of capture time. This much after the
// last selected one, reading on cannot change it.
const afterglow = int64(2 * time.Second)

// after reports whether p is the last packet to be read.
func (s *stop) after(p *dissect.Packet) bool {
	if p.Frame >= s.packets {
		return true
	}
	if !p.UDP || !p.HasTime {
		return false
	}
	if p.Frame <= s.frame {
		if !s.dated || p.Time > s.newest {
			s.newest, s.dated = p.Time, true
		}
		return false
	}
	return s.dated && p.Time > s.newest && uint64(p.Time)-uint64(s.newest) > uint64(afterglow)
}
