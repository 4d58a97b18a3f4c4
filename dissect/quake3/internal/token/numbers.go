package token

// maxAtoi is the limit of atoi: larger than every 32-bit number, signed or not.
const maxAtoi = 1 << 32

// Atoi parses a decimal number like C's atoi: whitespace, a sign and digits, and then anything. An unsigned
// 32-bit number becomes the signed one of the same bits. ok is false without digits and for numbers that do not
// fit 32 bits.
func Atoi(b []byte) (v int32, ok bool) {
	for len(b) > 0 && b[0] <= ' ' {
		b = b[1:]
	}
	negative := false
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		negative = b[0] == '-'
		b = b[1:]
	}
	var n int64
	for _, c := range b {
		if c < '0' || c > '9' {
			break
		}
		ok = true
		if n = n*10 + int64(c-'0'); n >= maxAtoi {
			return 0, false
		}
	}
	if negative {
		n = -n
	}
	return int32(n), ok && n >= -maxAtoi/2
}

// Positive is Atoi for numbers that count from 1; 0 means anything else.
func Positive(b []byte) int {
	v, _ := Atoi(b)
	return int(max(v, 0))
}

// Decimal reports whether a word is a decimal number and nothing else.
func Decimal(b []byte) bool {
	if len(b) > 0 && b[0] == '-' {
		b = b[1:]
	}
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(b) > 0
}

// EqualFold compares without regard to the case of ASCII letters, as Q_stricmp does.
func EqualFold(b []byte, s string) bool {
	if len(b) != len(s) {
		return false
	}
	for i, c := range b {
		if Lower(c) != Lower(s[i]) {
			return false
		}
	}
	return true
}

// Lower returns the lower-case letter of an ASCII letter.
func Lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// IndexControl returns the place of the first control character, or -1.
func IndexControl(b []byte) int {
	for i, c := range b {
		if c < ' ' || c == 0x7f {
			return i
		}
	}
	return -1
}
