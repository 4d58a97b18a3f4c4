package gamestudio

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/cursor"
)

// Limits of the memory for hints.
const (
	maxHints    = 4096 // entities
	maxHintText = 64   // bytes of a file name
)

// Hints are what earlier messages say about the numbers in later ones. They are only shown; no
// decoding depends on them.
type hints struct {
	files   map[int16]string  // by entity index
	wishes  map[int16]string  // files that the client asked for, by its identifier
	player  string            // name that the client joined with, or its name in DirectPlay
	players map[uint64]string // the same by DirectPlay id, in the 2002 edition
	names   map[uint64]string // the transport's; may be nil
}

// joined records a player's name; dpid is nil if the message has none.
func (h *hints) joined(dpid, name []byte) {
	h.player = keepName(h.player, string(name))
	if dpid != nil {
		h.players = learnName(h.players, cursor.Little(dpid), name)
	}
}

// who returns the name of the player that sent a message, or "". dpid is nil if the message has
// none.
func (h *hints) who(dpid []byte) string {
	if dpid == nil {
		return h.player
	}
	id := cursor.Little(dpid)
	if name := h.players[id]; name != "" {
		return name
	}
	return h.names[id]
}

// file records the file that an update gives an entity.
func (h *hints) file(index int16, name []byte) {
	if h != nil {
		h.files = learnName(h.files, index, name)
	}
}

// wanted records the file of an entity that the client asks for; the answer has the same identifier
// and the entity's index.
func (h *hints) wanted(identifier int16, name []byte) {
	h.wishes = learnName(h.wishes, identifier, name)
}

// created associates a new entity's index with the file that the client asked for.
func (h *hints) created(index, identifier int16) {
	h.remove(index)
	if name, ok := h.wishes[identifier]; ok {
		h.files = learnName(h.files, index, []byte(name))
		delete(h.wishes, identifier)
	}
}

// learnName stores a name under a number, within the limits.
func learnName[K comparable](m map[K]string, number K, name []byte) map[K]string {
	old, known := m[number]
	if len(name) == 0 || len(name) > maxHintText || known && old == string(name) || !known && len(m) >= maxHints {
		return m
	}
	if m == nil {
		m = map[K]string{}
	}
	m[number] = string(name)
	return m
}

// remove forgets an entity.
func (h *hints) remove(index int16) {
	if h != nil {
		delete(h.files, index)
	}
}

// show adds what is known of an entity.
func (h *hints) show(index int16, tree *dissect.Tree) {
	if h == nil || tree == nil {
		return
	}
	if name := h.files[index]; name != "" {
		tree.AddLabel(&fileHint, name, 0, 0)
	}
}

// keepName returns the new name if it is within the limits, or the old one.
func keepName(old, name string) string {
	if name == "" || len(name) > maxHintText {
		return old
	}
	return name
}
