import { latestRecordOf } from "../../catalog/document.ts";
import type { ItemMetadata } from "../../catalog/ebook-access.ts";
import { idRangeOf } from "../../catalog/key-numbers.ts";
import {
  type CatalogRecord,
  REDIRECT_HOPS_MAX,
  authorsOf,
  isObject,
  keyOf,
  textOf,
  typeKeyOf,
} from "../../catalog/record.ts";
import type { CoverPixels, WorkSources } from "../../search/documents/types.ts";
import { coverOf } from "../../search/documents/values.ts";
import { LAST_CHANGE } from "../history/changes.ts";
import { type Fitting, type RecordRow, fitting, fittingRecords } from "../records/record-rows.ts";
import { READ_DOCUMENT_BYTES } from "../../catalog/bytes.ts";
import { type Database, type Statement, batchGroups, rows } from "../statement.ts";
import { type Naming, PATHS_MAX, NAMING_WORKS, namingProperty } from "./named-records.ts";

type NamedRow = Pick<RecordRow, "key" | "flags" | "document">;

/** Bytes of each kind of sources that is read with others or with changed records, which have half of a batch. */
const SHARE_BYTES = READ_DOCUMENT_BYTES / 8;

const namedSql = (keys: string, bytes = READ_DOCUMENT_BYTES): string =>
  fittingRecords({
    source: `SELECT n.id FROM record n WHERE n.key IN (${keys})`,
    order: "id",
    columns: "r.key, r.flags",
    bytes,
  });

function namedRecordsStatement(keys: readonly string[]): Statement {
  return { sql: namedSql("SELECT value FROM json_each(?1)"), values: [JSON.stringify(keys)] };
}

interface ItemRow {
  ocaid: string;
  collections: string;
  access_restricted: number;
}

const itemsSql = (ocaids: string): string =>
  `SELECT ocaid, collections, access_restricted FROM item WHERE ocaid IN (${ocaids})`;

const coversSql = (ids: string): string =>
  `SELECT id, width AS cover_width, height AS cover_height FROM cover
   WHERE id IN (${ids}) AND state = 'stored' AND deleted IS NULL`;

interface ReferenceGroups {
  named: NamedRow;
  items: ItemRow;
  covers: CoverPixels & { id: number };
}

type Rows<Groups> = { readonly [name in keyof Groups]: Groups[name][] };

/**
 * Reads the records that works and editions refer to: authors and series by key, with the targets of their redirects,
 * scans by id, and covers, unless `prefetch` has them. One round trip, and one more per redirect hop. Deleted records are
 * left out.
 */
async function readReferences(
  catalog: Database,
  books: readonly CatalogRecord[],
  prefetch: Rows<ReferenceGroups> | undefined,
) {
  const keys = new Set(books.flatMap(referencesOf));
  const ocaids = new Set(books.flatMap(({ ocaid }) => textOf(ocaid) ?? []));
  const covers = new Set(books.flatMap((record) => coverOf(record) ?? []));
  // SQL reads only ids that are texts.
  const isPrefetched = prefetch !== undefined && !books.some(({ ocaid }) => isObject(ocaid));
  const found = isPrefetched
    ? prefetch
    : await batchGroups<ReferenceGroups>(catalog, {
        named: namedRecordsStatement([...keys]),
        items: { sql: itemsSql("SELECT value FROM json_each(?1)"), values: [JSON.stringify([...ocaids])] },
        covers: {
          sql: coversSql("SELECT CAST(value AS BIGINT) FROM json_each(?1)"),
          values: [JSON.stringify([...covers])],
        },
      });
  const named = fitting<NamedRow>(found.named);
  const records = new Map(named.map((row) => [row.key, latestRecordOf(row)]));
  await readMissing(catalog, records, isPrefetched || named.length < found.named.length ? keys : new Set());
  for (const [key, record] of records) {
    if (keyOf(record["type"]) === "/type/delete") records.delete(key);
  }
  return {
    records,
    items: new Map(found.items.map((row) => [row.ocaid, itemOf(row)])),
    covers: new Map(found.covers.map(({ id, ...size }) => [id, size])),
  };
}

function referencesOf({ authors, series }: CatalogRecord): string[] {
  const references = [authors, series].flatMap((list) => (Array.isArray(list) ? list : []));
  return references.flatMap((reference) => {
    const member = isObject(reference) ? (reference["author"] ?? reference["series"]) : undefined;
    return keyOf(member ?? reference) ?? [];
  });
}

