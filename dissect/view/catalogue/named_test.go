package catalogue

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Names as they are in the tests and documents of programs that read them, and what these make of them.
func TestNamed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		want *ListingNamed
	}{
		{"palmslane[mdf.vq3]00.06.512(bunnybunbob.Germany).dm_68", &ListingNamed{
			Map: "palmslane", Mode: "mdf", Physics: "vq3", Time: 6512, Player: "bunnybunbob", Country: "Germany",
		}},
		{"mapa01[df.cpm]00.10.040(player2).dm_68", &ListingNamed{
			Map: "mapa01", Mode: "df", Physics: "cpm", Time: 10_040, Player: "player2",
		}},
		{"mapa03[fc.vq3.0]00.40.000(player4).dm_68", &ListingNamed{
			Map: "mapa03", Mode: "fc", Physics: "vq3", Variant: "0", Time: 40_000, Player: "player4",
		}},
		{"dfwc2014-5[df.vq3]00.36.904(uN-DeaD!Enter.Russia){old_map_version=true}.dm_68", &ListingNamed{
			Map: "dfwc2014-5", Mode: "df", Physics: "vq3", Time: 36_904, Player: "uN-DeaD!Enter", Country: "Russia",
			Check: "old_map_version=true",
		}},
		{"lick-dead[mdf.vq3]00.49.576(pVquBit)[1037].dm_68", &ListingNamed{
			Map: "lick-dead", Mode: "mdf", Physics: "vq3", Time: 49_576, Player: "pVquBit", Tag: "1037",
		}},
		{"rm_n2%5Bmdf.vq3%5D00.33.984%28h%40des.CountryHere%29.dm_68", &ListingNamed{
			Map: "rm_n2", Mode: "mdf", Physics: "vq3", Time: 33_984, Player: "h@des", Country: "CountryHere",
		}},
		// made after these
		{"a[MDF.CPM.tr]75.03.120(x(y)[z]..).dm_68.gz", &ListingNamed{
			Map: "a", Mode: "mdf", Physics: "cpm", Variant: "tr", Time: 4_503_120, Player: "x(y)[z]..",
		}},
		{"a[b][df.cpm.2.tr]00.00.008(.x)[spect].dm_66", &ListingNamed{
			Map: "a[b]", Mode: "df", Physics: "cpm", Variant: "2.tr", Time: 8, Player: ".x", Tag: "spect",
		}},
		{"a[df.vq3]00.10.000(bsh.v2).dm_68", &ListingNamed{
			Map: "a", Mode: "df", Physics: "vq3", Time: 10_000, Player: "bsh.v2",
		}},
		{"a[df.vq3]00.60.000(x).dm_68", nil},
		{"a[df.vq3]00.10.000().dm_68", nil},
		{"a[dm.vq3]00.10.000(x).dm_68", nil},
		{"a[df.vq3]00.10.000(x).pcap", nil},
		{"a[df.vq3]00.10.000(x).DM_68", nil},
		{"lick-dead[49576][1037].dm_68", nil},
		{"ospdm1[df.vq3](bsh.ThrasheR)t_x.dm_68", nil},
		{"", nil},
		{strings.Repeat("[df.vq3]00.10.000(", 10_000) + ".dm_68", nil},
	} {
		if diff := cmp.Diff(tt.want, namedBy("some/folder/"+tt.name)); diff != "" {
			t.Errorf("%.60s (-want +got)\n%s", tt.name, diff)
		}
	}
}

// The recording says what happened; where the name says something else, that is marked.
func TestNamedDiffers(t *testing.T) {
	t.Parallel()
	const name = "PalmSlane[mdf.vq3]00.06.512(^bunny-bob.Germany).dm_68"
	for _, tt := range []struct {
		listing Listing
		differs string
	}{
		{Listing{}, ""},
		{Listing{Map: "palmslane", RecordedBy: "BunnyBob"}, ""},
		{Listing{Map: "palmslane", Finishes: []ListingFinish{{"other", 6000}, {"bunny bob", 6512}}}, ""},
		{Listing{Map: "palmslane", Finishes: []ListingFinish{{"other", 6512}, {"bunny bob", 6600}}}, "time"},
		{Listing{Map: "palmslane", Finishes: []ListingFinish{{"other", 6512}}}, "player"},
		{Listing{Map: "cpm24", RecordedBy: "other", Finishes: []ListingFinish{{"third", 6600}}}, "map player time"},
		{Listing{RecordedBy: "other"}, "player"},
	} {
		l := tt.listing
		for range 2 { // a line may be placed again
			l.Locate(name, time.Time{})
		}
		if got := strings.Join(l.Named.Differs, " "); got != tt.differs {
			t.Errorf("%+v: %q, want %q", tt.listing, got, tt.differs)
		}
	}
}
