// Package render turns finished records into bytes: JSON lines, the packet list, tables, hex dumps,
// field columns and CSV, and the documents about the fields (schema, field list, Markdown). It knows no
// game: everything it writes comes from the Fields and the Tree.
//
//	opts := render.JSON{Bits: true}
//	engine, err := dissect.NewEngine(dissect.Config{
//		Protocols: all.Protocols(),
//		Finish:    func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) { return render.AppendJSON(dst, rec, opts), nil },
//		// ...
//	})
//
// Renderers hold no state that changes, so one may serve all workers, and what they write depends on
// the record and the options alone.
//
// Trees must be closed (every Node has its End) and fields must keep the rules of CheckFields.
package render