/** Reads missing records, and the targets of redirects. */
async function readMissing(
  catalog: Database,
  records: Map<string, CatalogRecord>,
  wanted: ReadonlySet<string>,
): Promise<void> {
  const asked = new Set<string>();
  for (let hop = 0; hop <= REDIRECT_HOPS_MAX;) {
    const targets = [...records.values()]
      .filter((record) => keyOf(record["type"]) === "/type/redirect")
      .flatMap((record) => keyOf(record["location"]) ?? []);
    const missing = [...wanted.union(new Set(targets))].filter((key) => !records.has(key) && !asked.has(key));
    if (missing.length === 0) return;
    const found = await rows<Fitting<NamedRow>>(catalog, namedRecordsStatement(missing));
    const whole = fitting<NamedRow>(found);
    for (const row of whole) records.set(row.key, latestRecordOf(row));
    // Records that did not fit are read with the next ones.
    if (whole.length < found.length) continue;
    for (const key of missing) asked.add(key);
    hop += 1;
  }
}

function itemOf({ collections, access_restricted: restricted }: ItemRow): ItemMetadata {
  // The column holds a JSON list of strings.
  return { collections: JSON.parse(collections) as string[], accessRestricted: restricted === 1 };
}

/** Parts of a work's sources from the catalog. The indexer adds counts and settings. */
type RecordSources = Pick<WorkSources, "work" | "editions" | "authors" | "series" | "items" | "covers">;

/** Works by index number, and the log position at which they were read. */
export interface SourcePage {
  /** Newest change. Everything else was read at this change or later. */
  readonly version: number;
  readonly works: readonly { readonly id: number; readonly sources: RecordSources }[];
  /** Requested numbers that are not live works, nor editions without a work. */
  readonly missing: readonly number[];
  /** Requested numbers that did not fit into memory, to be requested again. Never all of them, unless they come from `prefetch`. */
  readonly deferred: readonly number[];
}

type Row = Pick<RecordRow, "id" | "flags" | "document">;
type EditionRow = Row & { readonly work: number };

/** Maximum number of editions read at once, and of editions per work, so that they fit into memory. */
const EDITIONS_MAX = 3000;
const WORKS = idRangeOf("W");
const EDITIONS = idRangeOf("M");

/** Columns of a record's row. The others would take as long to send as the document. */
const COLUMNS = "r.id, r.flags";
/** SQL of ids in a list. */
const LISTED = "SELECT CAST(value AS BIGINT) AS id FROM json_each(?1)";
const latestSql = (ids: string): string =>
  fittingRecords({ source: ids, order: "id", columns: COLUMNS, bytes: SHARE_BYTES });
/** SQL with a fixed join order (CROSS JOIN): starting from the type would scan a large share of all records. */
const EDITIONS_OF_WORK = `CROSS JOIN property p ON p.name = 'works' AND p.value = w.key
  AND p.record_id >= ${EDITIONS.from} AND p.record_id < ${EDITIONS.to}`;
const editionsSql = (works: string, bytes = READ_DOCUMENT_BYTES): string =>
  fittingRecords({
    bytes,
    source: `
    SELECT w.id AS work, r.id
    FROM (${works}) e CROSS JOIN record w ON w.id = e.id ${EDITIONS_OF_WORK}
    CROSS JOIN record r ON r.id = p.record_id
    WHERE w.type = '/type/work' AND r.type = '/type/edition'
    ORDER BY w.id, r.id LIMIT ${EDITIONS_MAX + 1}`,
    order: "work, id",
    more: ["work"],
    columns: COLUMNS,
  });

interface BookGroups {
  versions: { id: number };
  works: Row;
  editions: EditionRow;
  standalone: Row;
}

type SourceGroups = BookGroups & ReferenceGroups;
export type SourceRows = Rows<SourceGroups>;
export type PrefetchGroups = SourceGroups & { naming: Naming };

/**
 * Maximum number of records whose works are read with them: the first ones of a part. Works that refer to them are read
 * too if there are at most as many, even if no shown name has changed.
 */
export const PREFETCH_RECORDS_MAX = 20;

// Tables of `prefetchStatements`, over `touched`, which has the ids of records. Each is computed once per statement, and not at
// all if the statement does not use it.
/** The first touched records. */
const CHANGED = `
  changed AS MATERIALIZED (SELECT id FROM touched ORDER BY id LIMIT ${PREFETCH_RECORDS_MAX})`;
/** Records that refer to them. Without an order: sorting would read all references, and more than the maximum are not used. */
const NAMING = `
  naming AS MATERIALIZED (
    SELECT DISTINCT key, id FROM (
      SELECT p.value AS key, p.record_id AS id
      FROM changed t CROSS JOIN record n ON n.id = t.id AND n.id < ${EDITIONS.from} CROSS JOIN ${namingProperty("n.key")}
      LIMIT ${PATHS_MAX * PREFETCH_RECORDS_MAX + 1}) p)`;
