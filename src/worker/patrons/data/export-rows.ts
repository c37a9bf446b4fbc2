import { parseDocument } from "../../../catalog/document.ts";
import { toIsbn10, toIsbn13 } from "../../../catalog/identifiers/isbn.ts";
import { lastSegmentOf, workNumberOfKey } from "../../../catalog/keys.ts";
import { seedKeyOf, seedsOfRecord } from "../../../catalog/lists/seeds.ts";
import {
  type ExportRow,
  type ExportType,
  type ExportValue,
  formatExportTime,
} from "../../../catalog/patrons/exports.ts";
import { OWNED_LIST, eventNameOf } from "../../../catalog/patrons/library-rows.ts";
import { goodreadsShelfOf } from "../../../catalog/patrons/library-status.ts";
import { findNumberedObservation } from "../../../catalog/patrons/observations.ts";
import { SHELVES } from "../../../catalog/patrons/shelves.ts";
import { type CatalogRecord, stringsOf, textOf } from "../../../catalog/record.ts";
import { readOwnMembers } from "../../../db/lists/read-lists.ts";
import { readRecords } from "../../../db/records/records.ts";
import { readTargets } from "../../../db/redirects.ts";
import { type BelowRow, readBelow } from "../../../db/records/users.ts";
import type { StoredExport as StoredRow, ExportTable, LibraryRow } from "../../../durable/patron/upkeep.ts";
import type { Document } from "../../../search/engine.ts";
import { keyOfEditionId, keyOfWorkId, workIdOfKey } from "../../../search/indexing/ids.ts";
import { type RequestContext, catalogReader } from "../../http/operation.ts";
import { patronOf } from "../../http/session.ts";
import { engineOf } from "../../search/engine.ts";

/** Lists read at a time: each can have thousands of seeds. */
const EXPORTED_LISTS = 20;

async function* listRows(context: RequestContext, username: string): AsyncGenerator<ExportRow[]> {
  const database = catalogReader(context);
  for (let after = ""; ;) {
    const page = { after, limit: EXPORTED_LISTS, type: "/type/list" };
    const lists = await readBelow(database, `/people/${username}/`, page);
    const last = lists.at(-1);
    if (last === undefined) return;
    yield lists.flatMap(seedRows);
    after = last.key;
  }
}

function seedRows({ key, document }: BelowRow): ExportRow[] {
  const record = parseDocument(document);
  const olid = lastSegmentOf(key);
  const [name, description] = [textOf(record["name"]) ?? "", textOf(record["description"]) ?? ""];
  const [created, modified] = [timeOf(record["created"]), timeOf(record["last_modified"])];
  return seedsOfRecord(record).map((seed) => {
    return [olid, name, description, seedKeyOf(seed) ?? "", created, modified];
  });
}

function timeOf(value: CatalogRecord[string] | undefined): string {
  return (textOf(value) ?? "").slice(0, "YYYY-MM-DDTHH:MM:SS".length).replace("T", " ");
}

/** Rows of a file in memory at a time. */
export const EXPORTED_ROWS = 200;

/** Table of the patron's object, and the conversion of its rows; undefined leaves a row out. */
interface Plan {
  table: ExportTable;
  toRow(stored: StoredRow, works: ExportedWorks): ExportRow | undefined;
}

const PLANS: Readonly<Record<Exclude<ExportType, "library" | "lists" | "progress">, Plan>> = {
  reading_log: { table: "shelves", toRow: logRow },
  book_notes: {
    table: "notes",
    // Q232: a note on the work as a whole has no edition, not an edition with the number -1.
    toRow: ({ work, edition = null, text = "", created }, works) => [
      works.olid(work),
      works.editionOlid(edition),
      text,
      formatExportTime(created),
    ],
  },
  reviews: {
    table: "observations",
    toRow({ work, type = 0, value = 0, created }, works) {
      const named = findNumberedObservation(type, value);
      return [works.olid(work), named?.type.label ?? "", named?.value.name ?? "", formatExportTime(created)];
    },
  },
  ratings: {
    table: "ratings",
    toRow({ work, edition = null, stars = null, created }, works) {
      const [title, authors] = titleAndAuthors(works.document(work) ?? {});
      return [works.olid(work), works.editionOlid(edition), title, authors, stars, formatExportTime(created)];
    },
  },
  check_ins: {
    table: "check_ins",
    toRow({ work, edition = null, type = 0, date = "", created }, works) {
      return [
        works.olid(work),
        works.editionOlid(edition),
        eventNameOf(type),
        date,
        formatExportTime(created),
      ];
    },
  },
};

