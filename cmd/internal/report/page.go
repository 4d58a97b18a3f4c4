package report

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/q3dissect/q3dissect/cmd/internal/web"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// Write writes the page.
func (r *Report) Write(w io.Writer) error {
	d := &r.document
	var names []string
	for _, f := range d.Files {
		names = append(names, filepath.Base(f.Name))
	}
	d.Title = strings.Join(names, ", ")
	r.layRuns()
	data, err := pack(d)
	if err != nil {
		return err
	}
	script, err := web.Script(web.Files(), "assets/report/main.js")
	if err != nil {
		panic(err) // the modules are embedded, and tested
	}
	style := append(web.Style(), web.ReportStyle()...)
	scripts := [][]byte{web.Echarts(), script}
	var b bytes.Buffer
	b.WriteString("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
	b.WriteString(`<meta http-equiv="Content-Security-Policy" content="` + policy(style, scripts) + "\">\n")
	b.WriteString("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" " +
		"content=\"no-referrer\">\n")
	b.WriteString("<link rel=\"icon\" href=\"data:,\">\n")
	b.WriteString("<title>" + html.EscapeString(visible(d.Title)) + " · q3dissect</title>\n<style>")
	b.Write(style)
	b.WriteString("</style>\n</head>\n<body>\n<noscript><p>This page draws its pictures itself: it needs JavaScript, " +
		"and no network.</p></noscript>\n<div id=\"page\"></div>\n")
	b.WriteString("<script id=\"data\" type=\"application/json\">")
	b.Write(data)
	b.WriteString("</script>\n")
	for _, s := range scripts {
		b.WriteString("<script>")
		b.Write(s)
		b.WriteString("</script>\n")
	}
	b.WriteString("</body>\n</html>\n")
	_, err = w.Write(b.Bytes())
	return err
}

// pack returns the document as JSON with the data as base64 of gzip: it has no character that ends a script.
func pack(d *document) ([]byte, error) {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	text := jsonText{to: z}
	text.value(reflect.ValueOf(d), textDepth)
	if text.err != nil {
		return nil, text.err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return json.Marshal(map[string]any{"encoding": "gzip+base64", "bytes": text.size, "data": packed.Bytes()})
}

// policy allows what is in the page and nothing else: no network, no frames, no script but those whose sums are
// listed here.
func policy(style []byte, scripts [][]byte) string {
	sum := func(b []byte) string {
		s := sha256.Sum256(b)
		return "'sha256-" + base64.StdEncoding.EncodeToString(s[:]) + "'"
	}
	var sums []string
	for _, s := range scripts {
		sums = append(sums, sum(s))
	}
	return fmt.Sprintf(
		"default-src 'none'; script-src %s; style-src %s; img-src data: blob:; form-action 'none'; base-uri 'none'",
		strings.Join(sums, " "), sum(style))
}

// visible replaces what does not belong into a title.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if wiretext.Disturbs(r) {
			return '\ufffd'
		}
		return r
	}, s)
}
