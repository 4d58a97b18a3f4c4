package reassembly

import (
	"cmp"
	"fmt"
	"slices"
)

// Defaults of Config.
const (
	// DefaultFragmentSize is FRAGMENT_SIZE in code/qcommon/net_chan.c, in
	// bytes: MAX_PACKETLEN (1400) less 100.
	DefaultFragmentSize = 1300

	// DefaultMaxMessage, in bytes, is the largest start that a 16-bit header
	// field holds. The engines' own limits are lower and differ (MAX_MSGLEN in
	// code/qcommon/qcommon.h is 16384; branches raised it).
	DefaultMaxMessage = 65535

	// DefaultWindow is how many messages late a fragment may be. A
	// sender finishes a message before it starts the next (SV_Netchan_Transmit
	// in code/server/sv_net_chan.c), so only the network mixes them.
	DefaultWindow = 8
)

// finishedMessages is how many completed messages are remembered, so that late
// copies of their fragments do not start them anew.
const finishedMessages = 32

// Config sets the limits of a Messages. Fields that are zero or less mean the
// default.
type Config struct {
	FragmentSize int // bytes of every fragment but the last
	MaxMessage   int // bytes of the largest message
	Window       int // messages in assembly at once, and how many newer ones one may wait for
}

func (c Config) withDefaults() Config {
	if c.FragmentSize <= 0 {
		c.FragmentSize = DefaultFragmentSize
	}
	if c.MaxMessage <= 0 {
		c.MaxMessage = DefaultMaxMessage
	}
	if c.Window <= 0 {
		c.Window = DefaultWindow
	}
	return c
}

// Messages reassembles the fragmented messages of one direction of one channel.
// The zero value is ready and has the default limits.
//
// The format is that of Netchan_Transmit and Netchan_Process in
// code/qcommon/net_chan.c: all fragments of a message carry its sequence number;
// every fragment but the last has exactly FragmentSize bytes and starts at a
// multiple of that; the last is the one of any other length, so a message that
// is an exact multiple ends with an empty fragment.
//
// The receiver there takes a fragment only if it starts where the bytes it has
// so far end. Those are always a multiple of FragmentSize, because a fragment of
// another length completes the message; a start that is not a multiple is
// therefore impossible, in order or not, and is ErrFragment.
//
// A message in assembly is given up once Window messages were started, or
// announced by Advance, since its last fragment came, or when more than Window
// would be in assembly. It is reported then, once, as Abandoned.
type Messages struct {
	config   Config
	receiver receiver
	newest   uint32 // highest sequence heard of
	far      uint32 // one that is far ahead of it, and counts when another continues from it; 0: none

	live []*assembly // in order of their last fragment, the longest ago first
	free []*assembly
	done *assembly // the one that the last call finished, the last of free; nil: none
	last Fragment  // of the last call; its data is not kept

	before    receiver // before the last call
	delivered bool     // the receiver handed a message on at the last call

	finished     [finishedMessages]uint32 // a ring
	finishedLen  int
	finishedNext int

	frames    []uint64 // backs the Frames of one call's results
	abandoned []Abandoned
}

// A Fragment is one fragment of a message, without its header.
type Fragment struct {
	Sequence uint32 // of the message, without the bit that marks fragments
	Start    int    // position in the message, in bytes
	Length   int    // bytes on the wire, from the header
	Data     []byte // the captured bytes; those beyond Length do not count. Copied.
	Frame    uint64 // number of the packet in the capture

	// Truncated means that the capture cut the packet, so that Data may be
	// shorter than Length. Without it, a Length beyond Data is a false claim.
	Truncated bool
}

// A Result is what became of one fragment. Its slices are valid until the next
// call on the Messages it came from.
type Result struct {
	// Message is the whole message if this fragment completes it, otherwise
	// nil. A message without bytes is empty, not nil. If Truncated, it is
	// what lies before the first byte that the capture cut.
	Message []byte

	// Frames are the frames of the fragments that Message is made of, this one
	// included, ascending.
	Frames []uint64

	Length    int  // bytes of the whole message on the wire, if Message is not nil
	Truncated bool // the capture cut at least one fragment of Message

	// Duplicate means that this fragment repeats one that is held, or belongs to
	// a message that was completed before.
	Duplicate bool

	// Conflict means that this fragment contradicts one that is held: other
	// bytes at the same start, a start after the message's end, or an end
	// before the start of another. The first fragment of a start is kept; of two
	// ends, the lower one counts, where a receiver too would have stopped.
	Conflict bool

	// Contested means that fragments of the message contradict each other. Message, if any, is made of those that came
	// first; Another makes it of others.
	Contested bool

	// Delivered means that on this fragment a receiver which takes fragments only
	// in order (Netchan_Process) hands a message on. Mostly that is the one in
	// Message; after a loss of order it can be a Duplicate that does it.
	Delivered bool

	// ReceiverDropped means that Message is complete here, but that, with the
	// fragments in this order, such a receiver has not handed it on. Its limit of
	// size is not considered: compare Length with what the receiver is known to
	// take.
	ReceiverDropped bool

	// Abandoned are the messages that were given up because of this fragment,
	// by sequence.
	Abandoned []Abandoned
}

