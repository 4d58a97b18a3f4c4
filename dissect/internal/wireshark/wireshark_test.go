package wireshark

import (
	"slices"
	"testing"
)

func TestNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"frame.number": "frame", "ip.addr": "src", "_ws.col.Info": "info", "_ws.col.info": "info", "Frame.Number": "frame",
		"Frame.Len": "frame.len", "UDP.Stream": "stream", "tcp.port": "",
	} {
		if got := Nearest(name); got != want {
			t.Errorf("nearest to %s: %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]int{
		"frame.number": 1, "udp.port": 2, "_ws.col.Time": 1, "Frame.Number": 0, "frame.len": 1, "frame": 1, "tcp": 0,
	} {
		if got := Fields(name); len(got) != want {
			t.Errorf("%s: %q, want %d", name, got, want)
		}
	}
	for name := range names {
		if name != Canonical(name) || len(names[name].Paths) == 0 {
			t.Errorf("%s cannot be found, or has no field", name)
		}
	}
	if Note("udp.stream") == "" || Note("frame.number") != "" || Note("none") != "" {
		t.Error("notes about names")
	}
}

func TestMentioned(t *testing.T) {
	t.Parallel()
	for program, want := range map[string][]string{
		".frame.number":                        {".frame.number is .frame here"},
		`[.["udp.port"], .info]`:               {".udp.port is .src_port or .dst_port here"},
		`"\(.ip.src) \(.ip.dst)"`:              {".ip.dst is .dst here", ".ip.src is .src here"},
		".layers.frame.frame_frame_number":     nil,
		".frame, .quake3.oob.ip.source, .info": nil,
		`select(.info == "see ip.src")`:        nil,
		".":                                    nil,
	} {
		if got := Mentioned(program); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", program, got, want)
		}
	}
}
