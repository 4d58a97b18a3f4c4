//go:build !unix

package serve_test

import "errors"

func asNobody(string, ...string) (string, error) { return "", errors.ErrUnsupported }
