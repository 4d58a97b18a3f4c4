package anonymize

import (
	"crypto/aes"
	"crypto/cipher"
	"net/netip"
	"sync"
)

// An addressMap permutes addresses so that two with a common prefix still have one of the same length, no more
// and no less: Crypto-PAn, "Prefix-Preserving IP Address Anonymization" by Xu, Fan, Ammar and Moon, ICNP 2002,
// with AES-128 as in the authors' implementation.
type addressMap struct {
	block cipher.Block
	pad   [16]byte

	mu   sync.Mutex
	seen map[netip.Addr]netip.Addr
}

// maxSeen bounds the cache of an addressMap: an address costs up to 128 AES blocks.
const maxSeen = 1 << 16

// newAddressMap uses the AES key and the secret of the pad, 16 bytes each.
func newAddressMap(key [32]byte) *addressMap {
	block, err := aes.NewCipher(key[:16])
	if err != nil {
		panic(err) // 16 bytes are a key
	}
	m := &addressMap{block: block, seen: make(map[netip.Addr]netip.Addr)}
	block.Encrypt(m.pad[:], key[16:])
	return m
}

// of returns the replacement of an address: of the same family, for an IPv4 address in IPv6 form an IPv4
// address.
func (m *addressMap) of(a netip.Addr) netip.Addr {
	if !a.IsValid() {
		return a
	}
	a = a.WithZone("")
	if a.Is4In6() {
		return netip.AddrFrom16(m.of(a.Unmap()).As16())
	}
	m.mu.Lock()
	out, ok := m.seen[a]
	m.mu.Unlock()
	if ok {
		return out
	}
	out, _ = netip.AddrFromSlice(m.permute(a.AsSlice()))
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.seen) < maxSeen {
		m.seen[a] = out
	}
	return out
}

// permute flips each bit by a pseudo-random function of the bits before it.
func (m *addressMap) permute(addr []byte) []byte {
	var in, out [16]byte
	copy(in[:], m.pad[:])
	flips := make([]byte, len(addr))
	for i := range len(addr) * 8 {
		m.block.Encrypt(out[:], in[:])
		flips[i/8] |= out[0] >> 7 << (7 - i%8)
		mask := byte(0x80) >> (i % 8) // the next block has one bit more of the address
		in[i/8] = in[i/8]&^mask | addr[i/8]&mask
	}
	for i := range flips {
		flips[i] ^= addr[i]
	}
	return flips
}
