package reassembly

import (
	"bytes"
	"fmt"
	"net/netip"
	"time"
)

// Limits of an IPFragments.
const (
	// MaxIPPayload is the largest reassembled payload in bytes: what the 16-bit
	// length field of IPv6 counts (RFC 8200, section 4.5). IPv4's own limit is
	// lower by the header, whose length is not in the fragments.
	MaxIPPayload = 65535

	// MaxIPDatagrams and MaxIPBytes bound the datagrams in assembly together. The
	// oldest are dropped first. Half a megabyte more may be kept for reuse.
	MaxIPDatagrams = 1024
	MaxIPBytes     = 4 << 20

	// IPv4Timeout is what Linux takes (net.ipv4.ipfrag_time); RFC 791 proposes
	// 15 s and RFC 1122, section 3.3.2, 60 to 120 s. It has to be short, because
	// an identification of 16 bits is soon used again.
	IPv4Timeout = 30 * time.Second

	// IPv6Timeout is prescribed by RFC 8200, section 4.5.
	IPv6Timeout = 60 * time.Second
)

const (
	ipFragmentUnit  = 8   // offsets count units of 8 bytes: RFC 791, section 3.1, and RFC 8200, section 4.5
	ipDatagramBytes = 192 // memory of a datagram beside its store, its place in the map included

	// The memory of so many datagrams, if of usual size, is kept for the next ones.
	ipSpares     = 8
	ipSpareBytes = 64 << 10
)

// IPFragments reassembles the fragments of IPv4 and IPv6 datagrams. The zero
// value is ready. It reads no clock: time is that of the capture, and a datagram
// whose first captured fragment is further away in time than the timeout, in
// either direction, is forgotten. Where the capture has no times, only the
// limits of memory apply.
//
// Where fragments overlap, the one captured first wins. Receivers differ: those
// that follow RFC 5722 give the whole datagram up, so the result is flagged.
type IPFragments struct {
	// Forgotten, if not nil, is called for every datagram that is forgotten incomplete, with the fragments at its
	// beginning. It must not call methods of the IPFragments.
	Forgotten func(IPBeginning)

	live    map[IPKey]*ipDatagram
	list    ipDatagram // ring of all in live, in order of their first captured fragment
	memory  int        // bytes occupied by all in live
	dropped uint64
	spare   []*ipDatagram

	frames []uint64 // backs the Frames of one call's result
	whole  []byte   // backs the Datagram of one that came in a single fragment
}

// IPKey identifies the datagram that a fragment belongs to.
type IPKey struct {
	Src, Dst netip.Addr
	ID       uint32 // identification: 16 bits in IPv4, 32 bits in IPv6

	// Proto is the protocol field of an IPv4 header, or the next header field of
	// an IPv6 fragment header. In IPv6 it does not distinguish datagrams
	// (RFC 8200, section 4.5), and IPFragments ignores it there.
	Proto uint8
}

// An IPFragment is the payload of one IPv4 packet, or what follows the fragment
// header of one IPv6 packet.
type IPFragment struct {
	IPKey
	Offset int       // in bytes of the payload, a multiple of 8
	More   bool      // more fragments follow
	Length int       // bytes on the wire; more than len(Data) if the capture cut the packet
	Data   []byte    // the captured bytes; those beyond Length do not count. Copied.
	Frame  uint64    // number of the packet in the capture
	Time   time.Time // of the packet; zero if the capture has none
}

// An IPResult is what became of one fragment. Its slices are valid until the
// next call on the IPFragments it came from.
type IPResult struct {
	// Datagram is the whole payload if this fragment completes it, otherwise
	// nil. If Truncated, it is what lies before the first byte that the capture
	// cut.
	Datagram []byte

	// Frames are the frames of the fragments that Datagram is made of, this one
	// included, ascending.
	Frames []uint64

	Proto     uint8 // protocol of Datagram: that of the fragment at offset 0
	Length    int   // bytes of the whole payload on the wire, if Datagram is not nil
	Truncated bool  // the capture cut at least one fragment of Datagram

	// Duplicate reports that all bytes of this fragment were held already with the
	// same values, and that the end of the datagram was known if it shows it.
	Duplicate bool

	// Overlap means that this fragment, or one of the datagram before it,
	// overlaps another without merely repeating it.
	Overlap bool
}

// An IPBeginning is what there is of a datagram whose fragments are not all there: the bytes before the first that is
// missing, or was cut by the capture. Its slices are valid until the function that got it returns.
type IPBeginning struct {
	IPKey           // Proto is that of the fragment at offset 0
	Data   []byte   // empty if that fragment is missing
	Frames []uint64 // of all fragments, also those after a gap; ascending
	First  time.Time
}

