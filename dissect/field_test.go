package dissect

import "testing"

func TestKinds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind              Kind
		name              string
		container, number bool
	}{
		{Object, "object", true, false},
		{List, "list", true, false},
		{Choices, "choices", true, false},
		{Sparse, "sparse", true, false},
		{Bool, "bool", false, false},
		{Uint, "uint", false, true},
		{Int, "int", false, true},
		{Float, "float", false, false},
		{Text, "text", false, false},
		{Label, "label", false, false},
		{Hex, "hex", false, false},
		{Info, "info", false, false},
		{Info + 1, "unknown", false, false},
	} {
		if tt.kind.String() != tt.name || tt.kind.Container() != tt.container || tt.kind.Number() != tt.number {
			t.Errorf("kind %d: %s, container %t, number %t", tt.kind, tt.kind, tt.kind.Container(), tt.kind.Number())
		}
	}
}

func TestEngineName(t *testing.T) {
	t.Parallel()
	if got := (&Field{Key: "pm_flags"}).EngineName(); got != "pm_flags" {
		t.Errorf("the same spelling: %q", got)
	}
	if got := (&Field{Key: "delta_num", Name: "deltaNum"}).EngineName(); got != "deltaNum" {
		t.Errorf("its own spelling: %q", got)
	}
}

// A table can begin below 0: the team of spectators is -1 in some games.
func TestEnumOfNegativeNumbers(t *testing.T) {
	t.Parallel()
	e := &Enum{First: -1, Tables: [][]string{{"spectators", "red", "blue"}}}
	for v, want := range map[int64]string{-2: "", -1: "spectators", 0: "red", 1: "blue", 2: ""} {
		if got := e.Name(0, uint64(v)); got != want {
			t.Errorf("%d is %q, want %q", v, got, want)
		}
	}
}

// The toggle bits of an entity's event are not part of its number (EV_EVENT_BITS, bg_public.h).
func TestEnum(t *testing.T) {
	t.Parallel()
	e := &Enum{Ignore: 0x300, Tables: [][]string{nil, {"none", "footstep", ""}, {}}}
	for _, tt := range []struct {
		family uint8
		value  uint64
		want   string
		known  bool
	}{
		{0, 1, "", false},
		{1, 0, "none", true},
		{1, 1, "footstep", true},
		{1, 0x301, "footstep", true},
		{1, 2, "", true},
		{1, 3, "", true},
		{1, 0x401, "", true},
		{1, 1 << 63, "", true},
		{2, 0, "", true},
		{3, 0, "", false},
	} {
		if got, known := e.Name(tt.family, tt.value), e.Known(tt.family); got != tt.want || known != tt.known {
			t.Errorf("family %d, value %#x: %q, %t; want %q, %t", tt.family, tt.value, got, known, tt.want, tt.known)
		}
	}
}

// The words are the output's.
func TestWords(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		Undecidable.String():    "",
		ClientToServer.String(): "client_to_server",
		ServerToClient.String(): "server_to_client",
		Note.String():           "note",
		Warning.String():        "warning",
		Fault.String():          "error",
		Datagram.String():       "datagram",
		Message.String():        "message",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
