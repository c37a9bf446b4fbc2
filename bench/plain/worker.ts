// What search is measured against: the plain FTS5 statement on Carrel's own index, and bare inserts.
import { Hono } from "hono";

interface Bindings {
  Bindings: { SEARCH: D1Database; SCRATCH: D1Database };
}

const app = new Hono<Bindings>();

async function live(database: D1Database): Promise<string> {
  return (await database.prepare("SELECT live FROM index_state").first<string>("live")) ?? "a";
}

/** Twenty best works by bm25, and nothing else. */
app.get("/plain", async (c) => {
  // The generation does not change while the benchmark runs; the caller names it.
  const table = c.req.query("live") === "b" ? "work_text_b" : "work_text_a";
  const sql = `SELECT rowid AS id FROM ${table} WHERE ${table} MATCH ?1 ORDER BY bm25(${table}) LIMIT 20`;
  const { results } = await c.env.SEARCH.prepare(sql)
    .bind(c.req.query("match") ?? "")
    .all();
  return c.json(results);
});

app.get("/live", async (c) => c.text(await live(c.env.SEARCH)));

/** Words of the index with a number of works between two bounds, spread over the alphabet. */
app.get("/terms", async (c) => {
  const table = `work_term_${await live(c.env.SEARCH)}`;
  const sql = `SELECT term, doc FROM ${table}
    WHERE doc BETWEEN ?1 AND ?2 AND length(term) > 3 AND instr(term, '=') = 0 AND term GLOB '[a-z]*'
    ORDER BY (doc * 2654435761 + length(term) * 40503) % 1000003, term LIMIT ?3`;
  const { results } = await c.env.SEARCH.prepare(sql)
    .bind(Number(c.req.query("low")), Number(c.req.query("high")), Number(c.req.query("count")))
    .all();
  return c.json(results);
});

/** Titles of works spread over the catalog. */
app.get("/titles", async (c) => {
  const generation = await live(c.env.SEARCH);
  const sql = `SELECT document->>'$.title' AS title FROM work_document_${generation}
    WHERE id IN (SELECT id FROM work_${generation} ORDER BY random LIMIT ?1)`;
  const { results } = await c.env.SEARCH.prepare(sql)
    .bind(Number(c.req.query("count")))
    .all();
  return c.json(results);
});

app.get("/counts", async (c) => {
  const generation = await live(c.env.SEARCH);
  const { results, meta } = await c.env.SEARCH.prepare(
    `SELECT count(*) AS works FROM work_${generation}`,
  ).all<{
    works: number;
  }>();
  return c.json({ works: results[0]?.works ?? 0, bytes: meta.size_after });
});

/** Subjects with most works. */
app.get("/subjects", async (c) => {
  const sql = `SELECT key, work_count FROM subject_${await live(c.env.SEARCH)} WHERE subject_type = 'subject'
    ORDER BY work_count DESC LIMIT ?1`;
  const { results } = await c.env.SEARCH.prepare(sql)
    .bind(Number(c.req.query("count")))
    .all();
  return c.json(results);
});

/** Documents of the index, to be inserted again as they are. */
app.get("/documents", async (c) => {
  const sql = `SELECT id, document FROM work_document_${await live(c.env.SEARCH)} WHERE id > ?1 ORDER BY id LIMIT ?2`;
  const { results } = await c.env.SEARCH.prepare(sql)
    .bind(Number(c.req.query("after")), Number(c.req.query("count")))
    .all();
  return c.json(results);
});

/** Forgets what was inserted before. */
app.post("/bare/new", async (c) => {
  const database = c.env.SCRATCH;
  await database.batch([
    database.prepare("DROP TABLE IF EXISTS doc"),
    database.prepare("DROP TABLE IF EXISTS doc_text"),
  ]);
  return c.json({});
});

/** The barest index of a document: one row in a table, one in an FTS5 table over its text. */
app.post("/bare", async (c) => {
  const rows = await c.req.text();
  const database = c.env.SCRATCH;
  await database.batch([
    database.prepare("CREATE TABLE IF NOT EXISTS doc (id INTEGER PRIMARY KEY, document TEXT NOT NULL)"),
    database.prepare("CREATE VIRTUAL TABLE IF NOT EXISTS doc_text USING fts5 (document, content = '')"),
    database.prepare("INSERT INTO doc SELECT value->>'id', value->>'document' FROM json_each(?1)").bind(rows),
    database
      .prepare(
        "INSERT INTO doc_text (rowid, document) SELECT value->>'id', value->>'document' FROM json_each(?1)",
      )
      .bind(rows),
  ]);
  return c.json({});
});

export default app;
