package capture

import (
	"bytes"
	"errors"
	"io"
	"net/netip"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/internal/pdu"
)

// exportedPDU makes a packet of a message that some datagrams carried.
func exportedPDU(frame uint64, flags pdu.Flag, datagrams ...pdu.Datagram) []byte {
	src, dst := netip.MustParseAddrPort("192.0.2.1:27960"), netip.MustParseAddrPort("192.0.2.2:27961")
	h := pdu.Head{Flags: flags, Frame: frame, SrcPort: src.Port(), DstPort: dst.Port(), Time: 9}
	h.Sections[pdu.Src], h.Sections[pdu.Dst] = []byte("192.0.2.1"), []byte("192.0.2.2")
	for i := range datagrams {
		h.Sections[pdu.Datagrams] = pdu.AppendDatagram(h.Sections[pdu.Datagrams], &datagrams[i])
	}
	return h.Append(pdu.AppendTags(nil, src, dst, frame))
}

// exportedPDUs is a file of them.
func exportedPDUs() []byte {
	const flags = pdu.HasTime | pdu.UDP | pdu.Known
	part := func(frame uint64, text string) pdu.Datagram {
		return pdu.Datagram{Frame: frame, Time: int64(frame) * 1e9, Length: uint32(len(text)), Bytes: []byte(text)}
	}
	w := newPcapNG(false)
	w.iface(pdu.LinkType, 0, w.option(9, uint8(9)))
	for i, p := range [][]byte{
		exportedPDU(5, flags, part(5, "five")),
		exportedPDU(7, flags, part(5, "five"), part(6, "six"), part(7, "seven")), // a filter left out 6
		exportedPDU(8, flags, pdu.Datagram{Frame: 4}, pdu.Datagram{Frame: 8, Length: 99, Bytes: []byte("cut")}),
		exportedPDU(9, flags|pdu.Beside, part(9, "nine")),
		exportedPDU(10, flags|pdu.Recorded, part(10, "ten")),
		exportedPDU(11, 0, part(11, "eleven")),
		exportedPDU(12, flags),
		exportedPDU(13, flags, part(13, "thirteen"))[:100],
		[]byte("\x00\x0c\x00\x04http\x00\x00\x00\x00GET /"),
		[]byte("\x00\x0c\xff\xffq3dissect"),
		nil,
	} {
		w.packet(0, uint64(i+1)*1e9, p)
	}
	return w.b
}

// The datagrams of exported PDUs are read, each once, and nothing else.
func TestExportedPDUs(t *testing.T) {
	t.Parallel()
	r, err := NewReader(bytes.NewReader(exportedPDUs()), Options{All: true})
	if err != nil {
		t.Fatal(err)
	}
	type packet struct {
		Frame   uint64
		Seconds int64
		Length  int
		Text    string
	}
	var got []packet
	for {
		p, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		text := "(" + p.Note + ")"
		if p.UDP {
			text = string(p.Payload)
			if p.Src.String() != "192.0.2.1:27960" || p.Dst.String() != "192.0.2.2:27961" {
				t.Errorf("from %v to %v", p.Src, p.Dst)
			}
			got = append(got, packet{p.Frame, p.Time / 1e9, p.Length, text})
			continue
		}
		got = append(got, packet{Frame: p.Frame, Seconds: p.Time / 1e9, Text: text})
	}
	want := []packet{
		{1, 1, 4, "five"},
		{2, 6, 3, "six"},
		{2, 2, 5, "seven"},
		{3, 3, 99, "cut"},
		{Frame: 4, Seconds: 4, Text: "(exported PDU of packet 9)"},
		{Frame: 5, Seconds: 5, Text: "(exported PDU of a recording)"},
		{Frame: 6, Seconds: 6, Text: "(exported PDU)"},
		{Frame: 7, Seconds: 7, Text: "(exported PDU)"},
		{Frame: 8, Seconds: 8, Text: "(exported PDU)"},
		{Frame: 9, Seconds: 9, Text: "(exported PDU)"},
		{Frame: 10, Seconds: 10, Text: "(exported PDU)"},
		{Frame: 11, Seconds: 11, Text: "(exported PDU)"},
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("packets (-want +got):\n%s", diff)
	}
}
