package browse_test

import (
	"cmp"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/q3dissect/q3dissect/dissect/view/browse"
)

// patience is how long an order may take on a machine that is busy with other tests.
const patience = 3 * time.Minute

// sorted gives all rows in an order, when there is one.
func sorted(t *testing.T, s *browse.Session, filter, column string) browse.Page {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		page, err := s.Sorted(0, 2000, filter, column)
		if err != nil {
			t.Fatalf("%s: %v", column, err)
		}
		if page.Sorted {
			return page
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("%s: it is not sorted", column)
	return browse.Page{}
}

// address reads an address as the list shows it.
func address(t *testing.T, text string) netip.AddrPort {
	t.Helper()
	a, err := netip.ParseAddrPort(text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// The list is sorted by what its columns show, in both directions, with or without a filter; rows without a value are
// the last.
func TestSorted(t *testing.T) {
	t.Parallel()
	s := begin(t, browse.Options{}, "../../../samples/quake3/oob.pcap", "../../../samples/quake3/71-ipv6-chat.pcap")
	const field = "quake3.server_message.ops.snapshot.server_time"
	const text = "quake3.oob.command"
	value := func(name string, rows []browse.Row) map[int]string {
		values := map[int]string{}
		var numbers []int
		for _, r := range rows {
			numbers = append(numbers, r.Row)
		}
		slices.Sort(numbers)
		for {
			v, err := s.Column(name, numbers)
			if err != nil {
				t.Fatal(err)
			}
			if v.Done {
				for i, n := range numbers {
					values[n] = v.Values[i]
				}
				return values
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
	for _, filter := range []string{"", `direction == server_to_client or quake3.oob`} {
		all, err := s.Rows(0, 2000, filter)
		for err == nil && !all.Done {
			all, err = s.Rows(0, 2000, filter)
		}
		if err != nil || all.Many < 50 {
			t.Fatalf("%d rows: %v", all.Many, err)
		}
		times, commands := value(field, all.Rows), value(text, all.Rows)
		number := func(text string) int {
			n, err := strconv.Atoi(text)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		for column, compare := range map[string]func(a, b browse.Row) int{
			"number":      func(a, b browse.Row) int { return cmp.Compare(a.Row, b.Row) },
			"length":      func(a, b browse.Row) int { return cmp.Compare(a.Length, b.Length) },
			"protocol":    func(a, b browse.Row) int { return strings.Compare(a.Protocol, b.Protocol) },
			"info":        func(a, b browse.Row) int { return strings.Compare(first64(a.Info), first64(b.Info)) },
			"source":      func(a, b browse.Row) int { return address(t, a.Source).Compare(address(t, b.Source)) },
			"destination": func(a, b browse.Row) int { return address(t, a.Destination).Compare(address(t, b.Destination)) },
			field:         func(a, b browse.Row) int { return cmp.Compare(number(times[a.Row]), number(times[b.Row])) },
			text:          func(a, b browse.Row) int { return strings.Compare(commands[a.Row], commands[b.Row]) },
		} {
			has := func(r browse.Row) bool {
				return (column != field || times[r.Row] != "") && (column != text || commands[r.Row] != "")
			}
			var want, without []browse.Row
			for _, r := range all.Rows {
				if has(r) {
					want = append(want, r)
				} else {
					without = append(without, r)
				}
			}
			slices.SortStableFunc(want, compare)
			if up := sorted(t, s, filter, column).Rows; !slices.Equal(up, slices.Concat(want, without)) {
				t.Errorf("%s, filter %q: wrong order", column, filter)
			}
			slices.Reverse(want)
			down := sorted(t, s, filter, "-"+column)
			if !slices.Equal(down.Rows, slices.Concat(want, without)) {
				t.Errorf("%s from the highest, filter %q: wrong order", column, filter)
			}
			part, err := s.Sorted(7, 3, filter, "-"+column)
			if err != nil || !slices.Equal(part.Rows, down.Rows[7:10]) {
				t.Errorf("%s: three rows from the seventh: %v, %v", column, part.Rows, err)
			}
			for place, r := range down.Rows {
				if found := s.PlaceSorted(r.Row, filter, "-"+column); found.Row != place || !found.Exact {
					t.Fatalf("%s: row %d is at %d, found at %v", column, r.Row, place, found)
				}
			}
		}
	}
	sorted(t, s, "", "length")
	if found := s.PlaceSorted(1<<20, "", "length"); found.Exact {
		t.Errorf("a row that is not there is found at %v", found)
	}
}

// first64 is the part of a text that counts.
func first64(text string) string { return text[:min(len(text), 64)] }

// What cannot be sorted is refused with a reason: a column that is none, and more rows than fit.
func TestSortedRefuses(t *testing.T) {
	t.Parallel()
	s := begin(t, browse.Ordering(browse.Options{}, 300), "../../../samples/quake3/68-connect-play.pcap")
	refused := func(filter, column, want string) {
		t.Helper()
		var err error
		for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
			var page browse.Page
			if page, err = s.Sorted(0, 1, filter, column); err != nil || page.Sorted {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s with filter %q: %v, want %q", column, filter, err, want)
		}
	}
	refused("", "colour", "colour")
	refused("", "length", "at most 300 rows are sorted, and there are 500")
	refused("frame <= 200", "info", "at most 150 rows are sorted by a text, and there are 200")
	refused("frame <", "info", "")
	if page := sorted(t, s, "frame <= 200", "-length"); page.Rows[0].Length != 1308 {
		t.Errorf("the longest packet has %d bytes", page.Rows[0].Length)
	}
}
