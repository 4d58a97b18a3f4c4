// Package render turns finished records into bytes: JSON lines, the packet list, tables, hex dumps,
// field columns and CSV. It knows no game: everything it writes comes from the Fields and the Tree. Package
// schema, below it, describes what is written.
//
//	opts := render.JSON{Bits: true}
//	e, err := engine.New(engine.Config{
//		Protocols: all.Protocols(),
//		Finish:    func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) { return render.AppendJSON(dst, rec, opts), nil },
//		// ...
//	})
//
// Renderers are safe for concurrent use. What they write depends on the record and the options alone.
//
// Trees must be closed (every Node has its End) and fields must keep the rules of schema.Check.
package render
