package enet

import "github.com/q3dissect/q3dissect/dissect/cursor"

// A reader is the cursor over the bytes of a packet.
type reader struct{ cursor.Reader }
