package capture

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"
)

const (
	// bufferSize is the size of the largest record that is read, in bytes. Records are checked in
	// place in the buffer.
	bufferSize = 1 << 20

	// readSize is how many bytes are read at once: few enough to be still in the processor's cache
	// when they are used.
	readSize = 64 << 10

	maxPackings = 4 // a file with more layers of compression is an attack

	// maxWindow is the largest window that zstd itself accepts by default, in bytes: files up to
	// level 19 have 8 MiB or less, --long this much. The window is reserved when a frame asks for
	// it, and takes real memory as it fills.
	maxWindow = 128 << 20

	// maxDictionary is the largest dictionary of xz, in bytes: that of xz -9. It is reserved when a block asks for
	// it, and takes real memory as it fills.
	maxDictionary = 64 << 20
)

// An Input is a file or pipe, decompressed. Open makes one; NewReader reads captures from it. Other
// files can be examined with Peek and read by something else, so that any file is opened only once.
type Input struct {
	raw      *rawInput
	buf      *bufio.Reader
	buffers  []*bufio.Reader // one for the file and one for each packing; the last is buf
	offset   int64           // position of Peek's first byte in the unpacked file
	format   Format
	packings []Format // outermost first
}

// Open detects the compression of r by its content, and decompresses it while it is read. It reads
// no further than the first bytes of the content.
//
// idle, if not nil, is called before every Read of r, which may block: the moment to flush output. The
// error is an *Error: r cannot be read, or a packing breaks off before its first byte.
func Open(r io.Reader, idle func()) (*Input, error) {
	raw := &rawInput{r: r, idle: idle}
	in := &Input{raw: raw}
	in.read(raw)
	for {
		head, err := in.buf.Peek(SniffLen)
		if len(head) == 0 && err != nil && err != io.EOF {
			return nil, in.brokenOff(err, "nothing can be read")
		}
		in.format = Sniff(head)
		if in.format != Gzip && in.format != Zstd && in.format != XZ {
			return in, nil
		}
		if len(in.packings) == maxPackings {
			return nil, &Error{Code: MalformedFile, Message: fmt.Sprintf("packed more than %d times", maxPackings)}
		}
		in.packings = append(in.packings, in.format)
		if err := in.unpack(); err != nil {
			return nil, in.brokenOff(err, "nothing can be read")
		}
	}
}

func (in *Input) unpack() error {
	switch in.format {
	case Gzip:
		unpacker, err := gzip.NewReader(in.buf)
		if err != nil {
			return err
		}
		in.read(in.bounded(unpacker))
		return nil
	case XZ:
		unpacker, err := xz.NewReader(in.buf, maxDictionary)
		if err != nil {
			return cutXZ(err)
		}
		in.read(in.bounded(xzReader{unpacker}))
		return nil
	}
	// One worker: it runs inside Read, without goroutines that would have to be stopped.
	unpacker, err := zstd.NewReader(in.buf, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return err
	}
	in.read(in.bounded(insistent{unpacker}))
	return nil
}

// spareBuffers holds the buffers of closed inputs: most files are smaller than a buffer.
var spareBuffers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, bufferSize) }}

// read makes r the source of the following reads.
func (in *Input) read(r io.Reader) {
	in.buf = spareBuffers.Get().(*bufio.Reader)
	in.buf.Reset(r)
	in.buffers = append(in.buffers, in.buf)
}

// Close releases the memory of an input, once. Nothing that the input or a reader of it returned is
// valid afterwards. The file passed to Open stays open.
func (in *Input) Close() {
	for _, b := range in.buffers {
		b.Reset(nil)
		spareBuffers.Put(b)
	}
	in.buf, in.buffers = nil, nil
}

// Format returns the format of the unpacked bytes, or Unknown if they are not a capture.
func (in *Input) Format() Format { return in.format }

// Packings returns how the file is packed, the outermost packing first.
func (in *Input) Packings() []Format { return in.packings }

// Peek returns the next n unpacked bytes without advancing, or fewer and an error. n is at most 1
// MiB. The bytes are valid until the next call of Peek or Read.
func (in *Input) Peek(n int) ([]byte, error) { return in.buf.Peek(n) }