// Abandoned describes a message that was given up.
type Abandoned struct {
	Sequence uint32
	Frames   []uint64 // of the fragments held, ascending; valid until the next call
	Held     int      // captured bytes of these fragments
	Total    int      // bytes of the whole message, or -1 if the last fragment was not seen
	Missing  int      // start of the first fragment not seen, in bytes
}

// Err returns an error that wraps ErrGap and names what is missing.
func (a Abandoned) Err() error {
	return fmt.Errorf("%w: message %d from byte %d", ErrGap, a.Sequence, a.Missing)
}

// NewMessages returns a Messages with the limits of c.
func NewMessages(c Config) *Messages {
	return &Messages{config: c.withDefaults()}
}

// Add takes one fragment. With an error, which wraps ErrFragment, the fragment
// was not used.
//
// Fragments that the receiver refuses before it looks at their number, such as
// those with a wrong checksum, must not be added.
func (m *Messages) Add(f Fragment) (Result, error) {
	m.begin()
	err := m.check(&f)
	var r Result
	r.Delivered = m.receiver.fragment(&f, m.config.FragmentSize, err == nil)
	if err != nil {
		return r, err
	}
	m.delivered = r.Delivered
	m.last = f
	m.last.Data = nil
	m.hear(f.Sequence)
	if m.isFinished(f.Sequence) {
		r.Duplicate = true
		return r, nil
	}
	a := m.touch(f.Sequence)
	if a == nil {
		a = m.open(f.Sequence)
		r.Abandoned = m.abandoned
	}
	a.delivered = a.delivered || r.Delivered
	added := a.hold(&f, m.config.FragmentSize, &r)
	r.Contested = len(a.others) > 0
	if added && a.complete(m.config.FragmentSize) {
		m.finish(a, &r)
	}
	return r, nil
}

// farAhead is how far a sequence may be ahead of the newest one, to count by itself: anybody can send one with any
// number.
const farAhead = 64

// hear notes a sequence that the channel has reached.
func (m *Messages) hear(sequence uint32) {
	switch {
	case sequence <= m.newest:
	case m.newest == 0, sequence-m.newest <= farAhead, m.far > 0 && sequence > m.far && sequence-m.far <= farAhead:
		m.newest, m.far = sequence, 0
	default:
		m.far = sequence
	}
}

// Advance reports a message that came whole, in one packet. It returns the
// messages that are given up because of it, by sequence, valid until the next
// call. Repeated and late messages, which carry nothing new about the channel,
// give up none.
func (m *Messages) Advance(sequence uint32) []Abandoned {
	m.begin()
	m.receiver.unfragmented(sequence)
	if sequence > m.newest && sequence != m.far {
		m.hear(sequence)
		m.age()
	}
	return m.abandoned
}

// Pending returns the number of messages in assembly.
func (m *Messages) Pending() int { return len(m.live) }

// Assembling reports whether fragments of a message have come, but not all of
// them.
func (m *Messages) Assembling(sequence uint32) bool {
	return slices.ContainsFunc(m.live, func(a *assembly) bool { return a.sequence == sequence })
}

// Flush gives up all messages in assembly, as at the end of a capture, and
// returns them by sequence, valid until the next call. Completed messages stay
// known, so that copies of them are still duplicates.
func (m *Messages) Flush() []Abandoned {
	m.begin()
	for len(m.live) > 0 {
		m.abandon(0)
	}
	return m.abandoned
}

// Reset makes m as good as new, for a channel that begins again, and keeps its
// limits and memory. Call Flush before to hear of messages in assembly.
func (m *Messages) Reset() {
	m.Flush()
	m.receiver = receiver{}
	m.newest, m.far = 0, 0
	m.finishedLen, m.finishedNext = 0, 0
}

