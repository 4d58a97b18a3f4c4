package enet_test

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/enet"
)

// protocols are those that the datagrams of the tests are shown to.
func protocols() []*dissect.Protocol { return []*dissect.Protocol{enet.New()} }
