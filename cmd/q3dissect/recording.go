package main

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/capture"
)

// A packetReader gives what an input holds, one packet after the other: a capture or a recording.
type packetReader interface {
	Next() (*dissect.Packet, error)
}

// openPackets finds out what an input is, by its content, and begins to read it. What is no capture may
// be a recording of one of the games; the name and --demo-protocol help where those do not tell their
// protocol.
func (r *run) openPackets(in *capture.Input, name string) (packetReader, error) {
	if in.Format() == capture.Unknown {
		head, _ := in.Peek(dissect.RecordingHead) // a file may be shorter; the reader meets what is wrong with it
		for _, p := range r.protocols {
			if recorder, ok := p.(dissect.Recorder); ok {
				if recording, ok := recorder.OpenRecording(in, head, name, int(r.demoProtocol.value)); ok {
					return recording, nil
				}
			}
		}
	}
	reader, err := capture.NewReader(in, capture.Options{All: true, Link: r.linked})
	if err != nil {
		return nil, err
	}
	return reader, nil
}
