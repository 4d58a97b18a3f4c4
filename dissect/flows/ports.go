package flows

// Ports is a set of UDP ports. The zero value is empty.
type Ports struct{ bits *[1 << 16 / 64]uint64 }

// Add adds a port.
func (s *Ports) Add(port uint16) {
	if s.bits == nil {
		s.bits = new([1 << 16 / 64]uint64)
	}
	s.bits[port/64] |= 1 << (port % 64)
}

// Has reports whether the set has a port.
func (s *Ports) Has(port uint16) bool { return s.bits != nil && s.bits[port/64]>>(port%64)&1 != 0 }
