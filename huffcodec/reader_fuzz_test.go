package huffcodec

import "testing"

// FuzzReader compares the Reader with the model, after each of a list of reads that the input encodes:
// values, position and error.
func FuzzReader(f *testing.F) {
	list := codes(f)
	all := []byte{0x00, 0x01, 0x48, 0x4a, 0x60, 0x88, 0x8d, 0x93, 0xb0, 0xc5, 0xe4, 0xff, 0x28, 0x21}
	f.Add(unhex(f, fieldsVector), []byte{3, 10, 0x30, 32}, false)
	f.Add(unhex(f, serverVector), []byte{32, 0x48, 32, 0x60, 0x48, 0x48, 0x48}, false)
	f.Add(unhex(f, clientVector), []byte{32, 32, 32, 0x48, 32, 0x60, 0x48, 0x48, 0x40, 8}, false)
	f.Add(unhex(f, clientVector), all, true)
	f.Add(packBits("01 11011"+modelUnused+"1111111111111111111111111111111111111"), all, false)
	f.Fuzz(func(t *testing.T, data, script []byte, raw bool) {
		coding := Static
		if raw {
			coding = Raw
		}
		data = data[:len(data):len(data)]
		r := NewReader(data, coding)
		m := newModelReader(list, data, coding)
		for i, op := range script {
			var got, want any
			n := int(op & 0x1f)
			switch op >> 5 {
			case 0:
				got, want = r.Bits(n), uint32(m.field(n))
			case 1:
				got, want = r.Bits(MaxBits-n), uint32(m.field(MaxBits-n))
			case 2:
				if n&1 == 0 {
					got, want = r.Byte(), byte(m.field(8))
				} else {
					got, want = r.Bit(), m.field(1) == 1
				}
			case 3:
				got, want = string(r.AppendString(nil)), string(m.str())
			case 4:
				got, want = string(r.AppendBytes(nil, n)), string(m.bytes(n))
			case 5:
				got, want = r.Signed(n+1), int32(m.field(n+1)<<(31-n))>>(31-n)
			case 6:
				r.Align()
				m.align()
			case 7:
				for range n {
					if got, want := r.Bit(), m.field(1) == 1; got != want {
						t.Fatalf("read %d: bit %v, want %v", i, got, want)
					}
				}
			}
			if got != want {
				t.Fatalf("read %d, op %#x: %v, want %v", i, op, got, want)
			}
			if r.Pos() != m.pos || r.Pos() > r.Len() {
				t.Fatalf("read %d, op %#x: position %d of %d, want %d", i, op, r.Pos(), r.Len(), m.pos)
			}
			var err error
			if m.err != nil {
				err = m.err
			}
			if !sameError(err, r.Err()) || r.Failed() != (err != nil) {
				t.Fatalf("read %d, op %#x: error %v, want %v", i, op, r.Err(), err)
			}
		}
	})
}
