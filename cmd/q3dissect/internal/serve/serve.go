// Package serve hands a session of package browse to the browser of the one person who started the program: over HTTP
// on 127.0.0.1, protected by a token that works once.
//
//	s, err := serve.New(session, port, fragment)
//	fmt.Println(s.URL())
//	err = s.Run(ctx) // until ctx is done
//
// The token gives the page two secrets, which it keeps in its tab: one is in a header of every question, the other in
// the addresses of exports and of the report. There is no cookie: browsers send the cookies of a host to all its ports,
// and so to servers of other users. Pages of other origins can neither read an answer nor cause one: host and origin of
// every request are checked, and nothing but GET is answered, which changes no file. The parts of the page itself are
// in every copy of the program and need no secret.
package serve

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/q3dissect/q3dissect/cmd/internal/web"
	"github.com/q3dissect/q3dissect/cmd/internal/web/viewer"
)

// policy allows what the server itself gives, and no script or style inside a page.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src " +
	"'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// reportPolicy is that of the report, which is one file: its own policy names the sums of its scripts.
const reportPolicy = "frame-ancestors 'none'"

// An Asker answers questions: a browse.Session.
type Asker interface {
	Ask(name string, arguments url.Values) (answer []byte, ok bool)
}

// A Server serves one session.
type Server struct {
	// Report makes the page with pictures that the viewer leads to; nil: there is none. It is called when it is wanted
	// for the first time.
	Report func() ([]byte, error)

	// Export writes what the list shows, as the arguments of the address ask for it; nil: it cannot. It is given to the
	// browser as it is written, which saves it: the server has no file.
	Export func(ctx context.Context, w io.Writer, arguments url.Values) error

	reported sync.Once
	report   []byte
	fault    error

	asker    Asker
	listener net.Listener
	host     string // 127.0.0.1 with the port
	run      string // of this server alone: pages of one that had the port before notice it
	secrets  viewer.Secrets
	fragment string // of the address

	asking    chan struct{} // an element for each question that is answered now
	exporting chan struct{} // an element for each export that is written now

	mu    sync.Mutex
	token string        // "" once it was used
	used  chan struct{} // closed then
}

// maxAsking is how many questions are answered at the same time. Others wait, and are dropped when nobody waits for the
// answer.
const maxAsking = 16

// UsualPort is the port where the viewer is found if it is free: browsers keep the filters of a page by its address.
const UsualPort = 17960

// maxExporting is how many exports are written at the same time.
const maxExporting = 2

// New begins to listen on a port of 127.0.0.1; 0: UsualPort, or another that is free. Fragment is what the page is to
// show at first, as its address has it.
func New(asker Asker, port int, fragment string) (*Server, error) {
	l, err := listen(cmp.Or(port, UsualPort))
	if err != nil && port == 0 {
		l, err = listen(0)
	}
	if err != nil {
		return nil, err
	}
	s := &Server{
		asker: asker, listener: l, host: l.Addr().String(), token: rand.Text(), run: rand.Text(), used: make(chan struct{}),
		secrets: viewer.Secrets{Questions: rand.Text(), Addresses: rand.Text()}, fragment: fragment,
		asking: make(chan struct{}, maxAsking), exporting: make(chan struct{}, maxExporting),
	}
	return s, nil
}

func listen(port int) (net.Listener, error) {
	return net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
}

// URL is the address for the browser. It works once; the tab that had it keeps the secrets. It must not be called after
// Run.
func (s *Server) URL() string {
	address := "http://" + s.host + "/?token=" + s.token
	if s.fragment != "" {
		address += "#" + s.fragment
	}
	return address
}

// Run serves until ctx is done.
func (s *Server) Run(ctx context.Context) error {
	server := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(s.listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		server.Close() // nobody waits for an answer any more
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	}
}

// Handler answers requests.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.enter)
	mux.HandleFunc("GET /ask/{name}", known(s.ask, func(r *http.Request) bool {
		return same(r.Header.Get(secretHeader), s.secrets.Questions)
	}))
	inAddress := func(r *http.Request) bool { return same(r.URL.Query().Get(secretArgument), s.secrets.Addresses) }
	mux.HandleFunc("GET /export", known(s.export, inAddress))
	mux.HandleFunc("GET /report", known(s.pictures, inAddress))
	files := http.FileServerFS(viewerFiles{})
	mux.Handle("GET /assets/", files)
	mux.Handle("GET /libraries/", files)
	mux.Handle("GET /viewer/", files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		switch {
		case r.Host != s.host:
			http.Error(w, "wrong host", http.StatusForbidden)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "nothing but GET", http.StatusMethodNotAllowed)
		case !s.ownOrigin(r):
			http.Error(w, "wrong origin", http.StatusForbidden)
		default:
			mux.ServeHTTP(w, r)
		}
	})
}

