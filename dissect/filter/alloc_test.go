//go:build !race

package filter

import "testing"

// Evaluating allocates nothing. With the race detector package regexp does: what it gives to its pool is then left out
// by chance.
func TestMatchAllocatesNothing(t *testing.T) {
	names, rec := Records(fakes()), fakeRecord()
	for _, filter := range []string{
		`fake.ops.shoot.weapon == gauntlet`, `src == 10.0.0.0/8 and fake.text contains "x"`, `fake.numbers in {1, 2, 5..9}`,
		`info contains "nothing"`, `fake.ops.move.x == fake.ops.move.y and frame == 1`, `fake.float == 5.5 or fake.info.hostname == "x"`,
		`fake.text[0:3] == "abc"`, `count(fake.numbers) > 9`, `protocol == fake and direction == client_to_server`, `fake.text matches "^x.*y$"`,
	} {
		f, err := names.Compile(filter)
		if err != nil {
			t.Fatal(err)
		}
		m := f.Matcher()
		if n := testing.AllocsPerRun(100, func() { m.Match(rec) }); n > 0 {
			t.Errorf("%s: %v allocations", filter, n)
		}
	}
}
