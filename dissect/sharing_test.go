package dissect

import (
	"testing"
	"unsafe"
)

// Two workers whose trees share a cache line wait for each other with every node: the list of one file took as long on
// two processors as on one. The allocator aligns memory of 128 bytes to 128.
func TestTreesShareNoCacheLine(t *testing.T) {
	const alone = 128 // x86-64 fetches lines of 64 bytes in pairs
	if size := unsafe.Sizeof(Tree{}); size%alone != 0 {
		t.Errorf("a Tree has %d bytes, which is no multiple of %d", size, alone)
	}
	if size := uintptr(cap(NewRecord().Tree.open)) * unsafe.Sizeof(int32(0)); size%alone != 0 {
		t.Errorf("the list of open containers has %d bytes at first, which is no multiple of %d", size, alone)
	}
}
