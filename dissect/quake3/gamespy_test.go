package quake3

import (
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
)

// TestGameSpy reads queries and answers in the forms of code/gamespy/sv_gamespy.c of openmohaa, put together by hand,
// and leaves alone what only looks like them.
func TestGameSpy(t *testing.T) {
	t.Parallel()
	const answer = `\gamename\mohaa\gamever\1.11\hostname\lab\hostport\12203\mapname\dm/mohdm2\player_0\Ryan\frags_0\3`
	for _, tt := range []struct {
		payload    string
		fromServer bool
		want       string // the object; "": of no protocol
		info       string
	}{
		{payload: `\status\`, want: `{"query":"status"}`, info: "gamespy status"},
		{payload: `\echo\hello`, want: `{"query":"echo","argument":"hello"}`, info: "gamespy echo"},
		{
			payload: answer + `\queryid\12.1`, fromServer: true,
			want: `{"info":{"gamename":"mohaa","gamever":"1.11","hostname":"lab","hostport":"12203","mapname":"dm/mohdm2",` +
				`"player_0":"Ryan","frags_0":"3","queryid":"12.1"},"query_id":"12.1"}`,
			info: "gamespy answer dm/mohdm2 lab",
		},
		{
			payload: `\numplayers\0\final\\queryid\12.2`, fromServer: true,
			want: `{"info":{"numplayers":"0","final":"","queryid":"12.2"},"query_id":"12.2","final":true}`,
			info: "gamespy answer",
		},
		{payload: `\status`},
		{payload: `\whatever\`},
		{payload: "\\status\\\x01"},
		{payload: `\queryid`},
	} {
		direction := "client_to_server"
		if tt.fromServer {
			direction = "server_to_client"
		}
		line := enginetest.All(t, []*dissect.Protocol{New()}, "", enginetest.Datagram{
			FromClient: !tt.fromServer, Payload: []byte(tt.payload),
		})[0].Line
		for _, part := range []string{
			`"quake3":{"gamespy":` + tt.want + `}`, `"direction":"` + direction + `"`, `"info":"` + tt.info + `"`,
		} {
			if known := strings.Contains(line, `"protocol":"quake3"`); known != (tt.want != "") ||
				known && !strings.Contains(line, part) {
				t.Errorf("%q: %s, want %s", tt.payload, line, part)
			}
		}
	}
}
