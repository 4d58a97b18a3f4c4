package catalogue

import (
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/q3dissect/q3dissect/dissect/quantity"
)

// runName is the form of such names: map[mode.physics]mm.ss.mmm(player.country){check}[tag].dm_68. A run of more than
// an hour has more minutes. GetDemoFromFile in Demo.cs of DemoCleaner3, a program for such demos, reads the same form.
var runName = regexp.MustCompile(`^(.+)\[((?i:m?df|m?fc))\.((?i:vq3|cpm))((?:\.[^\[\].]+)*)\]` +
	`(\d{1,5})\.([0-5]\d)\.(\d{3})\((.+)\)(?:\{([^{}]*)\})?(?:\[([^\[\]]*)\])?\.dm_\d+(?:\.(?:gz|xz|zst))?$`)

// namedBy parses the name of a file as that of a run; nil: it has another form.
func namedBy(path string) *ListingNamed {
	name := filepath.Base(path)
	if plain, err := url.PathUnescape(name); err == nil && strings.Contains(name, "%5B") {
		name = plain // as browsers save it
	}
	m := runName.FindStringSubmatch(name)
	if m == nil {
		return nil
	}
	n := &ListingNamed{
		Map: m[1], Mode: strings.ToLower(m[2]), Physics: strings.ToLower(m[3]), Variant: strings.TrimPrefix(m[4], "."),
		Player: m[8], Check: m[9], Tag: m[10],
	}
	for i, unit := range [...]int64{60_000, 1000, 1} {
		part, _ := strconv.ParseInt(m[5+i], 10, 64) // digits
		n.Time += part * unit
	}
	at := strings.LastIndexByte(n.Player, '.')
	if at > 0 && at+1 < len(n.Player) && !strings.ContainsFunc(n.Player[at:], unicode.IsDigit) {
		n.Player, n.Country = n.Player[:at], n.Player[at+1:]
	}
	return n
}

// compare fills in Differs. Names are compared by their letters and digits, since file names
// have no others. Without finishes in the recording times are not compared.
func (n *ListingNamed) compare(l *Listing) {
	if l.Map != "" && !strings.EqualFold(l.Map, n.Map) {
		n.Differs = append(n.Differs, "map")
	}
	who := lettersOf(n.Player)
	is := func(f ListingFinish) bool { return lettersOf(f.Name) == who }
	finished := slices.ContainsFunc(l.Finishes, is)
	if !finished && (len(l.Finishes) > 0 || l.RecordedBy != "" && lettersOf(l.RecordedBy) != who) {
		n.Differs = append(n.Differs, "player")
	}
	if len(l.Finishes) > 0 && !slices.ContainsFunc(l.Finishes, func(f ListingFinish) bool {
		return f.Time == n.Time && (!finished || is(f))
	}) {
		n.Differs = append(n.Differs, "time")
	}
}

// lettersOf returns the letters and digits of a name, in lower case.
func lettersOf(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// String is the run in words: 0:49.216 tyaz (germany), mdf.cpm.
func (n *ListingNamed) String() string {
	text := quantity.Race(n.Time) + " " + n.Player
	if n.Country != "" {
		text += " (" + n.Country + ")"
	}
	text += ", " + n.Mode + "." + n.Physics
	if n.Variant != "" {
		text += "." + n.Variant
	}
	return text
}
