package main

import "github.com/q3dissect/q3dissect/dissect/render"

// fieldList is --list-fields: every path that records can have, one a line.
func (p *program) fieldList(asJSON bool) []byte {
	list := render.ListFields(p.protocols)
	if asJSON {
		return render.AppendFieldsJSON(nil, list)
	}
	return render.AppendFieldsText(nil, list)
}
