package reftest

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// PacketsIn returns the packets of a file, up to where it breaks off. They are the caller's, to be changed.
func PacketsIn(tb testing.TB, name string) (packets []dissect.Packet) {
	tb.Helper()
	in, err := open.File(name, open.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	defer in.Close()
	for p, err := range in.Packets() {
		if err != nil {
			break
		}
		own, _ := p.Clone(nil)
		packets = append(packets, own)
	}
	return packets
}

// DissectPackets sends packets through an engine, and returns what its Finish wrote.
func DissectPackets(tb testing.TB, packets []dissect.Packet, cfg engine.Config) (out []byte, stats engine.Stats) {
	tb.Helper()
	cfg.Output = func(b []byte) error { out = append(out, b...); return nil }
	stats, err := open.Dissect((*ready)(&packets), cfg, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return out, stats
}

// ready are packets that an engine has not read yet.
type ready []dissect.Packet

func (r *ready) Next() (*dissect.Packet, error) {
	if len(*r) == 0 {
		return nil, io.EOF
	}
	p := &(*r)[0]
	*r = (*r)[1:]
	return p, nil
}

// times are the keys of a record that say when.
var times = regexp.MustCompile(`"time(_epoch|_relative)?":("[^"]*"|[-0-9.]+),?`)

// RecordsByFrame returns the records of packets as JSON without times, by how they begin: `{"frame":7`.
func RecordsByFrame(tb testing.TB, packets []dissect.Packet) map[string]string {
	tb.Helper()
	out, _ := DissectPackets(tb, packets, engine.Config{
		Protocols: all.Protocols(), Workers: 1, Finish: Infallible(JSON(render.JSON{Bits: true})),
	})
	records := map[string]string{}
	for line := range strings.Lines(string(out)) {
		frame, _, _ := strings.Cut(line, ",")
		records[frame] = times.ReplaceAllString(line, "")
	}
	return records
}

// Schema prepares a JSON schema for values to be checked with.
func Schema(tb testing.TB, text []byte) *jsonschema.Schema {
	tb.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		tb.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		tb.Fatal(err)
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		tb.Fatal(err)
	}
	return compiled
}
