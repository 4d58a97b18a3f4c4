package main

import (
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"time"
)

// gap lies between two copies, in capture time.
const gap = time.Second

// A repeat writes a capture until the result has a size.
//
// In copy k, counted from 0, every packet is k times the capture's duration and gap later, and host h of H
// is 10.0.0.0 + 1 + k*H + h, or fd71:33:: with k and h in its last two groups of 32 bits. What is in
// the payload is kept, whatever addresses it names.
type repeat struct {
	size    byteSize
	foreign int
	first   int           // packets of the input; 0: all
	copies  int           // 0: as many as the size needs
	every   time.Duration // from one copy to the next; 0: they do not overlap

	packets []placed
	hosts   map[string]int // by address, in order of appearance
	after   time.Duration  // from one copy to the next
}

// A placed packet is one of the input, with its headers found.
type placed struct {
	packet
	location
	isIP     bool
	src, dst int // its hosts; -1: kept
}

func (r *repeat) flags(f *flag.FlagSet) {
	f.Var(&r.size, "size", "write until the file has this many bytes, as in 200M")
	f.IntVar(&r.foreign, "foreign", 0, "write that many packets of other protocols after each one")
	f.IntVar(&r.first, "first", 0, "only so many packets of the input, in every copy; 0: all")
	f.IntVar(&r.copies, "copies", 0, "write so many copies, instead of -size")
	f.DurationVar(&r.every, "every", 0, "from one copy to the next; 0: the length of the input and a second")
}

func (r *repeat) run(in *source, out *sink) error {
	if r.size == 0 && r.copies == 0 {
		return errors.New("want -size or -copies")
	}
	if err := r.load(in); err != nil {
		return err
	}
	other, err := r.strangers()
	if err != nil {
		return err
	}
	for k := 0; r.copies == 0 || k < r.copies; k++ {
		if (k+1)*len(r.hosts) >= 1<<24 {
			return fmt.Errorf("no more addresses for copy %d", k)
		}
		shift := time.Duration(k) * r.after
		for i := range r.packets {
			p := &r.packets[i]
			r.readdress(p, k)
			copied := p.packet
			copied.at += shift
			if err := out.write(copied); err != nil {
				return err
			}
			if err := other.write(out, copied.at, r.foreign); err != nil {
				return err
			}
			if r.size > 0 && out.size >= int64(r.size) {
				return nil
			}
		}
	}
	return nil
}

// load reads the input and finds its hosts.
func (r *repeat) load(in *source) error {
	r.hosts = map[string]int{}
	first, last := time.Duration(math.MaxInt64), time.Duration(0)
	for r.first == 0 || len(r.packets) < r.first {
		p, err := in.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		first, last = min(first, p.at), max(last, p.at)
		l, isIP := locate(in.link, p.data)
		q := placed{packet: p, location: l, isIP: isIP, src: -1, dst: -1}
		if isIP {
			src, dst := l.addresses(p.data)
			q.src, q.dst = r.host(src), r.host(dst)
		}
		r.packets = append(r.packets, q)
	}
	if len(r.packets) == 0 {
		return errors.New("no packets")
	}
	if r.after = r.every; r.after == 0 {
		r.after = last - first + gap
	}
	return nil
}

// host numbers an address. Multicast and broadcast addresses are no host's.
func (r *repeat) host(address []byte) int {
	if address[0] >= 0xe0 && len(address) == 4 || address[0] == 0xff {
		return -1
	}
	n, known := r.hosts[string(address)]
	if !known {
		n = len(r.hosts)
		r.hosts[string(address)] = n
	}
	return n
}

// readdress sets the addresses of a packet in a copy.
func (r *repeat) readdress(p *placed, k int) {
	if !p.isIP {
		return
	}
	src, dst := p.addresses(p.data)
	var address [16]byte
	for _, side := range [2]struct {
		now  []byte
		host int
	}{{src, p.src}, {dst, p.dst}} {
		if side.host >= 0 {
			p.setAddress(p.data, side.now, r.address(address[:p.location.size], k, side.host))
		}
	}
}

// address writes the address of a host in a copy into b, whose length is the address's.
func (r *repeat) address(b []byte, k, host int) []byte {
	if len(b) == 4 {
		binary.BigEndian.PutUint32(b, 10<<24+1+uint32(k*len(r.hosts)+host))
		return b
	}
	clear(b)
	copy(b, "\xfd\x71\x00\x33")
	binary.BigEndian.PutUint32(b[8:], uint32(k))
	binary.BigEndian.PutUint32(b[12:], uint32(host)+1)
	return b
}
