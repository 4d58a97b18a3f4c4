package run

import (
	"strconv"
	"time"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/flags"
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

// A span is the capture times of an input's packets, and whether --from and --to select any. other is the window as it
// would be in another time zone.
type span struct {
	window, other flags.Window
	zone          *time.Location // of other
	first, last   int64
	dated         bool
	any, anyOther bool
}

// newSpan returns the span of a plan's window. The other zone is the local one, or UTC if -t shows local times.
func (pl *plan) newSpan() span {
	zone := time.Local
	if pl.list.Time.Local() {
		zone = time.UTC
	}
	return span{window: pl.Window, other: pl.Window.In(zone), zone: zone}
}

func (s *span) add(p *dissect.Packet) {
	if !s.window.Given() || !p.HasTime {
		return
	}
	if !s.dated {
		s.first, s.last, s.dated = p.Time, p.Time, true
	}
	s.last = max(s.last, p.Time)
	s.any = s.any || s.window.Has(p.Time, s.first, true)
	s.anyOther = s.anyOther || !s.any && s.other.Has(p.Time, s.first, true)
}

// note is for somebody whose times select nothing: it shows when the packets are. It is empty if some are selected.
func (s *span) note() string {
	if s.any || !s.dated {
		return ""
	}
	const layout = "2006-01-02T15:04:05Z"
	return "no packet is between --from and --to: they are from " + time.Unix(0, s.first).UTC().Format(layout) + " to " +
		time.Unix(0, s.last).UTC().Format(layout) + ", the last " +
		strconv.FormatFloat(float64(s.last-s.first)/1e9, 'f', 1, 64) + " s after the first" + s.hint()
}

// hint is for somebody who took a time from a clock in another zone.
func (s *span) hint() string {
	if !s.anyOther {
		return ""
	}
	if s.zone == time.UTC {
		return "; in UTC some are: put Z behind the time"
	}
	return "; in local time some are: put " + time.Unix(0, s.first).In(s.zone).Format("-07:00") +
		" behind the time, or add -t ad"
}
