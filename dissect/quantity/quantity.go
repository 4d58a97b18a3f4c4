// Package quantity puts numbers and times into words.
package quantity

import "fmt"

// An Integer is a type of whole numbers.
type Integer interface{ ~int | ~int64 | ~uint64 }

// Thousands returns a number with commas between its thousands: "1,234".
func Thousands[T Integer](n T) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Count returns a number with its noun: "1 packet", "1234 packets". The plural has an s unless it is given.
func Count[T Integer](n T, noun string, plural ...string) string {
	return fmt.Sprint(n) + " " + form(n == 1, noun, plural)
}

// Grouped is Count with commas between the thousands: "1,234 packets".
func Grouped[T Integer](n T, noun string, plural ...string) string {
	return Thousands(n) + " " + form(n == 1, noun, plural)
}

func form(one bool, noun string, plural []string) string {
	switch {
	case one:
		return noun
	case len(plural) > 0:
		return plural[0]
	}
	return noun + "s"
}

// Times returns how often something happened: "once", "3 times".
func Times[T Integer](n T) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprint(n) + " times"
}

// Minutes returns a time in minutes and seconds: "3:20".
func Minutes(seconds int64) string { return fmt.Sprintf("%d:%02d", seconds/60, seconds%60) }

// Race returns the time of a race: "1:02.345".
func Race(ms int64) string { return fmt.Sprintf("%d:%02d.%03d", ms/60_000, ms/1000%60, ms%1000) }
