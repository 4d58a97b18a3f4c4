package report

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"path/filepath"
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
	plots := r.opts.Echarts
	if plots == nil {
		plots = web.Echarts()
	}
	b := bufio.NewWriter(w) // it keeps the first error for Flush
	b.WriteString("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
	b.WriteString(`<meta http-equiv="Content-Security-Policy" content="` + policy(style, script, plots) + "\">\n")
	b.WriteString("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" " +
		"content=\"no-referrer\">\n")
	b.WriteString("<link rel=\"icon\" href=\"data:,\">\n")
	b.WriteString("<title>" + html.EscapeString(visible(d.Title)) + " · q3dissect</title>\n<style>")
	b.Write(style)
	b.WriteString("</style>\n</head>\n<body>\n<noscript><p>This page draws its pictures itself: it needs JavaScript, " +
		"and no network.</p></noscript>\n")
	for i := range d.Incomplete {
		b.WriteString("<p class=\"incomplete\">This report is incomplete: " +
			html.EscapeString(visible(d.Incomplete[i].String())) + "</p>\n")
	}
	b.WriteString("<div id=\"page\"></div>\n")
	b.WriteString("<script id=\"data\" type=\"application/json\">")
	data.write(b)
	b.WriteString("</script>\n")
	b.WriteString("<script id=\"library-of-plots\" type=\"text/plain\">") // plot.js makes it a script with the first plot
	b.Write(plots)
	b.WriteString("</script>\n<script>")
	b.Write(script)
	b.WriteString("</script>\n")
	b.WriteString("</body>\n</html>\n")
	return b.Flush()
}

// A packed is a document as gzip of its JSON.
type packed struct {
	size int // of the JSON
	gzip bytes.Buffer
}

func pack(d *document) (*packed, error) {
	p := &packed{}
	z, err := gzip.NewWriterLevel(&p.gzip, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if p.size, err = writeJSON(z, d, textDepth); err != nil {
		return nil, err
	}
	return p, z.Close()
}

// write writes the document as a JSON object with base64: it has no character that ends a script.
func (p *packed) write(b *bufio.Writer) {
	fmt.Fprintf(b, `{"bytes":%d,"data":"`, p.size)
	text := base64.NewEncoder(base64.StdEncoding, b)
	_, _ = text.Write(p.gzip.Bytes()) // the writer keeps the error
	_ = text.Close()
	b.WriteString(`","encoding":"gzip+base64"}`)
}

// policy allows what is in the page and nothing else: no network, no frames, no script but those whose sums are
// listed here.
func policy(style []byte, scripts ...[]byte) string {
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