/** Yields the rows of a file page by page: memory does not grow with the size of the patron's data. */
export async function* exportRows(
  context: RequestContext,
  username: string,
  type: ExportType,
): AsyncGenerator<ExportRow[]> {
  if (type === "lists") return yield* listRows(context, username);
  if (type === "library") return yield* libraryRows(context, username);
  if (type === "progress") return yield await progressRows(context, username);
  const { table, toRow } = PLANS[type];
  const { upkeep } = patronOf(context.stores, username);
  let after: string | null = null;
  do {
    const request = { table, after, limit: EXPORTED_ROWS };
    const page: Awaited<ReturnType<typeof upkeep.exportPage>> = await upkeep.exportPage(request);
    const numbers = page.rows.map(({ work }) => work);
    const works = await readWorks(context, numbers);
    yield page.rows.map((stored) => toRow(stored, works)).filter((row) => row !== undefined);
    after = page.next;
  } while (after !== null);
}

async function progressRows(context: RequestContext, username: string): Promise<ExportRow[]> {
  const documents = await patronOf(context.stores, username).sync.documents();
  return documents.map(({ document, title, authors, work, percentage, progress, device, updated }) => [
    document,
    title ?? "",
    (authors ?? "").split("\n").filter((name) => name !== ""),
    work === null ? "" : lastSegmentOf(keyOfWorkId(work, context.settings.RECORD_PREFIX)),
    percentage,
    progress,
    device,
    formatExportTime(updated),
  ]);
}

/** Yields a row for each work that the patron has any data of, then for works that only a list has (Q713). */
async function* libraryRows(context: RequestContext, username: string): AsyncGenerator<ExportRow[]> {
  const prefix = context.settings.RECORD_PREFIX;
  const own = await readOwnMembers(catalogReader(context), `/people/${username}`, prefix);
  const lists = new Map<string, string[]>();
  for (const { name, members } of own) {
    for (const key of members) lists.set(key, [...(lists.get(key) ?? []), name]);
  }
  const listed = new Set([...lists.keys()].flatMap((key) => workIdOfKey(key, prefix) ?? []));
  const { upkeep } = patronOf(context.stores, username);
  for (let after = 0; ;) {
    const page: LibraryRow[] = await upkeep.libraryPage({ after, limit: EXPORTED_ROWS });
    const last = page.at(-1);
    if (last === undefined) break;
    yield await libraryPage(context, page, lists);
    for (const { work } of page) listed.delete(work);
    after = last.work;
  }
  const others = [...listed].map((work) => Object.assign({ work }, NO_DATA));
  for (let at = 0; at < others.length; at += EXPORTED_ROWS) {
    yield await libraryPage(context, others.slice(at, at + EXPORTED_ROWS), lists);
  }
}

const NO_DATA: Omit<LibraryRow, "work"> = {
  edition: null,
  shelf: null,
  created: null,
  stars: null,
  note: null,
  events: [],
  observations: [],
};

async function libraryPage(
  context: RequestContext,
  page: readonly LibraryRow[],
  lists: ReadonlyMap<string, readonly string[]>,
): Promise<ExportRow[]> {
  const prefix = context.settings.RECORD_PREFIX;
  const works = await readWorks(
    context,
    page.map(({ work }) => work),
  );
  const keyOfEdition = ({ edition }: LibraryRow): string =>
    edition === null ? "" : keyOfEditionId(edition, prefix);
  const keys = [...new Set(page.map(keyOfEdition))].filter((key) => key !== "");
  const editions = new Map(
    (await readRecords(catalogReader(context), keys)).map(({ key, document }) => [
      key,
      parseDocument(document),
    ]),
  );
  return page.flatMap((row) => {
    const document = works.document(row.work);
    if (document === undefined) return [];
    const edition = keyOfEdition(row);
    const names = [keyOfWorkId(row.work, prefix), edition].flatMap((key) => lists.get(key) ?? []);
    return [
      libraryRow(row, { works, document, edition: editions.get(edition) ?? {}, lists: [...new Set(names)] }),
    ];
  });
}

