package quake3

import (
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
)

// TestGameSpy reads exchanges of queries and answers in the forms of code/gamespy/sv_gamespy.c of openmohaa, put
// together by hand, and leaves those of other games alone: Unreal Tournament's have the same form.
func TestGameSpy(t *testing.T) {
	t.Parallel()
	const (
		ask    = "client_to_server"
		answer = "server_to_client"
		status = `\gamename\mohaa\gamever\1.11\hostname\lab\hostport\12203\mapname\dm/mohdm2\player_0\Ryan\frags_0\3`
		info   = `\hostname\lab\mapname\dm/mohdm2\sprinton\1\allowlean\1\final\\queryid\7.1`
	)
	type datagram struct {
		payload, direction string
		want               string // the object; "": of no protocol
		info               string
	}
	for _, exchange := range [][]datagram{
		{
			{`\status\`, ask, `{"query":"status"}`, "gamespy status"},
			{
				status + `\queryid\12.1`, answer,
				`{"info":{"gamename":"mohaa","gamever":"1.11","hostname":"lab","hostport":"12203","mapname":"dm/mohdm2",` +
					`"player_0":"Ryan","frags_0":"3","queryid":"12.1"},"query_id":"12.1"}`,
				"gamespy answer dm/mohdm2 lab",
			},
			{
				`\numplayers\0\final\\queryid\12.2`, answer,
				`{"info":{"numplayers":"0","final":"","queryid":"12.2"},"query_id":"12.2","final":true}`, "gamespy answer",
			},
			{`\echo\hello`, ask, `{"query":"echo","argument":"hello"}`, "gamespy echo"},
			{`\status`, ask, "", ""},
			{`\whatever\`, ask, "", ""},
			{"\\status\\\x01", ask, "", ""},
			{`\queryid`, ask, "", ""},
		},
		{
			{`\info\`, ask, `{"query":"info"}`, "gamespy info"},
			{
				info, answer, `{"info":{"hostname":"lab","mapname":"dm/mohdm2","sprinton":"1","allowlean":"1","final":"",` +
					`"queryid":"7.1"},"query_id":"7.1","final":true}`, "gamespy answer dm/mohdm2 lab",
			},
		},
		{
			{`\status\`, ask, "", ""},
			{`\gamename\ut\gamever\451\hostname\x\mapname\DM-Deck16\final\\queryid\4.1`, answer, "", ""},
		},
		{{`\status\`, ask, "", ""}},
	} {
		var sent []enginetest.Datagram
		for _, d := range exchange {
			sent = append(sent, enginetest.Datagram{FromClient: d.direction == ask, Payload: []byte(d.payload)})
		}
		for i, rec := range enginetest.All(t, []*dissect.Protocol{New()}, "", sent...) {
			d := exchange[i]
			if known := strings.Contains(rec.Line, `"protocol":"quake3"`); known != (d.want != "") {
				t.Errorf("%q: %s, want %s", d.payload, rec.Line, d.want)
			} else if !known {
				continue
			}
			for _, part := range []string{
				`"quake3":{"gamespy":` + d.want + `}`, `"direction":"` + d.direction + `"`, `"info":"` + d.info + `"`,
			} {
				if !strings.Contains(rec.Line, part) {
					t.Errorf("%q: %s, want %s", d.payload, rec.Line, part)
				}
			}
		}
	}
}