/** Both, if few records refer to them. */
const PREFETCH = `
  prefetch AS MATERIALIZED (
    SELECT id FROM changed UNION
    SELECT id FROM naming WHERE (SELECT count(*) FROM naming) <= ${PREFETCH_RECORDS_MAX})`;
/** Works among these, and works of editions among these, also of the changed ones in an earlier revision. */
function prefetchWorkSql(isEarlier: string): string {
  const workOf = (document: string): string => `
      CROSS JOIN record w ON w.key = ${document}->>'$.works[0].key' AND w.id >= ${WORKS.from} AND w.id < ${WORKS.to}
      WHERE t.id >= ${EDITIONS.from} AND t.id < ${EDITIONS.to}`;
  return `
  prefetch_work AS MATERIALIZED (
    SELECT id FROM prefetch WHERE id >= ${WORKS.from} AND id < ${WORKS.to}
    UNION
    SELECT w.id FROM prefetch t CROSS JOIN record e ON e.id = t.id ${workOf("e.document")}
    UNION
    SELECT w.id FROM changed t CROSS JOIN revision v ON v.record_id = t.id ${workOf("v.document")} AND (${isEarlier}))`;
}
const PREFETCH_STANDALONE = `
  prefetch_standalone AS MATERIALIZED (SELECT id FROM prefetch WHERE id >= ${EDITIONS.from} AND id < ${EDITIONS.to})`;
/** Works, their editions and standalone editions. */
const PREFETCH_BOOK = `
  prefetch_book AS MATERIALIZED (
    SELECT id FROM prefetch_work UNION SELECT id FROM prefetch_standalone UNION
    SELECT p.record_id FROM prefetch_work n CROSS JOIN record w ON w.id = n.id ${EDITIONS_OF_WORK})`;

/**
 * Returns statements of all sources of the works and pseudo-works that records belong to, or belonged to in an earlier
 * revision, and of those that refer to them. `tables`: common table expressions, of which `touched` has the ids of the
 * records; `isEarlier`: SQL condition of the earlier revisions `v`.
 */
export function prefetchStatements(
  { tables, isEarlier }: { readonly tables: string; readonly isEarlier: string },
  values: Statement["values"],
): { [name in keyof PrefetchGroups]: Statement } {
  const prefetch = [
    tables,
    CHANGED,
    NAMING,
    PREFETCH,
    prefetchWorkSql(isEarlier),
    PREFETCH_STANDALONE,
    PREFETCH_BOOK,
  ];
  const books = "prefetch_book b CROSS JOIN record d ON d.id = b.id";
  const referring = (member: string, key: string): string =>
    `SELECT CASE WHEN a.type = 'object' THEN ${key} END FROM ${books} CROSS JOIN json_each(d.document, '$.${member}') a`;
  const references = `
    ${referring("authors", "coalesce(a.value->>'$.author.key', a.value->>'$.key')")}
    UNION ${referring("series", "a.value->>'$.series.key'")}`;
  const statement = (sql: string): Statement => ({ sql: `${prefetch.join(",")} ${sql}`, values });
  return {
    versions: LAST_CHANGE,
    naming: statement(NAMING_WORKS),
    works: statement(latestSql("SELECT id FROM prefetch_work")),
    editions: statement(editionsSql("SELECT id FROM prefetch_work", SHARE_BYTES)),
    standalone: statement(latestSql("SELECT id FROM prefetch_standalone")),
    named: statement(namedSql(references, SHARE_BYTES)),
    items: statement(itemsSql(`SELECT d.document->>'$.ocaid' FROM ${books}`)),
    covers: statement(
      coversSql(`SELECT CASE WHEN c.type = 'integer' THEN CAST(c.value AS BIGINT) END
                 FROM ${books} CROSS JOIN json_each(d.document, '$.covers') c`),
    ),
  };
}

/** Returns true if all documents of prefetched sources were read. */
export function areFullyRead({ works, editions, standalone }: SourceRows): boolean {
  return [works, editions, standalone].every((list) => fitting<Row>(list).length === list.length);
}

/**
 * Reads all sources of works and pseudo-works by index number, as far as they fit into memory. Two round trips for any
 * number of works, and one per hop of redirected authors; none if `prefetch` has them. Editions are those whose `works` refer
 * to the work, in order of number. Q497: of a work whose editions do not fit into memory, those with the lowest numbers
 * are read.
 */
