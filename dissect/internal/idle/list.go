package idle

// Links join the elements of a List.
type Links[T any] struct{ older, newer *T }

// A List is a doubly linked list of elements in the order of their arrival.
type List[T any] struct {
	Oldest *T // nil: the list is empty
	newest *T
	links  func(*T) *Links[T] // of an element
}

// NewList returns an empty list; links returns the part of an element that belongs to the list.
func NewList[T any](links func(*T) *Links[T]) List[T] { return List[T]{links: links} }

// Push adds an element as the newest.
func (l *List[T]) Push(e *T) {
	*l.links(e) = Links[T]{older: l.newest}
	if l.newest == nil {
		l.Oldest = e
	} else {
		l.links(l.newest).newer = e
	}
	l.newest = e
}

// Remove takes an element out.
func (l *List[T]) Remove(e *T) {
	at := l.links(e)
	if at.older == nil {
		l.Oldest = at.newer
	} else {
		l.links(at.older).newer = at.newer
	}
	if at.newer == nil {
		l.newest = at.older
	} else {
		l.links(at.newer).older = at.older
	}
	*at = Links[T]{}
}
