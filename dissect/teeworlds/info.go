package teeworlds

import "github.com/q3dissect/q3dissect/dissect"

// AppendInfo appends the list's last column: what a person wants to know of the record.
func (Protocol) AppendInfo(dst []byte, rec *dissect.Record) []byte { return append(dst, "x"...) }
