package jq

import (
	"context"
	"strings"
	"testing"

	"github.com/itchyny/gojq"

	"github.com/q3dissect/q3dissect/dissect"
)

// results runs a program over one record, and gives what it prints and its fault.
func results(t *testing.T, program, record string, until context.Context) (out, fault string) {
	t.Helper()
	p, err := Compile(program, false)
	if err != nil {
		t.Fatalf("%s: %v", program, err)
	}
	p.Until(until)
	over := p.Over(func(dst []byte, _ *dissect.Record) []byte { return append(append(dst, record...), '\n') })
	rec := &dissect.Record{}
	rec.Frame = 7
	return string(over(nil, rec)), p.Faults()
}

// TestLimits: a value that is too deep or too large, and a program that takes too much memory, is a fault of the
// record.
func TestLimits(t *testing.T) {
	t.Parallel()
	for program, want := range map[string]string{
		`reduce range(3e6) as $i (0; [.])`:                                       "10000 levels",
		`reduce range(3e6) as $i (0; [.]) | tojson | length`:                     "10000 levels",
		`reduce range(3e6) as $i (0; {a: .}) | . == 1`:                           "10000 levels",
		`reduce range(3e6) as $i (null; .a.b |= [1, {c: $i}] | {d: .}) | length`: "10000 levels",
		`last(foreach range(3e6) as $i (0; [.]; length))`:                        "10000 levels",
		`last(limit(3e6; 0 | recurse([.])) | length)`:                            "10000 levels",
		`0 | until(false; [.])`:                                                  "10000 levels",
		`[0] | until(false; group_by(.)) | length`:                               "10000 levels",
		`def f: [.] | f; 0 | f`:                                                  "10000 levels",
		`reduce range(10001) as $i (0; [.])`:                                     "10000 levels",
		`reduce range(40) as $i (0; [., .])`:                                     "10000000 parts",
		`reduce range(40) as $i (0; [., .]) | tojson | length`:                   "10000000 parts",
		`reduce range(40) as $i (0; [., .]) | @json "\(.)" | length`:             "10000000 parts",
		`"x" * 1e8`: "64 MB of text",
		`[limit(1e9; repeat("x" * 1e6))] | length`: "256 MB of memory",
	} {
		if _, fault := results(t, program, "{}", context.Background()); !strings.HasPrefix(fault, "--jq, frame 7: ") ||
			!strings.Contains(fault, want) {
			t.Errorf("%s: %q, want %q", program, fault, want)
		}
	}
}

// TestLimitsChangeNothing: programs print what they print without limits, paths and generators included.
func TestLimitsChangeNothing(t *testing.T) {
	t.Parallel()
	const record = `{"a":[1,{"b":[2,3]},{"b":{"c":null}}],"d":"text","e":{"f":[[[5]]]}}`
	for _, program := range []string{
		`.`, `.a[1].b`, `[.. | numbers]`, `del(.. | select(. == 3)?)`, `del(.a[] | select(type == "object" and (.b | length) == 2))`,
		`(.a[] | select(type == "number")) |= . + 1`, `[paths(type == "number")]`, `path(first(.a[1].b[]))`, `path(limit(2; .a[]))`,
		`first(.a[] | objects).b |= map(. * 2)`, `reduce .a[] as $x (0; . + 1)`, `path(reduce ("a", 1) as $k (.; .[$k]?))`,
		`[foreach range(5) as $i (0; . + $i; [$i, .])]`, `def f: if . > 99999 then . else . + 1 | f end; 0 | f`,
		`def f($x; g): [g, $x]; f(1; .d, .e)`, `[limit(5; repeat(1))]`, `[recurse(if type == "array" then .[] else empty end; true)] | length`,
		`walk(if type == "number" then . + 1 else . end)`, `with_entries(.value |= tojson)`, `to_entries | map(.key)`, `tojson | fromjson`,
		`[splits("x")?]`, `"\(.a)" | @base64`, `@csv "\(.a[0:1])"`, `@json`, `.a as [$x, {b: [$y]}] | $x + $y`, `label $out | .a[] | if type == "object" then ., break $out else . end`,
		`[tostream] | fromstream(.[])`, `reduce range(9999) as $i (0; [.])`, `try error("x") catch .`, `.a[0] = [range(3)] | .a`,
		`ltrimstr("x") | .d | test("e")`, `[.a[] | tostring]`, `getpath(["a", 1, "b"])`, `pick(.a[0])`, `env | type`, `group_by(1)? // "none"`, `[range(100000)] | length`,
	} {
		q, err := gojq.Parse(program)
		if err != nil {
			t.Fatalf("%s: %v", program, err)
		}
		code, err := gojq.Compile(q)
		if err != nil {
			t.Fatalf("%s: %v", program, err)
		}
		plain := &Program{code: code, runs: new(runs), until: context.Background()}
		var want []byte
		var input any = map[string]any{
			"a": []any{1.0, map[string]any{"b": []any{2.0, 3.0}}, map[string]any{"b": map[string]any{"c": nil}}}, "d": "text",
			"e": map[string]any{"f": []any{[]any{[]any{5.0}}}},
		}
		for results := code.Run(input); ; {
			v, ok := results.Next()
			if _, failed := v.(error); !ok || failed {
				break
			}
			want = append(plain.appendResult(want, v), '\n')
		}
		if got, _ := results(t, program, record, context.Background()); got != string(want) {
			t.Errorf("%s: %.200q, want %.200q", program, got, want)
		}
	}
}

// TestUntil: a program that never ends does when it is told to, without a fault.
func TestUntil(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(context.Background())
	stop()
	for _, program := range []string{`def f: f; f`, `last(repeat(1))`, `range(infinite) | empty`, `until(false; .)`} {
		if out, fault := results(t, program, "{}", ctx); out != "" || fault != "" {
			t.Errorf("%s: %q, %q", program, out, fault)
		}
	}
}

func BenchmarkProgram(b *testing.B) {
	record := `{"frame":26,"time_relative":0.215361,"src":"127.0.0.1","info":"snapshot","quake3":{"server_message":{"ops":[` + strings.Repeat(`{"snapshot":{"server_time":7800,"entities":[{"number":1},{"number":2}]}},`, 20) + `{"eof":{}}]}}}`
	for _, program := range []string{`.info`, `[.quake3.server_message.ops[].snapshot?.entities[]?.number] | add`} {
		b.Run(program, func(b *testing.B) {
			p, err := Compile(program, false)
			if err != nil {
				b.Fatal(err)
			}
			over := p.Over(func(dst []byte, _ *dissect.Record) []byte { return append(append(dst, record...), '\n') })
			b.ReportAllocs()
			var dst []byte
			for b.Loop() {
				dst = over(dst[:0], &dissect.Record{})
			}
		})
	}
}
