import { lastSegmentOf } from "../../catalog/keys.ts";
import { type Json, authorKeysIn, keysOf, textOf } from "../../catalog/record.ts";
import { idRangeOf } from "../../catalog/key-numbers.ts";
import { type Database, batchGroups, rows } from "../statement.ts";
import { type RecordRow, RECORD_COLUMNS, endOfFirstSql } from "./record-rows.ts";
import { targetKeySql } from "../redirects.ts";

interface TitleQuery {
  /** Alternative titles in the form of `normalizeTitle`. */
  readonly titles: readonly string[];
  /** Key of a required author; undefined for any. */
  readonly author: string | undefined;
}

/** SQL with a fixed join order (CROSS JOIN); otherwise all titles of the catalog would be scanned. */
const BY_TITLE = `SELECT DISTINCT p.record_id AS id FROM json_each(?1) t
  CROSS JOIN property p ON p.name = 'title' AND p.value = t.value AND p.record_id >= ?2 AND p.record_id < ?3
  WHERE CAST(?4 AS TEXT) IS NULL OR EXISTS (SELECT 1 FROM property a
    WHERE a.record_id = p.record_id AND a.name = 'authors.author' AND a.value = ?4)
  ORDER BY p.record_id LIMIT ?5`;

/** Finds works with a title, at most `limit.works`, and at most `limit.editions` of their editions. One round trip. */
export async function findTitles(
  database: Database,
  { titles, author }: TitleQuery,
  limit: { works: number; editions: number },
): Promise<Record<"works" | "editions", RecordRow[]>> {
  if (titles.length === 0) return { works: [], editions: [] };
  const [works, editions] = [idRangeOf("W"), idRangeOf("M")];
  const values = [JSON.stringify(titles), works.from, works.to, author ?? null, limit.works];
  return batchGroups<Record<"works" | "editions", RecordRow>>(database, {
    works: {
      sql: `SELECT ${RECORD_COLUMNS} FROM (${BY_TITLE}) w JOIN record r ON r.id = w.id ORDER BY r.id`,
      values,
    },
    editions: {
      sql: `SELECT ${RECORD_COLUMNS} FROM (${BY_TITLE}) w
            CROSS JOIN record k ON k.id = w.id
            CROSS JOIN property p ON p.name = 'works' AND p.value = k.key AND p.record_id >= ?6 AND p.record_id < ?7
            CROSS JOIN record r ON r.id = p.record_id ORDER BY r.id LIMIT ?8`,
      values: [...values, editions.from, editions.to, limit.editions],
    },
  });
}

interface TitledWork {
  readonly key: string;
  /** JSON of the stored member; null if there is none, or it is longer than `TITLE_JSON_MAX`. */
  readonly title: string | null;
  readonly subtitle: string | null;
  readonly firstPublished: string | null;
}

/**
 * Maximum length of a member that is read, in characters of JSON: a member may have a million, and an author thousands
 * of works.
 */
const TITLE_JSON_MAX = 4000;

interface TitledByAuthor extends TitledWork {
  /** Key of another author than the first who has the work; empty for works of the first. */
  readonly other: string;
}

/** Works of each author but the first that are read: the twin of an author has few. */
const NAMESAKE_WORKS_MAX = 50;

/**
 * Reads titles of the works of several authors in ascending order of their keys, at most `limit`: those of the first one, and
 * up to `NAMESAKE_WORKS_MAX` of each other. One statement.
 */
export function readTitlesOfAuthors(
  database: Database,
  [first, ...others]: readonly [first: string, ...others: string[]],
  limit: number,
): Promise<TitledByAuthor[]> {
  const { from, to } = idRangeOf("W");
  const end = endOfFirstSql(
    { name: "'authors.author'", value: "a.value", from: "?3", to: "?4" },
    NAMESAKE_WORKS_MAX,
  );
  const sql = `SELECT r.key, w.other, ${memberSql("title")} AS title, ${memberSql("subtitle")} AS subtitle,
                      ${memberSql("first_publish_date")} AS firstPublished
               FROM (SELECT u.id, min(u.other) AS other FROM (
                 SELECT f.id, '' AS other FROM (SELECT p.record_id AS id FROM property p
                   WHERE p.name = 'authors.author' AND p.value = ?2 AND p.record_id >= ?3 AND p.record_id < ?4
                   ORDER BY p.record_id LIMIT ?5) f
                 UNION ALL SELECT p.record_id, a.value FROM json_each(?1) a
                   CROSS JOIN property p ON p.name = 'authors.author' AND p.value = a.value
                     AND p.record_id >= ?3 AND p.record_id < ${end}) u
                 GROUP BY u.id ORDER BY u.id LIMIT ?5) w CROSS JOIN record r ON r.id = w.id
               WHERE r.type = '/type/work' ORDER BY r.id`;
  const values = [JSON.stringify(others), first, from, to, limit];
  return rows<TitledByAuthor>(database, { sql, values });
}

const NAMES_MAX = 100;

