package truth_test

import (
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tshark runs a statistic of tshark.
func tshark(t *testing.T, name, statistic string) string {
	t.Helper()
	path, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("no tshark: ", err)
	}
	out, err := exec.Command(path, "-n", "-r", name, "-q", "-z", statistic).Output()
	if err != nil {
		t.Skip("tshark: ", err)
	}
	return string(out)
}

var sharkPair = regexp.MustCompile(`(?m)^(\S+):(\d+)\s+<-> (\S+):(\d+)\s+(\d+) \d+ \w+\s+(\d+) \d+ \w+\s+(\d+) `)

// Conversations have the datagrams that tshark counts.
func TestConversationsAgreeWithTshark(t *testing.T) {
	for _, base := range []string{
		"q3-multi-3clients-2servers", "q3-oob", "q3-68-natrebind-serverside",
		"q3-71-connect-play",
	} {
		name := captureNamed(t, base)
		want := map[string][2]int{}
		for _, m := range sharkPair.FindAllStringSubmatch(tshark(t, name, "conv,udp"), -1) {
			toA, _ := strconv.Atoi(m[5])
			toB, _ := strconv.Atoi(m[6])
			a, b := m[1]+":"+m[2], m[3]+":"+m[4]
			if a > b {
				a, b, toA, toB = b, a, toB, toA
			}
			want[a+" "+b] = [2]int{toA, toB}
		}
		got := map[string][2]int{}
		for _, r := range statistic(t, name, "conv") {
			a, b := fmt.Sprint(r.text("a"), ":", r.int("a_port")), fmt.Sprint(r.text("b"), ":", r.int("b_port"))
			toA, toB := r.int("packets_to_a"), r.int("packets_to_b")
			if a > b {
				a, b, toA, toB = b, a, toB, toA
			}
			got[a+" "+b] = [2]int{toA, toB}
		}
		if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
			t.Errorf("%s (-tshark +statistic):\n%s", base, diff)
		}
	}
}

var sharkInterval = regexp.MustCompile(`(?m)^\|\s+(\d+) <>\s+\w+\s+\|\s+(\d+) \|\s+(\d+) \|`)

// Intervals have the datagrams and bytes that tshark counts.
func TestIntervalsAgreeWithTshark(t *testing.T) {
	const headers = 14 + 20 + 8 // Ethernet, IPv4, UDP
	for _, base := range []string{"q3-multi-3clients-2servers", "q3-71-connect-play"} {
		name := captureNamed(t, base)
		var want, got [][3]int
		for _, m := range sharkInterval.FindAllStringSubmatch(tshark(t, name, "io,stat,5"), -1) {
			var n [3]int
			for i := range n {
				n[i], _ = strconv.Atoi(m[i+1])
			}
			n[2] -= n[1] * headers
			want = append(want, n)
		}
		for _, r := range statistic(t, name, "io,5") {
			got = append(got, [3]int{r.int("start"), r.int("packets"), r.int("bytes")})
		}
		if diff := cmp.Diff(want, got); diff != "" || len(want) < 10 {
			t.Errorf("%s (-tshark +statistic):\n%s", base, diff)
		}
	}
}
