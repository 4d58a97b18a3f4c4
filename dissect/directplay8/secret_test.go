package directplay8

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
)

// Views mask the password wherever a message has one.
func TestPasswordsAreSecret(t *testing.T) {
	t.Parallel()
	passwords := 0
	var walk func(path string, f *dissect.Field)
	walk = func(path string, f *dissect.Field) {
		path += "." + f.Key
		if f.Key == "password" {
			if passwords++; !f.Secret {
				t.Errorf("%s is not marked", path)
			}
		}
		for _, c := range f.Children {
			walk(path, c)
		}
	}
	walk("", New().Root())
	if passwords < 2 {
		t.Errorf("%d passwords: those of connect_info and of the session's description were expected", passwords)
	}
}
