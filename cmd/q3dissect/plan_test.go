package main

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A comma can stand between options of -E and be the value of one.
func TestSplitColumns(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"header=y", []string{"header=y"}},
		{"separator=,", []string{"separator=,"}},
		{"header=y,separator=,", []string{"header=y", "separator=,"}},
		{"separator=,,quote=d", []string{"separator=,", "quote=d"}},
		{"aggregator=,,separator=/t,bom=n", []string{"aggregator=,", "separator=/t", "bom=n"}},
		{"separator==,header=n", []string{"separator==", "header=n"}},
		{"separator=,=", []string{"separator=,="}},
		{"", []string{""}},
	} {
		if diff := cmp.Diff(c.want, splitColumns(c.text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}

// What reaches a terminal from outside has no control characters left.
func TestVisible(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"capture.pcap", "capture.pcap"},
		{"naïve → 世界", "naïve → 世界"},
		{"\x1b[31m\x7f", `\x1b[31m\x7f`},
		{"a\nb\x00", `a\x0ab\x00`},
		{"\u009b\u0085", `\x9b\x85`},
		{"a\u202eb\u2028\u2066", `a\u202eb\u2028\u2066`},
		{"\xff\xfe�", `\xff\xfe�`},
	} {
		if got := visible(c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// Joined errors stand on one line, and line feeds within one of them are still escaped.
func TestSentence(t *testing.T) {
	a, b, c := errors.New("a"), errors.New("b\nc"), errors.New("d")
	for _, tt := range []struct {
		err  error
		want string
	}{
		{a, "a"},
		{errors.Join(a, c), "a; d"},
		{errors.Join(a, errors.Join(b, c)), `a; b\x0ac; d`},
		{fmt.Errorf("%w and %w", a, c), "a and d"},
	} {
		if got := visible(sentence(tt.err)); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

func TestProgressText(t *testing.T) {
	for _, tt := range []struct {
		packets, inInput uint64
		read, size       int64
		took             time.Duration
		want             string
	}{
		{4096, 4096, 100, 0, 2 * time.Second, "4096 packets, 2048/s"},
		{5000, 4000, 600, 1000, 3 * time.Second, "5000 packets, 1333/s, 60 %, 2s left"},
		{4096, 4096, 1, 3601, time.Second, "4096 packets, 4096/s, 0 %, 1h0m0s left"},
		{4096, 4096, 20, 10, time.Second, "4096 packets, 4096/s, 100 %, 0s left"}, // the file grew
	} {
		if got := progressText(tt.packets, tt.inInput, tt.read, tt.size, tt.took); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
