package report

import (
	"path/filepath"

	"github.com/q3dissect/q3dissect/dissect/view"
	"github.com/q3dissect/q3dissect/dissect/view/timeline"
)

// runsName is what the page calls the runs of several inputs.
const runsName = "runs, laid over each other"

// layRuns adds the runs through one map that several inputs have, as if they were an input of their own.
func (r *Report) layRuns() {
	var inputs []timeline.Input
	for _, f := range r.document.Files {
		inputs = append(inputs, timeline.Input{Name: filepath.Base(f.Name), Data: f.Pictures})
	}
	runs := timeline.Runs(inputs)
	if runs == nil {
		return
	}
	f := &file{
		Name: runsName, Recording: true, Laid: true, Protocols: []string{},
		Unknown: append([]string{}, runs.Notes...), Matches: []match{},
		Statistics: map[string]*table{}, Pictures: runs,
		Words: []string{"The fastest run of each player in each input, as if all had started at the same moment. " +
			"Times are those since the start."},
	}
	for i := range asked {
		kind, _, _ := view.Find(asked[i].name)
		if s, err := kind.New(nil, &view.Env{}); err == nil {
			f.Statistics[asked[i].name] = tableOf(&s.Tables()[0])
		}
	}
	loss := view.NewLagometer(nil).Tables()[0]
	f.Statistics["loss"] = tableOf(&loss)
	mapName := runs.Games[0].Maps[0].Name
	for _, other := range r.document.Files {
		if other.Name == runsName {
			return // it was written before
		}
		if number, ok := other.Plans[mapName]; ok {
			f.Plans = map[string]int{mapName: number}
		}
		other.Words = append(other.Words,
			"The choice “"+runsName+"” among the inputs above shows the runs of all inputs in one picture.")
	}
	r.document.Files = append(r.document.Files, f)
}
