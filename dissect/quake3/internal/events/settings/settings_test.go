package settings

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCompare(t *testing.T) {
	for name, c := range map[string]struct {
		before, after string
		want          []string
	}{
		"the same":             {`\fraglimit\25\sv_fps\20`, `\fraglimit\25\sv_fps\20`, nil},
		"another order":        {`\fraglimit\25\sv_fps\20`, `\sv_fps\20\fraglimit\25`, nil},
		"one changed":          {`\fraglimit\25\sv_fps\20`, `\fraglimit\30\sv_fps\20`, []string{"fraglimit 25 30"}},
		"one more, one less":   {`\a\1\sv_fps\20`, `\sv_fps\20\b\2`, []string{"b - 2", "a 1 -"}},
		"to nothing":           {`\g_motd\hello\b\1`, `\g_motd\\b\1`, []string{"g_motd hello "}},
		"case of a key":        {`\FragLimit\25`, `\fraglimit\26`, []string{"fraglimit 25 26"}},
		"counts and scores":    {`\Players_Red\a\Score_Red\1\Score_Time\2:00`, `\Players_Red\b\Score_Red\2\Score_Time\1:00`, nil},
		"the map and its id":   {`\mapname\q3dm6\sv_serverid\1`, `\mapname\q3dm7\sv_serverid\2`, nil},
		"nothing known before": {``, `\fraglimit\30`, nil},
	} {
		var got []string
		for _, d := range Compare(nil, []byte(c.before), []byte(c.after)) {
			text := func(b []byte) string {
				if b == nil {
					return "-"
				}
				return string(b)
			}
			got = append(got, string(d.Name)+" "+text(d.Before)+" "+text(d.After))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
