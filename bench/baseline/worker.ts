// What Carrel is measured against: a bare Hono worker that does the one thing and nothing else.
import { Hono } from "hono";

interface Bindings {
  Bindings: { DB: D1Database };
}

const app = new Hono<Bindings>();
let hot = "";

app.get("/hot", (c) =>
  c.body(hot, 200, {
    "Content-Type": "application/json",
    ETag: '"1"',
    "Cache-Control": "public, max-age=0, must-revalidate",
  }),
);

app.get("/unmodified", (c) => c.body(null, 304, { ETag: '"1"' }));

app.get("/record/:kind/:id", async (c) => {
  const key = `/${c.req.param("kind")}/${c.req.param("id")}`;
  const row = await c.env.DB.prepare("SELECT data FROM doc WHERE key = ?1")
    .bind(key)
    .first<{ data: string }>();
  return row === null ? c.notFound() : c.body(row.data, 200, { "Content-Type": "application/json" });
});

app.get("/many", async (c) => {
  const keys = JSON.stringify((c.req.query("keys") ?? "").split(","));
  const sql = "SELECT d.data FROM json_each(?1) k JOIN doc d ON d.key = k.value";
  const { results } = await c.env.DB.prepare(sql).bind(keys).all<{ data: string }>();
  return c.body(`[${results.map(({ data }) => data).join(",")}]`, 200, {
    "Content-Type": "application/json",
  });
});

app.post("/hot", async (c) => {
  hot = await c.req.text();
  return c.json({});
});

const SCHEMA = `
CREATE TABLE doc (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, data TEXT NOT NULL);
CREATE TABLE full_doc (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, type TEXT NOT NULL, modified TEXT NOT NULL, data TEXT NOT NULL);
CREATE INDEX full_doc_type ON full_doc (type);
CREATE INDEX full_doc_modified ON full_doc (type, modified);
CREATE TABLE old_doc (id INTEGER NOT NULL, modified TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (id, modified)) WITHOUT ROWID;
CREATE TABLE change (id INTEGER PRIMARY KEY, made TEXT NOT NULL);
CREATE TABLE term (name TEXT NOT NULL, value TEXT NOT NULL, doc_id INTEGER NOT NULL, PRIMARY KEY (name, value, doc_id)) WITHOUT ROWID;`;

app.post("/schema", async (c) => {
  await c.env.DB.batch(
    SCHEMA.split(";")
      .filter((sql) => sql.trim() !== "")
      .map((sql) => c.env.DB.prepare(sql)),
  );
  return c.json({});
});

/** The loader's path with the barest insert: lines in, one `json_each` statement into one table. */
app.post("/one-table/system/load", async (c) => {
  const rows = columnsOf(await c.req.text()).map(([, key, , , data]) => [key, data]);
  const sql = "INSERT INTO doc (key, data) SELECT value->>0, value->>1 FROM json_each(?1)";
  await c.env.DB.batch([c.env.DB.prepare(sql).bind(JSON.stringify(rows))]);
  return c.json(outcome(rows.length));
});

/**
 * A change without any thought: as many rows as Carrel writes for it, in one batch. Rows: [id, modified, key,
 * document, terms].
 */
app.post("/save", async (c) => {
  // The benchmark alone calls this.
  const docs = await c.req.json<[number, string, string, string, [string, string][]][]>();
  const terms = docs.flatMap(([id, , , , own]) => own.map(([name, value]) => [name, value, id]));
  const run = (sql: string, value: string): D1PreparedStatement => c.env.DB.prepare(sql).bind(value);
  const at = "(SELECT e.value FROM json_each(?1) e)";
  await c.env.DB.batch([
    run("INSERT INTO change (made) VALUES (?1)", docs[0]?.[1] ?? ""),
    run(
      `INSERT INTO old_doc SELECT id, modified, data FROM full_doc WHERE id IN ${at}`,
      JSON.stringify(docs.map(([id]) => id)),
    ),
    run(
      `UPDATE full_doc SET modified = e.value->>1, data = e.value->>3 FROM json_each(?1) e WHERE full_doc.id = e.value->>0`,
      JSON.stringify(docs),
    ),
    run(
      `DELETE FROM term WHERE (name, value, doc_id) IN
       (SELECT e.value->>0, e.value->>1, e.value->>2 FROM json_each(?1) e)`,
      JSON.stringify(terms),
    ),
    run(
      `INSERT OR IGNORE INTO term (name, value, doc_id)
       SELECT e.value->>0, e.value->>1, e.value->>2 FROM json_each(?1) e`,
      JSON.stringify(terms),
    ),
  ]);
  return c.json(docs.map(([id]) => ({ id })));
});

let lastId = 0;

/** The loader's path with bare inserts of as many rows as Carrel writes: a document and what finds it. */
app.post("/same-rows/system/load", async (c) => {
  const docs: unknown[] = [];
  const terms: unknown[] = [];
  for (const [type, key, , modified, data = "{}"] of columnsOf(await c.req.text())) {
    const id = (lastId += 1);
    docs.push([id, key, type, modified, data]);
    terms.push(...termsOf(data, id));
  }
  const doc = `INSERT INTO full_doc (id, key, type, modified, data)
    SELECT value->>0, value->>1, value->>2, value->>3, value->>4 FROM json_each(?1)`;
  const term = `INSERT OR IGNORE INTO term (name, value, doc_id)
    SELECT value->>0, value->>1, value->>2 FROM json_each(?1)`;
  await c.env.DB.batch([
    c.env.DB.prepare(doc).bind(JSON.stringify(docs)),
    c.env.DB.prepare(term).bind(JSON.stringify(terms)),
  ]);
  return c.json(outcome(docs.length));
});

function columnsOf(text: string): string[][] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("\t"));
}

function outcome(created: number) {
  return { created, updated: 0, unchanged: 0, kept: 0, rejected: [] };
}

/** Terms of a made-up record (bench/lib/catalog.mjs): as many as Carrel has index rows for it. */
function termsOf(data: string, id: number): unknown[] {
  // The benchmark's own catalog has these members.
  const record = JSON.parse(data) as Record<string, { [index: number]: string } | string | undefined>;
  const names = [
    "title",
    "name",
    "works",
    "authors",
    "isbn_13",
    "oclc_numbers",
    "source_records",
    "languages",
  ];
  return names.flatMap((name) =>
    record[name] === undefined ? [] : [[name, JSON.stringify(record[name]), id]],
  );
}

export default app;
