// Package dissect is the core of q3dissect: what a protocol has to offer, and what is known of a packet once it is
// decoded.
//
// A Protocol is a value with a function for each thing that it can do. It describes its fields once, as package-level Fields.
// Its Router recognises its datagrams and separates its conversations; a Conversation decodes them, in order, into the Tree
// of a Record. Views walk the finished tree. The package knows no game: games are listed in dissect/all. Package engine runs
// them over a capture. Keys of sessions, and what a datagram adds to demos and files, are packages keys and parts.
//
// Limits: a Tree holds at most 4 GiB of bytes; times are Unix nanoseconds, so years 1678 to 2262.
package dissect
