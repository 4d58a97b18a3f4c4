//go:build !linux

package command

import (
	"errors"
	"os"
)

// openTerminal is for Linux; the scripts that need it say [linux].
func openTerminal(int) (ours, theirs *os.File, err error) {
	return nil, nil, errors.ErrUnsupported
}
