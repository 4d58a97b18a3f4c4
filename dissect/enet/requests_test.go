package enet_test

import (
	"encoding/binary"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
)

// TestRequests has a request for another connection that nobody answers, and one that is answered.
func TestRequests(t *testing.T) {
	t.Parallel()
	numbers := func(head string, values ...uint32) []byte {
		b := enginetest.Unhex(t, head)
		for _, v := range values {
			b = binary.BigEndian.AppendUint32(b, v)
		}
		return b
	}
	connect := func(fromClient bool, id uint32) enginetest.Datagram {
		return enginetest.Datagram{FromClient: fromClient, Payload: numbers("8fff0309 82ff0001 0000ffff", 1400, 65536, 2,
			0, 0, 5000, 2, 2, id, 0)}
	}
	verify := func(id uint32) enginetest.Datagram {
		return enginetest.Datagram{Payload: numbers("0000 83ff0001 0000ffff", 1400, 65536, 2, 0, 0, 5000, 2, 2, id)}
	}
	data := enginetest.Datagram{FromClient: true, Payload: enginetest.Unhex(t, "0000 86000001 0003 010203")}
	steps := []struct {
		d         enginetest.Datagram
		duplicate bool
	}{
		{connect(true, 1), false},
		{verify(1), false},
		{data, false},
		{connect(true, 2), false},
		{data, true},
		{connect(false, 3), false},
		{data, true},
		{verify(1), true},
		{data, true},
		{connect(true, 4), false},
		{connect(true, 4), true},
		{verify(4), false},
		{data, false},
		{data, true},
	}
	var datagrams []enginetest.Datagram
	for _, s := range steps {
		datagrams = append(datagrams, s.d)
	}
	for i, r := range enginetest.All(t, protocols(), "", datagrams...) {
		commands, _ := r.Enet["commands"].([]any)
		if len(commands) != 1 {
			t.Fatalf("packet %d: %v", i, r.Enet)
		}
		for _, c := range commands[0].(map[string]any) {
			if got := c.(map[string]any)["duplicate"] == true; got != steps[i].duplicate {
				t.Errorf("packet %d: duplicate %v", i, got)
			}
		}
	}
}
