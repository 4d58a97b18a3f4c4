package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"text/tabwriter"

	"github.com/q3dissect/q3dissect/dissect/render"
)

// A document is a description that is printed instead of dissecting.
type document struct {
	flag  string
	given bool
	print func() []byte
}

// document gives the one that is asked for; nil if none is.
func (p *program) document(s *settings) (*document, error) {
	var chosen *document
	for _, d := range []document{
		{"--version", s.version, func() []byte { return versionText(s.json) }},
		{"--list-fields", s.listFields, func() []byte { return p.fieldList(s.json) }},
		{"--list-protocols", s.listProtocols, func() []byte { return p.protocolList(s.json) }},
		{"--schema", s.schema, func() []byte { return render.Schema(p.protocols) }},
	} {
		if !d.given {
			continue
		}
		if chosen != nil {
			return nil, usageError("%s and %s contradict each other", chosen.flag, d.flag)
		}
		chosen = &d
	}
	return chosen, nil
}

// fieldList is --list-fields: every path that records can have, one a line.
func (p *program) fieldList(asJSON bool) []byte {
	return listFields(render.ListFields(p.protocols), asJSON)
}

// listFields prints the fields of records or events.
func listFields(list []render.FieldInfo, asJSON bool) []byte {
	if asJSON {
		return render.AppendFieldsJSON(nil, list)
	}
	return render.AppendFieldsText(nil, list)
}

// protocolList is --list-protocols: what is dissected, and the names for -d.
func (p *program) protocolList(asJSON bool) []byte {
	var b bytes.Buffer
	if asJSON {
		lines := json.NewEncoder(&b)
		for _, known := range p.protocols {
			line := struct {
				Protocol string   `json:"protocol"`
				Title    string   `json:"title"`
				Dissects []string `json:"decode_as"`
			}{known.Name(), known.Title(), known.Dissects()}
			if err := lines.Encode(line); err != nil {
				panic(err) // made of strings, into memory
			}
		}
		return b.Bytes()
	}
	columns := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	for _, known := range p.protocols {
		fmt.Fprintf(columns, "%s\t%s\t-d udp.port==N,%s\n", known.Name(), known.Title(), strings.Join(known.Dissects(), "|"))
	}
	columns.Flush()
	return b.Bytes()
}

// versionInfo is what --version tells. Its JSON keys are promised to scripts.
type versionInfo struct {
	Name          string `json:"name"`
	Version       string `json:"version"` // of the module; "devel" for a build from a working tree
	Revision      string `json:"revision,omitempty"`
	Modified      bool   `json:"modified,omitempty"` // the working tree differed from the revision
	SchemaVersion int    `json:"schema_version"`
	Go            string `json:"go"`
	OS            string `json:"os"`
	Arch          string `json:"arch"`
}

// readVersion takes the version from what the go command put into the binary.
func readVersion() versionInfo {
	v := versionInfo{
		Name: "q3dissect", Version: "devel", SchemaVersion: render.SchemaVersion,
		Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
	}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if version := build.Main.Version; version != "" && version != "(devel)" {
		v.Version = version
	}
	for _, s := range build.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

// versionText is --version, one line either way.
func versionText(asJSON bool) []byte {
	v := readVersion()
	if asJSON {
		line, err := json.Marshal(v)
		if err != nil {
			panic(err) // made of strings and numbers
		}
		return append(line, '\n')
	}
	return fmt.Appendf(nil, "%s %s (records: schema %d; %s, %s/%s)\n", v.Name, v.Version, v.SchemaVersion, v.Go, v.OS, v.Arch)
}
