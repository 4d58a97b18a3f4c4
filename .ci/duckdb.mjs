// Runs queries over a data set of q3dissect with DuckDB, for the test of docs/sql.md and docs/columns.md: node duckdb.mjs DIR < QUERIES.
// QUERIES is a JSON array of SQL; the output is one of the results as text: a line of names, then one for each row. That of
// copy is empty.
import { createRequire } from "node:module";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const home = process.env.Q3DISSECT_DUCKDB; // where .ci/duckdb installed it
const { DuckDBInstance } = createRequire(join(home, "x.js"))("@duckdb/node-api");

const dir = process.argv[2];
const db = await (await DuckDBInstance.create(":memory:")).connect();
await db.run("set TimeZone = 'UTC'");
await db.run("set threads = 1"); // rows that an order does not tell apart then come in one order
for (const table of readdirSync(dir)) {
  if (!statSync(join(dir, table)).isDirectory() || table.startsWith(".")) continue;
  await db.run(`create view "${table}" as select * from read_parquet('${dir}/${table}/*.parquet')`);
}
const results = [];
for (const query of JSON.parse(readFileSync(0, "utf8"))) {
  try {
    if (query.startsWith("copy ")) {
      await db.run(query);
      results.push("");
      continue;
    }
    const read = await db.runAndReadAll(`select columns(*)::varchar from (${query.trim().replace(/;$/, "")})`);
    const lines = read.getRows().map((row) => row.map((v) => v ?? "NULL").join(" | "));
    results.push([read.columnNames().join(" | "), ...lines].join("\n") + "\n");
  } catch (e) {
    results.push(`error: ${e.message}\n`);
  }
}
console.log(JSON.stringify(results));
