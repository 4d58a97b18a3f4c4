//go:build !linux

package main

import "errors"

// confine cannot be done on this system.
func confine([]string) error { return errors.New("only Linux has Landlock") }
