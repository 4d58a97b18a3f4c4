// Package member appends the members of a record's common part.
package member

import (
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
		if ok && f.Kind == recordhead.Address {
			return at.Addr().AppendTo(dst), true
		}
		if ok {
			dst = at.AppendTo(dst)
		}
		return dst, ok
	}
	v, ok := f.Get(rec, i)
	if !ok {
		return dst, false
	}
	switch f.Kind {
	case recordhead.Label, recordhead.Text:
		return append(dst, v.Text...), true
	case recordhead.Bytes:
		return text.AppendHexDigits(dst, []byte(v.Text)), true
	case recordhead.Time:
		t := time.Unix(0, v.Int).UTC()
		dst = append(text.AppendDate(dst, t), 'T')
		return append(text.AppendClock(dst, t, 9), 'Z'), true
	case recordhead.Seconds:
		return text.AppendSeconds(dst, v.Int, 0, 9), true
	case recordhead.Elapsed:
		return text.AppendSeconds(dst, v.Int, rec.FirstTime, 9), true
	case recordhead.Severity:
		return append(dst, dissect.Severity(v.Int).String()...), true
	}
	return text.AppendInt(dst, v.Int), true
}

var stream = recordhead.Find(recordhead.Common, "stream")

// AppendStream appends the number of the stream, or nothing.
func AppendStream(dst []byte, rec *dissect.Record) []byte {
	dst, _ = Append(dst, stream, rec, 0)
	return dst
}

// AppendJSON appends key, value and a comma, or nothing.
func AppendJSON(dst []byte, f *recordhead.Field, rec *dissect.Record, i int) []byte {
	mark := len(dst)
	dst = text.AppendKey(dst, f.Key)
	var ok bool
	if f.List {
		dst, ok = appendArray(append(dst, '['), f, rec)
	} else {
		dst, ok = appendValue(dst, f, rec, i)
	}
	switch {
	case ok:
		return append(dst, ',')
	case f.Null:
		return append(dst, "null,"...)
	}
	return dst[:mark]
}

func appendArray(dst []byte, f *recordhead.Field, rec *dissect.Record) (out []byte, ok bool) {
	for i := 0; ; i++ {
		if dst, ok = appendValue(dst, f, rec, i); !ok {
			return text.CloseWith(dst, ']'), i > 0
		}
		dst = append(dst, ',')
	}
}

// appendValue appends the value as JSON.
func appendValue(dst []byte, f *recordhead.Field, rec *dissect.Record, i int) (out []byte, ok bool) {
	switch f.Kind {
	case recordhead.Integer, recordhead.Seconds, recordhead.Elapsed:
		return Append(dst, f, rec, i)
	}
	from := len(dst) + 1
	dst, ok = Append(append(dst, '"'), f, rec, i)
	switch {
	case !ok:
		return dst[:from-1], false
	case f.Kind == recordhead.Text || f.Kind == recordhead.Info:
		return text.CloseJSON(dst, from), true
	}
	return append(dst, '"'), true
}

// AppendAll appends an object.
func AppendAll(dst []byte, fields []recordhead.Field, rec *dissect.Record, i int) []byte {
	dst = append(dst, '{')
	for f := range fields {
		dst = AppendJSON(dst, &fields[f], rec, i)
	}
	return text.CloseWith(dst, '}')
}
