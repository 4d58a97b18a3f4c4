package directplay8_test

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/directplay8"
	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
	"github.com/q3dissect/q3dissect/samples/gamestudio/wire"
)

// protocols are those that the datagrams of the tests are shown to.
func protocols() []*dissect.Protocol { return []*dissect.Protocol{directplay8.New()} }

// sessionOf returns a generated session of the game that the samples' generator knows.
func sessionOf(tb testing.TB, edition string, coding wire.Coding) []wire.Step {
	tb.Helper()
	reference, err := wire.Reference()
	if err != nil {
		tb.Fatal(err)
	}
	steps, err := wire.Session(reference, edition, coding)
	if err != nil {
		tb.Fatal(err)
	}
	return steps
}

// sent makes a test's datagrams of generated ones.
func sent(list []wire.Datagram) []enginetest.Datagram {
	var datagrams []enginetest.Datagram
	for _, d := range list {
		datagrams = append(datagrams, enginetest.Datagram{FromClient: d.FromClient, Payload: d.Payload})
	}
	return datagrams
}
