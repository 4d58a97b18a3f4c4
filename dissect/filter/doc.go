// Package filter compiles display filters: conditions over the fields of a record, in Wireshark's grammar.
//
//	names := filter.Records(all.Protocols())
//	f, err := names.Compile(`src == 10.0.0.0/8 and quake3.oob.command == "getstatus"`)
//	if err != nil {
//		var e *filter.Error // has the place, and the nearest field
//		...
//	}
//	cfg.Before = f.Before() // packets excluded by addresses, ports, stream and so on are not dissected
//	m := f.Matcher()        // one for each goroutine
//	... m.Match(rec) ...
//
// A field is named by its path in the JSON record, arrays skipped; if an array has several values, a test is
// true if it is true for any of them (!= and all: for every one). A filter sees what the record shows, siblings
// such as weapon_name included. Names and types are checked by Compile, so a filter that compiles can be
// evaluated on every record. docs/filters.md describes the whole language.
//
// The package knows no game: all names come from the Fields of the protocols that it is given.
package filter
