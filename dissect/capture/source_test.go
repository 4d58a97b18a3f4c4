package capture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"github.com/q3dissect/q3dissect/dissect"
)

var (
	_ gopacket.PacketDataSource         = (*Reader)(nil)
	_ gopacket.ZeroCopyPacketDataSource = (*Reader)(nil)
	_ gopacket.Decoder                  = (*Reader)(nil)
)

// clones returns all packets of a reader and the error that ended it, nil at a clean end.
func clones(r *Reader) (all []dissect.Packet, links []dissect.Link, err error) {
	for p, err := range r.Packets() {
		if err != nil {
			return all, links, err
		}
		c, _ := p.Clone(nil)
		links = append(links, *c.Link)
		c.Link = nil
		all = append(all, c)
	}
	return all, links, nil
}

func sameClones(t *testing.T, name string, want, have *Reader) {
	t.Helper()
	wantPackets, wantLinks, wantErr := clones(want)
	havePackets, haveLinks, haveErr := clones(have)
	if len(wantPackets) == 0 || wantErr != nil || haveErr != nil {
		t.Fatalf("%s: %d packets, %v, %v", name, len(wantPackets), wantErr, haveErr)
	}
	if diff := gocmp.Diff(wantPackets, havePackets, cmpAddr, cmpEmpty); diff != "" {
		t.Errorf("%s (-file +source):\n%s", name, diff)
	}
	if diff := gocmp.Diff(wantLinks, haveLinks, cmpEmpty); diff != "" {
		t.Errorf("%s: links (-file +source):\n%s", name, diff)
	}
}

