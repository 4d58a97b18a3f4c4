package truth_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"net/netip"
	"strings"

	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// wantOOB builds the object of an out-of-band packet, as the contract describes it, from its text.
func wantOOB(t *truthLine, datagram []byte) node {
	line, body, hasBody := bytes.Cut(datagram, []byte{'\n'})
	if before, _, ended := bytes.Cut(line, []byte{0}); ended {
		line, body, hasBody = before, nil, false
	}
	for _, binary := range []string{"getserversResponse", "getserversExtResponse"} {
		if rest, ok := bytes.CutPrefix(datagram, []byte(binary)); ok {
			return node{"command": binary, "arguments": []any{}, "servers": wantServers(rest)}
		}
	}
	oob, words := node{}, tokenize(line)
	if len(words) == 0 {
		return node{"command": "", "arguments": []any{}}
	}
	reftest.AddText(oob, "command", words[0])
	addTexts(oob, "arguments", words[1:])
	if hasBody {
		reftest.AddText(oob, "text", body)
	}
	command := strings.ToLower(string(words[0]))
	addMeanings(oob, command, words[1:])
	switch command {
	case "connect":
		if len(words) > 1 {
			oob["compressed"] = t.Compressed
			addInfo(oob, "info", words[1])
		}
	case "inforesponse":
		addInfo(oob, "info", body)
	case "statusresponse":
		addStatus(oob, body)
	case "rcon":
		if c := rconCommand(line); len(c) > 0 {
			reftest.AddText(oob, "rcon_command", c)
		}
	}
	return oob
}

// oobMeanings are the keys of the words after a command, after the protocol's reference.
var oobMeanings = map[string][]string{
	"getinfo":           {"challenge"},
	"getstatus":         {"challenge"},
	"getchallenge":      {"client_challenge", "game_name"},
	"challengeresponse": {"challenge", "client_challenge", "protocol"},
	"connectresponse":   {"challenge", "protocol"},
	"rcon":              {"password"},
	"getservers":        {"protocol"},
	"getserversext":     {"game_name", "protocol"},
}

func addMeanings(oob node, command string, words [][]byte) {
	keys := oobMeanings[command]
	if command == "challengeresponse" && len(words) == 4 { // wolf.md
		keys = []string{"challenge", "only_visible_clients", "client_challenge", "protocol"}
	}
	for i, word := range words[:min(len(words), len(keys))] {
		if keys[i] == "protocol" || keys[i] == "only_visible_clients" {
			oob[keys[i]] = json.Number(word)
		} else {
			reftest.AddText(oob, keys[i], word)
		}
	}
}

// addStatus adds what follows statusResponse: an infostring, then score, ping and name of each player.
func addStatus(oob node, body []byte) {
	lines := bytes.Split(bytes.TrimSuffix(body, []byte{'\n'}), []byte{'\n'})
	addInfo(oob, "info", lines[0])
	players := make([]any, 0, len(lines))
	for _, line := range lines[1:] {
		part := bytes.SplitN(line, []byte{' '}, 3)
		player := node{"score": json.Number(part[0]), "ping": json.Number(part[1])}
		reftest.AddText(player, "name", bytes.Trim(part[2], `"`))
		players = append(players, player)
	}
	oob["players"] = players
}

// rconCommand is what SVC_RemoteCommand in code/server/sv_main.c runs: what follows the word rcon, blanks,
// a word and blanks.
func rconCommand(line []byte) []byte {
	line = bytes.TrimLeft(line[len("rcon"):], " ")
	if i := bytes.IndexByte(line, ' '); i >= 0 {
		return bytes.TrimLeft(line[i:], " ")
	}
	return nil
}

// wantServers reads the entries of a master server's answer up to the end mark.
func wantServers(b []byte) []any {
	list := []any{}
	for len(b) >= 7 && !bytes.HasPrefix(b, []byte(`\EOT`)) {
		size := 4
		if b[0] == '/' {
			size = 16
		}
		address, _ := netip.AddrFromSlice(b[1 : 1+size])
		port := binary.BigEndian.Uint16(b[1+size:])
		list = append(list, netip.AddrPortFrom(address, port).String())
		b = b[1+size+2:]
	}
	return list
}