function libraryRow(
  row: LibraryRow,
  book: { works: ExportedWorks; document: Document; edition: CatalogRecord; lists: readonly string[] },
): ExportRow {
  const { works, document, edition, lists } = book;
  const [first = "", ...others] = stringsOf(document["author_name"]);
  const [isbn10, isbn13] = isbnsOf(edition, document);
  const finished = row.events.filter(({ type }) => type === 3);
  return [
    workNumberOfKey(works.key(row.work)) ?? row.work,
    textOf(document["title"]) ?? "",
    first,
    others.join(", "),
    isbn10,
    isbn13,
    row.stars ?? 0,
    (finished.at(-1)?.date ?? "").replaceAll("-", "/"),
    row.created === null ? "" : formatExportTime(row.created).slice(0, 10).replaceAll("-", "/"),
    lists.filter((name) => name !== OWNED_LIST).join(", "),
    row.shelf === null ? "" : goodreadsShelfOf(row.shelf),
    "",
    row.note ?? "",
    finished.length,
    lists.includes(OWNED_LIST) ? 1 : 0,
    works.olid(row.work),
    works.editionOlid(row.edition),
    row.events.map(({ type, date }) => `${eventNameOf(type)} ${date}`),
    lists,
    row.observations.flatMap(({ type, value }) => {
      const named = findNumberedObservation(type, value);
      return named === undefined ? [] : `${named.type.label}: ${named.value.name}`;
    }),
  ];
}

/** Returns an ISBN in both lengths: of the edition, else of any edition of the work; empty if there is none. */
function isbnsOf(edition: CatalogRecord, document: Document): [isbn10: string, isbn13: string] {
  const isbns = [edition["isbn_13"], edition["isbn_10"], document["isbn"]].flatMap(stringsOf);
  const isbn = isbns.find((text) => toIsbn13(text) !== undefined) ?? "";
  return [toIsbn10(isbn) ?? "", toIsbn13(isbn) ?? ""];
}

function logRow(stored: StoredRow, works: ExportedWorks): ExportRow | undefined {
  const { work, edition = null, shelf, stars = null } = stored;
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

function titleAndAuthors(document: Document): [title: ExportValue, authors: ExportValue] {
  const { title } = document;
  return [typeof title === "string" ? title : "", stringsOf(document["author_name"])];
}

function numberOf(value: Document[string] | undefined): number | null {
  return typeof value === "number" ? value : null;
}

interface ExportedWorks {
  /** Returns the key of the work, or of the work that it has become. */
  key(work: number): string;
  olid(work: number): string;
  editionOlid(edition: number | null): string | null;
  /** Returns the document of the index; undefined for deleted works. */
  document(work: number): Document | undefined;
}

/**
 * Reads works for an export: documents of the index, and titles of works that the index lacks. One round trip, and
 * three more for works that are redirected, deleted, or not indexed yet.
 */
async function readWorks(context: RequestContext, works: readonly number[]): Promise<ExportedWorks> {
  const prefix = context.settings.RECORD_PREFIX;
  const keys = [...new Set(works)].map((work) => keyOfWorkId(work, prefix));
  const { documents, targets } = await findDocuments(context, keys);
  const keyOf = (work: number): string => {
    const key = keyOfWorkId(work, prefix);
    return targets.get(key) ?? key;
  };
  return {
    key: keyOf,
    olid: (work) => lastSegmentOf(keyOf(work)),
    editionOlid: (edition) => (edition === null ? null : lastSegmentOf(keyOfEditionId(edition, prefix))),
    document: (work) => documents.get(keyOf(work)),
  };
}

async function findDocuments(context: RequestContext, keys: readonly string[]) {
  const [engine, database] = [await engineOf(context), catalogReader(context)];
  const documents = new Map<string, Document>();
  const addIndexed = async (unread: readonly string[]): Promise<string[]> => {
    if (unread.length === 0) return [];
    for (const document of await engine.getMany(unread)) documents.set(String(document["key"]), document);
    return unread.filter((key) => !documents.has(key));
  };
  const missing = await addIndexed(keys);
  const targets = await readTargets(database, missing);
  const unread = [...new Set(targets.values())].filter((key) => !documents.has(key));
  const unindexed = [...missing.filter((key) => !targets.has(key)), ...(await addIndexed(unread))];
  for (const { key, type, document } of await readRecords(database, unindexed)) {
    if (type !== "/type/work") continue;
    documents.set(key, { key, title: textOf(parseDocument(document)["title"]) ?? "" });
  }
  return { documents, targets };
}
