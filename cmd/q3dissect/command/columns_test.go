package command

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// query is a query of docs/sql.md with its result.
var query = regexp.MustCompile("(?s)\\*\\*(\\d+\\. [^*]+)\\*\\*\n\n```sql\n(.*?)```\n\n```text\n(.*?)```\n")

// docsPage is a page of docs. It skips the test where there is no DuckDB to try its statements.
func docsPage(t *testing.T, name string) []byte {
	t.Helper()
	if os.Getenv("Q3DISSECT_DUCKDB") == "" {
		t.Skip("DuckDB is not there: .ci/duckdb installs it")
	}
	page, err := os.ReadFile("../../../docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// The queries of docs/sql.md give the results that the page shows. It needs DuckDB: see .ci/duckdb.
func TestColumnsPage(t *testing.T) {
	t.Parallel()
	page := docsPage(t, "sql.md")
	found := query.FindAllSubmatch(page, -1)
	if len(found) != 20 {
		t.Fatalf("%d queries", len(found))
	}
	dir := sampleTables(t)
	var sql []string
	for _, f := range found {
		sql = append(sql, string(f[2]))
	}
	results := ask(t, dir, sql)
	if *update {
		at := -1
		page = query.ReplaceAllFunc(page, func(b []byte) []byte {
			at++
			return bytes.Replace(b, slices.Concat([]byte("```text\n"), found[at][3]), []byte("```text\n"+results[at]), 1)
		})
		if err := os.WriteFile("../../../docs/sql.md", page, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	for i, f := range found {
		if diff := cmp.Diff(string(f[3]), results[i]); diff != "" {
			t.Errorf("%s (-page +DuckDB):\n%s", f[1], diff)
		}
	}
}

// merge is the statement of docs/columns.md that merges the files of a table.
var merge = regexp.MustCompile("(?s)```sql\n(copy .*?)```")

// The statement keeps every row of a table, with its input and day.
func TestColumnsMerge(t *testing.T) {
	t.Parallel()
	page := docsPage(t, "columns.md")
	found := merge.FindSubmatch(page)
	if found == nil {
		t.Fatal("no statement")
	}
	dir, merged := sampleTables(t), t.TempDir()
	for _, table := range []string{"packets", "events", "quake3_server_message_ops_snapshot"} {
		statement := strings.NewReplacer("DIR/", dir+"/", "MERGED/", merged+"/", "packets", table).Replace(string(found[1]))
		after := "from read_parquet('" + merged + "/" + table + "/*/*.parquet', hive_partitioning = true)"
		const rows = "select * exclude (day) "
		got := ask(t, dir, []string{
			statement,
			"select count(*) > 100 as n " + after,
			"select (select count(*) from " + table + ") = (select count(*) " + after + ") as n",
			"select count(*) as n from (select * from " + table + " except all " + rows + after + ")",
		})
		if diff := cmp.Diff([]string{"", "n\ntrue\n", "n\ntrue\n", "n\n0\n"}, got); diff != "" {
			t.Errorf("%s:\n%s", table, diff)
		}
	}
}

// sampleTables writes the tables of all samples.
func sampleTables(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	samples := exec.Command("q3dissect", "-R", ".", "-T", "parquet", "-o", dir)
	samples.Dir = filepath.Join("..", "..", "..", "samples")
	if out, err := samples.CombinedOutput(); err != nil && samples.ProcessState.ExitCode() != 4 {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// ask runs statements over tables with DuckDB.
func ask(t *testing.T, dir string, sql []string) (results []string) {
	t.Helper()
	in, err := json.Marshal(sql)
	if err != nil {
		t.Fatal(err)
	}
	node := exec.Command("node", "../../../.ci/duckdb.mjs", dir)
	node.Stdin, node.Stderr = bytes.NewReader(in), os.Stderr
	out, err := node.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &results); err != nil {
		t.Fatal(err)
	}
	return results
}