// begin ends the life of the previous call's results.
func (m *Messages) begin() {
	if m.config.Window == 0 {
		m.config = m.config.withDefaults()
	}
	m.frames = m.frames[:0]
	m.abandoned = m.abandoned[:0]
	m.done, m.before, m.delivered = nil, m.receiver, false
}

// check returns an error for a fragment that no sender can have sent.
func (m *Messages) check(f *Fragment) error {
	switch {
	case f.Start < 0 || f.Start%m.config.FragmentSize != 0:
		return fmt.Errorf("%w: start %d is not a multiple of %d", ErrFragment, f.Start, m.config.FragmentSize)
	case f.Length < 0 || f.Length > m.config.MaxMessage-f.Start:
		return fmt.Errorf("%w: %d bytes from %d, beyond %d", ErrFragment, f.Length, f.Start, m.config.MaxMessage)
	case f.Length > len(f.Data) && !f.Truncated:
		return fmt.Errorf("%w: %d bytes claimed, %d present", ErrFragment, f.Length, len(f.Data))
	}
	return nil
}

// touch returns the message with that sequence and makes it the most recent, or
// returns nil if it is not in assembly.
func (m *Messages) touch(sequence uint32) *assembly {
	for i := len(m.live) - 1; i >= 0; i-- {
		if a := m.live[i]; a.sequence == sequence {
			copy(m.live[i:], m.live[i+1:])
			m.live[len(m.live)-1] = a
			a.age = 0
			return a
		}
	}
	return nil
}

// open starts a message and gives up what has to make room for it.
func (m *Messages) open(sequence uint32) *assembly {
	m.age()
	if len(m.live) >= m.config.Window {
		m.abandon(max(0, slices.IndexFunc(m.live, func(a *assembly) bool { return a.refused })))
	}
	a := m.spare()
	*a = assembly{store: a.store, others: a.others[:0], sequence: sequence}
	a.reset()
	m.live = append(m.live, a)
	return a
}

func (m *Messages) spare() *assembly {
	n := len(m.free)
	if n == 0 {
		return new(assembly)
	}
	a := m.free[n-1]
	m.free = m.free[:n-1]
	return a
}

// age notes that one more message came up, and gives up those that have waited
// for too many.
func (m *Messages) age() {
	for i := 0; i < len(m.live); {
		if m.live[i].age++; m.live[i].age < m.config.Window {
			i++
			continue
		}
		m.abandon(i)
	}
}

// abandon gives up message i of those in assembly and reports it.
func (m *Messages) abandon(i int) {
	a := m.live[i]
	if a.refused {
		m.remember(a.sequence)
		m.remove(i)
		return
	}
	lost := Abandoned{
		Sequence: a.sequence,
		Held:     len(a.data),
		Total:    a.total(m.config.FragmentSize),
		Missing:  a.missing(m.config.FragmentSize),
	}
	m.frames, lost.Frames = a.appendFrames(m.frames)
	at, _ := slices.BinarySearchFunc(m.abandoned, lost.Sequence, func(b Abandoned, sequence uint32) int {
		return cmp.Compare(b.Sequence, sequence)
	})
	m.abandoned = slices.Insert(m.abandoned, at, lost)
	m.remove(i)
}

// finish hands a complete message over to r.
func (m *Messages) finish(a *assembly, r *Result) {
	r.Message, r.Truncated = a.prefix()
	r.Length = a.total(m.config.FragmentSize)
	r.ReceiverDropped = !a.delivered
	m.frames, r.Frames = a.appendFrames(m.frames)
	m.close(a)
}

// close takes a complete message, the last of those in assembly, out of them.
func (m *Messages) close(a *assembly) {
	m.remember(a.sequence)
	m.remove(len(m.live) - 1) // where touch and open put it
	m.done = a
}

// remember notes that a message is finished.
func (m *Messages) remember(sequence uint32) {
	m.finished[m.finishedNext] = sequence
	m.finishedNext = (m.finishedNext + 1) % finishedMessages
	m.finishedLen = min(m.finishedLen+1, finishedMessages)
}

func (m *Messages) remove(i int) {
	m.free = append(m.free, m.live[i])
	m.live = slices.Delete(m.live, i, i+1)
}

func (m *Messages) isFinished(sequence uint32) bool {
	return slices.Contains(m.finished[:m.finishedLen], sequence)
}
