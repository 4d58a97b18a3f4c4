package browse

// Saving makes options with which a state is saved after so many datagrams of a stream, in so many bytes.
func Saving(o Options, every uint64, bytes int) Options {
	o.saveEvery, o.savedBytes = every, bytes
	return o
}

// Saved tells how many states are kept.
func (s *Session) Saved() (n int) {
	s.saved.mu.Lock()
	defer s.saved.mu.Unlock()
	for _, of := range s.saved.streams {
		n += len(of.kept)
	}
	return n
}
