import { latestRecord } from "../../catalog/document.ts";
import { stringsOf } from "../../catalog/record.ts";
import {
  type Harvested,
  type HarvestedRow,
  type HarvestSpan,
  readHarvestOf,
  readLanguagePart,
  readListPart,
  readLogPart,
} from "../../db/history/harvest.ts";
import { readByIds } from "../../db/lists/list-contents.ts";
import type { Book } from "../../export/book.ts";
import { subjectTarget, targetQuery } from "../../search/present/subjects.ts";
import { isBook, readBooks } from "../formats/books.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { askIndex } from "../search/guarded.ts";
import { setSpec, setsOf } from "./sets.ts";

/** Records of one answer. */
export const HARVEST_PAGE = 500;
/** One more than a page: whether there are any after it. */
const PART = HARVEST_PAGE + 1;
/** Changed records that are looked at at once for those in a language. */
const LANGUAGE_PART = 5000;
/** Parts that are read for one answer: of what lies far apart, an answer may have few records, or none (Q595). */
const PARTS_MAX = 20;

/** Which records are listed. */
export interface Harvest {
  readonly span: HarvestSpan;
  /** The address of a set's page. */
  readonly set: string | undefined;
}

type Place = readonly number[];
type ReadPart = (place: Place) => Promise<Harvested>;

/** The part of a list after a place, empty at its beginning; `next`: where it goes on, undefined at its end. */
export async function readPage(
  harvest: Harvest,
  start: Place,
  context: RequestContext,
): Promise<{ readonly rows: readonly HarvestedRow[]; readonly next: Place | undefined }> {
  const read = partsOf(harvest, context);
  const found: HarvestedRow[] = [];
  let next: Place | undefined = start;
  for (let parts = 0; next !== undefined && found.length < PART && parts < PARTS_MAX; parts += 1) {
    const part: Harvested = await read(next);
    found.push(...part.rows);
    ({ next } = part);
  }
  const rows = found.slice(0, HARVEST_PAGE);
  return { rows, next: found.length > rows.length ? rows.at(-1)?.place : next };
}

/** How a list is read. What is of no set, or changed long after the first record, comes in the order of changes. */
function partsOf({ span, set = "" }: Harvest, context: RequestContext): ReadPart {
  const catalog = catalogReader(context);
  const [, folder = "", name = ""] = set.split("/");
  if (set === "") return (place) => readLogPart(catalog, { span, place, limit: PART }, undefined);
  if (set === "/books") return (place) => readLogPart(catalog, { span, place, limit: PART }, "M");
  if (set === "/works") return (place) => readLogPart(catalog, { span, place, limit: PART }, "W");
  if (folder === "subjects") return (place) => readSubjectPart({ span, set }, place, context);
  if (folder !== "languages") return (place) => readListPart(catalog, { span, place, limit: PART }, set);
  if (span.from === "") return (place) => readLanguagePart(catalog, { span, place, limit: PART }, name);
  // What was changed since is less than what there is in a language.
  const spec = setSpec(set);
  return async (place) => {
    const part = await readLogPart(catalog, { span, place, limit: LANGUAGE_PART }, "M");
    return { ...part, rows: part.rows.filter((row) => setsOf(row, !isBook(row)).includes(spec)) };
  };
}

/** Works about a subject, by number, as the index has them. */
async function readSubjectPart(
  { span, set }: HarvestSet,
  place: Place,
  context: RequestContext,
): Promise<Harvested> {
  const search = {
    query: targetQuery(subjectTarget(set.slice("/subjects/".length))),
    filters: [],
    editionClauses: [],
    sort: [{ field: "key", descending: false }],
    start: 0,
    rows: PART,
    after: place,
    withEditions: false,
    fields: ["key"],
  };
  const { documents, mark } = await askIndex(context, set, (engine) => engine.works(search));
  const keys = documents.flatMap(({ key }) => stringsOf(key));
  const rows = keys.length === 0 ? [] : await readHarvestOf(catalogReader(context), keys, span);
  return { rows, next: documents.length < PART ? undefined : mark?.map(Number) };
}
type HarvestSet = Harvest & { readonly set: string };

/** A record as it is listed: without a book when it was deleted, or merged into another one. */
interface ListedRecord {
  readonly row: HarvestedRow;
  readonly book: Book | undefined;
}

/** Records with their books, as many of the first ones as there is room for. Two round trips. */
export async function readListed(
  rows: readonly HarvestedRow[],
  context: RequestContext,
): Promise<readonly ListedRecord[]> {
  const ids = rows.map(({ id }) => id);
  const { found, done } = await readByIds(catalogReader(context), ids);
  const living = found.filter(isBook);
  const records = living.map((row) => ({ record: latestRecord(row) }));
  const books = (await Array.fromAsync(readBooks(records, context))).flat();
  const byId = new Map(living.map(({ id }, index) => [id, books[index]]));
  return rows.slice(0, done).map((row) => ({ row, book: byId.get(row.id) }));
}
