package quantity_test

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect/quantity"
)

func TestWords(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ got, want string }{
		{quantity.Thousands(0), "0"},
		{quantity.Thousands(999), "999"},
		{quantity.Thousands(1000), "1,000"},
		{quantity.Thousands(-999), "-999"},
		{quantity.Thousands(-123456), "-123,456"},
		{quantity.Thousands(uint64(1<<64 - 1)), "18,446,744,073,709,551,615"},
		{quantity.Count(0, "packet"), "0 packets"},
		{quantity.Count(1, "packet"), "1 packet"},
		{quantity.Count(1234, "match", "matches"), "1234 matches"},
		{quantity.Grouped(1, "match", "matches"), "1 match"},
		{quantity.Grouped(int64(1234567), "byte"), "1,234,567 bytes"},
		{quantity.Times(1), "once"},
		{quantity.Times(0), "0 times"},
		{quantity.Minutes(0), "0:00"},
		{quantity.Minutes(200), "3:20"},
		{quantity.Minutes(3605), "60:05"},
		{quantity.Race(62_345), "1:02.345"},
		{quantity.Race(5), "0:00.005"},
	} {
		if row.got != row.want {
			t.Errorf("%q, want %q", row.got, row.want)
		}
	}
}
