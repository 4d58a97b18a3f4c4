package serve_test

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/serve"
)

// An echo answers with what it was asked; "wrong" is a question that it does not know.
type echo struct{}

func (echo) Ask(name string, arguments url.Values) ([]byte, bool) {
	return []byte(`{"name":"` + name + `","row":"` + arguments.Get("row") + `"}`), name != "wrong"
}

// start serves until the test ends, and gives the address with the token.
func start(t *testing.T) *url.URL {
	t.Helper()
	s, err := serve.New(echo{}, 0, "frame=7")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	u, err := url.Parse(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// request sends a request that was changed, and gives status and body.
func request(t *testing.T, c *http.Client, method, address string,
	change func(*http.Request),
) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(r)
	}
	answer, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(body)
}

func TestTheTokenWorksOnce(t *testing.T) {
	t.Parallel()
	u := start(t)
	if u.Hostname() != "127.0.0.1" || u.Fragment != "frame=7" || len(u.Query().Get("token")) < 26 {
		t.Errorf("the address is %s", u)
	}
	ask := "http://" + u.Host + "/ask/record?row=3"
	me, other := browser(t), browser(t)
	if answer, _ := request(t, me, "GET", ask, nil); answer.StatusCode != 403 {
		t.Errorf("without the secret: %s", answer.Status)
	}
	if answer, _ := request(t, me, "GET", "http://"+u.Host+"/?token=wrong", nil); answer.StatusCode != 403 ||
		len(answer.Cookies()) > 0 {
		t.Errorf("with a wrong token: %s", answer.Status)
	}
	answer, body := request(t, me, "GET", u.String(), nil)
	if answer.StatusCode != 200 || !strings.Contains(body, "viewer/enter.js") {
		t.Fatalf("with the token: %s, %q", answer.Status, body)
	}
	if answer, body := request(t, me, "GET", ask, nil); answer.StatusCode != 200 || body != `{"name":"record","row":"3"}` {
		t.Errorf("with the secret: %s, %q", answer.Status, body)
	}
	if answer, _ := request(t, other, "GET", u.String(), nil); answer.StatusCode != 403 {
		t.Errorf("the token a second time: %s", answer.Status)
	}
}

func TestStrangersAreRefused(t *testing.T) {
	t.Parallel()
	u := start(t)
	me := browser(t)
	request(t, me, "GET", u.String(), nil)
	ask := "http://" + u.Host + "/ask/status"
	_, port, _ := strings.Cut(u.Host, ":")
	for _, c := range []struct {
		name, method string
		change       func(*http.Request)
		want         int
	}{
		{"the page itself", "GET", func(r *http.Request) {
			r.Header.Set("Origin", "http://"+u.Host)
			r.Header.Set("Sec-Fetch-Site", "same-origin")
		}, 200},
		{"another origin", "GET", func(r *http.Request) { r.Header.Set("Origin", "https://example.com") }, 403},
		{"no origin at all", "GET", func(r *http.Request) { r.Header.Set("Origin", "null") }, 403},
		{"another site", "GET", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403},
		{"another port of the host", "GET", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") }, 403},
		{"a name that leads here", "GET", func(r *http.Request) { r.Host = "example.com:" + port }, 403},
		{"the host's other name", "GET", func(r *http.Request) { r.Host = "localhost:" + port }, 403},
		{"POST", "POST", nil, 405},
		{"PUT", "PUT", nil, 405},
		{"DELETE", "DELETE", nil, 405},
		{"OPTIONS", "OPTIONS", func(r *http.Request) { r.Header.Set("Origin", "https://example.com") }, 405},
	} {
		answer, _ := request(t, me, c.method, ask, c.change)
		if answer.StatusCode != c.want {
			t.Errorf("%s: %s, want %d", c.name, answer.Status, c.want)
		}
		if answer.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: others may read the answer", c.name)
		}
	}
}

// Two runs at once listen on two ports, and their answers differ in the name of the run: a page of one that ended
// notices that another one has its port.
func TestTwoRuns(t *testing.T) {
	t.Parallel()
	runs, hosts := map[string]bool{}, map[string]bool{}
	for range 2 {
		u, me := start(t), browser(t)
		request(t, me, "GET", u.String(), nil)
		for range 2 {
			answer, _ := request(t, me, "GET", "http://"+u.Host+"/ask/status", nil)
			runs[answer.Header.Get("Q3dissect-Run")] = true
		}
		hosts[u.Host] = true
	}
	if len(runs) != 2 || runs[""] || len(hosts) != 2 {
		t.Errorf("runs %v at %v", runs, hosts)
	}
}

