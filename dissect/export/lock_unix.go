//go:build unix && !solaris && !aix

package export

import (
	"errors"
	"os"
	"syscall"
)

// Lock locks an open folder or file until it is closed or the program ends in any way. The error is ErrBusy if another
// program has locked it. On file systems without locks it does nothing.
func Lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrBusy
	}
	return nil
}

// syncFolder returns when the names in a folder are on the disk. File systems that do not sync folders write names
// through.
func syncFolder(folder *os.File) error {
	err := folder.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil
	}
	return err
}

// syncAll writes the system's buffers to the disks: one call for any number of files. Linux returns when that
// is done, sync(2).
func syncAll() { syscall.Sync() }
