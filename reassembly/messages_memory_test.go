package reassembly

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMessagesIgnoresBytesBeyondLength(t *testing.T) {
	t.Parallel()
	var m Messages
	r, err := m.Add(Fragment{Sequence: 1, Length: 3, Data: []byte("abcdef")})
	if err != nil || string(r.Message) != "abc" {
		t.Errorf("got %q, %v; want abc", r.Message, err)
	}
}

// The data of a fragment belongs to the caller, who reads the next packet into it.
func TestMessagesCopies(t *testing.T) {
	t.Parallel()
	var m Messages
	want := message(1, 2000)
	buf := make([]byte, 1300)
	for _, f := range split(1, want, 1300) {
		f.Data = buf[:copy(buf, f.Data)]
		r, err := m.Add(f)
		if err != nil {
			t.Fatal(err)
		}
		clear(buf)
		if r.Message != nil && !bytes.Equal(r.Message, want) {
			t.Error("the message changed with the caller's buffer")
		}
	}
}

func TestMessagesReset(t *testing.T) {
	t.Parallel()
	m := NewMessages(Config{MaxMessage: 2000})
	add := func(f Fragment) string {
		r, err := m.Add(f)
		return outcome(r, err)
	}
	first := Fragment{Sequence: 1, Length: 1, Data: []byte{1}}
	got := []string{add(first), add(first), add(Fragment{Sequence: 9, Length: 1300, Data: make([]byte, 1300)})}
	m.Reset()
	got = append(got, fmt.Sprint(m.Pending()), add(first),
		add(Fragment{Sequence: 2, Length: 2001, Data: make([]byte, 2001)}))
	want := []string{"message=1/1[0] delivered", "duplicate", "", "0", "message=1/1[0] delivered", "error"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
