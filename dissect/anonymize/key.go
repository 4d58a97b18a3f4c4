package anonymize

import "golang.org/x/crypto/scrypt"

// A Key is what all replacements are derived from.
type Key [32]byte

// The cost of a guess: 64 MiB, twice (OWASP Password Storage Cheat Sheet, scrypt). The values are part of the key: with
// others a capture would get other names.
const (
	scryptN = 1 << 16
	scryptR = 8
	scryptP = 2
)

// salt is the same in every run, since one key has to give the same names in every capture. It separates keys of this
// program from those of other ones.
const salt = "q3dissect anonymize 2"

// DeriveKey derives a key from a passphrase. It takes a fraction of a second and 64 MiB on purpose:
// addresses such as 127.0.0.1 are known text, so whoever has an output can try passphrases.
func DeriveKey(passphrase []byte) Key {
	b, err := scrypt.Key(passphrase, []byte(salt), scryptN, scryptR, scryptP, len(Key{}))
	if err != nil {
		panic(err) // the cost is a power of two within bounds
	}
	return Key(b)
}
