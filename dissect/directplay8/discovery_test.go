package directplay8_test

import (
	"net/netip"
	"slices"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
	"github.com/q3dissect/q3dissect/samples/gamestudio/wire"
)

// TestQueries: a query for sessions counts on DirectPlay's port, where it is answered, and with a GUID that a generator
// made. Other protocols begin with the same bytes.
func TestQueries(t *testing.T) {
	t.Parallel()
	const discovery = 6073
	random := enginetest.Unhex(t, "eeb24a5e506a1446807ec632807b5eb1")       // {5e4ab2ee-6a50-4614-807e-c632807b5eb1}
	timed := enginetest.Unhex(t, "403b2da0b5cfd1118e0800a0c9b54ee4")        // {a02d3b40-cfb5-11d1-8e08-00a0c9b54ee4}
	invented := enginetest.Unhex(t, "00112233445566778899aabbccddeeff")     // no generator's version
	otherVariant := enginetest.Unhex(t, "eeb24a5e506a1446c07ec632807b5eb1") // Microsoft's old one
	sync := enginetest.Unhex(t,
		"0002002c010002000000000000000000000000000011223344556677000100010000000065531100000000000000"[:88])
	delayed := enginetest.Unhex(t, "0002002c0100020000000000"+"4780"+"1234"+"00000000"+
		"00112233445566770001000100006553110000000000000000"[:48])
	probe := enginetest.Unhex(t, "0002000001c9c380000000004585000000000000000000000000000000000000")
	answer := wire.Response(0x2c00, "Lab", invented, invented)
	for name, c := range map[string]struct {
		port    uint16
		query   []byte
		answers []byte
		want    int // records
	}{
		"on the port":           {discovery, wire.Query(9, invented), nil, 1},
		"any, on the port":      {discovery, wire.Query(9, nil), nil, 1},
		"random GUID":           {2302, wire.Query(9, random), nil, 1},
		"time-based GUID":       {2302, append(wire.Query(9, timed), "data"...), nil, 1},
		"invented GUID":         {2302, wire.Query(9, invented), nil, 0},
		"another variant":       {2302, wire.Query(9, otherVariant), nil, 0},
		"any":                   {2302, wire.Query(9, nil), nil, 0},
		"invented, answered":    {2302, wire.Query(9, invented), answer, 2},
		"PTP":                   {319, sync, nil, 0},
		"PTP, answered by same": {319, sync, sync, 0},
		"PTP, corrected":        {319, delayed, nil, 0},
		"IP SLA":                {4243, probe, probe, 0},
	} {
		server := netip.AddrPortFrom(netip.MustParseAddr("192.0.2.1"), c.port)
		client := netip.MustParseAddrPort("198.51.100.7:50000")
		packets := []dissect.Packet{{Src: client, Dst: server, Payload: c.query}}
		if c.answers != nil {
			packets = append(packets, dissect.Packet{Src: server, Dst: client, Payload: c.answers})
		}
		got := records(t, packets)
		if len(got) != c.want {
			t.Errorf("%s: %d records, want %d", name, len(got), c.want)
		}
		if c.want > 0 && (got[0].direction != dissect.ClientToServer ||
			slices.ContainsFunc(got, func(r seen) bool { return r.stream != got[0].stream })) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// A seen is what is compared of a record.
type seen struct {
	direction dissect.Direction
	stream    int
}

// records dissects packets a hundredth of a second apart.
func records(t *testing.T, packets []dissect.Packet) (list []seen) {
	t.Helper()
	e, err := engine.New(engine.Config{
		Protocols: protocols(), Workers: 1,
		Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
			list = append(list, seen{rec.Direction, int(rec.Stream)})
			return dst, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range packets {
		p := &packets[i]
		p.Frame, p.HasTime, p.Time, p.UDP, p.Length = uint64(i+1), true, int64(i)*10e6, true, len(p.Payload)
		if err := e.Packet(p); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return list
}
