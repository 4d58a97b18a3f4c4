package flows

// A Map holds values by a key, approximately in the order of their last use. The amortised cost of every operation is
// independent of the number of entries: a use only marks an entry, and a marked entry moves to the end of its list
// where it would be dropped otherwise.
//
// An entry is idle at first: Expire drops it when it has not been used for long. Keep makes it stay until the
// map is too large. Keys should have no pointers, which the collector would follow. The zero value is empty.
type Map[K Key, V any] struct {
	index  []uint64 // open addressing: hash in the upper half, index of the entry + 1 in the lower; 0: free
	blocks []*[blockSize]Entry[K, V]
	made   uint32 // entries in blocks that were ever used
	free   uint32 // index + 1 of the first of the entries that are not used now, linked by newer
	count  int
	seed   Seed
	before int64 // of the last Expire
	idle   list
	kept   list
}

// maxEntries is the most entries of a map. When it is full, an entry that was not used for long is dropped, and entries
// that are not kept before those that are. If each entry is a datagram, it is more than any server gets in a
// minute; it bounds the memory that a flood of made-up addresses takes.
const maxEntries = 1 << 16

// blockSize is how many entries are allocated at once. Entries never move: pointers to them are valid until
// they are dropped.
const blockSize = 64

// An Entry is the value of one key.
type Entry[K Key, V any] struct {
	Value V

	key          K
	last         int64 // time of the newest datagram
	place        uint32
	older, newer uint32 // neighbours in the list + 1
	isKept       bool
	used         bool // since it came to its position in the list
}

// A list is a part of the entries in the order in which they came to it, by index + 1.
type list struct{ oldest, newest uint32 }

// Len returns the number of entries.
func (m *Map[K, V]) Len() int { return m.count }

// Find returns the entry of a key, or nil. The entry counts as used at now.
func (m *Map[K, V]) Find(k K, now int64) *Entry[K, V] {
	e := m.Peek(k)
	if e != nil {
		e.use(now)
	}
	return e
}

func (e *Entry[K, V]) use(now int64) {
	e.last = max(e.last, now) // a datagram that waited is routed again
	e.used = true
}

// Peek is Find without counting as a use.
func (m *Map[K, V]) Peek(k K) *Entry[K, V] {
	if m.count == 0 {
		return nil
	}
	return m.peek(&k, m.hash(&k))
}

// peek is Peek with the hash of the key, where there are entries.
func (m *Map[K, V]) peek(k *K, hash uint32) *Entry[K, V] {
	mask := uint32(len(m.index) - 1)
	for i := hash & mask; m.index[i] != 0; i = (i + 1) & mask {
		if uint32(m.index[i]>>32) != hash {
			continue
		}
		if e := m.at(uint32(m.index[i])); e.key == *k {
			if e.last < m.before && !e.isKept { // Expire has not come to it yet
				m.drop(e)
				return nil
			}
			return e
		}
	}
	return nil
}

// Add adds an entry for a key that has none.
func (m *Map[K, V]) Add(k K, now int64) *Entry[K, V] {
	if 4*(m.count+1) > 3*len(m.index) {
		m.grow()
	}
	if m.count >= maxEntries {
		m.drop(m.oldest())
	}
	e := m.unused()
	e.key, e.last = k, now
	m.insert(e)
	m.count++
	m.push(&m.idle, e)
	return e
}

// Keep exempts an entry from Expire.
func (m *Map[K, V]) Keep(e *Entry[K, V]) {
	if e.isKept {
		return
	}
	m.remove(&m.idle, e)
	e.isKept, e.used = true, false
	m.push(&m.kept, e)
}

// Drop removes the entry of a key, if there is one.
func (m *Map[K, V]) Drop(k K) {
	if e := m.Peek(k); e != nil {
		m.drop(e)
	}
}

