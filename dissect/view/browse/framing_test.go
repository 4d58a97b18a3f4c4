package browse_test

import (
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/view/browse"
)

// TestFramedRecord looks at a value of a snapshot, for which the message has four leaves one after the other: that the
// field changed, that it is not zero, that it is a whole number, and the number. Without framing the record has the
// last three as one.
func TestFramedRecord(t *testing.T) {
	t.Parallel()
	s := begin(t, browse.Options{InMemory: true}, "../../../samples/quake3/68-connect-play.pcap")
	const row, path = 19, "quake3.server_message.ops[0].snapshot.entities[0].pos.tr_base.x"
	plain, err := s.Record(row)
	if err != nil {
		t.Fatal(err)
	}
	framed, err := s.FramedRecord(row)
	if err != nil {
		t.Fatal(err)
	}
	find := func(r *browse.Record) (int, *browse.Field) {
		for i := range r.Fields {
			if r.Fields[i].Path == path {
				return i, &r.Fields[i]
			}
		}
		t.Fatalf("%s is not in the record", path)
		return 0, nil
	}
	_, whole := find(plain)
	number, value := find(framed)
	var names []string
	next := value.Bit
	for i := len(framed.Fields) - 1; i >= 0; i-- {
		if f := &framed.Fields[i]; f.Frames == number+1 {
			if next -= f.Bits; f.Bit != next || !f.Framing || f.Layer != value.Layer {
				t.Errorf("%s is at bit %d, want %d", f.Path, f.Bit, next)
			}
			names = append(names, f.Path[strings.LastIndexByte(f.Path, '.')+1:])
		}
	}
	if got := strings.Join(names, " "); got != "full_float not_zero changed" {
		t.Errorf("the value is framed by %q", got)
	}
	if whole.Bit != next+1 || whole.Bit+whole.Bits != value.Bit+value.Bits || whole.Value != value.Value {
		t.Errorf("%+v without framing, %+v with it", whole, value)
	}
	for _, f := range plain.Fields {
		if f.Framing || f.Frames != 0 {
			t.Errorf("%s frames others, which nobody asked for", f.Path)
		}
	}
}
