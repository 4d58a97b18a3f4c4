package anonymize

// A trie finds the longest of many texts that another one begins with.
type trie struct {
	next map[byte]*trie
	end  bool // a text ends here
}

// add adds a text.
func (t *trie) add(text string) {
	for i := range len(text) {
		if t.next == nil {
			t.next = make(map[byte]*trie)
		}
		child := t.next[text[i]]
		if child == nil {
			child = &trie{}
			t.next[text[i]] = child
		}
		t = child
	}
	t.end = true
}

// longest returns the length of the longest text that b begins with; 0 if there is none.
func (t *trie) longest(b []byte) (n int) {
	for i, c := range b {
		if t = t.next[c]; t == nil {
			return n
		}
		if t.end {
			n = i + 1
		}
	}
	return n
}
