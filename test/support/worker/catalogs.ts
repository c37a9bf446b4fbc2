const TABLES = [
  "record",
  "revision",
  "change",
  "change_data",
  "property",
  "identifier",
  "edition_language",
  "sequence",
];

/** Empties a catalog. */
export async function empty(database: D1Database): Promise<void> {
  await database.batch(TABLES.map((table) => database.prepare(`DELETE FROM ${table}`)));
}

const DUMPS = [
  "SELECT id, kind, author, comment, bot, created, changes, data FROM change ORDER BY id",
  "SELECT key, type, revision, change_id, flags, created, last_modified, document FROM record ORDER BY key",
  `SELECT r.key, v.revision, v.change_id, v.last_modified, v.document
   FROM revision v JOIN record r ON r.id = v.record_id ORDER BY 1, 2`,
  "SELECT p.name, p.value, r.key FROM property p JOIN record r ON r.id = p.record_id ORDER BY 1, 2, 3",
  "SELECT i.kind, i.value, r.key FROM identifier i JOIN record r ON r.id = i.edition_id ORDER BY 1, 2, 3",
  "SELECT l.language, r.key FROM edition_language l JOIN record r ON r.id = l.edition_id ORDER BY 1, 2",
  "SELECT * FROM change_data ORDER BY 1, 2, 3",
  "SELECT * FROM sequence WHERE name <> 'record' ORDER BY name",
];

/** Everything that has to be the same in both catalogs: all but addresses, and numbers that never show. */
export async function contents(database: D1Database): Promise<unknown[]> {
  const results = await database.batch(DUMPS.map((sql) => database.prepare(sql)));
  return results.map((result) => result.results);
}
