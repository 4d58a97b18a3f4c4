package anonymize

import (
	"encoding/hex"
	"testing"
)

// The expected keys are those of OpenSSL's scrypt (EVP_PBE_scrypt through Python's hashlib):
//
//	hashlib.scrypt(b"...", salt=b"q3dissect anonymize 2", n=65536, r=8, p=2, maxmem=1<<28, dklen=32)
func TestDeriveKey(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes 64 MiB and a second")
	}
	for passphrase, want := range map[string]string{
		"correct horse battery": "3f02fecec69f100ddef6096254250dad5ad628ce637c53be413305355d4eae35",
		"\xff\x00":              "d8686b661558d8f6abeee0d50c6fb4b9e57ab2ae522511bf9139af9024a3b18c",
	} {
		if got := DeriveKey([]byte(passphrase)); hex.EncodeToString(got[:]) != want {
			t.Errorf("%q: %x, want %s", passphrase, got, want)
		}
	}
}
