package outliers

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/extract"
)

var update = flag.Bool("update", false, "write the calibration")

// calibrationBytes is the size of the largest recording whose values go test compares with the table.
const calibrationBytes = 400_000

// TestCalibration: the table is what the reference recordings give. go test looks whether the values of the players of
// some recordings are in it; make long makes it again.
func TestCalibration(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it reads all recordings")
	}
	demos, captures := recordings(t)
	if os.Getenv("Q3DISSECT_LONG") == "" && !*update {
		checkCalibration(t, demos, captures)
		return
	}
	var list []cohort
	players := map[Class]int{}
	add := func(names []string, captured bool) {
		for _, name := range names {
			for _, p := range collect(t, name, nil) {
				class, any := classOf(&p, captured), false
				for i := range p.Values {
					if v := &p.Values[i]; v.Enough {
						list = insert(list, &p, class, v)
						any = true
					}
				}
				if any {
					players[class]++
				}
			}
		}
	}
	add(demos, false)
	add(captures, true)
	slices.SortFunc(list, func(a, b cohort) int {
		return cmp.Or(placeOf(classNames, a.Class)-placeOf(classNames, b.Class),
			placeOf(kindNames, a.Kind)-placeOf(kindNames, b.Kind), int(measureOf(t, a.Measure))-int(measureOf(t, b.Measure)),
			cmp.Compare(a.Group, b.Group), cmp.Compare(a.Rate, b.Rate))
	})
	text := calibrationText(t, list, fmt.Sprintf(
		"the players of %d public demos and %d captures of unmodified games that scripts played: %d people, "+
			"%d bots and %d clients, a player of a recording counting once for each kind",
		len(demos), len(captures), players[People], players[Bots], players[Clients]))
	const name = "calibration.json"
	if *update {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if have, err := os.ReadFile(name); err != nil || !bytes.Equal(have, text) {
		t.Errorf("%s is not what the recordings give; make it again with -update (%v)", name, err)
	}
}

// checkCalibration looks for the values of the players of small recordings in the table.
func checkCalibration(t *testing.T, demos, captures []string) {
	t.Helper()
	found := 0
	for _, name := range slices.Concat(demos, captures) {
		if info, err := os.Stat(name); err != nil || info.Size() > calibrationBytes {
			continue
		}
		for _, p := range collect(t, name, nil) {
			class := classOf(&p, slices.Contains(captures, name))
			for i := range p.Values {
				v := &p.Values[i]
				if !v.Enough {
					continue
				}
				if found++; !slices.ContainsFunc(cohorts(), func(o cohort) bool {
					return o.of(&p, class, v.Key) && slices.Contains(o.Values, inFile(t, float32(v.Summary)))
				}) {
					t.Errorf("%s: %s of %s is %v, which the table has not", name, v.Key, p.Clean, v.Summary)
				}
			}
		}
	}
	if found < 100 {
		t.Errorf("%d values", found)
	}
}

// inFile returns a value as the file has it, with five digits.
func inFile(t *testing.T, v float32) float32 {
	t.Helper()
	short, err := strconv.ParseFloat(strconv.FormatFloat(float64(v), 'g', 5, 32), 32)
	if err != nil {
		t.Fatal(err)
	}
	return float32(short)
}

// classNames and kindNames are in the order of the file.
var (
	classNames = []string{People.String(), Bots.String(), Clients.String()}
	kindNames  = []string{extract.InputCommand.String(), extract.InputView.String(), extract.InputSeen.String()}
)

func placeOf(names []string, name string) int { return slices.Index(names, name) }

// calibrationText returns the file, with a line for each cohort and values of five digits.
func calibrationText(t *testing.T, list []cohort, of string) []byte {
	t.Helper()
	for i := range list {
		for j, v := range list[i].Values {
			list[i].Values[j] = inFile(t, v)
		}
	}
	text, err := json.Marshal(calibration{of, list})
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.ReplaceAll(text, []byte(`{"class"`), []byte("\n"+`{"class"`))
	return append(text, '\n')
}

// insert adds a value to the cohort that it belongs to.
func insert(list []cohort, p *Player, class Class, v *Values) []cohort {
	value := float32(v.Summary)
	i := slices.IndexFunc(list, func(o cohort) bool {
		return o.of(p, class, v.Key)
	})
	if i < 0 {
		i = len(list)
		list = append(list, cohort{
			Class: class.String(), Group: p.Group, Kind: p.Kind.String(), Rate: rateOf(p.Rate), Measure: v.Key,
		})
	}
	at, _ := slices.BinarySearch(list[i].Values, value)
	list[i].Values = slices.Insert(list[i].Values, at, value)
	return list
}

// of reports whether a player's values of a measure belong to the cohort.
func (o *cohort) of(p *Player, class Class, measure string) bool {
	return o.Class == class.String() && o.Group == p.Group && o.Kind == p.Kind.String() && o.Rate == rateOf(p.Rate) &&
		o.Measure == measure
}
