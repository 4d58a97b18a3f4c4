package oob

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/secret"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// maxInfoText is the most characters of one text that the list shows.
const maxInfoText = 200

// AppendInfo appends the list's text about an out-of-band packet: the command and its most useful values, on
// one line, as valid UTF-8, without passwords and keys unless showSecrets is set. node is the packet's object.
func AppendInfo(dst []byte, t *dissect.Tree, node int, showSecrets bool) []byte {
	o := infoView{t: t, node: node, showSecrets: showSecrets}
	command := o.bytes(&CommandField)
	switch kind := kindOf(command); {
	case o.foreign(command):
		whose := " (Source or Half-Life)"
		if bytes.Contains(o.bytes(&dissect.Undecoded), []byte("\x00"+tables.SteamFolder+"\x00")) {
			whose = " (" + tables.SteamName + ")"
		}
		return append(append(dst, foreignName(command)...), whose...)
	case len(command) == 0:
		return append(dst, "empty out-of-band packet"...)
	case kind == Unknown && !readable(command):
		return append(dst, "unknown out-of-band packet"...)
	default:
		dst = AppendLine(dst, command)
		return o.appendDetails(dst, kind)
	}
}

// foreign reports whether the packet is a query of another engine, or an answer: nothing after the command is read.
func (o infoView) foreign(command []byte) bool {
	list := o.t.Child(o.node, &ArgumentsField)
	return foreignName(command) != "" && list >= 0 && o.t.Len(list) == 0 && o.t.Child(o.node, &Text) < 0
}

// An infoView reads the finished object of an out-of-band packet.
type infoView struct {
	t           *dissect.Tree
	node        int
	showSecrets bool
}

// bytes returns the text of a child; nil without one.
func (o infoView) bytes(f *dissect.Field) []byte {
	if i := o.t.Child(o.node, f); i >= 0 {
		return o.t.Bytes(&o.t.Nodes[i])
	}
	return nil
}

// info returns the value of a key in the packet's infostring.
func (o infoView) info(key string) []byte { return dissect.InfoValue(o.bytes(&infoField), key) }

// appendDetails appends what follows the command word.
func (o infoView) appendDetails(dst []byte, kind Kind) []byte {
	switch kind {
	case Connect:
		dst = appendWord(dst, o.info("name"))
		if protocol := o.info("protocol"); len(protocol) > 0 {
			dst = append(AppendLine(append(dst, " ("...), protocol), ')')
		}
		return dst
	case ChallengeResponse, ConnectResponse:
		dst = appendWord(dst, o.bytes(&challengeField))
		if i := o.t.Child(o.node, &protocolField); i >= 0 {
			dst = strconv.AppendInt(append(dst, " ("...), o.t.Nodes[i].Int(), 10)
			dst = append(dst, ')')
		}
		return dst
	case GetChallenge:
		return appendWord(dst, o.bytes(&gameNameField))
	case InfoResponse:
		return o.appendServer(dst)
	case StatusResponse:
		dst = appendWord(dst, o.info("mapname"))
		if i := o.t.Child(o.node, &playersField); i >= 0 {
			dst = appendCount(append(dst, ':'), o.t.Len(i), "player")
		}
		return dst
	case ServersResponse, ServersExtResponse:
		if i := o.t.Child(o.node, &serversField); i >= 0 {
			dst = appendCount(dst, o.t.Len(i), "server")
		}
		return dst
	case Print:
		return appendWord(dst, o.masked(o.bytes(&Text)))
	case Motd:
		return appendWord(dst, o.info("motd"))
	case GetMotd:
		return appendWord(dst, o.info("version"))
	case Rcon:
		return o.appendRcon(dst)
	}
	if !o.showSecrets && token.IsSecretCommand(o.bytes(&CommandField)) {
		return dst // what follows is nothing but a secret
	}
	return o.appendArguments(dst)
}

// masked returns a text as the list shows it.
func (o infoView) masked(text []byte) []byte {
	if o.showSecrets {
		return text
	}
	return secret.MaskText(text)
}

// appendArguments appends the words after the command.
func (o infoView) appendArguments(dst []byte) []byte {
	list := o.t.Child(o.node, &ArgumentsField)
	if list < 0 {
		return dst
	}
	start, hidden := len(dst), false
	for i, end := list+1, int(o.t.Nodes[list].End); i < end && len(dst)-start < maxInfoText; i++ {
		text := o.t.Bytes(&o.t.Nodes[i])
		if o.showSecrets {
			dst = appendWord(dst, text)
			continue
		}
		if hidden {
			return appendWord(dst, []byte(dissect.SecretMask))
		}
		dst = appendWord(dst, secret.MaskText(text))
		hidden = token.IsSecretKey(text)
	}
	return dst
}

// appendServer appends map, players and name of a server.
func (o infoView) appendServer(dst []byte) []byte {
	dst = appendWord(dst, o.info("mapname"))
	if clients := o.info("clients"); len(clients) > 0 {
		dst = appendWord(append(dst, ':'), clients)
		if most := o.info("sv_maxclients"); len(most) > 0 {
			dst = AppendLine(append(dst, '/'), most)
		}
		dst = append(dst, " players"...)
	}
	if name := o.info("hostname"); len(name) > 0 {
		dst = appendWord(append(dst, ','), name)
	}
	return dst
}

// appendRcon appends the console command if the end of the password before it is known; otherwise the mask.
func (o infoView) appendRcon(dst []byte) []byte {
	if o.showSecrets {
		return o.appendArguments(dst)
	}
	if node, start := KnownCommand(o.t, o.node); node >= 0 {
		return appendWord(dst, secret.Mask(o.t.Bytes(&o.t.Nodes[node])[start:]))
	}
	if len(o.bytes(&passwordField)) > 0 {
		dst = appendWord(dst, []byte(dissect.SecretMask))
	}
	return dst
}

// appendCount appends a number of things.
func appendCount(dst []byte, n int, thing string) []byte {
	dst = strconv.AppendInt(append(dst, ' '), int64(n), 10)
	dst = append(append(dst, ' '), thing...)
	if n != 1 {
		dst = append(dst, 's')
	}
	return dst
}

// appendWord appends a blank and a text, or nothing for a text that is empty or blank.
func appendWord(dst, text []byte) []byte {
	start := len(dst)
	dst = AppendLine(append(dst, ' '), text)
	if len(dst) == start+1 {
		return dst[:start]
	}
	return dst
}

// AppendLine appends a text as one line of valid UTF-8 of limited length: runs of blanks and control characters
// become one blank, and are removed at the ends.
func AppendLine(dst, text []byte) []byte {
	start, count, blank := len(dst), 0, false
	for len(text) > 0 {
		r, size, _ := wiretext.Next(text)
		text = text[size:]
		if r <= ' ' || r >= 0x7f && r < 0xa0 {
			blank = len(dst) > start
			continue
		}
		if count++; count > maxInfoText {
			return append(dst, "…"...)
		}
		if blank {
			dst, blank = append(dst, ' '), false
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// readable reports whether a command word consists of readable characters.
func readable(word []byte) bool {
	for _, c := range word {
		if c <= ' ' || c >= 0x7f {
			return false
		}
	}
	return true
}

// HasSecret reports whether the words after the command of a packet contain a password or a key. node is the
// packet's object.
func HasSecret(t *dissect.Tree, node int) bool {
	return token.IsSecretCommand(infoView{t: t, node: node}.bytes(&CommandField))
}