/** Finds authors by rows of the property index that hold their names, at most `limit`: keys and names. One statement. */
export function findAuthorsNamed(
  database: Database,
  names: readonly (readonly [row: "name" | "alternate_names", value: string])[],
  limit: number,
): Promise<{ key: string; name: string | null }[]> {
  const { from, to } = idRangeOf("A");
  const end = endOfFirstSql({ name: "n.value->>0", value: "n.value->>1", from: "?2", to: "?3" }, limit);
  const sql = `SELECT DISTINCT r.id, r.key, CAST(${memberSql("name")} AS TEXT) AS name
               FROM json_each(?1) n CROSS JOIN property p ON p.name = n.value->>0 AND p.value = n.value->>1
                 AND p.record_id >= ?2 AND p.record_id < ${end}
               CROSS JOIN record r ON r.id = p.record_id WHERE r.type = '/type/author' ORDER BY r.id LIMIT ?4`;
  return rows(database, { sql, values: [JSON.stringify(names.slice(0, NAMES_MAX)), from, to, limit] });
}

function memberSql(
  name: "name" | "title" | "subtitle" | "first_publish_date" | "original_languages" | "authors",
  table = "r",
): string {
  const stored = `${table}.document->'$.${name}'`;
  return `CASE WHEN length(CAST(${stored} AS TEXT)) <= ${TITLE_JSON_MAX} THEN ${stored} END`;
}

/** Returns the text of a name given as JSON, or undefined if there is none. */
export function nameText(name: string | null): string | undefined {
  return name === null ? undefined : textOf(memberOf(name));
}

/** First publication of a work as its record states it. */
interface Origin {
  readonly date: string | undefined;
  /** MARC codes of the original languages. */
  readonly languages: readonly string[];
}

/** Reads the first publication in work records, by key. One statement; none without keys. */
export async function readOrigins(
  database: Database,
  works: readonly string[],
): Promise<ReadonlyMap<string, Origin>> {
  if (works.length === 0) return new Map();
  const sql = `SELECT r.key, ${memberSql("first_publish_date")} AS date, ${memberSql("original_languages")} AS languages
               FROM record r WHERE r.key IN (SELECT value FROM json_each(?1))`;
  const found = await rows<{ key: string; date: string | null; languages: string | null }>(database, {
    sql,
    values: [JSON.stringify(works)],
  });
  return new Map(
    found.map(({ key, date, languages }) => {
      const codes = languages === null ? [] : keysOf(memberOf(languages)).map(lastSegmentOf);
      return [key, { date: nameText(date) || undefined, languages: codes }];
    }),
  );
}

/**
 * Reads the display names of records by key: authors by their name, others by title or name. One statement; none
 * without keys.
 */
export async function readNames(
  database: Database,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map();
  const title = `CASE WHEN r.type <> '/type/author' THEN ${memberSql("title")} END`;
  const sql = `SELECT r.key, ${title} AS title, ${memberSql("name")} AS name
               FROM record r WHERE r.key IN (SELECT value FROM json_each(?1))`;
  const names = await rows<{ key: string; title: string | null; name: string | null }>(database, {
    sql,
    values: [JSON.stringify([...new Set(keys)])],
  });
  return new Map(
    names.flatMap((row): [string, string][] => {
      const text = nameText(row.title) ?? nameText(row.name) ?? "";
      return text === "" ? [] : [[row.key, text]];
    }),
  );
}

const NAMED = `SELECT r.key, r.type, ${memberSql("title")} AS title, ${memberSql("name")} AS name, ${memberSql("authors")} AS authors,
    ${memberSql("authors", "w")} AS workAuthors
  FROM json_each(?1) e CROSS JOIN record r ON r.id = CAST(e.value AS BIGINT)
  LEFT JOIN record w ON w.key = ${targetKeySql("(r.document ->> '$.works[0].key')")} AND r.type = '/type/edition'
  ORDER BY e.key`;

/**
 * Reads the members that name records, and the names of their authors, those of the work first; `TITLE_JSON_MAX` bounds
 * each member. Two statements.
 */
export async function readNamedRecords(database: Database, ids: readonly number[]) {
  type Row = Pick<RecordRow, "key" | "type"> &
    Readonly<Record<"title" | "name" | "authors" | "workAuthors", string | null>>;
  const values = [JSON.stringify(ids)];
  const all = (await rows<Row>(database, { sql: NAMED, values })).map((row) => ({
    record: { key: row.key, type: row.type, title: memberOf(row.title), name: memberOf(row.name) },
    authors: [...new Set([row.workAuthors, row.authors].flatMap((list) => authorKeysIn(memberOf(list))))],
  }));
  const names = await readNames(
    database,
    all.flatMap(({ authors }) => authors),
  );
  return all.map(({ record, authors }) => ({
    record,
    authors: authors.flatMap((key) => names.get(key) ?? []),
  }));
}

/** Parses a part of a stored document. */
function memberOf(json: string | null): Json {
  return json === null ? null : (JSON.parse(json) as Json);
}

interface LostWork {
  readonly key: string;
  /** Key of the type, such as `/type/redirect`; null if there is no such record. */
  readonly type: string | null;
  /** Key that the record redirects to; otherwise its own. */
  readonly target: string;
}

/** Looks up works that the index does not have. One statement. */
export function readLostWorks(database: Database, works: readonly string[]): Promise<LostWork[]> {
  const sql = `SELECT w.value AS key, r.type, ${targetKeySql("w.value")} AS target
               FROM json_each(?1) w LEFT JOIN record r ON r.key = w.value`;
  return rows<LostWork>(database, { sql, values: [JSON.stringify(works)] });
}
