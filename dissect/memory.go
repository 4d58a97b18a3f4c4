package dissect

// Limits of the memory for streams. What is forgotten depends on the input alone, and not on the number of
// workers.
const (
	// lightDatagrams is the most datagrams of a stream that counts as a handshake or a query.
	lightDatagrams = 8
	// Estimates of a stream's memory: for a handshake with everything that finds it again, and for a session
	// that was played.
	lightBytes  = 1 << 10
	playedBytes = 32 << 10

	// DefaultMemory is used if Config.Memory is 0.
	DefaultMemory = 64 << 20
)

// A memory holds the streams of an input in the order of their last noted use, and forgets those that were unused for
// the longest time when there are too many. The cost of every operation is independent of their number.
type memory struct {
	limit     int // bytes, for the light ones and for the idle ones each
	light     ageList[Stream]
	live      ageList[Stream] // played within the last two minutes
	idle      ageList[Stream] // played before that
	lights    int
	idles     int
	forgotten uint64
}

// The lists of a memory.
const (
	unlisted = iota
	inLight
	inLive
	inIdle
)

func newMemory(limit int) memory {
	if limit == 0 {
		limit = DefaultMemory
	}
	m := memory{limit: limit}
	links := func(s *Stream) *links[Stream] { return &s.age }
	m.light.links, m.live.links, m.idle.links = links, links, links
	return m
}

// use records a datagram of a stream.
func (m *memory) use(s *Stream, at moment) {
	if s.datagrams < lightDatagrams+1 {
		s.datagrams++
	}
	list := uint8(inLive)
	if s.datagrams <= lightDatagrams {
		list = inLight
	}
	if s.list == list && !s.last.stale(at) {
		return
	}
	if s.list != unlisted {
		m.remove(s)
	}
	s.list, s.last = list, at
	if list == inLight {
		m.lights++
	}
	m.list(s).push(s)
}

// next returns a stream that is to be forgotten, or nil.
func (m *memory) next(at moment) *Stream {
	for s := m.live.oldest; s != nil && s.last.longIdle(at); s = m.live.oldest {
		m.remove(s)
		s.list = inIdle
		m.idle.push(s)
		m.idles++
	}
	var s *Stream
	switch {
	case m.lights*lightBytes > m.limit:
		s = m.light.oldest
	case m.idles*playedBytes > m.limit:
		s = m.idle.oldest
	default:
		return nil
	}
	m.remove(s)
	s.forgotten = true
	m.forgotten++
	return s
}

func (m *memory) list(s *Stream) *ageList[Stream] {
	switch s.list {
	case inLight:
		return &m.light
	case inLive:
		return &m.live
	case inIdle:
		return &m.idle
	}
	return nil
}

func (m *memory) remove(s *Stream) {
	m.list(s).remove(s)
	switch s.list {
	case inLight:
		m.lights--
	case inIdle:
		m.idles--
	}
	s.list = unlisted
}
