import { latestRecordOf } from "../../catalog/document.ts";
import { stringsOf } from "../../catalog/record.ts";
import {
  type HarvestSpan,
  type Harvested,
  type HarvestedRow,
  readHarvestOf,
  readLanguagePart,
  readListPart,
  readHarvestPart,
} from "../../db/history/harvest.ts";
import { readByIds } from "../../db/records/records.ts";
import type { Book } from "../../export/book.ts";
import { toSubjectTarget, targetQueryOf } from "../../search/present/subjects.ts";
import { isBook, readBooks } from "../http/book-formats.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { askIndex } from "../search/guarded.ts";
import { setSpecOf, setsOf } from "./sets.ts";

export const HARVEST_PAGE = 500;
/** One more than a page, to see if the list continues. */
const PART = HARVEST_PAGE + 1;
const LANGUAGE_PART = 5000;
/** Parts that are read for one response: if matches lie far apart, a response may have few records or none (Q595). */
const PARTS_MAX = 20;

interface Harvest {
  span: HarvestSpan;
  set: string | undefined;
}

type Place = readonly number[];

/** Reads a page of a list after a place, empty at the beginning; `next` is undefined at the end of the list. */
export async function readHarvestPage(
  harvest: Harvest,
  start: Place,
  context: RequestContext,
): Promise<{ rows: readonly HarvestedRow[]; next: Place | undefined }> {
  const readPart = partReader(harvest, context);
  const all: HarvestedRow[] = [];
  let next: Place | undefined = start;
  for (let parts = 0; next !== undefined && all.length < PART && parts < PARTS_MAX; parts += 1) {
    const part: Harvested = await readPart(next);
    all.push(...part.rows);
    ({ next } = part);
  }
  const rows = all.slice(0, HARVEST_PAGE);
  return { rows, next: all.length > rows.length ? rows.at(-1)?.place : next };
}

/** Chooses how to read a list. Whole kinds, and languages since a date, are read in the order of changes. */
function partReader(
  { span, set = "" }: Harvest,
  context: RequestContext,
): (place: Place) => Promise<Harvested> {
  const catalog = catalogReader(context);
  const [, folder = "", name = ""] = set.split("/");
  if (set === "") return (place) => readHarvestPart(catalog, { span, place, limit: PART }, undefined);
  if (set === "/books") return (place) => readHarvestPart(catalog, { span, place, limit: PART }, "M");
  if (set === "/works") return (place) => readHarvestPart(catalog, { span, place, limit: PART }, "W");
  if (folder === "subjects") {
    const search = {
      query: targetQueryOf(toSubjectTarget(set.slice("/subjects/".length))),
      filters: [],
      editionClauses: [],
      sort: [{ field: "key", descending: false }],
      start: 0,
      rows: PART,
      withEditions: false,
      fields: ["key"],
    };
    return async (after) => {
      const { documents, mark } = await askIndex(context, set, (engine) =>
        engine.works({ ...search, after }),
      );
      const keys = documents.flatMap(({ key }) => stringsOf(key));
      const rows = keys.length === 0 ? [] : await readHarvestOf(catalog, keys, span);
      return { rows, next: documents.length < PART ? undefined : mark?.map(Number) };
    };
  }
  if (folder !== "languages") return (place) => readListPart(catalog, { span, place, limit: PART }, set);
  if (span.from === "") return (place) => readLanguagePart(catalog, { span, place, limit: PART }, name);
  // Fewer records changed since a date than there are in a language.
  const spec = setSpecOf(set);
  return async (place) => {
    const part = await readHarvestPart(catalog, { span, place, limit: LANGUAGE_PART }, "M");
    return { ...part, rows: part.rows.filter((row) => setsOf(row, !isBook(row)).includes(spec)) };
  };
}

/** Row of a list with its book; undefined if the record is deleted or merged. */
export interface ListedRecord {
  readonly row: HarvestedRow;
  readonly book: Book | undefined;
}

/** Reads the books of the first rows, as many as are read at once. Two round trips, or more if the records are large. */
export async function* readListedRecords(
  rows: readonly HarvestedRow[],
  context: RequestContext,
): AsyncGenerator<ListedRecord> {
  const ids = rows.map(({ id }) => id);
  const { found, done } = await readByIds(catalogReader(context), ids);
  const living = found.filter(isBook);
  const waiting = rows.slice(0, done);
  const books = readBooks(
    living.map((row) => ({ record: latestRecordOf(row) })),
    context,
  );
  const order = living.values();
  for await (const book of books) {
    const id = order.next().value?.id;
    const place = waiting.findIndex((row) => row.id === id);
    // Rows before it are deleted records.
    for (const row of waiting.splice(0, place)) yield { row, book: undefined };
    for (const row of waiting.splice(0, 1)) yield { row, book };
  }
  for (const row of waiting) yield { row, book: undefined };
}
