package connless

import (
	"net/netip"

	"github.com/q3dissect/q3dissect/dissect"
)

// personal are the fields that identify people: names and clans of the players on a server, and what it is called.
var personal = makePersonal(messages.fields)

func makePersonal(fields []*dissect.Field) map[*dissect.Field]dissect.Personal {
	found := map[*dissect.Field]dissect.Personal{}
	for _, f := range fields {
		for _, list := range f.Children {
			if list.Key == "hostname" || list.Key == "name" && list.Kind == dissect.Text {
				found[list] = dissect.PersonUnknown
			}
			if list.Key != "clients" {
				continue
			}
			for _, f := range list.Children[0].Children {
				if f.Key == "name" || f.Key == "clan" {
					found[f] = dissect.PersonName
				}
			}
		}
	}
	return found
}

// Personal returns what a field of a connless message identifies.
func Personal(f *dissect.Field) dissect.Personal { return personal[f] }

// Opaque reports whether a field holds bytes that no table describes.
func Opaque(f *dissect.Field) bool { return f == &unknownData || f == &restField }

// AppendAddress appends the replacement of a server's address. It returns false if the field is not
// an address.
func AppendAddress(dst []byte, f *dissect.Field, b []byte, with dissect.Rewriting) ([]byte, bool) {
	if f.Key != "ip" || len(b) != 16 {
		return dst, false
	}
	return append(dst, with.Addr(netip.AddrFrom16([16]byte(b))).AsSlice()...), true
}