// peekAll is Peek of at least n bytes, and of all others that are already buffered.
func (in *Input) peekAll(n int) ([]byte, error) { return in.buf.Peek(max(n, in.buf.Buffered())) }

// Read reads unpacked bytes.
func (in *Input) Read(p []byte) (int, error) {
	n, err := in.buf.Read(p)
	in.offset += int64(n)
	return n, err
}

// skip discards n bytes.
func (in *Input) skip(n int) error {
	done, err := in.buf.Discard(n)
	in.offset += int64(done)
	return err
}

// brokenOff turns an error of Peek or Read into an Error; doing is what the bytes were needed
// for.
func (in *Input) brokenOff(err error, doing string) *Error {
	e := &Error{Code: TruncatedFile, Offset: in.offset, Err: err}
	switch {
	case err == io.EOF:
		e.Err = io.ErrUnexpectedEOF
		e.Message = doing
	case in.raw.err != nil || len(in.packings) == 0:
		e.Code, e.Err = ReadFailed, cmp.Or(in.raw.err, err)
		e.Message = fmt.Sprintf("%s: %v", doing, e.Err)
	case errors.Is(err, errExpands):
		e.Code = MalformedFile
		e.Message = fmt.Sprintf("%s: %v", doing, err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.Message = fmt.Sprintf("%s: the %s data ends early", doing, in.innermost())
	default:
		e.Code = MalformedFile
		e.Message = fmt.Sprintf("%s: the %s data is damaged: %v", doing, in.innermost(), err)
	}
	return e
}

// malformed returns an Error at the current offset.
func (in *Input) malformed(format string, args ...any) *Error {
	return &Error{Code: MalformedFile, Offset: in.offset, Message: fmt.Sprintf(format, args...)}
}

func (in *Input) innermost() Format { return in.packings[len(in.packings)-1] }

// Unpacked bytes for those of the file: captures and recordings have a twentieth of that. Some 300 MB of zeros can be
// packed in 47 KB, and each of them be a message.
const (
	unpackedFirst = 4 << 20
	unpackedEach  = 128
)

// errExpands ends a file that unpacks to more than that.
var errExpands = fmt.Errorf("it unpacks to more than %d times its size", unpackedEach)

// A boundedReader unpacks no more than is allowed for what was read of the file.
type boundedReader struct {
	r    io.Reader
	file *rawInput
	n    int64
}

func (in *Input) bounded(r io.Reader) io.Reader { return &boundedReader{r: r, file: in.raw} }

func (b *boundedReader) Read(p []byte) (int, error) {
	left := unpackedFirst + unpackedEach*b.file.n - b.n
	if left <= 0 {
		return 0, errExpands
	}
	n, err := b.r.Read(p[:min(int64(len(p)), left)])
	b.n += int64(n)
	return n, err
}

// A rawInput is the caller's reader. It keeps the reader's errors, which the decompressors would
// hide.
type rawInput struct {
	r    io.Reader
	idle func()
	n    int64 // bytes so far
	err  error // first error other than io.EOF
}

func (r *rawInput) Read(p []byte) (int, error) {
	if r.idle != nil {
		r.idle()
	}
	n, err := r.r.Read(p[:min(len(p), readSize)])
	r.n += int64(n)
	if err != nil && err != io.EOF && r.err == nil {
		r.err = err
	}
	return n, err
}

// An xzReader reports a file that is cut as other unpackers do.
type xzReader struct{ r *xz.Reader }

func (x xzReader) Read(p []byte) (int, error) {
	n, err := x.r.Read(p)
	return n, cutXZ(err)
}

// cutXZ makes io.ErrUnexpectedEOF of the error that xz has for data without an end.
func cutXZ(err error) error {
	if errors.Is(err, xz.ErrBuf) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// An insistent reader reads once more after an error. zstd.Decoder holds back the last block if the
// checksum after it is wrong or cut off, and returns it when read again.
type insistent struct{ r io.Reader }

func (i insistent) Read(p []byte) (int, error) {
	n, err := i.r.Read(p)
	if n == 0 && err != nil && err != io.EOF {
		if n, _ = i.r.Read(p); n > 0 {
			err = nil // it is returned again after the last block
		}
	}
	return n, err
}
