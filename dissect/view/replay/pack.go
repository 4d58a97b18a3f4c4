package replay

// A packed is a list of numbers as text, without characters that JSON or HTML escape: one character for each of the
// numbers near 0, so that gzip finds what repeats.
type packed []byte

// alphabet are the digits: the first ones end a number, the others go on.
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%()*+,-./" + ":;=?@[]^_`{|}~ '"

// Counts of digits.
const (
	goOn = 16
	ends = len(alphabet) - goOn
)

// add appends a number.
func (p *packed) add(v int64) {
	n := uint64(v)<<1 ^ uint64(v>>63)
	for n >= uint64(ends) {
		n -= uint64(ends)
		*p = append(*p, alphabet[ends+int(n%goOn)])
		n /= goOn
	}
	*p = append(*p, alphabet[n])
}