// Add takes one fragment. With an error, which wraps ErrFragment, the fragment
// was not used; receivers discard such a fragment as well, some of them with the
// whole datagram.
//
// A fragment that is a whole datagram (offset 0, none to follow) is returned at
// once and does not touch others with the same key (RFC 6946).
func (p *IPFragments) Add(f IPFragment) (IPResult, error) {
	p.frames = p.frames[:0]
	p.expire(f.Time)
	if f.Offset == 0 && !f.More {
		return p.single(&f)
	}
	if err := f.check(); err != nil {
		return IPResult{}, err
	}
	d := p.find(&f)
	if d == nil {
		d = p.open(&f)
	}
	if err := d.fits(&f); err != nil {
		return IPResult{}, err
	}
	var r IPResult
	p.memory -= d.memory()
	r.Duplicate = d.merge(&f)
	p.memory += d.memory()
	r.Overlap = d.overlap
	if d.covered == d.total {
		r.Datagram, r.Truncated = d.prefix()
		r.Length = d.total
		r.Proto = d.proto
		p.frames, r.Frames = d.appendFrames(p.frames)
		p.remove(d)
	}
	for p.memory > MaxIPBytes {
		p.drop(p.list.next)
	}
	return r, nil
}

// Pending returns the number of datagrams in assembly.
func (p *IPFragments) Pending() int { return len(p.live) }

// Dropped returns how many datagrams were forgotten incomplete, because of their
// age or for want of memory.
func (p *IPFragments) Dropped() uint64 { return p.dropped }

// single returns a fragment that is a whole datagram.
func (p *IPFragments) single(f *IPFragment) (IPResult, error) {
	if f.Length < 0 || f.Length > MaxIPPayload {
		return IPResult{}, fmt.Errorf("%w: %d bytes", ErrFragment, f.Length)
	}
	if p.whole == nil {
		p.whole = []byte{} // nil would mean "not complete"
	}
	p.whole = append(p.whole[:0], f.data()...)
	p.frames = append(p.frames, f.Frame)
	return IPResult{
		Datagram: p.whole, Frames: p.frames, Proto: f.Proto,
		Length: f.Length, Truncated: len(p.whole) < f.Length,
	}, nil
}

// find returns the datagram that f belongs to, nil if there is none yet.
func (p *IPFragments) find(f *IPFragment) *ipDatagram {
	d := p.live[f.key()]
	if d != nil && d.expired(f.Time) {
		p.drop(d)
		return nil
	}
	return d
}

// open starts the datagram that f belongs to.
func (p *IPFragments) open(f *IPFragment) *ipDatagram {
	if p.live == nil {
		p.live = make(map[IPKey]*ipDatagram)
		p.list.next, p.list.prev = &p.list, &p.list
	}
	if len(p.live) >= MaxIPDatagrams {
		p.drop(p.list.next)
	}
	var d *ipDatagram
	if n := len(p.spare); n > 0 {
		d = p.spare[n-1]
		p.spare = p.spare[:n-1]
	} else {
		d = new(ipDatagram)
	}
	*d = ipDatagram{store: d.store, key: f.key(), first: f.Time, total: -1, prev: p.list.prev, next: &p.list}
	d.reset()
	d.prev.next, d.next.prev = d, d
	p.live[d.key] = d
	p.memory += d.memory()
	return d
}

// expire drops the oldest datagrams whose time is over. It stops at the first that
// is still live: a later one with a shorter timeout is dropped by find.
func (p *IPFragments) expire(now time.Time) {
	for len(p.live) > 0 && p.list.next.expired(now) {
		p.drop(p.list.next)
	}
}

// Forget forgets all datagrams in assembly, the oldest first: the capture has ended.
func (p *IPFragments) Forget() {
	for len(p.live) > 0 {
		p.drop(p.list.next)
	}
}

// drop forgets an incomplete datagram.
func (p *IPFragments) drop(d *ipDatagram) {
	p.dropped++
	if p.Forgotten != nil {
		b := IPBeginning{IPKey: d.key, Data: d.beginning(), First: d.first}
		b.Proto = d.proto
		p.frames, b.Frames = d.appendFrames(p.frames[:0])
		p.Forgotten(b)
		p.frames = p.frames[:0]
	}
	p.remove(d)
}

func (p *IPFragments) remove(d *ipDatagram) {
	delete(p.live, d.key)
	p.memory -= d.memory()
	d.prev.next, d.next.prev = d.next, d.prev
	d.prev, d.next = nil, nil
	if len(p.spare) < ipSpares && d.memory() <= ipSpareBytes {
		p.spare = append(p.spare, d)
	}
}

