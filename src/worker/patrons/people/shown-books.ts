import { latestRecord } from "../../../catalog/document.ts";
import { lastSegment } from "../../../catalog/keys.ts";
import { stringsOf } from "../../../catalog/record.ts";
import { readRecords } from "../../../db/records/records.ts";
import type { Document } from "../../../search/engine.ts";
import { type RequestContext, catalogReader } from "../../http/operation.ts";
import { engineOf } from "../../search/engine.ts";
import { workAddress } from "../../search/result-parts.ts";
import type { Book } from "../../ui/book-row.ts";
import { pictureId } from "../../ui/cover.ts";
import { workKey } from "../reading/reading-parameters.ts";

export interface ShownBook extends Book {
  readonly year: number | undefined;
  readonly isDeleted: boolean;
}

/** Index fields that `shownBook` reads besides the key. */
export const SHOWN_FIELDS = ["title", "author_key", "author_name", "first_publish_year", "cover_i"];

/**
 * Reads data of works for pages, by the numbers of their keys: from the search index, or the catalog for works that the
 * index lacks. Every number has an entry. One round trip, and one more if the index lacks works.
 */
export async function shownBooks(
  context: RequestContext,
  works: readonly number[],
): Promise<ReadonlyMap<number, ShownBook>> {
  const keys = new Map(works.map((work) => [workKey(context, work), work]));
  const engine = await engineOf(context);
  const documents = await engine.getMany([...keys.keys()], SHOWN_FIELDS);
  const books = new Map<number, ShownBook>();
  for (const document of documents) {
    const work = keys.get(String(document["key"]));
    if (work !== undefined) books.set(work, shownBook(document));
  }
  const missing = [...keys].filter(([, work]) => !books.has(work));
  for (const [work, book] of await readUnindexed(context, missing)) books.set(work, book);
  return books;
}

export function shownBook(document: Document): ShownBook {
  const { key, title, first_publish_year: year, cover_i: cover } = document;
  const numbers = stringsOf(document["author_key"]);
  const href = workAddress(String(key));
  return {
    key: String(key),
    href,
    title: typeof title === "string" && title !== "" ? title : lastSegment(String(key)),
    authors: stringsOf(document["author_name"]).map((name, at) => {
      const olid = numbers[at];
      return olid === undefined ? { name } : { name, href: `/authors/${olid}` };
    }),
    cover: pictureId(cover),
    year: typeof year === "number" ? year : undefined,
    isDeleted: false,
  };
}

async function readUnindexed(
  context: RequestContext,
  missing: readonly (readonly [string, number])[],
): Promise<(readonly [number, ShownBook])[]> {
  if (missing.length === 0) return [];
  const keys = missing.map(([key]) => key);
  const records = await readRecords(catalogReader(context), keys);
  const rows = new Map(records.map((row) => [row.key, row]));
  return missing.map(([key, work]) => {
    const row = rows.get(key);
    const isDeleted = row?.type === "/type/delete";
    // A deleted work has no title to show; a merged one redirects to another work.
    const title = row === undefined || isDeleted ? undefined : latestRecord(row)["title"];
    const text = typeof title === "string" && title !== "" ? title : lastSegment(key);
    return [work, { key, href: key, title: text, cover: undefined, year: undefined, isDeleted }];
  });
}
