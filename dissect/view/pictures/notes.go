package pictures

import (
	"fmt"
	"slices"
)

// notes list what was left out, each once.
type notes struct{ list []string }

func (n *notes) add(format string, args ...any) {
	if note := fmt.Sprintf(format, args...); !slices.Contains(n.list, note) {
		n.list = append(n.list, note)
	}
}
