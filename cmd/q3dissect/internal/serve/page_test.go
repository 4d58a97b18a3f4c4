package serve_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/user"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/serve"
)

// A page is what the viewer's page does in a tab: it keeps the secrets that the entrance has, and sends them.
type page struct {
	mu                   sync.Mutex
	questions, addresses string
}

var secrets = regexp.MustCompile(`data-secrets="(\w+) (\w+)"`)

func (p *page) RoundTrip(r *http.Request) (*http.Response, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case strings.HasPrefix(r.URL.Path, "/ask/") && p.questions != "":
		r.Header.Set("Q3dissect-Secret", p.questions)
	case r.URL.Path == "/export" || r.URL.Path == "/report":
		q := r.URL.Query()
		q.Set("secret", p.addresses)
		r.URL.RawQuery = q.Encode()
	}
	if r.URL.Path != "/" {
		p.mu.Unlock()
		defer p.mu.Lock()
		return http.DefaultTransport.RoundTrip(r)
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(answer.Body)
	answer.Body.Close() // it was read
	answer.Body = io.NopCloser(bytes.NewReader(body))
	if m := secrets.FindSubmatch(body); m != nil {
		p.questions, p.addresses = string(m[1]), string(m[2])
	}
	return answer, err
}

// browser returns a client that keeps cookies and does what the page does.
func browser(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar, Transport: &page{}}
}

// Nothing that a browser sends by itself, to this port or to another one of the host, opens anything: there is no
// cookie, each secret is good for its own requests alone, and none is in a file of the page.
func TestSecrets(t *testing.T) {
	t.Parallel()
	u, me := start(t), browser(t)
	answer, _ := request(t, me, "GET", u.String(), nil)
	p := me.Transport.(*page)
	if answer.Header.Get("Set-Cookie") != "" || len(p.questions) < 26 || len(p.addresses) < 26 ||
		p.questions == p.addresses {
		t.Fatalf("cookie %q, secrets %q and %q", answer.Header.Get("Set-Cookie"), p.questions, p.addresses)
	}
	plain := &http.Client{Jar: me.Jar} // the same browser, without the tab
	for _, c := range []struct {
		name, path, header string
		want               int
	}{
		{"the page", "/ask/status", p.questions, 200},
		{"without a secret", "/ask/status", "", 403},
		{"another secret", "/ask/status", strings.Repeat("A", 26), 403},
		{"the beginning of the secret", "/ask/status", p.questions[:25], 403},
		{"the secret of addresses in the header", "/ask/status", p.addresses, 403},
		{"the secret in the address of a question", "/ask/status?secret=" + p.questions, "", 403},
		{"an export without one", "/export?form=csv", p.questions, 403},
		{"an export with that of questions", "/export?secret=" + p.questions, "", 403},
		{"the report without one", "/report?viewer", "", 403},
		{"an export that there is not", "/export?secret=" + p.addresses, "", 404},
	} {
		answer, body := request(t, plain, "GET", "http://"+u.Host+c.path, func(r *http.Request) {
			r.Header.Set("Q3dissect-Secret", c.header)
			r.Header.Set("Cookie", "q3dissect-"+u.Port()+"="+p.questions)
		})
		if answer.StatusCode != c.want {
			t.Errorf("%s: %s, want %d", c.name, answer.Status, c.want)
		}
		if strings.Contains(body, p.questions) || strings.Contains(body, p.addresses) {
			t.Errorf("%s: a secret is in the answer %q", c.name, body)
		}
	}
	for _, again := range []string{"http://" + u.Host + "/", u.String()} {
		if answer, body := request(t, plain, "GET", again, nil); answer.StatusCode != 403 || secrets.MatchString(body) {
			t.Errorf("%s: %s %q", again, answer.Status, body)
		}
	}
}

// A request for the head alone does not use the token.
func TestHead(t *testing.T) {
	t.Parallel()
	u, me := start(t), browser(t)
	request(t, me, "HEAD", u.String(), nil)
	if answer, _ := request(t, me, "GET", u.String(), nil); answer.StatusCode != 200 {
		t.Errorf("after HEAD: %s", answer.Status)
	}
}

// The file that a browser is started with is the user's alone, leads to the address, and is gone when it was used, or
// with the program.
func TestDoor(t *testing.T) {
	t.Parallel()
	s, err := serve.New(echo{}, 0, "filter="+url.QueryEscape(`info contains "<&'>"`))
	if err != nil {
		t.Fatal(err)
	}
	door, remove, err := s.Door()
	if err != nil {
		t.Fatal(err)
	}
	defer remove()
	for name, want := range map[string]os.FileMode{door: 0o600, filepath.Dir(door): os.ModeDir | 0o700} {
		if info, err := os.Stat(name); err != nil || info.Mode() != want {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
	text, err := os.ReadFile(door)
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`content="0; url=([^"]+)"`).FindSubmatch(text)
	if m == nil || strings.ReplaceAll(string(m[1]), "&amp;", "&") != s.URL() {
		t.Fatalf("%q does not lead to %s", text, s.URL())
	}
	if strings.Contains(door, "token") {
		t.Error(door)
	}
	other, err := serve.New(echo{}, 0, "")
	if err != nil {
		t.Fatal(err)
	}
	unused, removeUnused, err := other.Door()
	if err != nil {
		t.Fatal(err)
	}
	removeUnused()
	if _, err := os.Stat(filepath.Dir(unused)); !os.IsNotExist(err) {
		t.Errorf("it stays after the end: %v", err)
	}
	address := s.URL()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	if answer, _ := request(t, browser(t), "GET", address, nil); answer.StatusCode != 200 {
		t.Error(answer.Status)
	}
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(filepath.Dir(door)); os.IsNotExist(err) {
			break
		} else if time.Now().After(deadline) {
			t.Fatal("it stays after its use")
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// Another user of the machine who sees the command of the browser reads nothing.
func TestDoorOfAnotherUser(t *testing.T) {
	t.Parallel()
	if me, err := user.Current(); err != nil || me.Uid != "0" {
		t.Skip("only root can become another user")
	}
	s, err := serve.New(echo{}, 0, "")
	if err != nil {
		t.Fatal(err)
	}
	door, remove, err := s.Door()
	if err != nil {
		t.Fatal(err)
	}
	defer remove()
	if out, err := asNobody("cat", door); err == nil || strings.Contains(out, "token") {
		t.Errorf("%q %v", out, err)
	}
	if out, err := asNobody("ls", filepath.Dir(door)); err == nil {
		t.Errorf("%q %v", out, err)
	}
}
