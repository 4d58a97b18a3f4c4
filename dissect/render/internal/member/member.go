// Package member appends the members of a record's common part.
package member

import (
	"net/netip"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/recordhead"
	"github.com/q3dissect/q3dissect/dissect/render/internal/text"
)

// Append appends a value of a field as columns have it. It returns false, and dst as it was, if there is none.
func Append(dst []byte, f *recordhead.Field, rec *dissect.Record, i int) (out []byte, ok bool) {
	switch f.Kind {
	case recordhead.Info:
		return rec.AppendInfo(dst), true
	case recordhead.Address, recordhead.Endpoint:
		at, ok := f.Addr(rec)
		if ok {
			dst = appendAddr(dst, f, at)
		}
		return dst, ok
	}
	v, ok := f.Get(rec, i)
	if !ok {
		return dst, false
	}
	return appendGot(dst, f, rec, v), true
}

func appendAddr(dst []byte, f *recordhead.Field, at netip.AddrPort) []byte {
	if f.Kind == recordhead.Address {
		return at.Addr().AppendTo(dst)
	}
	return at.AppendTo(dst)
}

// appendGot appends a value that Get returned.
func appendGot(dst []byte, f *recordhead.Field, rec *dissect.Record, v recordhead.Value) []byte {
	switch f.Kind {
	case recordhead.Label, recordhead.Text:
		return append(dst, v.Text...)
	case recordhead.Bytes:
		return text.AppendHexDigits(dst, []byte(v.Text))
	case recordhead.Time:
		t := time.Unix(0, v.Int).UTC()
		dst = append(text.AppendDate(dst, t), 'T')
		return append(text.AppendClock(dst, t, 9), 'Z')
	case recordhead.Seconds:
		return text.AppendSeconds(dst, v.Int, 0, 9)
	case recordhead.Elapsed:
		return text.AppendSeconds(dst, v.Int, rec.FirstTime, 9)
	case recordhead.Severity:
		return append(dst, dissect.Severity(v.Int).String()...)
	}
	return text.AppendInt(dst, v.Int)
}

var stream = recordhead.Find(recordhead.Common, "stream")

// AppendStream appends the number of the stream, or nothing.
func AppendStream(dst []byte, rec *dissect.Record) []byte {
	dst, _ = Append(dst, stream, rec, 0)
	return dst
}

// AppendJSON appends key, value and a comma, or nothing.
func AppendJSON(dst []byte, f *recordhead.Field, rec *dissect.Record, i int) []byte {
	switch {
	case f.List:
		mark := len(dst)
		dst, ok := appendArray(append(text.AppendKey(dst, f.Key), '['), f, rec)
		if !ok {
			return dst[:mark]
		}
		return append(dst, ',')
	case f.Kind == recordhead.Info:
		dst = append(text.AppendKey(dst, f.Key), '"')
		from := len(dst)
		return append(text.CloseJSON(rec.AppendInfo(dst), from), ',')
	case f.Addr != nil:
		if at, ok := f.Addr(rec); ok {
			dst = append(text.AppendKey(dst, f.Key), '"')
			return append(appendAddr(dst, f, at), '"', ',')
		}
		return dst
	}
	v, ok := f.Get(rec, i)
	switch {
	case ok:
		return append(appendValue(text.AppendKey(dst, f.Key), f, rec, v), ',')
	case f.Null:
		return append(text.AppendKey(dst, f.Key), "null,"...)
	}
	return dst
}

func appendArray(dst []byte, f *recordhead.Field, rec *dissect.Record) (out []byte, ok bool) {
	for i := 0; ; i++ {
		v, ok := f.Get(rec, i)
		if !ok {
			return text.CloseWith(dst, ']'), i > 0
		}
		dst = append(appendValue(dst, f, rec, v), ',')
	}
}

// appendValue appends a value that Get returned as JSON.
func appendValue(dst []byte, f *recordhead.Field, rec *dissect.Record, v recordhead.Value) []byte {
	switch f.Kind {
	case recordhead.Integer, recordhead.Seconds, recordhead.Elapsed:
		return appendGot(dst, f, rec, v)
	}
	dst = append(dst, '"')
	from := len(dst)
	dst = appendGot(dst, f, rec, v)
	switch {
	case f.Name:
		return text.CloseName(dst, from)
	case f.Kind == recordhead.Text:
		return text.CloseJSON(dst, from)
	}
	return append(dst, '"')
}

// AppendAll appends an object.
func AppendAll(dst []byte, fields []recordhead.Field, rec *dissect.Record, i int) []byte {
	dst = append(dst, '{')
	for f := range fields {
		dst = AppendJSON(dst, &fields[f], rec, i)
	}
	return text.CloseWith(dst, '}')
}
