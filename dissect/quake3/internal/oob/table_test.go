package oob

import (
	"slices"
	"strings"
)

// An oobTest is a packet after its marker, with the expected result.
type oobTest struct {
	name, packet string
	want         []string // flatten
	experts      []string
	info         string
}

var oobTests = slices.Concat(wordTests, rconTests, connectTests, serverListTests)

var wordTests = []oobTest{
	{
		name: "getinfo", packet: "getinfo xxx",
		want: []string{`command="getinfo"`, `arguments=["xxx"]`, `challenge="xxx"`}, info: "getinfo xxx",
	},
	{
		name: "the case of the word does not matter", packet: "GETINFO upper",
		want: []string{`command="GETINFO"`, `arguments=["upper"]`, `challenge="upper"`}, info: "GETINFO upper",
	},
	{name: "getstatus", packet: "getstatus", want: []string{`command="getstatus"`, `arguments=[]`}, info: "getstatus"},
	{
		name: "getstatus with challenge and line feed", packet: "getstatus chal-42\n",
		want: []string{`command="getstatus"`, `arguments=["chal-42"]`, `text=""`, `challenge="chal-42"`}, info: "getstatus chal-42",
	},
	{name: "getchallenge of 1.32", packet: "getchallenge", want: []string{`command="getchallenge"`, `arguments=[]`}, info: "getchallenge"},
	{
		name: "getchallenge of ioquake3", packet: "getchallenge -732516891 Quake3Arena",
		want: []string{
			`command="getchallenge"`, `arguments=["-732516891" "Quake3Arena"]`, `client_challenge="-732516891"`, `game_name="Quake3Arena"`,
		},
		info: "getchallenge Quake3Arena",
	},
	{
		name: "challengeResponse of 1.32", packet: "challengeResponse -1467280",
		want: []string{`command="challengeResponse"`, `arguments=["-1467280"]`, `challenge="-1467280"`}, info: "challengeResponse -1467280",
	},
	{
		name: "challengeResponse of ioquake3", packet: "challengeResponse 937033221 -732516891 68",
		want: []string{
			`command="challengeResponse"`, `arguments=["937033221" "-732516891" "68"]`,
			`challenge="937033221"`, `client_challenge="-732516891"`, `protocol=68`,
		},
		info: "challengeResponse 937033221 (68)",
	},
	{name: "connectResponse of 1.32", packet: "connectResponse", want: []string{`command="connectResponse"`, `arguments=[]`}, info: "connectResponse"},
	{
		name: "connectResponse of Quake3e", packet: "connectResponse 5 71",
		want: []string{`command="connectResponse"`, `arguments=["5" "71"]`, `challenge="5"`, `protocol=71`},
		info: "connectResponse 5 (71)",
	},
	{
		name: "a protocol that is no number", packet: "connectResponse 5 7l",
		want: []string{`command="connectResponse"`, `arguments=["5" "7l"]`, `challenge="5"`}, info: "connectResponse 5",
	},
	{
		name: "infoResponse",
		packet: "infoResponse\n\\clients\\5\\sv_maxclients\\16\\mapname\\ps37ctf2\\hostname\\^1Lab ^7A  quoted " +
			"\\protocol\\68",
		want: []string{
			`command="infoResponse"`, `arguments=[]`,
			`text="\\clients\\5\\sv_maxclients\\16\\mapname\\ps37ctf2\\hostname\\^1Lab ^7A  quoted \\protocol\\68"`,
			`info="\\clients\\5\\sv_maxclients\\16\\mapname\\ps37ctf2\\hostname\\^1Lab ^7A  quoted \\protocol\\68"`,
		},
		info: "infoResponse ps37ctf2: 5/16 players, ^1Lab ^7A quoted",
	},
	{
		name: "infoResponse without infostring", packet: "infoResponse",
		want:    []string{`command="infoResponse"`, `arguments=[]`},
		experts: []string{"error malformed oob"}, info: "infoResponse",
	},
	{
		name: "statusResponse", packet: "statusResponse\n\\mapname\\aggressor\n-2 0 \"Sarge\"\n5 48 \"^3Lab ^5Beta\"\n",
		want: []string{
			`command="statusResponse"`, `arguments=[]`, `text="\\mapname\\aggressor\n-2 0 \"Sarge\"\n5 48 \"^3Lab ^5Beta\"\n"`,
			`info="\\mapname\\aggressor"`, `players=[[-2 0 "Sarge"] [5 48 "^3Lab ^5Beta"]]`,
		},
		info: "statusResponse aggressor: 2 players",
	},
	{
		name: "statusResponse of an empty server", packet: "statusResponse\n\\mapname\\q3dm17\n",
		want: []string{
			`command="statusResponse"`, `arguments=[]`, `text="\\mapname\\q3dm17\n"`, `info="\\mapname\\q3dm17"`, `players=[]`,
		},
		info: "statusResponse q3dm17: 0 players",
	},
	{
		name:   "statusResponse with a team, a quote in a name and no quotes at all",
		packet: "statusResponse\n\\mapname\\m\n7 60 2 \"Zed\"\n1 2 \"a\"b\"\n3 4 plain name\n",
		want: []string{
			`command="statusResponse"`, `arguments=[]`, `text="\\mapname\\m\n7 60 2 \"Zed\"\n1 2 \"a\"b\"\n3 4 plain name\n"`,
			`info="\\mapname\\m"`, `players=[[7 60 2 "Zed"] [1 2 "a\"b"] [3 4 "plain name"]]`,
		},
		info: "statusResponse m: 3 players",
	},
	{
		name:   "statusResponse with a line that is no player",
		packet: "statusResponse\n\\mapname\\m\n7 60 \"Zed\"\nnobody\n1 1 \"X\"\n",
		want: []string{
			`command="statusResponse"`, `arguments=[]`, `text="\\mapname\\m\n7 60 \"Zed\"\nnobody\n1 1 \"X\"\n"`,
			`info="\\mapname\\m"`, `players=[[7 60 "Zed"]]`, `undecoded=6e6f626f64790a312031202258220a`,
		},
		experts: []string{"error malformed oob.undecoded"}, info: "statusResponse m: 1 player",
	},
	{
		name: "statusResponse ends at an empty line", packet: "statusResponse\n\\mapname\\m\n7 60 \"Zed\"\n\n1 1 \"X\"\n",
		want: []string{
			`command="statusResponse"`, `arguments=[]`, `text="\\mapname\\m\n7 60 \"Zed\"\n\n1 1 \"X\"\n"`,
			`info="\\mapname\\m"`, `players=[[7 60 "Zed"]]`,
		},
		info: "statusResponse m: 1 player",
	},
	{
		name: "a long word", packet: "echo " + strings.Repeat("x", 300),
		want:    []string{`command="echo"`, `arguments=["` + strings.Repeat("x", 300) + `"]`},
		info:    "echo " + strings.Repeat("x", 200) + "…",
		experts: []string{"warning attack_echo oob"},
	},
	{
		name: "print", packet: "print\nGame mismatch: This is a Quake3Arena server\n",
		want: []string{`command="print"`, `arguments=[]`, `text="Game mismatch: This is a Quake3Arena server\n"`},
		info: "print Game mismatch: This is a Quake3Arena server",
	},
	{name: "print of nothing", packet: "print\n", want: []string{`command="print"`, `arguments=[]`, `text=""`}, info: "print"},
	{
		name: "print with control characters and bytes above 127", packet: "print\n\x19a\xe9\x9b\tb\u00e9\n",
		want: []string{`command="print"`, `arguments=[]`, "text=\"\\x19a\\xe9\\x9b\\tbé\\n\""},
		info: "print aé bé",
	},
	{
		name: "echo", packet: "echo hello", want: []string{`command="echo"`, `arguments=["hello"]`}, info: "echo hello",
		experts: []string{"warning attack_echo oob"},
	},
	{name: "disconnect", packet: "disconnect", want: []string{`command="disconnect"`, `arguments=[]`}, info: "disconnect"},
	{
		name: "heartbeat", packet: "heartbeat QuakeArena-1\n",
		want: []string{`command="heartbeat"`, `arguments=["QuakeArena-1"]`, `text=""`}, info: "heartbeat QuakeArena-1",
	},
	{
		name: "getservers of Quake III", packet: "getservers 68 empty full",
		want: []string{`command="getservers"`, `arguments=["68" "empty" "full"]`, `protocol=68`}, info: "getservers 68 empty full",
	},
	{
		name: "getservers of another game", packet: "getservers OpenArena 71 full",
		want: []string{`command="getservers"`, `arguments=["OpenArena" "71" "full"]`, `game_name="OpenArena"`, `protocol=71`},
		info: "getservers OpenArena 71 full",
	},
	{
		name: "getserversExt", packet: "getserversExt Quake3Arena 71 ipv6 full empty",
		want: []string{
			`command="getserversExt"`, `arguments=["Quake3Arena" "71" "ipv6" "full" "empty"]`, `game_name="Quake3Arena"`, `protocol=71`,
		},
		info: "getserversExt Quake3Arena 71 ipv6 full empty",
	},
	{
		name: "getmotd", packet: "getmotd \"\\challenge\\12\\renderer\\llvm\\version\\ioq3 1.36\"\n",
		want: []string{
			`command="getmotd"`, `arguments=["\\challenge\\12\\renderer\\llvm\\version\\ioq3 1.36"]`, `text=""`,
			`info="\\challenge\\12\\renderer\\llvm\\version\\ioq3 1.36"`,
		},
		info: "getmotd ioq3 1.36",
	},
	{
		name: "motd", packet: `motd "\challenge\12\motd\Have fun"`,
		want: []string{`command="motd"`, `arguments=["\\challenge\\12\\motd\\Have fun"]`, `info="\\challenge\\12\\motd\\Have fun"`},
		info: "motd Have fun",
	},
	{
		name: "getKeyAuthorize", packet: "getKeyAuthorize 0 ABCD2345",
		want: []string{`command="getKeyAuthorize"`, `arguments=["0" "ABCD2345"]`, `key="ABCD2345"`}, info: "getKeyAuthorize",
	},
	{
		name: "getIpAuthorize", packet: "getIpAuthorize -17 192.0.2.7 baseq3 0 1",
		want: []string{
			`command="getIpAuthorize"`, `arguments=["-17" "192.0.2.7" "baseq3" "0" "1"]`, `challenge="-17"`, `game_name="baseq3"`,
		},
		info: "getIpAuthorize -17 192.0.2.7 baseq3 0 1",
	},
	{
		name: "ipAuthorize", packet: "ipAuthorize -17 demo",
		want: []string{`command="ipAuthorize"`, `arguments=["-17" "demo"]`, `challenge="-17"`}, info: "ipAuthorize -17 demo",
	},
	{name: "keyAuthorize", packet: "keyAuthorize ok", want: []string{`command="keyAuthorize"`, `arguments=["ok"]`}, info: "keyAuthorize ok"},
	{name: "banUser", packet: "banUser 192.0.2.7", want: []string{`command="banUser"`, `arguments=["192.0.2.7"]`}, info: "banUser 192.0.2.7"},
	{
		name: "words, quotes, comments", packet: "unknown  a\"b c\"d /* no */ e\xe9% \"\" f//g",
		want: []string{`command="unknown"`, `arguments=["a" "b c" "d" "e\xe9%" "" "f"]`}, info: "unknown a b c d eé% f",
	},
	{name: "empty", packet: "", want: []string{`command=""`, `arguments=[]`}, info: "empty out-of-band packet"},
	{name: "only a comment", packet: "// getstatus", want: []string{`command=""`, `arguments=[]`}, info: "empty out-of-band packet"},
	{
		name: "rubbish", packet: "\x00\x01\xfe\n\\", want: []string{`command=""`, `arguments=[]`, `undecoded=01fe0a5c`},
		experts: []string{"note ignored_bytes oob.undecoded"}, info: "empty out-of-band packet",
	},
	{
		name: "binary word", packet: "\x02\x90\x81", want: []string{`command="\x90\x81"`, `arguments=[]`},
		info: "unknown out-of-band packet",
	},
}

