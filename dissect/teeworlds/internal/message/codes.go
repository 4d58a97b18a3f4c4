package message

// Codes of expert entries, docs/expert.md.
const (
	ExpertMalformed          = "malformed"            // the bytes break the format
	ExpertTruncated          = "truncated"            // the message ends before its last field
	ExpertTruncatedByCapture = "truncated_by_capture" // the capture holds fewer bytes than the wire carried
	expertOutOfRange         = "out_of_range"         // a value that makes the game drop the message or object
	ExpertUnknownMessage     = "unknown_message"      // an id or UUID without a table
	expertWrongDirection     = "wrong_direction"      // a message that the other side sends
	expertDemoOnly           = "demo_only"            // a message that only demos hold, in a packet
	expertIntOverlong        = "int_overlong"         // an int in a form longer than it has to be
	expertIntPadding         = "int_padding"          // an int with bits where there should be none
	expertUndetermined       = "undetermined"         // values whose names cannot be known
	ExpertTrailing           = "trailing_bytes"       // bytes after the last chunk, or after a compressed block
	ExpertBaseMissing        = "base_missing"         // a snapshot is a difference to one that was not seen
	ExpertSnapshotCRC        = "snapshot_crc"         // a snapshot's sum is not the one that the server sent
	ExpertSnapshotStale      = "snapshot_stale"       // a snapshot came after a later one
	ExpertSnapshotLost       = "snapshot_lost"        // parts of a snapshot were never seen
	ExpertDialectUnknown     = "dialect_unknown"      // which dialect is spoken cannot be decided
	ExpertNumberText         = "number_malformed"     // a text that should be a decimal number
	ExpertSizeDiffers        = "snapshot_item_size"   // an item has another size than in the snapshot it refers to
	ExpertSnapshotPart       = "snapshot_part_odd"    // a part that contradicts the others of its snapshot
)