export async function readWorkSources(
  catalog: Database,
  ids: readonly number[],
  prefetch?: SourceRows,
): Promise<SourcePage> {
  const workIds = ids.filter((id) => id >= 0).map((id) => WORKS.from + id);
  const standaloneIds = ids.filter((id) => id < 0).map((id) => EDITIONS.from - id);
  const prefetchedIds = new Set(
    [...(prefetch?.works ?? []), ...(prefetch?.standalone ?? [])].map(({ id }) => id),
  );
  const isPrefetched = [...workIds, ...standaloneIds].every((id) => prefetchedIds.has(id));
  const read =
    prefetch !== undefined && isPrefetched
      ? prefetch
      : await batchGroups<BookGroups>(catalog, {
          versions: LAST_CHANGE,
          works: { sql: latestSql(LISTED), values: [JSON.stringify(workIds)] },
          editions: { sql: editionsSql(LISTED), values: [JSON.stringify(workIds)] },
          standalone: { sql: latestSql(LISTED), values: [JSON.stringify(standaloneIds)] },
        });
  const wanted = new Set([...workIds, ...standaloneIds]);
  const [works, standalone] = [read.works, read.standalone].map((list) =>
    list.filter(({ id }) => wanted.has(id)),
  );
  return sourcesOf(
    catalog,
    { ...read, works: works ?? [], standalone: standalone ?? [] },
    { ids, prefetch: isPrefetched ? prefetch : undefined },
  );
}

async function sourcesOf(
  catalog: Database,
  { versions, works, editions, standalone }: Rows<BookGroups>,
  { ids, prefetch }: { ids: readonly number[]; prefetch: Rows<ReferenceGroups> | undefined },
): Promise<SourcePage> {
  const wholeRows = fitting<Row>(works);
  const wholeEditions = fitting<EditionRow>(editions).slice(0, EDITIONS_MAX);
  const wholeStandalone = fitting<Row>(standalone);
  const end = Math.min(
    works[wholeRows.length]?.id ?? Infinity,
    endOfEditions(editions[wholeEditions.length]?.work, editions[0]?.work),
  );
  const ready = wholeRows.filter(({ id }) => id < end);
  const sources = [...keepWholeWorks(ready, wholeEditions), ...toPseudoWorks(wholeStandalone)];
  const version = versions[0]?.id ?? 0;
  const present = new Set(sources.map(({ id }) => id));
  const deferred = [
    ...works.filter(({ id }) => id >= end).map(({ id }) => id - WORKS.from),
    ...standalone.slice(wholeStandalone.length).map(({ id }) => EDITIONS.from - id),
  ];
  const deferredIds = new Set(deferred);
  const missing = ids.filter((id) => !present.has(id) && !deferredIds.has(id));
  return { version, works: await withReferences(catalog, sources, prefetch), missing, deferred };
}

/** Returns the number of the first work whose editions are incomplete. The first work of a page gets as many as fit. */
function endOfEditions(cut: number | undefined, first: number | undefined): number {
  if (cut === undefined) return Infinity;
  return cut === first ? cut + 1 : cut;
}

interface SourceBooks {
  readonly id: number;
  readonly work: CatalogRecord | undefined;
  readonly editions: readonly CatalogRecord[];
}

function keepWholeWorks(works: readonly Row[], editions: readonly EditionRow[]): SourceBooks[] {
  const byWork = Map.groupBy(editions, ({ work }) => work);
  return works.flatMap((row) => {
    const work = latestRecordOf(row);
    if (typeKeyOf(work) !== "/type/work") return [];
    const editionRows = (byWork.get(row.id) ?? []).slice(0, EDITIONS_MAX);
    return [{ id: row.id - WORKS.from, work, editions: editionRows.map(latestRecordOf) }];
  });
}

function toPseudoWorks(standalone: readonly Row[]): SourceBooks[] {
  return standalone.flatMap((row) => {
    const edition = latestRecordOf(row);
    // Q67: an edition whose work is deleted still refers to it.
    if (typeKeyOf(edition) !== "/type/edition" || workKeysOfEdition(edition).length > 0) return [];
    return [{ id: EDITIONS.from - row.id, work: undefined, editions: [edition] }];
  });
}

export function workKeysOfEdition({ works }: CatalogRecord): string[] {
  return Array.isArray(works) ? works.flatMap((work) => (isObject(work) ? (keyOf(work) ?? []) : [])) : [];
}

async function withReferences(
  catalog: Database,
  sources: readonly SourceBooks[],
  prefetch: Rows<ReferenceGroups> | undefined,
): Promise<SourcePage["works"]> {
  if (sources.length === 0) return [];
  const books = sources.flatMap(({ work, editions }) =>
    work === undefined ? editions : [work, ...editions],
  );
  const { records, items, covers } = await readReferences(catalog, books, prefetch);
  return sources.map(({ id, work, editions }) => {
    const authors = authorsOf((work ?? editions[0])?.["authors"], records);
    return { id, sources: { work, editions, authors, series: records, items, covers } };
  });
}
