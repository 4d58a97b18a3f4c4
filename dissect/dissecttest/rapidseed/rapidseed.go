// Package rapidseed makes the tests with pgregory.net/rapid repeat themselves: every run draws the same values, so a
// run passes or fails by what was changed. A test file that uses rapid imports it for its effect, once in each package.
//
// RAPID_SEED=0 in the environment leaves the draw to chance, as does -rapid.seed 0; "make fuzz" does so, with more
// checks.
package rapidseed

import (
	"flag"
	"os"

	_ "pgregory.net/rapid" // defines the flag first
)

// fixed is the seed where the environment does not name one.
const fixed = "1"

func init() {
	if _, named := os.LookupEnv("RAPID_SEED"); named {
		return
	}
	if err := flag.Set("rapid.seed", fixed); err != nil {
		panic(err)
	}
}
