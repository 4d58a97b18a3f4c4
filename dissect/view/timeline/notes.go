package timeline

import (
	"fmt"
	"slices"
)

// notes list what was left out, each kind once.
type notes struct{ list, kinds []string }

func (n *notes) add(format string, args ...any) {
	if slices.Contains(n.kinds, format) {
		return
	}
	n.kinds, n.list = append(n.kinds, format), append(n.list, fmt.Sprintf(format, args...))
}
