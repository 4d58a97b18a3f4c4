package browsertest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"github.com/chromedp/chromedp"
)

// view starts the command and gives the address that it prints. It ends with the test.
func view(t *testing.T, args ...string) string {
	t.Helper()
	address, _ := startView(t, args...)
	return address
}

// startView is view, and gives the number of the process too.
func startView(t *testing.T, args ...string) (address string, process int) {
	t.Helper()
	c := exec.Command(program(t), append([]string{"view", "--no-open"}, args...)...)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Signal(syscall.SIGTERM) // it may have ended
		_ = c.Wait()                          // by the signal
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line), c.Process.Pid
}

// sameJSON reports whether two texts are the same value.
func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var values [2]any
	for i, text := range []string{a, b} {
		if err := json.Unmarshal([]byte(text), &values[i]); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
	}
	return reflect.DeepEqual(values[0], values[1])
}

// openViewer opens the viewer and waits for the first record.
func openViewer(t *testing.T, l look, args ...string) *tab {
	t.Helper()
	chromium(t)
	address := view(t, args...) // it ends after the tab
	b := newTab(t, l)
	b.run(chromedp.Navigate(address))
	b.until(`globalThis.viewer && viewer.record && viewer.status.done`)
	return b
}

// linesListed is true once a panel has all its lines, and those that are in view have come.
const linesListed = `viewer.panels.note.textContent && !viewer.panels.note.textContent.includes("so far") &&
	viewer.panels.list.lines.length > 0 && viewer.panels.list.lines.every(l => l.shown && l.isConnected)`

// plotDrawn is true once all values of a field are read, and their plot is drawn.
const plotDrawn = `viewer.panels.figure?.isConnected && viewer.panels.figure.querySelector("canvas") &&
	["", "of the packets that match the filter"].includes(viewer.panels.note.textContent)`

// goTo shows the state that an address describes, and waits for it.
func goTo(b *tab, frame int, field string) {
	b.t.Helper()
	b.run(chromedp.Evaluate(fmt.Sprintf(`location.hash = "#frame=%d&field=" + encodeURIComponent(%q)`, frame, field), nil))
	b.until(fmt.Sprintf(`viewer.record.number === %d && viewer.row.number === %d && viewer.tree.selected.path === %q`, frame, frame, field))
}
