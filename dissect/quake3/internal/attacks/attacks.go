// Package attacks recognises known attacks on engines of the family by their bytes. docs/attacks.md has the source of
// each.
package attacks

import (
	"bytes"
	"slices"

	"github.com/q3dissect/q3dissect/dissect/internal/infostring"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// Codes of expert entries about attacks, docs/attacks.md. All are of severity Warning: the bytes can be read.
const (
	ExpertOverlongQuery       = "attack_overlong_query"
	ExpertOversizedUserinfo   = "attack_oversized_userinfo"
	ExpertUserinfoInjection   = "attack_userinfo_injection"
	ExpertEcho                = "attack_echo"
	ExpertRconFlood           = "attack_rcon_flood"
	ExpertConnectFlood        = "attack_connect_flood"
	ExpertDownloadName        = "attack_download_name"
	ExpertAcknowledge         = "attack_acknowledge"
	ExpertFormatCharacters    = "attack_format_characters"
	ExpertLongCommand         = "attack_long_command"
	ExpertFragmentOverflow    = "attack_fragment_overflow"
	ExpertRemapShader         = "attack_remap_shader"
	ExpertFileName            = "attack_file_name"
	ExpertSystemCvar          = "attack_system_cvar"
	ExpertConfigstringTooLong = "attack_configstring_overflow"
)

// Limits of the engines.
const (
	maxQuery     = 128  // of the word after getinfo and getstatus, SVC_Info in code/server/sv_main.c
	maxInfo      = 1023 // MAX_INFO_STRING in code/qcommon/q_shared.h, without the end
	maxCommand   = 1022 // SV_SendServerCommand in code/server/sv_main.c
	longCommand  = 2047 // MAX_STRING_CHARS in code/qcommon/q_shared.h of openmohaa, without the end
	maxPath      = 63   // MAX_QPATH in code/qcommon/q_shared.h, without the end
	maxBigString = 8191 // BIG_INFO_STRING in code/qcommon/q_shared.h, which MSG_ReadBigString reads, without the end
	noMoreAcks   = 1<<31 - 1
)

// A Found is an attack that was recognised: the code of its entry, and a sentence.
type Found struct{ Code, Text string }

// Query looks at the word after getinfo and getstatus.
func Query(word []byte, found []Found) []Found {
	if len(word) > maxQuery {
		found = append(found, Found{ExpertOverlongQuery, "the word after the query is longer than any server answers"})
	}
	return found
}

// Userinfo looks at the settings of a player, and at how many words the command has that brings them: itself, the
// settings and nothing else, unless a quote in the settings ended them.
func Userinfo(info []byte, words int, found []Found) []Found {
	if len(info) > maxInfo {
		found = append(found, Found{ExpertOversizedUserinfo, "a userinfo longer than the engine's memory for it"})
	}
	if words > 2 || bytes.IndexByte(info, ';') >= 0 {
		found = append(found, Found{ExpertUserinfoInjection, "a quote or semicolon can begin another command"})
	}
	return format(info, found)
}

// ClientCommand looks at a reliable command of a client. long is Rules.LongCommands.
func ClientCommand(text []byte, words *token.Words, long bool, found []Found) []Found {
	found = length(text, long, found)
	switch name := words.At(0); {
	case token.EqualFold(name, "userinfo"):
		return Userinfo(words.At(1), words.Len(), found)
	case token.EqualFold(name, "download"):
		if file := words.At(1); outside(file) || bytes.IndexByte(file, '\\') >= 0 {
			found = append(found, Found{ExpertDownloadName, "a download of a file outside the game's folders"})
		}
	}
	return format(text, found)
}

// ServerCommand looks at a reliable command of a server. long is Rules.LongCommands.
func ServerCommand(text []byte, words *token.Words, long bool, found []Found) []Found {
	found = length(text, long, found)
	if token.EqualFold(words.At(0), "remapShader") {
		for i := 1; i < words.Len(); i++ {
			if len(words.At(i)) > maxPath {
				return append(found, Found{ExpertRemapShader, "a shader's name longer than the client's memory for it"})
			}
		}
	}
	return found
}

// Configstring looks at the value of a configstring.
func Configstring(value []byte, found []Found) []Found {
	if len(value) > maxBigString {
		found = append(found, Found{ExpertConfigstringTooLong, "a configstring longer than the client's memory"})
	}
	return found
}

// guarded are settings of a client that no server has to set, in lower case: where files lie, what
// is executed, who has remote control.
var guarded = map[string]bool{
	"activeaction": true, "cl_allowdownload": true, "cl_renderer": true, "com_homepath": true, "fs_basepath": true,
	"fs_cdpath": true, "fs_homepath": true, "rconaddress": true, "rconpassword": true,
}

// SystemInfo looks at the settings that a server makes for its clients.
func SystemInfo(info []byte, found []Found) []Found {
	var pairs infostring.Reader
	for pairs.Reset(info); ; {
		key, value, ok := pairs.Next()
		if !ok {
			return found
		}
		name := string(bytes.ToLower(key))
		switch {
		case guarded[name]:
			found = append(found, Found{ExpertSystemCvar, "the server sets " + name + " of the client"})
		case (name == "fs_game" || name == "sv_paknames" || name == "sv_referencedpaknames") &&
			slices.ContainsFunc(bytes.Fields(value), outside):
			found = append(found, Found{ExpertFileName, "a name of a file outside the game's folders"})
		}
	}
}

// Acknowledge looks at what a client acknowledges: the message, and the reliable command.
func Acknowledge(message, command int32, found []Found) []Found {
	if message < 0 || command == noMoreAcks {
		found = append(found, Found{ExpertAcknowledge, "an acknowledge that no client makes, which keeps the server busy"})
	}
	return found
}

// outside reports whether the name of a file leads out of its folder.
func outside(name []byte) bool {
	return bytes.Contains(name, []byte("..")) || bytes.HasPrefix(name, []byte{'/'}) || bytes.IndexByte(name, ':') >= 0
}

// length looks at the length of a reliable command.
func length(text []byte, long bool, found []Found) []Found {
	if len(text) > longCommand || !long && len(text) > maxCommand {
		found = append(found, Found{ExpertLongCommand, "a command that is longer than the receiver's memory for it"})
	}
	return found
}

// format looks for characters that the C library takes for conversions, two or more of those that read or write memory.
func format(text []byte, found []Found) []Found {
	n := 0
	for i := bytes.IndexByte(text, '%'); i >= 0; i = bytes.IndexByte(text, '%') {
		text = bytes.TrimLeft(text[i+1:], "0123456789$.-l")
		if len(text) > 0 && bytes.IndexByte([]byte("snxp"), text[0]) >= 0 {
			n++
		}
	}
	if n >= 2 {
		found = append(found, Found{ExpertFormatCharacters, "characters that make printf read or write memory"})
	}
	return found
}
