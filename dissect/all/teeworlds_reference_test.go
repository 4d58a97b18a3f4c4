package all_test

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// Short names for the tests of Teeworlds.

type (
	node   = map[string]any
	finish = reftest.Finish
)

// A run says how a capture is dissected, as reftest.Run does.
type run struct {
	workers int
	state   bool
	finish  finish
	output  func(b []byte) error
}

func packets(tb testing.TB, name string, each func(p *dissect.Packet)) uint64 {
	tb.Helper()
	return reftest.Packets(tb, name, each)
}

func closeEngine(tb testing.TB, e *dissect.Engine) dissect.Stats {
	tb.Helper()
	return reftest.Close(tb, e)
}

var (
	infallible = reftest.Infallible
	nowhere    = reftest.Discard
	lines      = reftest.Lines
	object     = reftest.Object
	list       = reftest.List
	number     = reftest.Number
	addText    = reftest.AddText
	packetsOf  = reftest.PacketsOf
)
