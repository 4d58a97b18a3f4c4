package demos

import "slices"

// A state is what clients know from messages, and not from snapshots: a part of a demo begins with it. Most messages
// replace the one before.
type state struct {
	order  []string
	last   map[string][]byte
	lists  [][]byte // messages that each change the list of votes
	listed int      // bytes
}

// stateBytes limits the lists; it is more than the 128 KB of votes that servers of DDNet have at most.
const stateBytes = 1 << 20

func newState() state { return state{last: map[string][]byte{}} }

// single are messages that each replace the one before: CGameClient::OnMessage, src/game/client/gameclient.cpp of DDNet
// 20.1 and of 0.7.5.
var single = map[string]bool{
	"sv_teams_state": true, "sv_teamsstatelegacy": true, // teams of the race
	"sv_tuneparams": true, "sv_record": true, "sv_recordlegacy": true,
	"sv_voteset": true, "sv_votestatus": true, "sv_your_vote": true,
	"sv_gameinfo": true, "sv_serversettings": true, "sv_map_info": true, "sv_readytoenter": true,
}

// listing are the messages that add to a list, or remove from it.
var listing = map[string]bool{
	"sv_voteoptionlistadd": true, "sv_voteoptionadd": true, "sv_voteoptionremove": true,
	"sv_vote_option_group_start": true, "sv_vote_option_group_end": true,
	"sv_command_info": true, "sv_command_info_remove": true, "sv_commandinfo": true, "sv_commandinforemove": true,
}

// take takes over a message that is not in the part.
func (s *state) take(key string, payload []byte) {
	switch {
	case single[key]:
		if key == "sv_voteset" { // another vote
			delete(s.last, "sv_votestatus")
			delete(s.last, "sv_your_vote")
		}
		if !slices.Contains(s.order, key) {
			s.order = append(s.order, key)
		}
		s.last[key] = append(s.last[key][:0], payload...)
	case key == "sv_voteclearoptions":
		s.lists, s.listed = s.lists[:0], 0
	case listing[key] && s.listed < stateBytes:
		s.lists = append(s.lists, append([]byte(nil), payload...))
		s.listed += len(payload)
	}
}

// messages returns the messages with the state.
func (s *state) messages() (list [][]byte) {
	for _, key := range s.order {
		if payload := s.last[key]; payload != nil {
			list = append(list, payload)
		}
	}
	return append(list, s.lists...)
}