func TestTheReportIsMadeOnce(t *testing.T) {
	t.Parallel()
	s, err := serve.New(echo{}, 0, "")
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	s.Report = func() ([]byte, error) {
		made++
		return []byte("<!doctype html>pictures"), nil
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	me := browser(t)
	u, err := url.Parse(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	if answer, _ := request(t, me, "GET", "http://"+u.Host+"/report?viewer", nil); answer.StatusCode != 403 || made > 0 {
		t.Errorf("without the secret: %s, made %d times", answer.Status, made)
	}
	request(t, me, "GET", u.String(), nil)
	for range 2 {
		answer, body := request(t, me, "GET", "http://"+u.Host+"/report?viewer", nil)
		if answer.StatusCode != 200 || body != "<!doctype html>pictures" ||
			answer.Header.Get("Content-Security-Policy") != "frame-ancestors 'none'" {
			t.Errorf("%s, %q", answer.Status, body)
		}
	}
	stop()
	if err := <-ended; err != nil || made != 1 {
		t.Errorf("%v, made %d times", err, made)
	}
}

func TestAnswersAndFilesHaveTheirHeads(t *testing.T) {
	t.Parallel()
	u := start(t)
	me := browser(t)
	request(t, me, "GET", u.String(), nil)
	for _, c := range []struct {
		path, kind string
		status     int
	}{
		{"/", "text/html; charset=utf-8", 403},
		{"/viewer/view.html", "text/html; charset=utf-8", 200},
		{"/viewer/viewer.js", "text/javascript; charset=utf-8", 200},
		{"/viewer/viewer.css", "text/css; charset=utf-8", 200},
		{"/assets/dom.js", "text/javascript; charset=utf-8", 200},
		{"/libraries/echarts/echarts.min.js", "text/javascript; charset=utf-8", 200},
		{"/ask/status", "application/json", 200},
		{"/ask/wrong", "application/json", 400},
		{"/viewer/", "text/plain; charset=utf-8", 404},
		{"/viewer/../serve.go", "text/plain; charset=utf-8", 404},
		{"/viewer/viewer.go", "text/plain; charset=utf-8", 404},
		{"/nothing", "text/plain; charset=utf-8", 404},
	} {
		answer, _ := request(t, me, "GET", "http://"+u.Host+c.path, nil)
		if answer.StatusCode != c.status || answer.Header.Get("Content-Type") != c.kind {
			t.Errorf("%s: %s, %s", c.path, answer.Status, answer.Header.Get("Content-Type"))
		}
		policy := answer.Header.Get("Content-Security-Policy")
		if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: policy %q", c.path, policy)
		}
		if answer.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: its type may be guessed", c.path)
		}
	}
}

// A crowd counts how many questions are answered at the same time, and answers when it is told to.
type crowd struct {
	now, most, all atomic.Int32
	answer         chan struct{}
}

func (c *crowd) Ask(string, url.Values) ([]byte, bool) {
	c.all.Add(1)
	now := c.now.Add(1)
	defer c.now.Add(-1)
	for most := c.most.Load(); now > most && !c.most.CompareAndSwap(most, now); most = c.most.Load() {
	}
	<-c.answer
	return []byte("{}"), true
}

// Of many questions few are answered at the same time, and those that nobody waits for any more are dropped.
func TestManyQuestions(t *testing.T) {
	t.Parallel()
	c := &crowd{answer: make(chan struct{})}
	s, err := serve.New(c, 0, "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	b := browser(t)
	if answer, _ := request(t, b, "GET", s.URL(), nil); answer.StatusCode != http.StatusOK {
		t.Fatal(answer.Status)
	}
	u, err := url.Parse(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	const many, most = 300, 16
	asking, leave := context.WithCancel(context.Background())
	var group sync.WaitGroup
	for range many {
		group.Go(func() {
			r, err := http.NewRequestWithContext(asking, "GET", "http://"+u.Host+"/ask/rows", nil)
			if err != nil {
				t.Error(err)
				return
			}
			if answer, err := b.Do(r); err == nil {
				answer.Body.Close()
				t.Error("somebody who left has an answer")
			}
		})
	}
	for c.now.Load() < most {
		runtime.Gosched()
	}
	leave()
	group.Wait()
	stop() // ends the connections, and with them what waits
	close(c.answer)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if c.most.Load() != most || c.all.Load() > many/2 {
		t.Errorf("%d questions at the same time, %d in all", c.most.Load(), c.all.Load())
	}
}
