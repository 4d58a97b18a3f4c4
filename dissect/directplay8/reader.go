package directplay8

import "github.com/q3dissect/q3dissect/dissect/cursor"

// A reader is the cursor over the bytes of a frame or message.
type reader struct{ cursor.Reader }
