import { parseDocument } from "../../../catalog/document.ts";
import { lastSegment } from "../../../catalog/keys.ts";
import { seedKey, seedsOfRecord } from "../../../catalog/lists/seed.ts";
import {
  type ExportRow,
  type ExportType,
  type ExportValue,
  exportTime,
} from "../../../catalog/patrons/exports.ts";
import { SHELVES } from "../../../catalog/patrons/shelves.ts";
import { OBSERVATION_TYPES } from "../../../catalog/patrons/vocabulary.ts";
import { type CatalogRecord, stringsOf, textOf } from "../../../catalog/record.ts";
import { type BelowRow, readBelow } from "../../../db/records/users.ts";
import type { ExportRow as HeldRow, ExportTable } from "../../../durable/patron/export.ts";
import type { Document } from "../../../search/engine.ts";
import { type RequestContext, catalogReader } from "../../http/operation.ts";
import { patronOf } from "../../http/session.ts";
import { type ExportedWorks, readWorks } from "./export-works.ts";

/** Lists read at a time: each can have thousands of seeds. */
const EXPORTED_LISTS = 20;

/** Yields one row for each seed of a patron's lists, list by list. */
async function* listRows(context: RequestContext, username: string): AsyncGenerator<ExportRow[]> {
  const database = catalogReader(context);
  for (let after = ""; ;) {
    const part = { after, limit: EXPORTED_LISTS, type: "/type/list" };
    const found = await readBelow(database, `/people/${username}/`, part);
    const last = found.at(-1);
    if (last === undefined) return;
    yield found.flatMap(rowsOf);
    after = last.key;
  }
}

function rowsOf({ key, document }: BelowRow): ExportRow[] {
  const record = parseDocument(document);
  const [name, description] = [textOf(record["name"]) ?? "", textOf(record["description"]) ?? ""];
  const [created, modified] = [timeOf(record["created"]), timeOf(record["last_modified"])];
  const olid = lastSegment(key);
  return seedsOfRecord(record).map((seed) => [
    olid,
    name,
    description,
    seedKey(seed) ?? "",
    created,
    modified,
  ]);
}

function timeOf(value: CatalogRecord[string] | undefined): string {
  return (textOf(value) ?? "").slice(0, "YYYY-MM-DDTHH:MM:SS".length).replace("T", " ");
}

/** Rows of a file in memory at a time. */
export const EXPORTED_ROWS = 200;
/** Names of check-in events, by type. */
const EVENTS = ["", "start", "update", "finish"];

/** Source of rows in the patron's object, and their conversion; undefined for rows that are left out. */
interface Plan {
  readonly table: ExportTable;
  row(held: HeldRow, works: ExportedWorks): ExportRow | undefined;
}

const PLANS: Readonly<Record<Exclude<ExportType, "lists">, Plan>> = {
  reading_log: { table: "shelves", row: loggedRow },
  book_notes: { table: "notes", row: noteRow },
  reviews: { table: "observations", row: reviewRow },
  ratings: { table: "ratings", row: ratedRow },
  check_ins: { table: "check_ins", row: checkInRow },
};

/** Yields the rows of a file in parts: memory does not grow with the size of the patron's data. */
export async function* exportRows(
  context: RequestContext,
  username: string,
  type: ExportType,
): AsyncGenerator<ExportRow[]> {
  if (type === "lists") return yield* listRows(context, username);
  const { table, row } = PLANS[type];
  const { upkeep } = patronOf(context.stores, username);
  let after: string | null = null;
  do {
    const asked = { table, after, limit: EXPORTED_ROWS };
    const page: Awaited<ReturnType<typeof upkeep.exported>> = await upkeep.exported(asked);
    const numbers = page.rows.map(({ work }) => work);
    const works = await readWorks(context, numbers);
    yield page.rows.map((held) => row(held, works)).filter((made) => made !== undefined);
    after = page.next;
  } while (after !== null);
}

/** Returns the row of a shelf entry; undefined for deleted works. */
function loggedRow(held: HeldRow, works: ExportedWorks): ExportRow | undefined {
  const { work, edition = null, shelf, stars = null } = held;
  const document = works.document(work);
  if (document === undefined) return undefined;
  return [
    works.olid(work),
    ...titleAndAuthors(document),
    numberOf(document["first_publish_year"]),
    works.editionOlid(edition),
    numberOf(document["edition_count"]),
    SHELVES.find(({ id }) => id === shelf)?.name ?? "",
    stars,
    numberOf(document["ratings_average"]),
    numberOf(document["ratings_count"]),
    document["has_fulltext"] === true,
    stringsOf(document["subject"]),
    stringsOf(document["person"]),
    stringsOf(document["place"]),
    stringsOf(document["time"]),
  ];
}

function ratedRow(held: HeldRow, works: ExportedWorks): ExportRow {
  const { work, edition = null, stars = null, created } = held;
  const [title, authors] = titleAndAuthors(works.document(work) ?? {});
  return [works.olid(work), works.editionOlid(edition), title, authors, stars, exportTime(created)];
}

function titleAndAuthors(document: Document): [title: ExportValue, authors: ExportValue] {
  const { title } = document;
  return [typeof title === "string" ? title : "", stringsOf(document["author_name"])];
}

function noteRow({ work, edition = null, text = "", created }: HeldRow, works: ExportedWorks): ExportRow {
  // Q232: a note on the work as a whole has no edition, rather than one with the number -1.
  return [works.olid(work), works.editionOlid(edition), text, exportTime(created)];
}

function reviewRow({ work, type, value, created }: HeldRow, works: ExportedWorks): ExportRow {
  const known = OBSERVATION_TYPES.find(({ id }) => id === type);
  const name = known?.values.find(({ id }) => id === value)?.name;
  return [works.olid(work), known?.label ?? "", name ?? "", exportTime(created)];
}

function checkInRow(held: HeldRow, works: ExportedWorks): ExportRow {
  const { work, edition = null, type = 0, date = "", created } = held;
  return [works.olid(work), works.editionOlid(edition), EVENTS[type] ?? "", date, exportTime(created)];
}

function numberOf(value: Document[string] | undefined): number | null {
  return typeof value === "number" ? value : null;
}
