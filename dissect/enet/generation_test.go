package enet

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/gamestudio"
	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/samples/gamestudio/wire"
)

// TestENetSizes compares the commands' sizes without data, heads included, with those that ENet's protocol.h gives
// its structures, generation by generation, and with those of the description of Photon's protocol and of its client's
// constants NCommand.CmdSize*. ENet-CSharp 2 has the sizes of 1.3.
func TestENetSizes(t *testing.T) {
	t.Parallel()
	want := map[string][generations]int{ // 1.3; 1.1 and 1.2; 2; 1.0; Photon
		"acknowledge":              {8, 8, 8, 20, 20},
		"connect":                  {48, 40, 48, 44, 44},
		"verify_connect":           {44, 36, 44, 44, 44},
		"disconnect":               {8, 8, 8, 16, 12},
		"ping":                     {4, 4, 4, 12, 12},
		"send_reliable":            {6, 6, 6, 12, 12},
		"send_unreliable":          {8, 8, 8, 16, 16},
		"send_fragment":            {24, 24, 24, 32, 32},
		"send_unsequenced":         {8, 8, 8, 16, 16},
		"bandwidth_limit":          {12, 12, 12, 20, 0},
		"throttle_configure":       {16, 16, 16, 24, 0},
		"send_unreliable_fragment": {24, 0, 24, 0, 0},

		"server_time":               {photon: 12},
		"send_reliable_unsequenced": {photon: 12},
		"send_fragment_unsequenced": {photon: 32},
		"acknowledge_unsequenced":   {photon: 20},
		"other":                     {photon: 12},
	}
	got := map[string][generations]int{}
	for _, c := range commandTable[1:] {
		var sizes [generations]int
		for g, shape := range c.shapes {
			if shape != nil {
				sizes[g] = shape.size
			}
		}
		got[c.field.Key] = sizes
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// enetOf returns the fields of ENet and of the game in a record, without the positions.
func enetOf(t *testing.T, rec *dissect.Record) map[string]any {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal(render.AppendJSON(nil, rec, render.JSON{}), &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestENetFirstVectors reads packets of ENet 1.0 that were written by hand, from the layout of its structures.
func TestENetFirstVectors(t *testing.T) {
	t.Parallel()
	numbers := func(pairs ...any) map[string]any {
		m := map[string]any{}
		for i := 0; i < len(pairs); i += 2 {
			if n, ok := pairs[i+1].(int); ok {
				pairs[i+1] = float64(n)
			}
			m[pairs[i].(string)] = pairs[i+1]
		}
		return m
	}
	head := func(acknowledge, unsequenced bool, channel, length, sequence int, more ...any) map[string]any {
		return numbers(append([]any{
			"acknowledge", acknowledge, "unsequenced", unsequenced, "channel", channel, "command_length",
			length, "sequence", sequence,
		}, more...)...)
	}
	for _, tt := range []struct {
		name, hex string
		want      map[string]any
	}{
		{
			"connect",
			"ffff 00 01 00012345 a1b2c3d4 02 ff 01 00 0000002c 00000001 0007 0578 00008000 00000002 00000000 00004e20 " +
				"00001388 00000002 00000003",
			numbers("version", "1.0", "peer_id", 0xffff, "flags", 0, "command_count", 1, "sent_time", 0x12345, "challenge",
				"a1b2c3d4", "commands", []any{
					map[string]any{"connect": head(true, false, 255, 44, 1, "outgoing_peer_id", 7, "mtu", 1400, "window_size",
						32768, "channel_count", 2,
						"incoming_bandwidth", 0, "outgoing_bandwidth", 20000, "packet_throttle_interval", 5000,
						"packet_throttle_acceleration", 2,
						"packet_throttle_deceleration", 3)},
				}),
		},
		{
			"an acknowledgement, limits and data without order",
			"0003 00 03 00012346 a1b2c3d4 01 ff 00 00 00000014 00000000 00010002 00012340 09 ff 01 00 00000014 00000002 " +
				"00000064 000000c8 0b 01 02 00 00000013 00000000 00000005 616263",
			numbers("version", "1.0", "peer_id", 3, "flags", 0, "command_count", 3, "sent_time", 0x12346, "challenge",
				"a1b2c3d4", "commands", []any{
					map[string]any{"acknowledge": head(false, false, 255, 20, 0, "received_sequence", 0x10002,
						"received_sent_time", 0x12340)},
					map[string]any{"bandwidth_limit": head(true, false, 255, 20, 2, "incoming_bandwidth", 100,
						"outgoing_bandwidth", 200)},
					map[string]any{"send_unsequenced": head(false, true, 1, 19, 0, "group", 5, "data", "616263")},
				}),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			packet := enginetest.Unhex(t, tt.hex)
			c := &conversation{}
			rec := enginetest.RecordOf(packet, true, uint64(v10), 0)
			c.Dissect(rec)
			if diff := cmp.Diff(tt.want, enetOf(t, rec)["enet"]); diff != "" || len(rec.Experts) > 0 {
				t.Errorf("%v (-want +got):\n%s", rec.Experts, diff)
			}
			for n := range packet {
				rec := enginetest.RecordOf(packet[:n], true, uint64(v10), 0)
				(&conversation{}).Dissect(rec)
				if len(rec.Experts) != 1 || rec.Experts[0].Severity != dissect.Fault {
					t.Errorf("%d of %d bytes: %v", n, len(packet), rec.Experts)
				}
			}
		})
	}
}

// compressed is a packet of ENet 1.3 as a sender with the range coder makes it, which leaves those alone that would
// not become shorter.
func compressed(packet []byte) []byte {
	var h header
	var e rangeEncoder
	if !h.parse(packet, layout{}) {
		return packet
	}
	packed := e.encode(packet[h.size:])
	if len(packed) >= len(packet)-h.size {
		return packet
	}
	b := append(append([]byte{}, packet[:h.size]...), packed...)
	b[0] |= packedFlag >> 8
	return b
}

// TestENetCompressedSession sends a game's session compressed and not: the commands and the messages are the same.
func TestENetCompressedSession(t *testing.T) {
	t.Parallel()
	reference, err := wire.Reference()
	if err != nil {
		t.Fatal(err)
	}
	steps, err := wire.Session(reference, wire.Late, wire.Coding{})
	if err != nil {
		t.Fatal(err)
	}
	for _, reading := range []*dissect.Reading{nil, {Reader: gamestudio.New()}} {
		plain, packed := newBoth(reading), newBoth(reading)
		count := 0
		for _, d := range wire.OverENet(steps, false, false) {
			short := compressed(d.Payload)
			a, b := enginetest.RecordOf(d.Payload, d.FromClient, 0, 0), enginetest.RecordOf(short, d.FromClient, 0, 0)
			plain.dissect(a)
			packed.dissect(b)
			enginetest.CheckRecord(t, b)
			want, got := enetOf(t, a), enetOf(t, b)
			if len(short) < len(d.Payload) {
				count++
				o := got["enet"].(map[string]any)
				if o["compression"] != "range_coder" || o["decompressed_length"] != float64(len(d.Payload)-4) {
					t.Errorf("got %v", o)
				}
				delete(o, "compression")
				delete(o, "decompressed_length")
				o["compressed"] = false
			}
			places := cmpopts.IgnoreMapEntries(func(key string, _ any) bool { return key == "bit_offset" })
			for _, key := range []string{"enet", "gamestudio", "expert"} {
				if diff := cmp.Diff(want[key], got[key], places); diff != "" {
					t.Errorf("%s (-plain +compressed):\n%s", key, diff)
				}
			}
		}
		if count < 20 {
			t.Errorf("%d compressed packets", count)
		}
	}
}

// TestENetCompressedAllocatesNothing reads compressed packets for the state alone.
func TestENetCompressedAllocatesNothing(t *testing.T) { // counts allocations: not parallel
	peer := wire.NewEPeer(false, false, 1, 0, 3)
	packet := compressed(peer.Packet(peer.Unreliable(1, make([]byte, 200)), peer.Reliable(0, make([]byte, 50))))
	if packet[0]&(packedFlag>>8) == 0 {
		t.Fatal("not compressed")
	}
	for _, reading := range []*dissect.Reading{nil, {Reader: gamestudio.New()}} {
		c := newBoth(reading)
		rec := enginetest.RecordOf(packet, false, 0, 0)
		rec.NoTree = true
		c.dissect(rec)
		if n := testing.AllocsPerRun(100, func() { c.dissect(rec) }); n != 0 {
			t.Errorf("%v allocations", n)
		}
	}
}

// Both are a conversation and the reader of its payloads, if there is one.
type both struct {
	conversation
	protocol *dissect.Protocol
	reading  *dissect.Reading
	reader   func(*dissect.Record) bool
}

func newBoth(reading *dissect.Reading) *both {
	b := &both{protocol: New(), reading: reading}
	if reading != nil {
		b.reader = reading.Reader.NewPayloadReader(dissect.Options{})
	}
	return b
}

func (b *both) dissect(rec *dissect.Record) {
	rec.Protocol, rec.Reading = b.protocol, b.reading
	b.Dissect(rec)
	if b.reader != nil && b.reader(rec) {
		rec.Protocol = b.reading.Reader
	}
}
