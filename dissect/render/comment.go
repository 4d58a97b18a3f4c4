package render

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// AppendComment appends the comment that Wireshark shows for the packet of a record: the list's last column, and a line
// for each expert entry.
func AppendComment(dst []byte, rec *dissect.Record) []byte {
	if rec.Protocol == nil {
		return dst
	}
	dst = append(append(dst, rec.Protocol.Name...), ": "...)
	dst = rec.AppendInfo(dst)
	for _, e := range rec.Experts {
		dst = append(append(append(dst, '\n'), e.Severity.String()...), ' ')
		dst = append(append(append(dst, e.Code...), ": "...), wiretext.Visible(e.Message)...)
	}
	return dst
}
