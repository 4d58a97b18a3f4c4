package capture

import (
	"errors"
	"io"

	"github.com/gopacket/gopacket/pcapgo"

	"github.com/q3dissect/q3dissect/dissect/capture/internal/headers"
	"github.com/q3dissect/q3dissect/dissect/internal/hexdump"
)

// hexHead is how many bytes of a text are examined to decide whether it is a hex dump.
const hexHead = 64 << 10

// A hexFile reads the packets of a text with hex dumps.
type hexFile struct {
	in   *Input
	text *hexdump.Reader
}

// openHex returns a reader of the dumps in a text, if it has any.
func openHex(in *Input) (*hexFile, bool) {
	head, _ := in.Peek(hexHead) // the text may be shorter
	if !hexdump.Sniff(head) {
		return nil, false
	}
	return &hexFile{in: in, text: hexdump.NewReader(in)}, true
}

func (f *hexFile) next(r *record) error {
	dump, err := f.text.Next()
	var fault *hexdump.Error
	switch {
	case err == io.EOF:
		return err
	case errors.As(err, &fault):
		return &Error{Code: MalformedFile, Offset: fault.Offset, Message: fault.Error()}
	case err != nil:
		return f.in.brokenOff(err, "the text cannot be read")
	}
	*r = record{data: dump.Data, wire: len(dump.Data), time: dump.Time, hasTime: dump.HasTime}
	linkType, ok := headers.FirstHeader(dump.Data)
	r.linkType, r.bare = linkType, !ok
	return nil
}

func (f *hexFile) describe(int) (pcapgo.NgInterface, error) { return pcapgo.NgInterface{}, nil }
