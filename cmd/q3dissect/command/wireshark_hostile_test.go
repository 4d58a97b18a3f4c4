package command

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// writePDUs writes packets of link type 252 to a pcapng file.
func writePDUs(t *testing.T, packets [][]byte) string {
	t.Helper()
	le := binary.LittleEndian
	var b []byte
	block := func(kind uint32, body []byte) {
		for len(body)%4 != 0 {
			body = append(body, 0)
		}
		n := uint32(len(body) + 12)
		b = le.AppendUint32(le.AppendUint32(b, kind), n)
		b = le.AppendUint32(append(b, body...), n)
	}
	block(0x0a0d0d0a, []byte("\x4d\x3c\x2b\x1a\x01\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff"))
	block(1, []byte{252, 0, 0, 0, 0, 0, 4, 0})
	for _, p := range packets {
		body := make([]byte, 20, 20+len(p))
		le.PutUint32(body[12:], uint32(len(p)))
		le.PutUint32(body[16:], uint32(len(p)))
		block(6, append(body, p...))
	}
	name := filepath.Join(t.TempDir(), "hostile.pcapng")
	if err := os.WriteFile(name, b, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// A container is a packet that is taken apart, to be put together with faults.
type container struct {
	tags, head []byte
	sections   [12][]byte
}

func takeApart(packet []byte) *container {
	at := bytes.Index(packet, []byte("q3pd"))
	c := &container{tags: packet[:at], head: slices.Clone(packet[at : at+112])}
	rest := packet[at+112:]
	for i := range c.sections {
		n := binary.LittleEndian.Uint32(c.head[64+4*i:])
		c.sections[i], rest = slices.Clone(rest[:n]), rest[n:]
	}
	return c
}

func (c *container) packet() []byte {
	b := append(slices.Clone(c.tags), c.head...)
	for i, s := range c.sections {
		binary.LittleEndian.PutUint32(b[len(c.tags)+64+4*i:], uint32(len(s)))
	}
	for _, s := range c.sections {
		b = append(b, s...)
	}
	return b
}

// A damaged or hostile container is shown as malformed, without a fault of the plug-in, and is read back without one.
func TestWiresharkHostile(t *testing.T) {
	t.Parallel()
	s := newTshark(t)
	file := filepath.Join("..", "..", "..", "samples", "quake3", "68-connect-play.pcap")
	sample := pduPackets(t, exportPDUs(t, file, "--frames", "8-9"))
	const nodes, texts, experts, datagrams = 8, 9, 7, 11
	le := binary.LittleEndian
	tests := []struct {
		name   string
		change func(c *container) []byte
	}{
		{"a section beyond the end", func(c *container) []byte {
			b := c.packet()
			le.PutUint32(b[len(c.tags)+64+4*nodes:], 22_000_000)
			return b
		}},
		{"all sections of 4 GB", func(c *container) []byte {
			b := c.packet()
			for i := range 12 {
				le.PutUint32(b[len(c.tags)+64+4*i:], 0xffffffff)
			}
			return b
		}},
		{"a head of 65,535 bytes", func(c *container) []byte {
			b := c.packet()
			le.PutUint16(b[len(c.tags)+6:], 65535)
			return b
		}},
		{"another version", func(c *container) []byte { c.head[4] = 9; return c.packet() }},
		{"other bytes", func(c *container) []byte { return append(slices.Clone(c.tags), "no container at all"...) }},
		{"no bytes", func(c *container) []byte { return slices.Clone(c.tags) }},
		{"a depth of 255", func(c *container) []byte { c.sections[nodes][22+4] = 255; return c.packet() }},
		{"deeper and deeper", func(c *container) []byte {
			node := slices.Clone(c.sections[nodes][:22])
			c.sections[nodes] = nil
			for i := range 255 {
				node[4] = byte(i)
				c.sections[nodes] = append(c.sections[nodes], node...)
			}
			return c.packet()
		}},
		{"half a node", func(c *container) []byte {
			c.sections[nodes] = c.sections[nodes][:31]
			return c.packet()
		}},
		{"another kind", func(c *container) []byte {
			for i := 0; i < len(c.sections[nodes]); i += 22 {
				c.sections[nodes][i+5] ^= 7
			}
			return c.packet()
		}},
		{"texts that are missing", func(c *container) []byte { c.sections[texts] = nil; return c.packet() }},
		{"a datagram of 4 GB", func(c *container) []byte {
			le.PutUint32(c.sections[datagrams][20:], 0xffffffff)
			return c.packet()
		}},
		{"half a datagram", func(c *container) []byte { c.sections[datagrams] = c.sections[datagrams][:23]; return c.packet() }},
		{"expert entries beyond the texts", func(c *container) []byte {
			c.head[57] = 3
			c.sections[experts] = bytes.Repeat([]byte{1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff}, 4)
			return c.packet()
		}},
		{"an expert entry of severity 9", func(c *container) []byte {
			c.head[57] = 3
			c.sections[experts] = append([]byte{9}, make([]byte, 31)...)
			return c.packet()
		}},
	}
	var packets [][]byte
	for _, test := range tests {
		packets = append(packets, test.change(takeApart(sample[len(sample)-1])))
	}
	name := writePDUs(t, packets)
	for _, args := range [][]string{
		{"-V"},
		{"-Y", "q3dissect.quake3.server_message.ops.snapshot || q3dissect.expert"},
		{"-T", "json"},
		nil,
	} {
		if fault := pluginFault(s.run(t, name, args...)); fault != "" {
			t.Errorf("tshark %v: %s", args, fault)
		}
	}
	marked := strings.Split(string(s.run(t, name, "-T", "fields", "-e", "frame.number", "-Y",
		"q3dissect.malformed", "-V")), "\n")
	for i, test := range tests {
		if !slices.Contains(marked, fmt.Sprint(i+1)) {
			t.Errorf("%s: no mark", test.name)
		}
	}

	// As many nodes as a packet holds, fields that nobody knows, positions beyond all bytes: nothing of that is malformed.
	full := takeApart(sample[len(sample)-1])
	node := slices.Clone(full.sections[nodes][:22])
	numbers := rand.New(rand.NewPCG(3, 4)) // none is that of a field: one in 20 other packets has such a number
	for full.sections[nodes] = nil; len(full.sections[nodes]) < 250_000; {
		le.PutUint32(node, numbers.Uint32())
		le.PutUint32(node[6:], numbers.Uint32())
		le.PutUint32(node[10:], numbers.Uint32())
		full.sections[nodes] = append(full.sections[nodes], node...)
	}
	name = writePDUs(t, [][]byte{full.packet()})
	out := s.run(t, name, "-V")
	if fault := pluginFault(out); fault != "" || bytes.Contains(out, []byte("Malformed")) ||
		!bytes.Contains(out, []byte("fields that this plug-in does not have")) {
		t.Errorf("a full packet: %s", fault)
	}

	// Any damage.
	random := rand.New(rand.NewPCG(1, 2))
	packets = nil
	for range 400 {
		p := slices.Clone(sample[random.IntN(len(sample))])
		from := bytes.Index(p, []byte("q3pd")) + 4
		for range 1 + random.IntN(8) {
			p[from+random.IntN(len(p)-from)] = byte(random.Uint32())
		}
		if random.IntN(4) == 0 {
			p = p[:from+random.IntN(len(p)-from)]
		}
		packets = append(packets, p)
	}
	name = writePDUs(t, packets)
	for _, args := range [][]string{{"-V"}, {"-Y", "q3dissect.quake3.server_message.ops.snapshot.server_time"}} {
		if fault := pluginFault(s.run(t, name, args...)); fault != "" {
			t.Errorf("damage: tshark %v: %s", args, fault)
		}
	}
	runMain(t, name, "--json")
}

// pluginFault returns what a fault of the Lua program looks like in tshark's output.
func pluginFault(out []byte) string {
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "q3dissect.lua:") || strings.Contains(line, "Lua Error") ||
			strings.Contains(line, "Dissector bug") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// The Lua of Wireshark 4.4 reads the plug-in too, and it names nothing that Lua 5.4 dropped.
func TestWiresharkPluginLua54(t *testing.T) {
	t.Parallel()
	plugin, _ := runMain(t, "wireshark", "plugin")
	for _, dropped := range []string{
		"%z", "bit32.", "loadstring", "setfenv", "math.pow", "table.getn",
		"string.gfind", "module(",
	} {
		if bytes.Contains(plugin, []byte(dropped)) {
			t.Errorf("the plug-in has %s", dropped)
		}
	}
	luac, err := exec.LookPath("luac5.4")
	if err != nil {
		t.Skip("no luac5.4: ", err)
	}
	name := filepath.Join(t.TempDir(), "q3dissect.lua")
	if err := os.WriteFile(name, plugin, 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(luac, "-p", name).CombinedOutput(); err != nil {
		t.Errorf("luac5.4 -p: %v: %s", err, out)
	}
}
