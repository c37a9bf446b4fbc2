import { type CatalogRecord, keyOf } from "../../catalog/record.ts";
import { datetimeText } from "../../catalog/datetime.ts";
import { readAllProgress } from "../../db/projections/cursor.ts";
import { readRecords } from "../../db/records/read-record.ts";
import { putJobs } from "../../db/search/jobs.ts";
import { isIndexedKey } from "../../search/freshness/changed-keys.ts";
import type { RequestContext } from "../context.ts";
import { badData } from "../errors.ts";
import { announceChange } from "../queue/announce.ts";

/** Records whose documents one request has built anew. */
export const REINDEX_KEYS_MAX = 1000;
const BOOKS = "/books/";

/**
 * Has the search documents of records built anew, soon and whatever has changed: of an edition that of its work. Throws
 * 400 for keys of other records.
 */
export async function reindexKeys(context: RequestContext, keys: readonly string[]): Promise<void> {
  const { stores, now } = context;
  if (keys.length === 0) throw badData("missing keys");
  if (keys.length > REINDEX_KEYS_MAX) throw badData(`more than ${REINDEX_KEYS_MAX} keys`);
  const wrong = keys.find((key) => !isIndexedKey(key));
  if (wrong !== undefined) throw badData(`no key of a search document: '${wrong}'`, { value: wrong });
  const editions = keys.filter((key) => key.startsWith(BOOKS));
  const others = keys.filter((key) => !key.startsWith(BOOKS));
  const works = await worksOfEditions(stores.catalog, editions);
  const { end: change } = await readAllProgress(stores.catalog);
  const due = datetimeText(now);
  const jobs = [...new Set([...others, ...works])];
  await putJobs(
    stores.search,
    jobs.map((key) => ({ kind: "document", key, position: 0, due, change })),
  );
  context.waitUntil(announceChange(stores.indexQueue, change));
}

/** The works of editions; an edition without one is shown as `/works/<its number>`. */
async function worksOfEditions(catalog: D1Database, keys: readonly string[]): Promise<string[]> {
  const rows = await readRecords(catalog, keys);
  return rows.flatMap(({ key, document }) => {
    // What is stored went through validation when it was written.
    const { works } = JSON.parse(document) as CatalogRecord;
    const named = Array.isArray(works) ? works.flatMap((work) => keyOf(work) ?? []) : [];
    return named.concat(key.replace(BOOKS, "/works/"));
  });
}
