package command

import (
	"bytes"
	"flag"
	"fmt"
	"html"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// picture is README's picture of a terminal, made of what these commands print.
const picture = "../../../docs/terminal.svg"

var pictured = []string{
	"q3dissect samples/quake3/68-connect-play.pcap --frames 1-8",
	`q3dissect events samples/quake3/71-ipv6-chat.pcap -Y 'event in {"chat", "rename", "kill"}'`,
	"q3dissect samples/quake3/oob.pcap -q -z rcon",
}

// The picture is what the program prints. To make it again: go test ./cmd/q3dissect/command -run TestPicture -update
func TestPicture(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell: ", err)
	}
	path := programPath(t)
	var screen []string
	for _, command := range pictured {
		run := exec.Command(shell, "-c", strings.Replace(command, "q3dissect ", "q3dissect --color always ", 1))
		run.Dir = "../../.."
		run.Env = append(os.Environ(), "PATH="+path, "TZ=UTC", "GORACE=atexit_sleep_ms=0")
		var out, stderr bytes.Buffer
		run.Stdout, run.Stderr = &out, &stderr
		if err := run.Run(); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, &stderr)
		}
		screen = append(screen, "$ \x1b[1m"+command+"\x1b[0m")
		screen = append(screen, strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")...)
		screen = append(screen, "")
	}
	want := drawTerminal(t, screen[:len(screen)-1])
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(picture, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(picture); err != nil || !bytes.Equal(got, want) {
		t.Errorf("docs/terminal.svg does not show what the program prints; make it again with -update (%v)", err)
	}
}

// Sizes of the picture, in its own units.
const (
	cellWidth, cellHeight = 7.8, 17
	margin                = 16
)

// colours of the select graphic rendition codes that the program uses.
var colours = map[string]string{
	"1": "#ffffff", "2": "#8b949e", "31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff",
	"35": "#d2a8ff", "36": "#56d4dd",
}

var rendition = regexp.MustCompile("\x1b\\[([0-9]*)m")

// drawTerminal makes an SVG picture of lines with colours.
func drawTerminal(t *testing.T, lines []string) []byte {
	t.Helper()
	width := 0
	for _, line := range lines {
		width = max(width, utf8.RuneCountInString(rendition.ReplaceAllString(line, "")))
	}
	var b bytes.Buffer
	w, h := 2*margin+float64(width)*cellWidth, 2*margin+len(lines)*cellHeight
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" viewBox="0 0 %.0f %d" role="img" aria-label="q3dissect in a terminal">`+"\n", w, h, w, h)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="#0d1117"/>`+"\n")
	b.WriteString(`<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="13" fill="#c9d1d9">` + "\n")
	for row, line := range lines {
		column, colour := 0, ""
		for at := 0; at < len(line); {
			code := rendition.FindStringSubmatchIndex(line[at:])
			end := len(line)
			if code != nil {
				end = at + code[0]
			}
			column = drawText(&b, line[at:end], row, column, colour)
			if code == nil {
				break
			}
			number := line[at+code[2] : at+code[3]]
			var known bool
			if colour, known = colours[number]; !known && number != "0" && number != "" {
				t.Fatalf("no colour for %q", number)
			}
			at += code[1]
		}
	}
	b.WriteString("</g>\n</svg>\n")
	return b.Bytes()
}

// drawText draws text of one colour and returns the column after it. Its width is fixed, whatever the font is.
func drawText(b *bytes.Buffer, text string, row, column int, colour string) int {
	runes := utf8.RuneCountInString(text)
	trimmed := strings.TrimLeft(text, " ")
	from := column + len(text) - len(trimmed)
	if trimmed = strings.TrimRight(trimmed, " "); trimmed != "" {
		fill := ""
		if colour != "" {
			fill = ` fill="` + colour + `"`
		}
		fmt.Fprintf(b, `<text x="%.1f" y="%d" textLength="%.1f" xml:space="preserve"%s>%s</text>`+"\n",
			margin+float64(from)*cellWidth, margin+row*cellHeight+13, float64(utf8.RuneCountInString(trimmed))*cellWidth, fill,
			html.EscapeString(trimmed))
	}
	return column + runes
}
