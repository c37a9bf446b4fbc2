import { ByteBudget } from "../../catalog/bytes.ts";
import { expandEdition, expandWork } from "../../search/present/expand.ts";
import type { Document, WorkHits, WorkSearch } from "../../search/engine.ts";
import { type EditionMembers, restoredEdition } from "../../search/indexing/edition-members.ts";
import { workIdOfKey } from "../../search/indexing/ids.ts";
import type { StoredEdition, StoredWork } from "../../search/documents/stored.ts";
import { DocumentsTooLarge, READ_DOCUMENT_BYTES } from "../records/record-rows.ts";
import { type Statement, batchGroups, rows } from "../statement.ts";
import type { Generation, IndexReader } from "./generation.ts";
import type { SqlValues } from "./sql-values.ts";
import { type WorkReading, type WorkRow, WHOLE_WORKS, workReading } from "./stored-work.ts";

/** Row of `readEditionsStatement`. */
export interface StoredEditionRow {
  readonly work: number;
  readonly position: number;
  readonly document: string;
}

/**
 * Returns the statement for works by number, in any order, with rows for a reading. Pass the rows through
 * `requireRoom`.
 */
export function readWorksStatement(
  generation: Generation,
  ids: readonly number[],
  reading: WorkReading = WHOLE_WORKS,
): Statement {
  const values = [JSON.stringify(ids)];
  if (reading === WHOLE_WORKS) {
    const { columns, joins } = reading.sql(generation, WITH_ROOM);
    return {
      sql: `WITH room AS MATERIALIZED (${roomSql(generation, "SELECT value AS id FROM json_each(?1)")})
            SELECT room.bytes, ${columns.join(", ")} FROM room ${joins}`,
      values,
    };
  }
  const { columns, joins } = reading.sql(generation, "j.value");
  return {
    sql: withinRoom(
      { others: ["id"], texts: DOCUMENT_TEXTS },
      `SELECT ${columns.join(", ")} FROM json_each(?1) j LEFT JOIN work_ranking_${generation} k ON k.id = j.value
       ${joins} WHERE ${columns[0]} IS NOT NULL`,
    ),
    values,
  };
}

/**
 * Bounds the bytes that a statement reads: rows get the `bytes` of all texts up to theirs, and no texts once these
 * exceed `READ_DOCUMENT_BYTES`. Pass the rows through `requireRoom`.
 */
export function withinRoom(
  { others, texts }: { readonly others: readonly string[]; readonly texts: readonly string[] },
  sql: string,
): string {
  const read = texts.map((text) => `iif(bytes <= ${READ_DOCUMENT_BYTES}, ${text}, NULL) AS ${text}`);
  const lengths = texts.map((text) => `coalesce(octet_length(${text}), 0)`);
  return `SELECT ${[...others, "bytes", ...read].join(", ")}
    FROM (SELECT *, sum(${lengths.join(" + ")}) OVER (ROWS UNBOUNDED PRECEDING) AS bytes FROM (${sql}))`;
}

/** Text columns of partially read works. */
const DOCUMENT_TEXTS = ["document", "packed"];

/** Returns SQL of the works that have a document, with the total bytes of all documents up to theirs. */
function roomSql(generation: Generation, ids: string): string {
  return `SELECT s.id, sum(${STORED_BYTES}) OVER (ORDER BY s.id) AS bytes
    FROM (${ids}) i CROSS JOIN work_document_${generation} s ON s.id = i.id`;
}

/** SQL of the bytes of a document `s` of `work_document_<generation>`. */
export const STORED_BYTES = "octet_length(s.document) + coalesce(octet_length(s.packed), 0)";

/** SQL of the number of a work of `room` whose document is still read. */
const WITH_ROOM = `iif(room.bytes <= ${READ_DOCUMENT_BYTES}, room.id, NULL)`;

/** Returns the rows. Throws `DocumentsTooLarge` if some documents did not fit. */
export function requireRoom<Row extends object>(found: readonly Row[]): readonly Row[] {
  const isCut = found.some((row) => "bytes" in row && Number(row.bytes) > READ_DOCUMENT_BYTES);
  if (isCut) throw new DocumentsTooLarge();
  return found;
}

/** Found work with its score. */
export interface FoundWork {
  readonly id: number;
  readonly score: number;
  /** Row of the work, if it was read already. */
  readonly row?: WorkRow | undefined;
}

/** Works of a page, in order. */
export interface FoundPage {
  readonly numFound: number;
  readonly works: readonly FoundWork[];
}

/** SQL of the total (`n`) and of the works of a page (`id`), and the reading for these. */
interface CountedPage {
  readonly total: string;
  readonly page: string;
  readonly values: SqlValues;
  readonly reading: WorkReading;
}

/** Reads a page with its documents. One round trip. */
export async function readCounted(
  { database, generation }: IndexReader,
  { total, page, values, reading }: CountedPage,
): Promise<FoundPage> {
  type Row = { readonly n: number } & (WorkRow | { readonly document: null });
  const isWhole = reading === WHOLE_WORKS;
  const { columns, joins } = reading.sql(generation, isWhole ? WITH_ROOM : "page.id");
  const room = isWhole ? `, room AS MATERIALIZED (${roomSql(generation, "SELECT id FROM page")})` : "";
  const read = `SELECT total.n, ${isWhole ? "room.bytes, " : ""}${columns.join(", ")} FROM total LEFT JOIN page ON 1
    LEFT JOIN work_ranking_${generation} k ON k.id = page.id
    ${isWhole ? "LEFT JOIN room ON room.id = page.id" : ""} ${joins}`;
  const found = await rows<Row>(database, {
    sql: `WITH total AS MATERIALIZED (${total}), page AS MATERIALIZED (${page})${room}
      ${isWhole ? read : withinRoom({ others: ["n", "id"], texts: DOCUMENT_TEXTS }, read)}`,
    values: values.values,
  });
  requireRoom(found);
  const works = found.flatMap((row) => (row.document === null ? [] : [{ id: row.id, score: 0, row }]));
  return { numFound: found[0]?.n ?? 0, works };
}

