//go:build unix

package serve_test

import (
	"os/exec"
	"syscall"
)

// asNobody runs a command as another user.
func asNobody(name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	c.Dir = "/"
	out, err := c.CombinedOutput()
	return string(out), err
}
