package gamestudio_test

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/directplay8"
	"github.com/q3dissect/q3dissect/dissect/enet"
	"github.com/q3dissect/q3dissect/dissect/gamestudio"
	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
)

// protocols are the game and the transports that carry it, in the order in which they are asked.
func protocols() []*dissect.Protocol {
	return []*dissect.Protocol{directplay8.New(), enet.New(), gamestudio.New()}
}

// dissectQuietly dissects one datagram; what goes wrong is a panic, since it is the test's fault.
func dissectQuietly(as string, d enginetest.Datagram) *enginetest.Record {
	records, err := enginetest.Run(protocols(), as, []enginetest.Datagram{d}, 1)
	if err != nil {
		panic(err)
	}
	return records[0]
}
