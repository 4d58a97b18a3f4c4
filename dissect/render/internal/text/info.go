package text

import "github.com/q3dissect/q3dissect/dissect/internal/infostring"

// AppendInfo appends an infostring as a JSON object of strings, the first of a repeated key. exact is false if the
// object does not have the whole text.
func AppendInfo(dst, s []byte) (out []byte, exact bool) {
	var pairs infostring.Reader
	pairs.Reset(s)
	dst = append(dst, '{')
	for key, value, ok := pairs.Next(); ok; key, value, ok = pairs.Next() {
		dst, _ = AppendJSON(dst, key)
		dst = append(dst, ':')
		dst, _ = AppendJSON(dst, value)
		dst = append(dst, ',')
	}
	return CloseWith(dst, '}'), pairs.Exact()
}
