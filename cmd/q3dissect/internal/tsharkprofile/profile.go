package tsharkprofile

import (
	"bytes"
	"fmt"
	"path/filepath"
)

// ProfileName is the name of the profile: wireshark -C q3dissect.
const ProfileName = "q3dissect"

// A Column is one of the profile's packet list.
type Column struct{ Title, Format string }

// Columns are those of the profile. %m, %t, %p and %i are Wireshark's number, time, protocol and info; %Cus shows
// fields.
var Columns = []Column{
	{"No.", "%m"},
	{"Time", "%t"},
	{"Stream", "%Cus:q3dissect.stream:0:R"},
	{"Direction", "%Cus:q3dissect.direction:0:R"},
	{"Protocol", "%p"},
	{"Message", "%Cus:q3dissect.quake3.netchan.sequence || q3dissect.teeworlds.chunks.sequence || q3dissect.directplay8.data.sequence:0:R"},
	{"Info", "%i"},
}

// A Rule colours packets. The first that matches counts.
type Rule struct {
	Name, Filter     string
	Background, Text [3]uint16
}

var black = [3]uint16{0x12, 0x27, 0x2e}

// Rules are the colour rules of the profile.
var Rules = []Rule{
	{
		"q3dissect: damage", `q3dissect.expert.severity == "error" || q3dissect.malformed`,
		[3]uint16{0xa4, 0x00, 0x00},
		[3]uint16{0xff, 0xff, 0xff},
	},
	{
		"q3dissect: rcon", `q3dissect.quake3.oob.rcon_command || q3dissect.teeworlds.chunks.rcon_cmd || ` +
			`q3dissect.teeworlds.chunks.rcon_auth || q3dissect.teeworlds.chunks.rcon_line`,
		[3]uint16{0xe4, 0xd0, 0xf2},
		black,
	},
	{
		"q3dissect: kills", `q3dissect.quake3.server_message.ops.snapshot.entities.e_type_name == "event_obituary" || ` +
			`q3dissect.teeworlds.chunks.sv_killmsg`,
		[3]uint16{0xf7, 0xc9, 0xb8},
		black,
	},
	{
		"q3dissect: connect", `q3dissect.quake3.oob.command in {"getchallenge", "challengeResponse", "connect", "connectResponse", "disconnect"} || ` +
			`q3dissect.teeworlds.control.connect || q3dissect.teeworlds.control.accept || q3dissect.teeworlds.control.close`,
		[3]uint16{0xc8, 0xe9, 0xc9},
		black,
	},
	{
		"q3dissect: warnings", `q3dissect.expert.severity == "warning"`,
		[3]uint16{0xfc, 0xf0, 0xb5},
		black,
	},
}

// Profile returns the files of the profile below Wireshark's configuration folder.
func Profile(config string) []File {
	dir := filepath.Join(config, "profiles", ProfileName)
	return []File{
		{Path: filepath.Join(dir, "preferences"), Comment: "#", Text: preferences()},
		{Path: filepath.Join(dir, "colorfilters"), Comment: "#", Text: colorFilters()},
	}
}

// preferences has the columns, in the form of Wireshark's file of preferences.
func preferences() []byte {
	var b bytes.Buffer
	b.WriteString("gui.column.format: \n")
	for i, c := range Columns {
		end := ","
		if i == len(Columns)-1 {
			end = ""
		}
		fmt.Fprintf(&b, "\t\"%s\", \"%s\"%s\n", c.Title, c.Format, end)
	}
	return b.Bytes()
}

// colorFilters has the rules, in the form of Wireshark's file colorfilters: colours have 16 bits.
func colorFilters() []byte {
	var b bytes.Buffer
	for _, r := range Rules {
		fmt.Fprintf(&b, "@%s@%s@%s%s\n", r.Name, r.Filter, colour(r.Background), colour(r.Text))
	}
	return b.Bytes()
}

func colour(c [3]uint16) string { return fmt.Sprintf("[%d,%d,%d]", c[0]*0x101, c[1]*0x101, c[2]*0x101) }
