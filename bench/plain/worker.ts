// Baseline of searches: a plain FTS5 statement on Carrel's own index, and plain inserts.
import { Hono } from "hono";
import type { StoredWork } from "../../src/search/documents/types.ts";
import { type EditionMembers, restoreEdition } from "../../src/search/indexing/edition-rows.ts";

interface Bindings {
  Bindings: { SEARCH: D1Database; CATALOG: D1Database; SCRATCH: D1Database };
}

const app = new Hono<Bindings>();

async function live(database: D1Database): Promise<string> {
  return (await database.prepare("SELECT live FROM index_state").first<string>("live")) ?? "a";
}

/** Returns the 20 best works by bm25. */
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

/** Returns words that occur in a number of works between two bounds, spread over the alphabet. */
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

/** Returns titles and first authors of works spread over the catalog. */
app.get("/titles", async (c) => {
  const generation = await live(c.env.SEARCH);
  const sql = `SELECT document->>'$.title' AS title, document->>'$.author_name[0]' AS author FROM work_document_${generation}
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

/** Returns the subjects with most works. */
app.get("/subjects", async (c) => {
  const sql = `SELECT key, work_count FROM subject_${await live(c.env.SEARCH)} WHERE subject_type = 'subject'
    ORDER BY work_count DESC LIMIT ?1`;
  const { results } = await c.env.SEARCH.prepare(sql)
    .bind(Number(c.req.query("count")))
    .all();
  return c.json(results);
});

/** Returns documents of the index, to insert again. */
app.get("/documents", async (c) => {
  const sql = `SELECT id, document FROM work_document_${await live(c.env.SEARCH)} WHERE id > ?1 ORDER BY id LIMIT ?2`;
  const { results } = await c.env.SEARCH.prepare(sql)
    .bind(Number(c.req.query("after")), Number(c.req.query("count")))
    .all();
  return c.json(results);
});

/** Returns works with their editions for a peer; `titles` are those that only the records have. */
app.get("/books", async (c) => {
  const generation = await live(c.env.SEARCH);
  const works = await c.env.SEARCH.prepare(
    `SELECT d.id, w.boost, d.document,
       (SELECT json_group_array(json(e.document)) FROM edition_${generation} e WHERE e.work = d.id) AS editions
     FROM work_document_${generation} d JOIN work_${generation} w ON w.id = d.id
     WHERE d.id > ?1 ORDER BY d.id LIMIT ?2`,
  )
    .bind(Number(c.req.query("after")), Number(c.req.query("count")))
    .all<{ id: number; boost: number; document: string; editions: string }>();
  const books = works.results.map(({ id, boost, document, editions }) => {
    // As the index writes them.
    const [work, members] = [JSON.parse(document), JSON.parse(editions)] as [StoredWork, EditionMembers[]];
    return { id, boost, work, editions: members.map((one) => restoreEdition(one, work)) };
  });
  const keys = books.flatMap(({ work, editions }) => [work.key, ...editions.map(({ key }) => key)]);
  const { results } = await c.env.CATALOG.prepare(
    `WITH r AS MATERIALIZED (SELECT r.key, r.document FROM json_each(?1) k JOIN record r ON r.key = k.value)
     SELECT key, value AS title FROM (
       SELECT r.key, t.type, t.value FROM r, json_each(r.document, '$.other_titles') t
       UNION ALL SELECT r.key, t.type, t.value FROM r, json_each(r.document, '$.work_titles') t
       UNION ALL SELECT r.key, t.type, t.value FROM r, json_each(r.document, '$.translation_of') t)
     WHERE type = 'text'`,
  )
    .bind(JSON.stringify(keys))
    .all<{ key: string; title: string }>();
  const titles = Map.groupBy(results, ({ key }) => key);
  return c.json(
    books.map(({ id, boost, work, editions }) => {
      const others = [work, ...editions].flatMap(({ key }) => titles.get(key) ?? []);
      return { id, boost, work, editions, titles: others.map(({ title }) => title) };
    }),
  );
});

/** Drops the tables of the plain inserts. */
app.post("/bare/new", async (c) => {
  const database = c.env.SCRATCH;
  await database.batch([
    database.prepare("DROP TABLE IF EXISTS doc"),
    database.prepare("DROP TABLE IF EXISTS doc_text"),
  ]);
  return c.json({});
});

/** Inserts documents in the simplest way: one row in a table, one in an FTS5 table over its text. */
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
