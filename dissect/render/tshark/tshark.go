// Package tshark writes records in forms that other programs know from tshark: PSML and PDML (doc/README.xml-output of
// Wireshark), the bulk lines of -T ek, and the packet list between tabs.
package tshark

import (
	"bytes"
	"encoding/xml"
	"strconv"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// A Writer writes records. It is safe for concurrent use.
type Writer struct {
	Creator string // the program that writes: "q3dissect v0.3.0"
	File    string // the input that PDML names
	Time    render.TimeFormat
	JSON    render.JSON // of the bulk lines
}

const xmlHead = `<?xml version="1.0" encoding="utf-8"?>` + "\n"

// listColumns are the sections of PSML: the columns of the packet list.
var listColumns = [...]string{"No.", "Time", "Source", "Destination", "Protocol", "Length", "Info"}

// cells returns the columns of the packet list.
func (w *Writer) cells(rec *dissect.Record) [len(listColumns)][]byte {
	length := rec.Length
	if rec.Raw != nil {
		length = rec.Raw.Length
	}
	var at []byte
	if rec.HasTime {
		at = w.Time.WithoutZone().Append(nil, rec)
	}
	return [...][]byte{
		strconv.AppendUint(nil, rec.Number(), 10), at, render.AppendEndpointCell(nil, rec, rec.Src),
		render.AppendEndpointCell(nil, rec, rec.Dst), render.AppendProtocolCell(nil, rec),
		strconv.AppendInt(nil, int64(length), 10), render.AppendInfoCell(nil, rec),
	}
}

// AppendTabs appends the line of the packet list with tabs between the columns, and an arrow between the addresses.
func (w *Writer) AppendTabs(dst []byte, rec *dissect.Record) []byte {
	if rec.Closing {
		return dst
	}
	for i, cell := range w.cells(rec) {
		switch i {
		case 0:
		case 3:
			dst = append(dst, "\t→\t"...)
		default:
			dst = append(dst, '\t')
		}
		dst = append(dst, cell...)
	}
	return append(dst, '\n')
}

// BulkIndex is the first line of a document of AppendBulk that has no time.
const BulkIndex = `{"index":{"_index":"packets"}}` + "\n"

// AppendBulk appends two lines for the bulk interface of Elasticsearch and OpenSearch: the index of the packet's day,
// and the record as "layers" with its time in milliseconds since 1970.
func (w *Writer) AppendBulk(dst []byte, rec *dissect.Record) []byte {
	if rec.Closing {
		return dst
	}
	dst = append(dst, `{"index":{"_index":"packets`...)
	if rec.HasTime {
		dst = time.Unix(0, rec.Time).UTC().AppendFormat(dst, "-2006-01-02")
	}
	dst = append(dst, "\"}}\n{"...)
	if rec.HasTime {
		dst = strconv.AppendInt(append(dst, `"timestamp":"`...), time.Unix(0, rec.Time).UnixMilli(), 10)
		dst = append(dst, `",`...)
	}
	dst = render.AppendJSON(append(dst, `"layers":`...), rec, w.JSON)
	return append(bytes.TrimSuffix(dst, []byte("\n")), "}\n"...)
}

// PSMLHead returns what precedes the packets of PSML.
func (w *Writer) PSMLHead() []byte {
	dst := append([]byte(xmlHead), `<psml version="0" creator="`...)
	dst = append(appendXML(dst, []byte(w.Creator)), "\">\n<structure>\n"...)
	for _, name := range listColumns {
		dst = append(append(append(dst, "<section>"...), name...), "</section>\n"...)
	}
	return append(dst, "</structure>\n\n"...)
}

// PSMLEnd follows the packets of PSML.
const PSMLEnd = "</psml>\n"

// AppendPSML appends the summary of a packet.
func (w *Writer) AppendPSML(dst []byte, rec *dissect.Record) []byte {
	if rec.Closing {
		return dst
	}
	dst = append(dst, "<packet>\n"...)
	for _, cell := range w.cells(rec) {
		dst = append(appendXML(append(dst, "<section>"...), cell), "</section>\n"...)
	}
	return append(dst, "</packet>\n\n"...)
}

// appendXML appends a text for an element or an attribute. Characters that XML cannot have become U+FFFD.
func appendXML(dst, s []byte) []byte {
	b := bytes.NewBuffer(dst)
	_ = xml.EscapeText(b, s) // a Buffer fails never
	return b.Bytes()
}
