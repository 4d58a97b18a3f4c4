package cursor

import (
	"errors"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// Codes of expert entries that every protocol has, docs/expert.md.
const (
	Malformed          = "malformed"            // the bytes break the format
	Truncated          = "truncated"            // they end before what they announce
	TruncatedByCapture = "truncated_by_capture" // the capture holds fewer bytes than the wire carried
)

// ReportCut adds the entry that the capture cut the datagram, unless the record has one: the captured part can
// end with a complete message.
func ReportCut(rec *dissect.Record) {
	says := func(e dissect.Expert) bool { return e.Code == TruncatedByCapture }
	if rec.Truncated() && !slices.ContainsFunc(rec.Experts, says) {
		rec.Expert(dissect.Warning, TruncatedByCapture, nil, len(rec.Payload)<<3,
			"the capture has %d of the datagram's %d bytes", len(rec.Payload), rec.Length)
	}
}

// Report adds the expert entry for the error that stopped the reading.
func (r *Reader) Report(rec *dissect.Record) {
	switch {
	case r.bad == nil:
	case !errors.Is(r.bad, dissect.ErrTruncated):
		rec.ExpertError(dissect.Fault, Malformed, r.Err())
	case r.Cut:
		rec.ExpertError(dissect.Warning, TruncatedByCapture, r.Err())
	default:
		rec.ExpertError(dissect.Fault, Truncated, r.Err())
	}
}