// Expire drops the entries that were not used since a time, unless they are kept.
func (m *Map[K, V]) Expire(before int64) {
	m.before = max(m.before, before)
	for m.idle.oldest != 0 {
		e := m.at(m.idle.oldest)
		switch {
		case e.last < before:
			m.drop(e)
		case e.used:
			m.renew(&m.idle, e)
		default:
			return
		}
	}
}

// oldest returns the entry that is dropped for a new one: the first of its list that was not used since it came there.
func (m *Map[K, V]) oldest() *Entry[K, V] {
	l := &m.idle
	if l.oldest == 0 {
		l = &m.kept
	}
	e := m.at(l.oldest)
	for ; e.used; e = m.at(l.oldest) {
		m.renew(l, e)
	}
	return e
}

// renew moves an entry to the end of its list.
func (m *Map[K, V]) renew(l *list, e *Entry[K, V]) {
	e.used = false
	m.remove(l, e)
	m.push(l, e)
}

func (m *Map[K, V]) hash(k *K) uint32 { return uint32((*k).Hash(&m.seed)) }

// at returns the entry with an index + 1.
func (m *Map[K, V]) at(n uint32) *Entry[K, V] { return &m.blocks[(n-1)/blockSize][(n-1)%blockSize] }

func (m *Map[K, V]) unused() *Entry[K, V] {
	if m.free != 0 {
		e := m.at(m.free)
		m.free, e.newer = e.newer, 0
		return e
	}
	if m.made%blockSize == 0 {
		m.blocks = append(m.blocks, new([blockSize]Entry[K, V]))
	}
	m.made++
	e := m.at(m.made)
	e.place = m.made
	return e
}

func (m *Map[K, V]) insert(e *Entry[K, V]) {
	hash, mask := m.hash(&e.key), uint32(len(m.index)-1)
	i := hash & mask
	for m.index[i] != 0 {
		i = (i + 1) & mask
	}
	m.index[i] = uint64(hash)<<32 | uint64(e.place)
}

func (m *Map[K, V]) grow() {
	if m.index == nil {
		m.seed = newSeed() // no order depends on it
	}
	old := m.index
	m.index = make([]uint64, max(16, 2*len(old)))
	mask := uint32(len(m.index) - 1)
	for _, slot := range old {
		if slot == 0 {
			continue
		}
		i := uint32(slot>>32) & mask
		for m.index[i] != 0 {
			i = (i + 1) & mask
		}
		m.index[i] = slot
	}
}

// drop removes an entry and keeps its memory for another.
func (m *Map[K, V]) drop(e *Entry[K, V]) {
	l := &m.idle
	if e.isKept {
		l = &m.kept
	}
	m.remove(l, e)
	m.unlist(e)
	m.count--
	*e = Entry[K, V]{place: e.place, newer: m.free}
	m.free = e.place
}

// unlist removes an entry from the index. Entries after it move up as far as possible, so that no search ends
// too early.
func (m *Map[K, V]) unlist(e *Entry[K, V]) {
	mask := uint32(len(m.index) - 1)
	i := m.hash(&e.key) & mask
	for uint32(m.index[i]) != e.place {
		i = (i + 1) & mask
	}
	for j := (i + 1) & mask; m.index[j] != 0; j = (j + 1) & mask {
		home := uint32(m.index[j]>>32) & mask
		if (j-home)&mask >= (j-i)&mask { // its search begins at i or before
			m.index[i] = m.index[j]
			i = j
		}
	}
	m.index[i] = 0
}

func (m *Map[K, V]) push(l *list, e *Entry[K, V]) {
	e.older, e.newer = l.newest, 0
	if l.newest == 0 {
		l.oldest = e.place
	} else {
		m.at(l.newest).newer = e.place
	}
	l.newest = e.place
}

func (m *Map[K, V]) remove(l *list, e *Entry[K, V]) {
	if e.older == 0 {
		l.oldest = e.newer
	} else {
		m.at(e.older).newer = e.newer
	}
	if e.newer == 0 {
		l.newest = e.older
	} else {
		m.at(e.newer).older = e.older
	}
}
