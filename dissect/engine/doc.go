// Package engine turns the packets of a capture into records: it asks the protocols whose each datagram is, hands it to
// its conversation, and puts the results back in the order of the packets. Authors of protocols do not need it.
//
//	e, err := engine.New(engine.Config{
//		Protocols: all.Protocols(),
//		Workers:   2,
//		Finish: func(worker int, dst []byte, rec *dissect.Record) ([]byte, error) {
//			return render.AppendJSON(dst, rec, render.JSON{}), nil
//		},
//		Output: func(b []byte) error { _, err := os.Stdout.Write(b); return err },
//	})
//	for p, err := range reader.Packets() {
//		err = e.Packet(p) // routed, decoded by a worker, written in the order of the frames
//	}
//	stats, err := e.Close()
//
// Records is the same as a loop, one record at a time; Replay dissects one stream again.
package engine
