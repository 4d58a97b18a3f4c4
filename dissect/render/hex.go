package render

import (
	"github.com/q3dissect/q3dissect/dissect/render/internal/text"
)

import "github.com/q3dissect/q3dissect/dissect"

// hexColumns is how many bytes a line of a dump shows.
const hexColumns = 16

// AppendHex appends a dump of the datagram as it was captured and, if there is one, of the message as it was
// reassembled and deciphered, each with a heading, and an empty line at the end. Offsets are in bytes.
func AppendHex(dst []byte, rec *dissect.Record) []byte {
	if rec.Closing {
		return dst // no packet
	}
	name := "Datagram"
	if rec.Recorded() {
		name = "Demo message"
	}
	dst = appendDump(dst, name, rec.Payload, rec.Length)
	if rec.Message != nil {
		dst = appendDump(dst, "Reassembled, deciphered message", rec.Message, len(rec.Message))
	}
	return append(dst, '\n')
}

// appendDump appends a heading and the lines of one dump; length is the number of bytes on the wire.
func appendDump(dst []byte, name string, b []byte, length int) []byte {
	dst = append(dst, name...)
	dst = append(dst, " ("...)
	dst = text.AppendInt(dst, int64(len(b)))
	if len(b) < length {
		dst = append(dst, " of "...)
		dst = text.AppendInt(dst, int64(length))
	}
	dst = append(dst, " bytes):\n"...)
	digits := 4
	for len(b) > 1<<(4*digits) {
		digits++
	}
	for at := 0; at < len(b); at += hexColumns {
		dst = appendDumpLine(dst, b[at:min(at+hexColumns, len(b))], at, digits)
	}
	return dst
}

func appendDumpLine(dst, b []byte, at, digits int) []byte {
	for i := digits - 1; i >= 0; i-- {
		dst = append(dst, text.HexDigits[at>>(4*i)&15])
	}
	dst = append(dst, ' ')
	for i := range hexColumns {
		if i%8 == 0 {
			dst = append(dst, ' ')
		}
		if i < len(b) {
			dst = append(dst, text.HexDigits[b[i]>>4], text.HexDigits[b[i]&15], ' ')
		} else {
			dst = append(dst, "   "...)
		}
	}
	dst = append(dst, " |"...)
	for _, c := range b {
		if c < ' ' || c > '~' {
			c = '.'
		}
		dst = append(dst, c)
	}
	return append(dst, "|\n"...)
}
