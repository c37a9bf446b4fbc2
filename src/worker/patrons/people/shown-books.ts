import { latestRecord } from "../../../catalog/document.ts";
import { readRecords } from "../../../db/records/read.ts";
import type { Document } from "../../../search/engine.ts";
import { type RequestContext, catalogReader } from "../../http/operation.ts";
import { engineOf } from "../../search/engine.ts";
import { workKey } from "../reading/parameters.ts";

/** What pages say of a work. */
export interface ShownBook {
  readonly key: string;
  readonly title: string;
  readonly authors: readonly string[];
  readonly year: number | undefined;
}

const FIELDS = ["title", "author_name", "first_publish_year"];

/**
 * What there is to say of works, by the numbers of their keys: out of the search index, and of those that it lacks out of
 * the catalog. Every number has an entry. One round trip, and one more where the index lacks some.
 */
export async function shownBooks(
  context: RequestContext,
  works: readonly number[],
): Promise<ReadonlyMap<number, ShownBook>> {
  const keys = new Map(works.map((work) => [workKey(context, work), work]));
  const engine = await engineOf(context);
  const documents = await engine.getMany([...keys.keys()], FIELDS);
  const found = new Map<number, ShownBook>();
  for (const document of documents) {
    const work = keys.get(String(document["key"]));
    if (work !== undefined) found.set(work, shownBook(document));
  }
  const missing = [...keys].filter(([, work]) => !found.has(work));
  for (const [work, book] of await unindexed(context, missing)) found.set(work, book);
  return found;
}

/** What a document of the index says of a work. */
export function shownBook({
  key,
  title,
  author_name: authors,
  first_publish_year: year,
}: Document): ShownBook {
  return {
    key: String(key),
    title: typeof title === "string" && title !== "" ? title : "Untitled",
    authors: Array.isArray(authors) ? authors.map(String) : [],
    year: typeof year === "number" ? year : undefined,
  };
}

async function unindexed(
  context: RequestContext,
  missing: readonly (readonly [string, number])[],
): Promise<(readonly [number, ShownBook])[]> {
  if (missing.length === 0) return [];
  const keys = missing.map(([key]) => key);
  const records = await readRecords(catalogReader(context), keys);
  const titles = new Map(
    records.map((row) => [row.key, row.type === "/type/delete" ? "" : latestRecord(row)["title"]]),
  );
  return missing.map(([key, work]) => {
    const title = titles.get(key);
    const text = typeof title === "string" ? title : key;
    // What is deleted has no title to show; what was merged leads on to another work.
    return [work, { key, title: text === "" ? "Deleted work" : text, authors: [], year: undefined }];
  });
}