/**
 * Returns the statement for editions of works: the first `limit` of each by openness, cover and number, in order of
 * number.
 */
export function readEditionsStatement(
  generation: Generation,
  ids: readonly number[],
  limit: number,
): Statement {
  return {
    sql: withinRoom(
      EDITION_COLUMNS,
      `SELECT e.work, e.position, e.document FROM json_each(?1) j
       JOIN edition_${generation} e ON e.work = j.value AND e.rank < ?2
       ORDER BY e.work, e.position`,
    ),
    values: [JSON.stringify(ids), limit],
  };
}

/** Columns of `StoredEditionRow`. */
const EDITION_COLUMNS = { others: ["work", "position"], texts: ["document"] };

/** Restores the edition of a row from its work. */
export function storedEdition(row: Pick<StoredEditionRow, "document">, work: StoredWork): StoredEdition {
  // The column holds a document written by apply.ts.
  return restoredEdition(JSON.parse(row.document) as EditionMembers, work);
}

/** Maximum number of editions per work that a search reads, the most open ones first. */
export const PAGE_EDITIONS_MAX = 200;

/** Work of a page with its editions. */
interface PageDocument {
  readonly document: Document;
  /** Editions in order of number. Empty unless requested. */
  readonly editions: readonly Document[];
}

/** Returns a work of a page with its score, or nothing if it no longer exists. */
export function hitOf(found: PageDocument | undefined, score: number) {
  return found === undefined ? [] : [{ ...found, score }];
}

/** Builds the result of a search. */
export function workHits(
  numFound: number,
  found: readonly (PageDocument & { readonly score: number })[],
): WorkHits {
  return {
    numFound,
    numFoundExact: true,
    documents: found.map(({ document }) => document),
    scores: found.map(({ score }) => score),
    editions: found.map(({ editions }) => editions),
  };
}

/** Contents of a page. `known` has rows of works that were read already. */
interface PageOptions extends Pick<WorkSearch, "withEditions" | "fields" | "editionFields"> {
  readonly ids: readonly number[];
  readonly known: ReadonlyMap<number, WorkRow>;
}

/**
 * Reads documents of works by number, and their editions. Works deleted in the meantime are left out. One round trip,
 * or none if all rows are known.
 */
export async function readPage(
  index: IndexReader,
  options: PageOptions,
): Promise<ReadonlyMap<number, PageDocument>> {
  const { works, editions } = await readRows(index, options);
  const byWork = Map.groupBy(editions, ({ work }) => work);
  const reading = workReading(options);
  return withinAnswer(works, async (row) => {
    const work = await reading.work(row);
    const found = (byWork.get(row.id) ?? []).map((edition) =>
      expandEdition(storedEdition(edition, work), options.editionFields),
    );
    return [row.id, { document: expandWork(work, options.fields), editions: found }];
  });
}

/** Expands works one after the other. Throws `AnswerTooLarge` as soon as they exceed the size limit of a response. */
export async function withinAnswer<Row, Page extends PageDocument>(
  found: readonly Row[],
  expand: (row: Row) => Promise<[number, Page]>,
): Promise<Map<number, Page>> {
  const budget = new ByteBudget(READ_DOCUMENT_BYTES);
  const pages = new Map<number, Page>();
  for (const row of found) {
    const [id, page] = await expand(row);
    budget.spendJson(page.document);
    for (const edition of page.editions) budget.spendJson(edition);
    pages.set(id, page);
  }
  return pages;
}

async function readRows(
  { database, generation }: IndexReader,
  { ids, known, ...wish }: PageOptions,
): Promise<{ works: WorkRow[]; editions: StoredEditionRow[] }> {
  const unknown = ids.filter((id) => !known.has(id));
  const { works, editions } = await batchGroups<{ works: WorkRow; editions: StoredEditionRow }>(database, {
    works: unknown.length > 0 ? [readWorksStatement(generation, unknown, workReading(wish))] : [],
    editions:
      wish.withEditions && ids.length > 0 ? [readEditionsStatement(generation, ids, PAGE_EDITIONS_MAX)] : [],
  });
  return {
    works: [...ids.flatMap((id) => known.get(id) ?? []), ...requireRoom(works)],
    editions: [...requireRoom(editions)],
  };
}

/**
 * Reads works by key (`/works/OL1W`) in the order requested, in the form of search results, without those missing from
 * the index. One round trip.
 */
export async function worksByKey(
  index: IndexReader,
  keys: readonly string[],
  { withEditions, fields }: Pick<WorkSearch, "withEditions" | "fields">,
): Promise<WorkHits> {
  const ids = [...new Set(keys.flatMap((key) => workIdOfKey(key, index.prefix) ?? []))];
  const documents = await readPage(index, { ids, withEditions, fields, known: new Map() });
  const found = ids.flatMap((id) => hitOf(documents.get(id), 0));
  return workHits(found.length, found);
}