var rconTests = []oobTest{
	{
		name: "rcon", packet: "rcon labrcon say  \"via rcon\"\x00",
		want: []string{
			`command="rcon"`, `arguments=["labrcon" "say" "via rcon"]`, `password="labrcon"`, `rcon_command="say  \"via rcon\""`,
		},
		info: "rcon ********",
	},
	{
		name: "rcon with a quoted password", packet: `rcon "pw" status`,
		want: []string{`command="rcon"`, `arguments=["pw" "status"]`, `password="pw"`, `rcon_command="status"`}, info: "rcon status",
	},
	{
		// A server whose password was "right secret" answered: unknown command: secret.
		name: "rcon with blanks in a quoted password", packet: `rcon "right secret" status`,
		want: []string{
			`command="rcon"`, `arguments=["right secret" "status"]`, `password="right secret"`, `rcon_command="secret\" status"`,
		},
		experts: []string{"note rcon_password_split oob.rcon_command"}, info: "rcon status",
	},
	{
		name: "rcon with a password that is never closed", packet: `rcon "right secret status`,
		want: []string{
			`command="rcon"`, `arguments=["right secret status"]`, `password="right secret status"`, `rcon_command="secret status"`,
		},
		experts: []string{"note rcon_password_split oob.rcon_command"}, info: "rcon ********",
	},
	{name: "rcon without command", packet: `rcon ""`, want: []string{`command="rcon"`, `arguments=[""]`, `password=""`}, info: "rcon"},
	{name: "rcon without anything", packet: "rcon", want: []string{`command="rcon"`, `arguments=[]`}, info: "rcon"},
	{
		name: "rcon with bytes behind its NUL", packet: "rcon pw status\x00\x01\x02",
		want: []string{
			`command="rcon"`, `arguments=["pw" "status"]`, `password="pw"`, `rcon_command="status"`, `undecoded=0102`,
		},
		experts: []string{"note ignored_bytes oob.undecoded"}, info: "rcon ********",
	},
}

