package browsertest

import (
	"bufio"
	"encoding/json"
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
	return strings.TrimSpace(line)
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
	b := newTab(t, l)
	b.run(chromedp.Navigate(view(t, args...)))
	b.until(`document.querySelectorAll(".tree .item").length > 0`)
	return b
}

// rowTexts are the cells of the rows that are seen.
const rowTexts = `[...document.querySelectorAll("#row .line")].sort((a, b) => a.place - b.place).map(l => [...l.children].map(c => c.textContent.trim()))`

func TestViewerShowsTheList(t *testing.T) {
	t.Parallel()
	const file = "quake3/68-connect-play.pcap"
	b := openViewer(t, desk, sample(file))
	rows := eval[[][]string](b, rowTexts)
	lines := strings.Split(output(t, sample(file)), "\n")
	if len(rows) < 10 {
		t.Fatalf("%d rows are seen", len(rows))
	}
	for i, row := range rows {
		number, time := row[0], row[1]
		if words := strings.Fields(lines[i]); words[0] != number || words[1] != time || !strings.HasSuffix(lines[i], strings.TrimLeft(row[6], "ⓘ⚠✖ ")) {
			t.Errorf("row %d is %q, the list has %q", i, row, lines[i])
		}
	}
	var record struct{ Info string }
	if err := json.Unmarshal([]byte(strings.SplitN(output(t, sample(file), "--json"), "\n", 2)[0]), &record); err != nil {
		t.Fatal(err)
	}
	if heading := eval[string](b, `document.querySelector(".heading").textContent`); !strings.HasSuffix(heading, record.Info) {
		t.Errorf("the fields are headed %q, the record is %q", heading, record.Info)
	}
}
