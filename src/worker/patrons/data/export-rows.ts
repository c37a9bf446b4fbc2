import { parseDocument } from "../../../catalog/document.ts";
import { toIsbn10, toIsbn13 } from "../../../catalog/identifiers/isbn.ts";
import { lastSegmentOf, workNumberOfKey } from "../../../catalog/keys.ts";
import { seedKeyOf, seedsOfRecord } from "../../../catalog/lists/seeds.ts";
import { type ExportRow, type ExportType, formatExportTime } from "../../../catalog/patrons/exports.ts";
import { OWNED_LIST, eventNameOf } from "../../../catalog/patrons/library-rows.ts";
import { goodreadsShelfOf } from "../../../catalog/patrons/library-status.ts";
import { findNumberedObservation } from "../../../catalog/patrons/observations.ts";
import { SHELVES } from "../../../catalog/patrons/shelves.ts";
import { stringsOf, textOf } from "../../../catalog/record.ts";
import { readOwnMembers } from "../../../db/lists/read-lists.ts";
import { readRecords } from "../../../db/records/records.ts";
import { readTargets } from "../../../db/redirects.ts";
import { readBelow } from "../../../db/records/users.ts";
import type { ExportPage, ExportTable, LibraryRow, StoredExport } from "../../../durable/patron/upkeep.ts";
import type { Document } from "../../../search/engine.ts";
import { keyOfEditionId, keyOfWorkId, workIdOfKey } from "../../../search/indexing/ids.ts";
import { type RequestContext, catalogReader } from "../../http/operation.ts";
import { patronOf } from "../../http/session.ts";
import { engineOf } from "../../search/engine.ts";

/** Rows of a file in memory at a time. */
export const EXPORTED_ROWS = 200;

/** Yields the rows of a file page by page: memory does not grow with the size of the patron's data. */
export async function* exportRows(
  context: RequestContext,
  username: string,
  type: ExportType,
): AsyncGenerator<ExportRow[]> {
  if (type === "lists") return yield* listRows(context, username);
  if (type === "library") return yield* libraryRows(context, username);
  const { upkeep, sync } = patronOf(context.stores, username);
  if (type === "progress") {
    const { RECORD_PREFIX: prefix } = context.settings;
    const entries = await sync.documents();
    return yield entries.map(({ document, title, authors, work, percentage, progress, device, updated }) => [
      document,
      title ?? "",
      (authors ?? "").split("\n").filter((name) => name !== ""),
      work === null ? "" : lastSegmentOf(keyOfWorkId(work, prefix)),
      percentage,
      progress,
      device,
      formatExportTime(updated),
    ]);
  }
  let after: string | null = null;
  do {
    const page: ExportPage = await upkeep.exportPage({ type, after, limit: EXPORTED_ROWS });
    const numbers = page.rows.map(({ work }) => work);
    const works = await readWorks(context, numbers);
    yield page.rows.flatMap((stored) => {
      const row = toRow(type, stored, works);
      return row === undefined ? [] : [row];
    });
    after = page.next;
  } while (after !== null);
}

/** Converts a row of the patron's object; undefined for a deleted work of the reading log. */
function toRow(type: ExportTable, stored: StoredExport, works: ExportedWorks): ExportRow | undefined {
  const { work, stars = null } = stored;
  const document = works.document(work);
  const { title = "" } = document ?? {};
  const authors = stringsOf(document?.["author_name"]);
  const olid = works.olid(work);
  // Q232: a note on the work as a whole has no edition, not an edition with the number -1.
  const edition = works.editionOlid(stored.edition ?? null);
  const created = formatExportTime(stored.created);
  const numberOf = (name: string): number | null => {
    const value = document?.[name];
    return typeof value === "number" ? value : null;
  };
  switch (type) {
    case "book_notes":
      return [olid, edition, stored.text ?? "", created];
    case "reviews": {
      const named = findNumberedObservation(stored.type ?? 0, stored.value ?? 0);
      return [olid, named?.type.label ?? "", named?.value.name ?? "", created];
    }
    case "ratings":
      return [olid, edition, typeof title === "string" ? title : "", authors, stars, created];
    case "check_ins":
      return [olid, edition, eventNameOf(stored.type ?? 0), stored.date ?? "", created];
    case "reading_log":
      return (
        document && [
          olid,
          typeof title === "string" ? title : "",
          authors,
          numberOf("first_publish_year"),
          edition,
          numberOf("edition_count"),
          SHELVES.find(({ id }) => id === stored.shelf)?.name ?? "",
          stars,
          numberOf("ratings_average"),
          numberOf("ratings_count"),
          document["has_fulltext"] === true,
          ...["subject", "person", "place", "time"].map((name) => stringsOf(document[name])),
        ]
      );
  }
}

/** Lists read at a time: each can have thousands of seeds. */
const EXPORTED_LISTS = 20;