var connectTests = []oobTest{
	{
		name: "connect", packet: connectVector[markerLen:],
		want: []string{
			`command="connect"`, `arguments=["` + escaped(connectInfo) + `"]`, `compressed=true`, `info="` + escaped(connectInfo) + `"`,
		},
		info: "connect Visor (68)",
	},
	{
		name: "connect as text", packet: `connect "\name\Old Timer\protocol\43\qport\7\challenge\-5"`,
		want: []string{
			`command="connect"`, `arguments=["\\name\\Old Timer\\protocol\\43\\qport\\7\\challenge\\-5"]`, `compressed=false`,
			`info="\\name\\Old Timer\\protocol\\43\\qport\\7\\challenge\\-5"`,
		},
		info: "connect Old Timer (43)",
	},
	{
		name: "challengeResponse of Return to Castle Wolfenstein", packet: "challengeResponse 569945644 0 12345678 61",
		want: []string{
			`command="challengeResponse"`, `arguments=["569945644" "0" "12345678" "61"]`, `challenge="569945644"`,
			`only_visible_clients=0`, `client_challenge="12345678"`, `protocol=61`,
		},
		info: "challengeResponse 569945644 (61)",
	},
	{
		name: "question of Enemy Territory for updates", packet: `getUpdateInfo "\version\ET 2.60b"`,
		want: []string{
			`command="getUpdateInfo"`, `arguments=["\\version\\ET 2.60b"]`, `info="\\version\\ET 2.60b"`,
		},
		info: `getUpdateInfo \version\ET 2.60b`,
	},
	{
		name: "connect in other letters is not compressed", packet: `Connect "\name\X\protocol\68"`,
		want: []string{
			`command="Connect"`, `arguments=["\\name\\X\\protocol\\68"]`, `compressed=false`, `info="\\name\\X\\protocol\\68"`,
		},
		info: "Connect X (68)",
	},
	{
		name: "connect as text without its closing quote", packet: `connect "\name\X\protocol\6`,
		want: []string{
			`command="connect"`, `arguments=["\\name\\X\\protocol\\6"]`, `compressed=false`, `info="\\name\\X\\protocol\\6"`,
		},
		experts: []string{"note userinfo_cut oob.info"}, info: "connect X (6)",
	},
	{
		name: "connect with a control character before its first key", packet: "Connect \"x\x01\\name\\X\"",
		want: []string{`command="Connect"`, `arguments=["x\x01\\name\\X"]`, `compressed=false`}, info: "Connect",
	},
	{name: "connect alone", packet: "connect", want: []string{`command="connect"`, `arguments=[]`}, info: "connect"},
	{
		name: "connect of Quake II", packet: `connect 34 27901 -1234 "\name\Q2"` + "\n",
		want: []string{
			`command="connect"`, `arguments=["34" "27901" "-1234" "\\name\\Q2"]`, `text=""`, `compressed=false`,
		},
		info: "connect",
	},
	{
		name: "connect with a block that claims too much", packet: "connect \xff\xff\x01\x02",
		want:    []string{`command="connect"`, `arguments=[]`, `undecoded=ffff0102`},
		experts: []string{"error malformed oob.undecoded"}, info: "connect",
	},
	{
		name: "connect with a block that claims next to nothing", packet: "connect \x00\x01\x0a\x00",
		want:    []string{`command="connect"`, `arguments=[]`, `undecoded=00010a00`},
		experts: []string{"error malformed oob.undecoded"}, info: "connect",
	},
	{
		name: "connect cut on its way", packet: connectVector[markerLen:30],
		want: []string{
			`command="connect"`, `arguments=["\\cg_predict"]`, `compressed=true`,
		},
		experts: []string{"error malformed oob"}, info: "connect",
	},
	{
		name: "connect that lost its tail in the sender", packet: connectTailName[markerLen:],
		want: []string{
			`command="connect"`, `arguments=["\\challenge\\-1467280\\qport\\12345\\protocol\\71\\na}"]`, `compressed=true`,
			`info="\\challenge\\-1467280\\qport\\12345\\protocol\\71"`,
		},
		experts: []string{"note userinfo_cut oob.info"}, info: "connect (71)",
	},
}

