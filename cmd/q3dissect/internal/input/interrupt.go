package input

import (
	"context"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"
)

// statusSignal and the number of a signal are the exit status of a run that the signal ended.
const statusSignal = 128

// An Interrupt ends a run early at the first SIGINT or SIGTERM: reading stops, and everything read so far is
// printed. The second signal kills.
type Interrupt struct {
	number  atomic.Int32  // of the signal; 0 while there was none
	ended   atomic.Bool   // it ended the reading
	reading chan struct{} // closed when it does
	working context.Context
}

// feedEnds is how long a program that feeds a pipe has to end after a SIGINT, before what works on its data is stopped.
const feedEnds = time.Second

// Watch waits for a signal until the returned function is called. A SIGINT also reaches the program that feeds
// a pipe into standard input: it ends by itself, and its last output is wanted, so with piped the end is left
// to it.
func (i *Interrupt) Watch(piped bool) (stop func()) {
	i.reading = make(chan struct{})
	var stopWork context.CancelFunc
	i.working, stopWork = context.WithCancel(context.Background())
	signals, over, ended := make(chan os.Signal, 1), make(chan struct{}), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		defer close(ended)
		defer signal.Stop(signals) // from now on they kill
		select {
		case <-over:
		case s := <-signals:
			if number, ok := s.(syscall.Signal); ok {
				i.number.Store(int32(number))
			}
			if !piped || s != os.Interrupt {
				i.ended.Store(true)
				close(i.reading)
				stopWork()
			} else {
				time.AfterFunc(feedEnds, stopWork)
			}
		}
	}()
	return func() {
		close(over)
		<-ended
		stopWork()
	}
}

// Working ends with the signal, for work on one record that may take for ever. Where the end of the reading is left to
// the program that feeds a pipe, it ends a second later.
func (i *Interrupt) Working() context.Context { return i.working }

// Happened reports whether a signal ended the reading.
func (i *Interrupt) Happened() bool { return i.ended.Load() }

// Status returns the exit status for the signal, or 0 while there was none.
func (i *Interrupt) Status() int {
	number := i.number.Load()
	if number == 0 {
		return 0
	}
	return statusSignal + int(number)
}

// Reader returns a reader of an input that may block: a signal ends the wait, like the end of the input. The
// reading goroutine ends when the input does, or with the program.
func (i *Interrupt) Reader(from io.Reader) io.Reader {
	w := &waitingReader{stop: i.reading, pieces: make(chan piece), spare: make(chan []byte, 2)}
	w.spare <- make([]byte, waitingBuffer)
	w.spare <- make([]byte, waitingBuffer)
	go w.feed(from)
	return w
}

const waitingBuffer = 64 << 10

// A waitingReader reads in a goroutine of its own.
type waitingReader struct {
	stop   <-chan struct{}
	pieces chan piece
	spare  chan []byte
	rest   piece // of the last piece
	whole  []byte
}

// A piece is the result of one Read.
type piece struct {
	bytes []byte
	err   error
}

func (w *waitingReader) feed(from io.Reader) {
	for b := range w.spare {
		n, err := from.Read(b[:waitingBuffer])
		select {
		case w.pieces <- piece{b[:n], err}:
		case <-w.stop:
			return
		}
		if err != nil {
			return
		}
	}
}

// Read returns the next data, or waits for it.
func (w *waitingReader) Read(b []byte) (int, error) {
	for len(w.rest.bytes) == 0 {
		if w.rest.err != nil {
			return 0, w.rest.err
		}
		if w.whole != nil {
			w.spare <- w.whole
			w.whole = nil
		}
		select {
		case w.rest = <-w.pieces:
			w.whole = w.rest.bytes
		case <-w.stop:
			return 0, io.EOF
		}
	}
	n := copy(b, w.rest.bytes)
	w.rest.bytes = w.rest.bytes[n:]
	return n, nil
}
