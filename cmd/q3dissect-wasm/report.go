//go:build js && wasm

package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"runtime"
	"runtime/debug"
	"syscall/js"

	"github.com/q3dissect/q3dissect/cmd/internal/report"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/keys"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/view/browse"
)

// report answers with the report of what is open: {"page": the same file that q3dissect report writes}.
func (p *page) report(done js.Value, plots []byte) {
	p.mu.Lock()
	sources := p.sources
	p.mu.Unlock()
	var answer struct {
		Page  string `json:"page,omitempty"`
		Error string `json:"error,omitempty"`
	}
	var out bytes.Buffer
	err := writeReport(&out, sources, plots, pauses())
	if answer.Page = out.String(); err != nil {
		answer.Page, answer.Error = "", err.Error()
	}
	text, err := json.Marshal(answer)
	if err != nil {
		panic(err) // two texts
	}
	done.Invoke(answer.Error == "", string(text))
}

// writeReport writes the page. pause is called all the time.
func writeReport(w io.Writer, sources []browse.Source, plots []byte, pause func()) error {
	r := report.New(report.Options{Echarts: plots})
	witness := witness{Arguments: []string{}, Inputs: []witnessed{}}
	witness.Program.Name, witness.Program.Go, witness.Program.OS, witness.Program.Arch = "q3dissect-wasm",
		runtime.Version(), runtime.GOOS, runtime.GOARCH
	if info, ok := debug.ReadBuildInfo(); ok {
		witness.Program.Version = info.Main.Version
	}
	var fault error
	for _, s := range sources {
		sum := sha256.New()
		file, err := s.Open()
		if err != nil {
			return err
		}
		in, err := open.New(io.TeeReader(file, sum), s.Name,
			open.Options{Protocols: all.Protocols(), Link: report.Needs().Link})
		if err != nil {
			fault = err
			continue
		}
		if err := r.Read(in, s.Name, keysOf(s), pause); err != nil {
			fault = err // what came before it is in the report
		}
		_, _ = io.Copy(sum, file) // memory
		witness.Inputs = append(witness.Inputs, witnessed{s.Name, s.Size, hex.EncodeToString(sum.Sum(nil))})
	}
	if r.Empty() && fault != nil {
		return fault
	}
	r.SetEvidence(witness)
	return r.Write(w)
}

// A witness records which bytes were read, with the keys of the file of --evidence.
type witness struct {
	Program struct {
		Name    string `json:"name"`
		Version string `json:"version"`
		Go      string `json:"go"`
		OS      string `json:"os"`
		Arch    string `json:"arch"`
	} `json:"program"`
	Arguments []string    `json:"arguments"`
	Inputs    []witnessed `json:"inputs"`
}

type witnessed struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// keysOf returns the keys of sessions that began before an input.
func keysOf(s browse.Source) func(keys.Key) *keys.Key {
	keys := &open.Keys{
		Options: open.Options{Protocols: all.Protocols()},
		Sources: []open.Source{{Name: s.Name, Open: s.Open}},
	}
	return keys.Find
}