// ownOrigin reports whether a request comes from the server's own page, or from the address bar.
func (s *Server) ownOrigin(r *http.Request) bool {
	if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+s.host {
		return false
	}
	if r.URL.Path == "/" {
		return true // the link that was printed may be followed from anywhere: it needs the token
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return true
	}
	return false
}

// What the page sends its secrets in: see viewer/secret.js.
const (
	secretHeader   = "Q3dissect-Secret"
	secretArgument = "secret"
)

// known answers requests that have their secret, and refuses others.
func known(answer http.HandlerFunc, has func(*http.Request) bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !has(r) {
			http.Error(w, "open the address that the program printed", http.StatusForbidden)
			return
		}
		answer(w, r)
	}
}

func same(given, secret string) bool {
	return subtle.ConstantTimeCompare([]byte(given), []byte(secret)) == 1
}

// enter takes the token and gives the secrets for it. Without it, the page leads a tab that has them to the viewer.
func (s *Server) enter(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if r.Method != http.MethodGet || !s.take(r.URL.Query().Get("token")) {
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write(viewer.Entrance(viewer.Secrets{})) // whoever asked has left
		return
	}
	_, _ = w.Write(viewer.Entrance(s.secrets)) // as above
}

// take reports whether a token is the right one, which it is once.
func (s *Server) take(token string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.token == "" || !same(token, s.token) {
		return false
	}
	s.token = ""
	close(s.used)
	return true
}

// ask answers a question.
func (s *Server) ask(w http.ResponseWriter, r *http.Request) {
	select {
	case s.asking <- struct{}{}:
		defer func() { <-s.asking }()
	case <-r.Context().Done():
		return // whoever asked has left
	}
	answer, ok := s.asker.Ask(r.PathValue("name"), r.URL.Query())
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Q3dissect-Run", s.run)
	if !ok {
		w.WriteHeader(http.StatusBadRequest)
	}
	_, _ = w.Write(answer) // whoever asked has left
}

// export writes an export as a file for the browser to save. One that fails after its beginning breaks the connection,
// so that the browser does not take the beginning for all of it.
func (s *Server) export(w http.ResponseWriter, r *http.Request) {
	if s.Export == nil {
		http.NotFound(w, r)
		return
	}
	select {
	case s.exporting <- struct{}{}:
		defer func() { <-s.exporting }()
	case <-r.Context().Done():
		return // whoever asked has left
	}
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Disposition", "attachment")
	arguments := r.URL.Query()
	arguments.Del(secretArgument)
	begun := false
	err := s.Export(r.Context(), writerFunc(func(b []byte) (int, error) {
		begun = true
		return w.Write(b)
	}), arguments)
	switch {
	case err == nil:
	case begun:
		panic(http.ErrAbortHandler)
	default:
		h.Del("Content-Disposition")
		http.Error(w, err.Error(), http.StatusBadRequest)
	}
}

// A writerFunc is a function that writes.
type writerFunc func(b []byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// pictures returns the report.
func (s *Server) pictures(w http.ResponseWriter, r *http.Request) {
	if s.Report == nil {
		http.NotFound(w, r)
		return
	}
	s.reported.Do(func() { s.report, s.fault = s.Report() })
	if s.fault != nil {
		http.Error(w, s.fault.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Security-Policy", reportPolicy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(s.report) // whoever asked has left
}

// viewerFiles are the parts of the page: those of the viewer below viewer/, and those that pages share.
type viewerFiles struct{}

// Open opens a part. Folders are not listed.
func (viewerFiles) Open(name string) (fs.File, error) {
	from := web.Files()
	if inner, ok := strings.CutPrefix(name, "viewer/"); ok {
		from, name = viewer.Files(), inner
	}
	f, err := from.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || info.IsDir() {
		f.Close() // it was not read
		return nil, fs.ErrNotExist
	}
	return f, nil
}