// check returns an error for a fragment that no sender can have sent.
func (f *IPFragment) check() error {
	switch {
	case f.Offset < 0 || f.Offset%ipFragmentUnit != 0:
		return fmt.Errorf("%w: offset %d is not a multiple of %d", ErrFragment, f.Offset, ipFragmentUnit)
	case f.Length <= 0:
		return fmt.Errorf("%w: %d bytes", ErrFragment, f.Length)
	case f.More && f.Length%ipFragmentUnit != 0:
		return fmt.Errorf("%w: %d bytes, not a multiple of %d, with more to follow", ErrFragment, f.Length, ipFragmentUnit)
	case f.Length > MaxIPPayload-f.Offset:
		return fmt.Errorf("%w: %d bytes from %d, beyond %d", ErrFragment, f.Length, f.Offset, MaxIPPayload)
	}
	return nil
}

func (f *IPFragment) key() IPKey {
	k := f.IPKey
	if !isIPv4(k.Src) {
		k.Proto = 0 // the fragments of one datagram may differ in it
	}
	return k
}

func (f *IPFragment) data() []byte { return f.Data[:min(len(f.Data), f.Length)] }

// bytes returns the captured bytes of f from start to end, which are positions
// in the datagram inside f.
func (f *IPFragment) bytes(start, end int) []byte {
	data := f.data()
	return data[min(start-f.Offset, len(data)):min(end-f.Offset, len(data))]
}

func isIPv4(a netip.Addr) bool { return a.Is4() || a.Is4In6() }

// An ipDatagram is a datagram in assembly.
type ipDatagram struct {
	store
	key        IPKey
	first      time.Time // of the fragment captured first
	proto      uint8     // of the fragment at offset 0
	total      int       // length in bytes, -1 while the last fragment is missing
	covered    int       // sum of the lengths of the pieces
	overlap    bool
	prev, next *ipDatagram
}

func (d *ipDatagram) memory() int { return ipDatagramBytes + d.store.memory() }

func (d *ipDatagram) expired(now time.Time) bool {
	if now.IsZero() || d.first.IsZero() {
		return false
	}
	timeout := IPv6Timeout
	if isIPv4(d.key.Src) {
		timeout = IPv4Timeout
	}
	age := now.Sub(d.first)
	return age > timeout || age < -timeout
}

// fits returns an error if the end of the datagram cannot be where it is known
// to be and where f has it.
func (d *ipDatagram) fits(f *IPFragment) error {
	end := f.Offset + f.Length
	switch n := len(d.pieces); {
	case d.total >= 0 && end > d.total:
		return fmt.Errorf("%w: ends at %d in a datagram of %d bytes", ErrFragment, end, d.total)
	case !f.More && n > 0 && d.pieces[n-1].end() > end:
		return fmt.Errorf("%w: last one ends at %d, before byte %d", ErrFragment, end, d.pieces[n-1].end()-1)
	}
	return nil
}

// merge keeps what f has beyond the pieces that are held, and reports whether
// that is nothing, not even the datagram's end, and the rest the same.
func (d *ipDatagram) merge(f *IPFragment) (duplicate bool) {
	ends := !f.More && d.total < 0
	if ends {
		d.total = f.Offset + f.Length
	}
	if f.Offset == 0 && (len(d.pieces) == 0 || d.pieces[0].start > 0) {
		d.proto = f.Proto
	}
	fresh, shared, same := 0, 0, true
	i, at := d.find(f.Offset)
	for start, end := f.Offset, f.Offset+f.Length; start < end; {
		gap := end // where the next piece begins, or f ends
		if i < len(d.pieces) {
			gap = min(gap, d.pieces[i].start)
		}
		if start < gap {
			data := f.bytes(start, gap)
			d.insert(i, at, piece{start: start, length: gap - start, held: len(data), frame: f.Frame}, data)
			fresh += gap - start
		} else {
			stop := min(end, d.pieces[i].end())
			same = same && d.agrees(i, at, f, start, stop)
			shared += stop - start
		}
		start = min(end, d.pieces[i].end())
		at += d.pieces[i].held
		i++
	}
	d.covered += fresh
	if ends && fresh == 0 { // an empty piece, so that its frame counts
		d.insert(len(d.pieces), len(d.data), piece{start: d.total, frame: f.Frame}, nil)
	}
	duplicate = fresh == 0 && same && !ends
	d.overlap = d.overlap || shared > 0 && !duplicate
	return duplicate
}

// agrees compares f with piece i, whose bytes are at position at, from start to
// end, as far as both were captured.
func (d *ipDatagram) agrees(i, at int, f *IPFragment, start, end int) bool {
	p := &d.pieces[i]
	theirs := f.bytes(start, end)
	from := min(start-p.start, p.held)
	ours := d.data[at+from : at+min(end-p.start, p.held)]
	n := min(len(ours), len(theirs))
	return bytes.Equal(ours[:n], theirs[:n])
}
