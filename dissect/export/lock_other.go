//go:build !unix || solaris || aix

package export

import "os"

// Lock does nothing: these systems do not lock folders. Two exports into one folder then fail at the first name
// that both use, unless both replace files.
func Lock(*os.File) error { return nil }

// syncFolder does nothing: these systems do not sync folders.
func syncFolder(*os.File) error { return nil }

// syncAll does nothing: these systems have no such call.
func syncAll() {}
