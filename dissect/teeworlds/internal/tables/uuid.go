package tables

import (
	"crypto/md5"
	"encoding/hex"
)

// UUIDBytes is the length of a UUID.
const UUIDBytes = 16

// A UUID names a message or object of an extension, in the order of the wire.
type UUID [UUIDBytes]byte

// String returns the usual form with hyphens.
func (u UUID) String() string {
	s := hex.EncodeToString(u[:])
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

// teeworldsNamespace is e05ddaaa-c4e6-4cfb-b642-5d48e80c0029, CalculateUuid in DDNet's
// src/engine/shared/uuid_manager.cpp.
var teeworldsNamespace = UUID{
	0xe0, 0x5d, 0xda, 0xaa, 0xc4, 0xe6, 0x4c, 0xfb, 0xb6, 0x42, 0x5d,
	0x48, 0xe8, 0x0c, 0x00, 0x29,
}

// UUIDOf returns the UUID of a name: version 3, the MD5 of namespace and name with six bits
// replaced.
//
// CalculateUuid in DDNet's src/engine/shared/uuid_manager.cpp; RFC 4122, section 4.3.
func UUIDOf(name string) UUID {
	u := UUID(md5.Sum(append(teeworldsNamespace[:], name...)))
	u[6] = u[6]&0x0f | 0x30
	u[8] = u[8]&0x3f | 0x80
	return u
}

// UUIDOfInts returns the UUID in the ints of a snapshot item, each with the most significant byte
// first.
//
// CSnapshot::GetExternalItemType in DDNet's src/engine/shared/snapshot.cpp.
func UUIDOfInts(ints []int32) (u UUID) {
	for i := range u {
		u[i] = byte(ints[i>>2] >> (24 - 8*(i&3)))
	}
	return u
}
