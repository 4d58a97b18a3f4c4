package teeworlds

// Codes of expert entries, docs/expert.md.
const (
	expertMalformed          = "malformed"            // the bytes break the format
	expertTruncated          = "truncated"            // the message ends before its last field
	expertTruncatedByCapture = "truncated_by_capture" // the capture holds fewer bytes than the wire carried
	expertOutOfRange         = "out_of_range"         // a value that makes the game drop the message or object
	expertUnknownMessage     = "unknown_message"      // an id or UUID without a table
	expertWrongDirection     = "wrong_direction"      // a message that the other side sends
	expertDemoOnly           = "demo_only"            // a message that only demos hold, in a packet
	expertIntOverlong        = "int_overlong"         // an int in a form longer than it has to be
	expertIntPadding         = "int_padding"          // an int with bits where there should be none
	expertUndetermined       = "undetermined"         // values whose names cannot be known
	expertTrailing           = "trailing_bytes"       // bytes behind the last chunk, or behind a compressed block
	expertBaseMissing        = "base_missing"         // a snapshot is a difference to one that was not seen
	expertSnapshotCRC        = "snapshot_crc"         // a snapshot's sum is not what the server says
	expertSnapshotStale      = "snapshot_stale"       // a snapshot came after a later one
	expertSnapshotLost       = "snapshot_lost"        // parts of a snapshot were never seen
	expertDialectUnknown     = "dialect_unknown"      // it cannot be told which dialect is spoken
	expertNumberText         = "number_malformed"     // a text that should be a decimal number
	expertSizeDiffers        = "snapshot_item_size"   // an item has another size than in the snapshot it refers to
	expertSnapshotPart       = "snapshot_part_odd"    // a part that contradicts the others of its snapshot
)
