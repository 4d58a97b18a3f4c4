package capture

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// notInTshark are the layerings that tshark 4.0 does not follow down to the datagram without settings, and why.
var notInTshark = map[string]string{
	"CAPWAP, 802.11":                          "it expects the bytes of the frame control in the other order",
	"ERSPAN III, IP":                          "a frame without Ethernet",
	"IPv6 mobility, HIP, shim":                "what follows such a header is not decoded",
	"L2TPv3":                                  "cookie, sublayer and frame are settings",
	"L2TPv3 over UDP":                         "likewise",
	"L2TPv3, PPP over IPv6":                   "likewise",
	"L2TPv3, cookie and sublayer":             "likewise",
	"MPLS pseudowire":                         "a setting",
	"MPLS pseudowire to an address like IPv4": "a setting",
	"MPLS pseudowire without control word":    "a setting",
	"NFLOG, big-endian":                       "the byte order is that of the file",
	"VXLAN, Linux' port":                      "the port is a setting",
	"VXLAN-GPE, no protocol":                  "not in the draft's letter",
	"loop, IPv6, family 10":                   "Linux' number, which no system with such captures has",
	"loop, IPv6, family 23":                   "that of Windows",
	"null, IPv6, family 10":                   "as above",
	"null, IPv6, family 23":                   "as above",
}

// Another opinion on all packets: tshark's addresses, ports, lengths and payloads of the innermost datagram.
func TestAgainstTshark(t *testing.T) {
	t.Parallel()
	tshark, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("no tshark")
	}
	w, interfaces := newPcapNG(false), map[uint16]uint32{}
	all := layerings()
	for _, l := range all {
		if _, ok := interfaces[l.linkType]; !ok {
			interfaces[l.linkType] = uint32(len(interfaces))
			w.iface(l.linkType, 0)
		}
		w.packet(interfaces[l.linkType], 0, l.packet)
	}
	file := filepath.Join(t.TempDir(), "layerings.pcapng")
	if err := os.WriteFile(file, w.b, 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"-n", "-r", file, "-T", "fields", "-E", "occurrence=l"}
	for _, field := range []string{
		"frame.number", "ip.src", "ipv6.src", "udp.srcport", "udp.dstport",
		"udp.length", "udp.payload",
	} {
		args = append(args, "-e", field)
	}
	out, err := exec.Command(tshark, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	var missing []string
	for i, line := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
		f := strings.Split(line, "\t")
		src := f[1]
		if all[i].src == src6 {
			src = "[" + f[2] + "]"
		}
		want := src4
		if all[i].src != "" {
			want = all[i].src
		}
		if src+":"+f[3] != want || f[4] != "27961" || f[5] != "13" || f[6] != "68656c6c6f" {
			missing = append(missing, all[i].name)
			if notInTshark[all[i].name] == "" {
				t.Errorf("%s: %s", all[i].name, strings.Join(f[1:], " "))
			}
		}
	}
	slices.Sort(missing)
	if diff := gocmp.Diff(slices.Sorted(maps.Keys(notInTshark)), missing); diff != "" {
		t.Errorf("not in tshark (-want +got):\n%s", diff)
	}
}