async function* listRows(context: RequestContext, username: string): AsyncGenerator<ExportRow[]> {
  const database = catalogReader(context);
  for (let after = ""; ;) {
    const page = { after, limit: EXPORTED_LISTS, type: "/type/list" };
    const lists = await readBelow(database, `/people/${username}/`, page);
    const last = lists.at(-1);
    if (last === undefined) return;
    yield lists.flatMap(({ key, document }) => {
      const record = parseDocument(document);
      const list = [lastSegmentOf(key), textOf(record["name"]) ?? "", textOf(record["description"]) ?? ""];
      const times = [record["created"], record["last_modified"]].map((time) =>
        (textOf(time) ?? "").slice(0, "YYYY-MM-DDTHH:MM:SS".length).replace("T", " "),
      );
      return seedsOfRecord(record).map((seed) => list.concat(seedKeyOf(seed) ?? "", times));
    });
    after = last.key;
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
    yield await toLibraryRows(context, page, lists);
    for (const { work } of page) listed.delete(work);
    after = last.work;
  }
  const others = [...listed].map((work) => Object.assign({ work }, NO_DATA));
  for (let at = 0; at < others.length; at += EXPORTED_ROWS) {
    yield await toLibraryRows(context, others.slice(at, at + EXPORTED_ROWS), lists);
  }
}

async function toLibraryRows(
  context: RequestContext,
  page: readonly LibraryRow[],
  lists: ReadonlyMap<string, readonly string[]>,
): Promise<ExportRow[]> {
  const prefix = context.settings.RECORD_PREFIX;
  const numbers = page.map(({ work }) => work);
  const works = await readWorks(context, numbers);
  const keys = page.flatMap(({ edition }) => (edition === null ? [] : keyOfEditionId(edition, prefix)));
  const records = await readRecords(catalogReader(context), [...new Set(keys)]);
  const editions = new Map(records.map(({ key, document }) => [key, parseDocument(document)]));
  return page.flatMap((row) => {
    const { work, shelf, created, stars, note, events, observations } = row;
    const document = works.document(work);
    if (document === undefined) return [];
    const [first = "", ...others] = stringsOf(document["author_name"]);
    const editionKey = row.edition === null ? "" : keyOfEditionId(row.edition, prefix);
    const edition = editions.get(editionKey);
    // An ISBN of the edition, else of any edition of the work.
    const isbns = [edition?.["isbn_13"], edition?.["isbn_10"], document["isbn"]].flatMap(stringsOf);
    const isbn = isbns.find((text) => toIsbn13(text) !== undefined) ?? "";
    const names = new Set([keyOfWorkId(work, prefix), editionKey].flatMap((key) => lists.get(key) ?? []));
    const finished = events.filter(({ type }) => type === 3);
    return [
      [
        workNumberOfKey(works.key(work)) ?? work,
        textOf(document["title"]) ?? "",
        first,
        others.join(", "),
        toIsbn10(isbn) ?? "",
        toIsbn13(isbn) ?? "",
        stars ?? 0,
        (finished.at(-1)?.date ?? "").replaceAll("-", "/"),
        created === null ? "" : formatExportTime(created).slice(0, 10).replaceAll("-", "/"),
        [...names].filter((name) => name !== OWNED_LIST).join(", "),
        shelf === null ? "" : goodreadsShelfOf(shelf),
        "",
        note ?? "",
        finished.length,
        names.has(OWNED_LIST) ? 1 : 0,
        works.olid(work),
        works.editionOlid(row.edition),
        events.map(({ type, date }) => `${eventNameOf(type)} ${date}`),
        [...names],
        observations.flatMap(({ type, value }) => {
          const named = findNumberedObservation(type, value);
          return named === undefined ? [] : `${named.type.label}: ${named.value.name}`;
        }),
      ],
    ];
  });
}

type ExportedWorks = Awaited<ReturnType<typeof readWorks>>;

/**
 * Reads works for an export: documents of the index, and titles of works that the index lacks. One round trip, and
 * three more for works that are redirected, deleted, or not indexed yet.
 */
async function readWorks(context: RequestContext, works: readonly number[]) {
  const prefix = context.settings.RECORD_PREFIX;
  const [engine, database] = [await engineOf(context), catalogReader(context)];
  const documents = new Map<string, Document>();
  const addIndexed = async (unread: readonly string[]): Promise<string[]> => {
    if (unread.length === 0) return [];
    for (const document of await engine.getMany(unread)) documents.set(String(document["key"]), document);
    return unread.filter((key) => !documents.has(key));
  };
  const missing = await addIndexed([...new Set(works)].map((work) => keyOfWorkId(work, prefix)));
  const targets = await readTargets(database, missing);
  const unread = [...new Set(targets.values())].filter((key) => !documents.has(key));
  const unindexed = [...missing.filter((key) => !targets.has(key)), ...(await addIndexed(unread))];
  for (const { key, type, document } of await readRecords(database, unindexed)) {
    if (type !== "/type/work") continue;
    documents.set(key, { key, title: textOf(parseDocument(document)["title"]) ?? "" });
  }
  const keyOf = (work: number): string => {
    const key = keyOfWorkId(work, prefix);
    return targets.get(key) ?? key;
  };
  return {
    /** Returns the key of the work, or of the work that it has become. */
    key: keyOf,
    olid: (work: number): string => lastSegmentOf(keyOf(work)),
    editionOlid: (edition: number | null): string | null =>
      edition === null ? null : lastSegmentOf(keyOfEditionId(edition, prefix)),
    /** Returns the document of the index; undefined for deleted works. */
    document: (work: number): Document | undefined => documents.get(keyOf(work)),
  };
}
