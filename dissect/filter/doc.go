// Package filter compiles display filters: conditions over the fields of a record, in Wireshark's grammar.
//
//	names := filter.Records(all.Protocols())
//	f, err := names.Compile(`src == 10.0.0.0/8 and quake3.oob.command == "getstatus"`)
//	if err != nil {
//		var e *filter.Error // says where, and what the nearest field is
//		...
//	}
//	cfg.Before = f.Before() // what addresses, ports, stream and the like decide is not dissected
//	m := f.Matcher()        // one for each goroutine
//	... m.Match(rec) ...
//
// A field is named by its path in the JSON record, arrays skipped; where an array has several values, a test holds
// if it holds for any of them (!= and all: for every one). A filter sees what the record shows, siblings such as
// weapon_name included. Names and types are checked by Compile, so a filter that compiles can be evaluated on every
// record. docs/filters.md has the whole language.
//
// The package knows no game: all names come from the Fields of the protocols that it is given.
package filter
