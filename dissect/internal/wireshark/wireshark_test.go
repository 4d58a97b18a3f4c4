package wireshark

import "testing"

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"frame.number": "frame", "ip.addr": "src", "_ws.col.Info": "info", "_ws.col.info": "info", "Frame.Number": "frame",
		"frame.len": "length", "UDP.Stream": "stream", "frame": "", "tcp.port": "",
	} {
		if got := Nearest(name); got != want {
			t.Errorf("nearest to %s: %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]int{
		"frame.number": 1, "udp.port": 2, "_ws.col.Time": 1, "Frame.Number": 0,
		"frame.len": 0, "frame": 0,
	} {
		if got := Fields(name); len(got) != want {
			t.Errorf("%s: %q, want %d", name, got, want)
		}
	}
	for name := range others {
		if aliases[name] != nil {
			t.Errorf("%s has the values of a field, and does not have them", name)
		}
	}
}
