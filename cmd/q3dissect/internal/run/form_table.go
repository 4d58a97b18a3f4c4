package run

import (
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/version"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/render/tshark"
)

// The forms that flags choose.
var (
	formText = &Form{
		Name: "text", Doc: "text for reading",
		records: (*plan).recordText, events: (*plan).eventText, header: (*plan).textHeader,
		lack: incomplete.List.AppendText,
	}
	formLines = &Form{ // --json
		records: (*plan).recordLines, events: (*plan).eventLines, fault: render.AppendFileError, options: ofJSON, lack: incomplete.List.AppendLine,
	}
	formNothing = &Form{} // -q
)

// forms are all ways to print. A new one is an entry here, and its name with -T in a page of docs.
var forms = []*Form{
	formText,
	formLines,
	{
		Name: "json", Note: "one array", Doc: "one JSON array; --json prints lines",
		records: (*plan).recordLines, events: (*plan).eventLines, fault: render.AppendFileError, options: ofJSON, lack: incomplete.List.AppendLine,
		header: arrayHeader, footer: arrayFooter, array: true,
	},
	{
		Name: "fields", Doc: "the fields of -e between tabs",
		records: (*plan).recordColumns, header: (*plan).columnsHeader, columns: render.FieldColumns, options: []string{"--link"},
		masked: true,
	},
	{
		Name: "csv", Doc: "the fields of -e, or rows of events, as RFC 4180 has them",
		records: (*plan).recordColumns, header: (*plan).columnsHeader, columns: render.CSVColumns, options: []string{"--link"},
		masked: true, events: (*plan).eventRowsOf,
	},
	{
		Name: "tabs", Doc: "the list with tabs between its columns",
		records: (*plan).recordTabs, framed: true,
	},
	{
		Name: "ek", Note: "bulk lines", Doc: "two lines a record for Elasticsearch and OpenSearch",
		records: (*plan).recordBulk, options: ofJSON, lack: bulkLack, masked: true,
	},
	{
		Name: "psml", Doc: "the list as XML, as Wireshark defines it",
		records: (*plan).recordPSML, header: (*plan).psmlHeader, footer: func(bool) []byte { return []byte(tshark.PSMLEnd) },
		framed: true, lack: incomplete.List.AppendXML,
	},
	{
		Name: "pdml", Doc: "every field as XML, as Wireshark defines it",
		records: (*plan).recordPDML, header: (*plan).pdmlHeader, footer: func(bool) []byte { return []byte(tshark.PDMLEnd) },
		framed: true, lack: incomplete.List.AppendXML, masked: true, options: []string{"--framing"},
	},
	{
		Name: "parquet", Doc: "tables with types in files below -o",
		records: (*plan).recordRows, options: []string{"--no-names", "--link", communityID}, folder: true,
	},
	formNothing,
}

// ofJSON are the options of JSON.
var ofJSON = []string{"--bits", "--framing", "--no-names", "--link", communityID, hideSecrets}

// hideSecrets is the flag of JSON with masks.
const hideSecrets = "--hide-secrets"

// communityID is the flag of the form that adds Community IDs.
const communityID = "--community-id"

// jsonOptions are the options of records in JSON, whichever form has them.
func (pl *plan) jsonOptions() render.JSON {
	return render.JSON{NoNames: pl.NoNames, Bits: pl.Bits, Link: pl.Link, CommunityID: pl.CommunityID}
}

// tsharkForms answers tshark's values of -T that are none here.
var tsharkForms = map[string]string{
	"jsonl":  "one record per line is --json here",
	"ndjson": "one record per line is --json here", "jsonraw": "positions are added by --json --bits",
	"ps": "a page to print is made by q3dissect report",
}

// recordText is the list, or the tables of -V, with the hex dumps of -x or without.
func (pl *plan) recordText() appender {
	list, tables := pl.list, pl.tables
	text := list.Append
	if pl.Table {
		text = tables.Append
	}
	if !pl.Hex {
		return text
	}
	return func(dst []byte, rec *dissect.Record) []byte { return render.AppendHex(text(dst, rec), rec) }
}

func (pl *plan) recordLines() appender {
	opts := pl.jsonOptions()
	return func(dst []byte, rec *dissect.Record) []byte { return render.AppendJSON(dst, rec, opts) }
}

func arrayHeader(*plan) []byte { return []byte("[\n") }

func arrayFooter(any bool) []byte {
	if any {
		return []byte("\n]\n")
	}
	return []byte("]\n")
}

func (pl *plan) recordColumns() appender { return pl.selector.Append }

func (pl *plan) columnsHeader() []byte {
	if pl.Events {
		return pl.eventRows.AppendHeader(nil)
	}
	return pl.selector.AppendHeader(nil)
}

// shark returns the writer of tshark's forms.
func (pl *plan) shark() *tshark.Writer {
	w := &tshark.Writer{
		Creator: "q3dissect " + version.Read().Version, Time: pl.list.Time,
		JSON: pl.jsonOptions(),
	}
	if len(pl.sources) > 0 {
		w.File = pl.sources[0]
	}
	return w
}

// bulkLack appends the two lines of a document.
func bulkLack(lacks incomplete.List, dst []byte) []byte {
	return lacks.AppendLine(append(dst, tshark.BulkIndex...))
}

func (pl *plan) recordTabs() appender { return pl.shark().AppendTabs }
func (pl *plan) recordBulk() appender { return pl.shark().AppendBulk }
func (pl *plan) recordPSML() appender { return pl.shark().AppendPSML }
func (pl *plan) recordPDML() appender { return pl.shark().AppendPDML }
func (pl *plan) psmlHeader() []byte   { return pl.shark().PSMLHead() }
func (pl *plan) pdmlHeader() []byte   { return pl.shark().PDMLHead() }
