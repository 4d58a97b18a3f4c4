package main

import "github.com/q3dissect/q3dissect/dissect/render"

// schemaText is --schema: the JSON Schema that every record validates against.
func (p *program) schemaText() []byte { return render.Schema(p.protocols) }