func mustOpen(t *testing.T, file []byte) *Reader {
	t.Helper()
	r, err := NewReader(bytes.NewReader(file), Options{All: true, Link: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A copying source hides that it could do without.
type copying struct{ src gopacket.PacketDataSource }

func (c copying) ReadPacketData() ([]byte, gopacket.CaptureInfo, error) {
	return c.src.ReadPacketData()
}

// A source gives what the file that it reads gives: pcapgo.Reader, a source that copies, and a Reader of ours.
func TestFromSource(t *testing.T) {
	t.Parallel()
	opts := Options{All: true, Link: true}
	for _, l := range layerings() {
		w := newPcap(l.linkType)
		w.packet(1e9, l.packet)
		w.cut(2e9, len(l.packet)-6, l.packet)
		w.packet(3e9, l.packet)
		for _, wrap := range []func(gopacket.PacketDataSource) gopacket.PacketDataSource{
			func(src gopacket.PacketDataSource) gopacket.PacketDataSource { return src },
			func(src gopacket.PacketDataSource) gopacket.PacketDataSource { return copying{src} },
		} {
			src, err := pcapgo.NewReader(bytes.NewReader(w.b))
			if err != nil {
				t.Fatal(err)
			}
			sameClones(t, l.name, mustOpen(t, w.b), FromSource(wrap(src), src.LinkType(), opts))
			sameClones(t, l.name, mustOpen(t, w.b), FromSource(wrap(mustOpen(t, w.b)), 0, opts))
		}
	}
}

// Link layers and names come from where the source has them, packet by packet.
func TestFromSourceMixed(t *testing.T) {
	t.Parallel()
	w := newPcapNG(false)
	w.iface(1, 0, w.option(2, "eth0"))
	w.iface(276, 0, w.option(2, "any"))
	w.packet(0, 1e6, helloFrame)
	w.packet(1, 2e6, sll2(0x0800, ip4(17, hello)))
	w.simple(len(helloFrame), helloFrame) // has no time
	w.packet(0, 3e6, helloFrame)
	src, err := pcapgo.NewNgReader(bytes.NewReader(w.b), pcapgo.NgReaderOptions{WantMixedLinkType: true})
	if err != nil {
		t.Fatal(err)
	}
	r := FromSource(src, 0, Options{All: true, Link: true})
	sameClones(t, "NgReader", mustOpen(t, w.b), r)
	sameClones(t, "Reader", mustOpen(t, w.b), FromSource(mustOpen(t, w.b), 0, Options{All: true, Link: true}))
	if diff := gocmp.Diff(Stats{Packets: 4, UDP: 4}, r.Stats()); diff != "" {
		t.Errorf("stats (-want +got):\n%s", diff)
	}
}

// script is a source of errors and packets; after the last it ends.
type script []any

func (s *script) ReadPacketData() (data []byte, ci gopacket.CaptureInfo, err error) {
	if len(*s) == 0 {
		return nil, ci, io.EOF
	}
	switch step := (*s)[0].(type) {
	case error:
		err = step
	case []byte:
		data = step
	}
	*s = (*s)[1:]
	return data, ci, err
}

type timeoutError struct{}

func (timeoutError) Error() string { return "timed out" }
func (timeoutError) Timeout() bool { return true }

func TestFromSourceAgain(t *testing.T) {
	t.Parallel()
	broken, later := errors.New("cable pulled"), errors.New("nothing yet")
	for _, c := range []struct {
		name    string
		steps   script
		again   func(error) bool
		packets int
		code    string
		is      error
		reads   int
	}{
		{"time-outs", script{timeoutError{}, helloFrame, timeoutError{}, timeoutError{}, helloFrame}, nil, 2, "", nil, 6},
		{"an error of the source's own", script{later, helloFrame, later}, func(err error) bool { return err == later }, 1, "", nil, 4},
		{"not one that is asked for", script{helloFrame, later, helloFrame}, nil, 1, ReadFailed, later, 2},
		{"a fault", script{helloFrame, timeoutError{}, broken, helloFrame}, nil, 1, ReadFailed, broken, 3},
		{"a cut", script{helloFrame, io.ErrUnexpectedEOF, helloFrame}, nil, 1, TruncatedFile, io.ErrUnexpectedEOF, 2},
		{"the end is not asked", script{helloFrame}, func(error) bool { return true }, 1, "", nil, 2},
	} {
		reads := 0
		r := FromSource(&c.steps, layers.LinkTypeEthernet, Options{Again: c.again, Idle: func() { reads++ }})
		n := 0
		var err error
		for ; err == nil; n++ {
			var p *dissect.Packet
			if p, err = r.Next(); err == nil && (p.HasTime || string(p.Payload) != "hello") {
				t.Errorf("%s: %+v", c.name, p)
			}
		}
		var e *Error
		switch {
		case c.code == "" && err != io.EOF, c.code != "" &&
			(!errors.As(err, &e) || e.Code != c.code || !errors.Is(err, c.is)):
			t.Errorf("%s: %v", c.name, err)
		}
		if _, sticky := r.Next(); n-1 != c.packets || sticky != err || reads != c.reads {
			t.Errorf("%s: %d packets, %d reads, %v, then %v", c.name, n-1, reads, err, sticky)
		}
	}
}

// A pcapgo.Reader ends a file that is cut after a record's header with io.EOF; here it is a cut.
func TestFromSourceCut(t *testing.T) {
	t.Parallel()
	w := newPcap(1)
	start, size := len(w.b), 16+len(helloFrame)
	for range 2 {
		w.packet(0, helloFrame)
	}
	for n := start; n < len(w.b); n++ {
		src, err := pcapgo.NewReader(bytes.NewReader(w.b[:n]))
		if err != nil {
			t.Fatal(err)
		}
		all, _, err := clones(FromSource(src, 1, Options{Link: true}))
		var e *Error
		if clean := (n-start)%size == 0; len(all) != (n-start)/size || clean != (err == nil) ||
			!clean && (!errors.As(err, &e) || e.Code != TruncatedFile) {
			t.Errorf("cut at %d: %d packets, %v", n, len(all), err)
		}
	}
}

func TestUnixNano(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		t    time.Time
		want int64
		ok   bool
	}{
		{time.Unix(1, 5), 1e9 + 5, true},
		{time.Unix(0, 0), 0, true},
		{time.Time{}, 0, false},
		{time.Date(2262, 4, 11, 0, 0, 0, 0, time.UTC), 9223286400e9, true},
		{time.Date(2263, 1, 1, 0, 0, 0, 0, time.UTC), 0, false},
		{time.Date(1600, 1, 1, 0, 0, 0, 0, time.UTC), 0, false},
	} {
		if have, ok := unixNano(c.t); have != c.want || ok != c.ok {
			t.Errorf("%v: %d, %t; want %d, %t", c.t, have, ok, c.want, c.ok)
		}
	}
}

// A program on gopacket gets all whole packets of files that gopacket does not read, and its loop ends.
func TestReaderAsSource(t *testing.T) {
	t.Parallel()
	modified := pcapHeader(binary.LittleEndian, 0xa1b2cd34, 2, 4, 1)
	modified.packet(7e9, helloFrame)
	modified.packet(8e9, helloFrame)
	damaged := pcapHeader(binary.BigEndian, 0xa1b2c3d4, 2, 4, 1)
	damaged.packet(7e9, helloFrame)
	damaged.record(8e9, len(helloFrame), 0, helloFrame) // no length on the wire
	damaged.record(9e9, 1<<20, 1<<20, nil)
	fine := newPcapNG(true) // a resolution that gopacket gets wrong
	fine.iface(276, 0, fine.option(9, uint8(0x80|10)))
	frame := sll2(0x0800, ip4(17, hello))
	fine.packet(0, 7<<10, frame)
	fine.packet(0, 8<<10, frame)
	for _, c := range []struct {
		name string
		file []byte
		data []byte
		code string
	}{
		{"modified, cut behind a header", append(modified.b, modified.b[24:24+24]...), helloFrame, TruncatedFile},
		{"damaged", damaged.b, helloFrame, MalformedFile},
		{"binary resolution", fine.b, frame, ""},
	} {
		r := mustOpen(t, c.file)
		for i := range 2 {
			data, ci, err := r.ZeroCopyReadPacketData()
			if err != nil || !bytes.Equal(data, c.data) || ci.CaptureLength != len(data) || ci.Length != len(data) ||
				!ci.Timestamp.Equal(time.Unix(int64(7+i), 0)) {
				t.Fatalf("%s: %x, %+v, %v", c.name, data, ci, err)
			}
		}
		_, _, err := r.ReadPacketData()
		if c.code != "" {
			var e *Error
			if !errors.As(err, &e) || e.Code != c.code {
				t.Errorf("%s: %v", c.name, err)
			}
			_, _, err = r.ReadPacketData()
		}
		if err != io.EOF {
			t.Errorf("%s: %v at the end", c.name, err)
		}
		r = mustOpen(t, c.file)
		n := 0
		for p := range gopacket.NewPacketSource(r, r).Packets() {
			if u, ok := p.TransportLayer().(*layers.UDP); !ok || string(u.Payload) != "hello" {
				t.Errorf("%s: %v", c.name, p)
			}
			n++
		}
		if n != 2 {
			t.Errorf("%s: %d packets of a gopacket.PacketSource", c.name, n)
		}
	}
}

// Record gives the packet around what Next decoded, and Interface what it came from.
func TestRecord(t *testing.T) {
	t.Parallel()
	w := newPcapNG(false)
	w.iface(101, 0)
	w.iface(1, 96, w.option(2, "eth1"))
	w.packet(1, 5e6, eth(0x0806, make([]byte, 46)))
	w.packet(1, 6e6, helloFrame)
	r, err := NewReader(bytes.NewReader(w.b), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if p, err := r.Next(); err != nil || p.Frame != 2 {
		t.Fatal(p, err)
	}
	data, ci := r.Record()
	want := gopacket.CaptureInfo{
		Timestamp: time.Unix(6, 0).UTC(), CaptureLength: len(helloFrame), Length: len(helloFrame), InterfaceIndex: 1,
		AncillaryData: []any{layers.LinkTypeEthernet},
	}
	if diff := gocmp.Diff(want, ci); diff != "" || !bytes.Equal(data, helloFrame) {
		t.Errorf("%x (-want +got):\n%s", data, diff)
	}
	iface, err := r.Interface(1)
	if err != nil || iface.Name != "eth1" || iface.LinkType != 1 || iface.SnapLength != 96 {
		t.Errorf("%+v, %v", iface, err)
	}
	for _, i := range []int{-1, 2} {
		if _, err := r.Interface(i); err == nil {
			t.Errorf("interface %d", i)
		}
	}
}

// Neither way allocates, once warm.
func TestSourceNoAllocations(t *testing.T) {
	w := newPcap(276) // link types above 255 do not fit an interface value
	for range 400 {
		w.packet(0, sll2(0x0800, ip4(17, hello)))
	}
	r := mustOpen(t, w.b)
	next := func() {
		if _, _, err := r.ZeroCopyReadPacketData(); err != nil {
			t.Fatal(err)
		}
	}
	next()
	if n := testing.AllocsPerRun(100, next); n != 0 {
		t.Errorf("as source: %v allocations", n)
	}
	from := FromSource(mustOpen(t, w.b), 0, Options{Link: true})
	next = func() {
		if _, err := from.Next(); err != nil {
			t.Fatal(err)
		}
	}
	next()
	if n := testing.AllocsPerRun(100, next); n != 0 {
		t.Errorf("from a source: %v allocations", n)
	}
}
