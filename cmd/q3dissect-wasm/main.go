//go:build js && wasm

// Command q3dissect-wasm is the dissector inside a browser: it answers the questions of package browse for a page that
// has no server. It runs in a Web Worker (cmd/internal/web/viewer/worker.js), which hands it the bytes of files and
// passes questions and answers on. make site builds it.
//
//	q3dissectOpen([{name, bytes}, ...], done)   begins to read; done(fault) is called at once
//	q3dissectAsk(name, query, done, plots)      done(ok, answer) is called with JSON; report is a question, too, which
//	                                            takes the library of plots
//	q3dissectExport(query, take, done)          take(bytes) is called for each part of a file, then done(fault)
package main

import (
	"bytes"
	"context"
	"io"
	"net/url"
	"runtime/debug"
	"sync"
	"syscall/js"
	"time"

	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/view/browse"
)

// While inputs are read, questions come in between: after so long a stretch of work, for so many milliseconds.
const (
	stretch = 60 * time.Millisecond
	breath  = 4
)

// A page is what the page has open.
type page struct {
	mu      sync.Mutex
	session *browse.Session
	sources []browse.Source
}

func main() {
	debug.SetGCPercent(400) // a page has memory, and one thread for everything
	p := &page{}
	js.Global().Set("q3dissectOpen", js.FuncOf(p.open))
	js.Global().Set("q3dissectAsk", js.FuncOf(p.ask))
	js.Global().Set("q3dissectExport", js.FuncOf(p.export))
	select {}
}

// open replaces what is open by other files.
func (p *page) open(_ js.Value, args []js.Value) any {
	var sources []browse.Source
	files, done := args[0], args[1]
	for i := range files.Length() {
		file := files.Index(i)
		data := bytesOf(file.Get("bytes"))
		sources = append(sources, browse.Source{
			Name: file.Get("name").String(), Size: int64(len(data)),
			Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil },
		})
	}
	go func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.session != nil {
			p.session.Close() // it has no files
		}
		var err error
		p.sources = sources
		p.session, err = browse.Open(sources, browse.Options{
			Protocols: all.Protocols(), InMemory: true, Pause: pauses(), Application: "q3dissect",
		})
		if err != nil {
			done.Invoke(err.Error())
			return
		}
		done.Invoke(js.Null())
	}()
	return nil
}

// bytesOf copies a Uint8Array.
func bytesOf(array js.Value) []byte {
	b := make([]byte, array.Length())
	js.CopyBytesToGo(b, array)
	return b
}

// pauses returns a function that lets the browser handle its events from time to time. Sleeping would not do it: the Go
// program returns to the browser only when none of its goroutines can run.
func pauses() func() {
	last := time.Now()
	return func() {
		if time.Since(last) < stretch {
			return
		}
		over := make(chan struct{})
		f := js.FuncOf(func(js.Value, []js.Value) any {
			close(over)
			return nil
		})
		js.Global().Call("setTimeout", f, breath)
		<-over
		f.Release()
		last = time.Now()
	}
}

// ask answers a question.
func (p *page) ask(_ js.Value, args []js.Value) any {
	name, query, done, plots := args[0].String(), args[1].String(), args[2], args[3]
	go func() {
		p.mu.Lock()
		session := p.session
		p.mu.Unlock()
		if name == "report" {
			p.report(done, bytesOf(plots))
			return
		}
		values, err := url.ParseQuery(query)
		if session == nil || err != nil {
			done.Invoke(false, `{"error":"nothing is open"}`)
			return
		}
		answer, ok := session.Ask(name, values)
		done.Invoke(ok, string(answer))
	}()
	return nil
}

// export writes what the list shows, part by part.
func (p *page) export(_ js.Value, args []js.Value) any {
	query, take, done := args[0].String(), args[1], args[2]
	go func() {
		p.mu.Lock()
		session := p.session
		p.mu.Unlock()
		values, err := url.ParseQuery(query)
		if session == nil || err != nil {
			done.Invoke("nothing is open")
			return
		}
		if err := session.ExportQuery(context.Background(), taker(take), values); err != nil {
			done.Invoke(err.Error())
			return
		}
		done.Invoke(js.Null())
	}()
	return nil
}

// A taker is a function of the page that takes parts of a file.
type taker js.Value

func (t taker) Write(b []byte) (int, error) {
	part := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(part, b)
	js.Value(t).Invoke(part)
	return len(b), nil
}
