package serve_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"testing"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/serve"
)

// An export goes to the page that has the secret, as a file to save. One that is refused has a reason, and one that
// breaks off breaks the connection off.
func TestExport(t *testing.T) {
	t.Parallel()
	s, err := serve.New(echo{}, 0, "")
	if err != nil {
		t.Fatal(err)
	}
	s.Export = func(_ context.Context, w io.Writer, arguments url.Values) error {
		if arguments.Has("secret") {
			return errors.New("the export is given the secret")
		}
		switch arguments.Get("form") {
		case "wrong":
			return errors.New("no such form")
		case "broken":
			if _, err := io.WriteString(w, "half"); err != nil {
				return err
			}
			return errors.New("the input cannot be read")
		}
		_, err := io.WriteString(w, "whole "+arguments.Get("form"))
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	u, err := url.Parse(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	me, address := browser(t), "http://"+u.Host+"/export?form="
	if answer, _ := request(t, me, "GET", address+"csv", nil); answer.StatusCode != http.StatusForbidden {
		t.Errorf("without the secret: %s", answer.Status)
	}
	request(t, me, "GET", u.String(), nil)
	answer, body := request(t, me, "GET", address+"csv", nil)
	if answer.StatusCode != 200 || body != "whole csv" || answer.Header.Get("Content-Disposition") != "attachment" {
		t.Errorf("%s %q, %v", answer.Status, body, answer.Header)
	}
	answer, body = request(t, me, "GET", address+"wrong", nil)
	if answer.StatusCode != 400 || body != "no such form\n" || answer.Header.Get("Content-Disposition") != "" {
		t.Errorf("%s %q, %v", answer.Status, body, answer.Header)
	}
	r, err := me.Get(address + "broken")
	if err == nil {
		_, err = io.ReadAll(r.Body)
		r.Body.Close() // it was read
	}
	if err == nil {
		t.Error("an export that breaks off ends as if it were whole")
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
