package view

import (
	"testing"
	"time"
)

// Names of demos as CPMA, Quake Live, ioquake3, Teeworlds and people write them.
func TestDateInName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"demo_pack_1__CTFS-myT-ojfc-09-2014_11_21-23_35_49.dm_68": "2014-11-21T23:35:49",
		"CTFS-2014-11-21.dm_68":                                   "2014-11-21",
		"duel-20100305.dm_73":                                     "2010-03-05",
		"duel-20100305-2107.dm_73":                                "2010-03-05T21:07:00",
		"20100305210759 final.dm_73":                              "2010-03-05T21:07:59",
		"ctf1_2026-11-21_07-20-35.demo":                           "2026-11-21T07:20:35",
		"2012-02-29 q3dm6":                                        "2012-02-29",
		"2012-02-29 3v3":                                          "2012-02-29",
		"2012-02-29_v1205.dm_68":                                  "2012-02-29",
		"2012-02-29T12:05Z":                                       "2012-02-29T12:05:00",
		"2012-02-29_v2.dm_68":                                     "2012-02-29",
		"2011-02-29.dm_68":                                        "", // no leap year
		"2012-13-01.dm_68":                                        "",
		"2012-1-01.dm_68":                                         "",
		"2012_11-21.dm_68":                                        "", // two kinds of separators
		"1989-11-09.dm_68":                                        "",
		"12014-11-21.dm_68":                                       "",
		"2014-11-211.dm_68":                                       "",
		"201411211.dm_68":                                         "",
		"2001_-_Duel_3_WCG.dm_66":                                 "",
		"demo0001.dm_68":                                          "",
		"":                                                        "",
		"2014":                                                    "",
		"2014-11":                                                 "",
		"2014-11-21-25_00_00":                                     "2014-11-21",
		"2014-11-21-23_35":                                        "2014-11-21T23:35:00",
		"99-2014-11-21 and 2015-01-01":                            "2014-11-21",
	} {
		if got := dateInName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

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
