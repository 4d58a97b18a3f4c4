//go:build !unix

package recover

import "time"

// cpu is for systems without getrusage: the figures of long searches lack it there.
func cpu() time.Duration { return 0 }