// serverAddress is the six bytes of an IPv4 entry that contain both tags: 92.47.92.1:27960.
const serverAddress = "\x5c\x2f\x5c\x01\x6d\x38"

// serverAddress6 is [2001:db8::5c2f]:27961.
const serverAddress6 = "\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x5c\x2f\x6d\x39"

var serverListTests = []oobTest{
	serverList4("as masters send it", `\`+serverAddress+`\`+"\x7f\x00\x00\x01\x6c\xfc"+`\EOT`+"\x00\x00\x00",
		`["92.47.92.1:27960" "127.0.0.1:27900"]`, "2 servers"),
	serverList4("no servers", `\EOT`+"\x00\x00\x00", `[]`, "0 servers"),
	serverList4("a short end mark", `\`+serverAddress+`\EOT`, `["92.47.92.1:27960"]`, "1 server"),
	serverList4("more to come", `\`+serverAddress+`\EOF`, `["92.47.92.1:27960"]`, "1 server"),
	serverList4("an address of the letters of the end mark", `\EOT`+"\x07\x6d\x38"+`\EOT`+"\x00\x00\x00", `["69.79.84.7:27960"]`, "1 server"),
	serverList4("a line feed before the list", "\n "+`\`+serverAddress+`\EOT`+"\x00\x00\x00", `["92.47.92.1:27960"]`, "1 server"),
	serverList4("something before the list", `Q\`+serverAddress+`\EOT`, `["92.47.92.1:27960"]`, "1 server", "note ignored_bytes oob.servers"),
	serverList4("no end mark", `\`+serverAddress, `["92.47.92.1:27960"]`, "1 server", "note list_not_closed oob.servers"),
	serverList4("no list", "", `[]`, "0 servers", "note list_not_closed oob.servers"),
	undecoded(serverList4("no list but a line feed", "\n", `[]`, "0 servers", "error malformed oob.undecoded"), "0a"),
	undecoded(serverList4("cut in an entry", `\`+serverAddress+`\`+"\x01\x02", `["92.47.92.1:27960"]`, "1 server",
		"error malformed oob.undecoded"), "5c0102"),
	undecoded(serverList4("IPv6 where only IPv4 goes", `\`+serverAddress+`/`+serverAddress6+`\EOT`, `["92.47.92.1:27960"]`, "1 server",
		"error malformed oob.undecoded"), "2f20010db8000000000000000000005c2f6d395c454f54"),
	undecoded(serverList4("no tag behind an address", `\`+serverAddress+"x", `[]`, "0 servers", "error malformed oob.undecoded"), "5c5c2f5c016d3878"),
	undecoded(serverList4("bytes behind the end mark", `\EOT`+"\x00\x00\x00\x01", `[]`, "0 servers", "note ignored_bytes oob.undecoded"), "01"),
	undecoded(serverList4("more than games read", strings.Repeat(`\`+"\x7f\x00\x00\x01\x00\x01", 257)+`\EOT`,
		"["+strings.Repeat(`"127.0.0.1:1" `, 255)+`"127.0.0.1:1"]`, "256 servers", "error malformed oob.undecoded"), "5c7f00000100015c454f54"),
	{
		name: "getserversExtResponse", packet: "getserversExtResponse" + `\` + serverAddress + `/` + serverAddress6 + `\EOT` + "\x00\x00\x00",
		want: []string{
			`command="getserversExtResponse"`, `arguments=[]`, `servers=["92.47.92.1:27960" "[2001:db8::5c2f]:27961"]`,
		},
		info: "getserversExtResponse 2 servers",
	},
}

func serverList4(name, list, servers, info string, experts ...string) oobTest {
	return oobTest{
		name: "getserversResponse: " + name, packet: "getserversResponse" + list,
		want:    []string{`command="getserversResponse"`, `arguments=[]`, `servers=` + servers},
		experts: experts, info: "getserversResponse " + info,
	}
}

func undecoded(test oobTest, rest string) oobTest {
	test.want = append(test.want, "undecoded="+rest)
	return test
}

func escaped(s string) string { return strings.ReplaceAll(s, `\`, `\\`) }
