// Package dissect is the core of q3dissect: what a protocol has to offer, and the machinery that
// turns the packets of a capture into records.
//
// A Protocol describes its fields once, as package-level Fields. Its Router says which datagrams
// belong to it and to which conversation; a Conversation decodes them, in order, into the Tree of a
// Record. Views walk the finished tree. The package knows no game: games register in dissect/all.
//
//	engine, err := dissect.NewEngine(dissect.Config{
//		Protocols: all.Protocols(),
//		Workers:   2,
//		Finish: func(worker int, dst []byte, rec *dissect.Record) ([]byte, error) {
//			return render.AppendJSON(dst, rec, render.JSON{}), nil
//		},
//		Output: func(b []byte) error { _, err := os.Stdout.Write(b); return err },
//	})
//	for p, err := range reader.Packets() {
//		err = engine.Packet(p) // routed, decoded by a worker, written in the order of the frames
//	}
//	stats, err := engine.Close()
//
// Limits: a Tree holds at most 4 GiB of bytes; times are Unix nanoseconds, so years 1678 to 2262.
package dissect
