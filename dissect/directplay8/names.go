package directplay8

// Limits of the names kept.
const (
	maxNames    = 4096 // players
	maxNameText = 64   // bytes of a name
)

// Names holds the names of the players of one connection.
type names struct {
	client  string            // of the player that connects
	own     uint64            // its DirectPlay id, or 0
	players map[uint64]string // by DirectPlay id
}

// entry records a player of the name table; own is the player that connects.
func (n *names) entry(dpnid uint64, name string, own bool) {
	if own {
		n.own = dpnid
	}
	n.renamed(dpnid, name)
}

// renamed records a player's new name.
func (n *names) renamed(dpnid uint64, name string) {
	n.learn(dpnid, name)
	if dpnid == n.own && dpnid != 0 {
		n.client = keepName(n.client, name)
	}
}

// learn keeps a player's name, within the limits.
func (n *names) learn(dpnid uint64, name string) {
	old, known := n.players[dpnid]
	if name == "" || len(name) > maxNameText || known && old == name || !known && len(n.players) >= maxNames {
		return
	}
	if n.players == nil {
		n.players = map[uint64]string{}
	}
	n.players[dpnid] = name
}

// keepName returns the new name if it is within the limits, or the old one.
func keepName(old, name string) string {
	if name == "" || len(name) > maxNameText {
		return old
	}
	return name
}
