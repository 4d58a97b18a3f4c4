package catalogue

import (
	"testing"
	"time"
)

// The game's own date is before that of the name, and this before that of the file.
func TestLocate(t *testing.T) {
	t.Parallel()
	modified := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, c := range []struct{ date, from, name, want, wantFrom string }{
		{"2015-07-25T20:39:25Z", "game", "2014-11-21.dm_91", "2015-07-25T20:39:25Z", "game"},
		{"2015-07-25T20:39:25Z", "capture", "2014-11-21.pcap", "2015-07-25T20:39:25Z", "capture"},
		{"", "", "/2013-01-01/2014-11-21.dm_68", "2014-11-21", "name"},
		{"", "", "/2013-01-01/a.dm_68", "2020-01-02T03:04:05Z", "file"},
	} {
		l := Listing{Date: c.date, DateFrom: c.from}
		l.Locate(c.name, modified)
		if l.Date != c.want || l.DateFrom != c.wantFrom || l.File != c.name {
			t.Errorf("%+v: %+v", c, l)
		}
	}
}
