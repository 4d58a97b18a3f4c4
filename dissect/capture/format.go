package capture

import (
	"bytes"
	"encoding/binary"
)

// A Format is a kind of file that this package reads.
type Format uint8

// The formats that Sniff recognises.
const (
	Unknown      Format = iota
	Pcap                // draft-ietf-opsawg-pcap, time in microseconds
	NanoPcap            // the same, time in nanoseconds
	ModifiedPcap        // longer record headers: Alexey Kuznetsov's patched libpcap of old Linux systems
	PcapNG              // draft-ietf-opsawg-pcapng
	Snoop               // RFC 1761, of Solaris
	Gzip                // RFC 1952; its content is sniffed in turn
	Zstd                // RFC 8878; likewise
	XZ                  // The .xz File Format, version 1.2.1; likewise
)

var formatNames = [...]string{
	Unknown: "unknown", Pcap: "pcap", NanoPcap: "nanosecond pcap", ModifiedPcap: "modified pcap", PcapNG: "pcapng",
	Snoop: "snoop",
	Gzip:  "gzip", Zstd: "zstd", XZ: "xz",
}

// String returns the name in lower case.
func (f Format) String() string {
	if int(f) < len(formatNames) {
		return formatNames[f]
	}
	return formatNames[Unknown]
}

// SniffLen is the number of bytes that Sniff uses at most.
const SniffLen = 12

// The first bytes of the formats, as a little-endian number.
const (
	magicPcap         = 0xa1b2c3d4
	magicNanoPcap     = 0xa1b23c4d
	magicModifiedPcap = 0xa1b2cd34
	magicSection      = 0x0a0d0d0a // type of a section header block, the same in both byte orders
	magicByteOrder    = 0x1a2b3c4d // 8 bytes after it
	magicZstd         = 0xfd2fb528
	magicZstdSkip     = 0x184d2a50 // to 0x184d2a5f: a frame to skip, which may come first

	magicSnoop = "snoop\x00\x00\x00"
)

// magicXZ is the beginning of an xz file.
const magicXZ = "\xfd7zXZ\x00"

// Sniff returns the kind of a file by its first bytes, up to SniffLen. Four are
// enough if the file has no more, six for xz.
func Sniff(head []byte) Format {
	if len(head) < 4 {
		return Unknown
	}
	little, big := binary.LittleEndian.Uint32(head), binary.BigEndian.Uint32(head)
	for _, magic := range [2]uint32{little, big} {
		switch magic {
		case magicPcap:
			return Pcap
		case magicNanoPcap:
			return NanoPcap
		case magicModifiedPcap:
			return ModifiedPcap
		}
	}
	switch {
	case little == magicSection && (len(head) < SniffLen || isByteOrderMagic(head[8:])):
		return PcapNG
	case string(head[:4]) == magicSnoop[:4] &&
		(len(head) < len(magicSnoop) || string(head[:len(magicSnoop)]) == magicSnoop):
		return Snoop
	case little == magicZstd || little&^0xf == magicZstdSkip:
		return Zstd
	case len(head) >= len(magicXZ) && string(head[:len(magicXZ)]) == magicXZ:
		return XZ
	case head[0] == 0x1f && head[1] == 0x8b && head[2] == 8 && head[3]&0xe0 == 0: // deflate, no reserved flag
		return Gzip
	}
	return Unknown
}

func isByteOrderMagic(b []byte) bool {
	return binary.LittleEndian.Uint32(b) == magicByteOrder || binary.BigEndian.Uint32(b) == magicByteOrder
}

// sniffArchive is how many bytes of a file show that it is an archive.
const sniffArchive = 512

// archive names some archives of files, for the error message.
func archive(head []byte) string {
	const tarMagic, tarMagicAt = "ustar", 257 // POSIX.1-1988, of GNU tar too
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return "a zip archive"
	case bytes.HasPrefix(head, []byte("7z\xbc\xaf\x27\x1c")):
		return "a 7z archive"
	case bytes.HasPrefix(head, []byte("Rar!\x1a\x07")):
		return "a rar archive"
	case len(head) > tarMagicAt && bytes.HasPrefix(head[tarMagicAt:], []byte(tarMagic)):
		return "a tar archive"
	}
	return ""
}

// foreign names some formats that look like captures but are not supported, for the error message.
func foreign(head []byte) string {
	for _, kind := range [...]struct{ magic, name string }{
		{"BZh", "a bzip2 file"},
		{"\x04\x22\x4d\x18", "an lz4 file"},
		{"GMBU", "a Network Monitor capture"},
		{"RTSS", "a Network Monitor capture"},
		{"\n\r\r\n", "pcapng with a damaged section header"},
	} {
		if len(head) >= len(kind.magic) && string(head[:len(kind.magic)]) == kind.magic {
			return kind.name
		}
	}
	return ""
}
