import { listName } from "../../catalog/lists/list-view.ts";
import { authorKeysOf } from "../../catalog/lists/seed-entry.ts";
import { percentEncodedSlug, recordSlug } from "../../catalog/slug.ts";
import { readNames } from "../../db/lists/read-names.ts";
import { readListSeeds } from "../../db/lists/read-seeds.ts";
import { type RequestContext, catalogReader } from "../context.ts";
import { addressOf } from "../pages/address.ts";
import { listSeedsPage } from "../pages/lists/list-seeds-page.ts";
import { type Reply, redirect } from "../reply.ts";
import { recordReply } from "../routes/records/read-record.ts";
import { pageNumber } from "../routes/recentchanges/changes-page.ts";

/** Members on a page of a list for people. */
export const LIST_PAGE_SEEDS = 50;

/** The page of a list or series, at its readable address; what is none is answered as records are (records.md 2.6). */
export async function listPage(
  key: string,
  pageText: string | undefined,
  context: RequestContext,
): Promise<Reply> {
  const number = pageNumber(pageText);
  const database = catalogReader(context);
  const window = { start: (number - 1) * LIST_PAGE_SEEDS, count: LIST_PAGE_SEEDS };
  const found = await readListSeeds(database, key, window);
  if (found === undefined) return recordReply({}, context);
  const { list, seeds } = found;
  const slug = percentEncodedSlug(recordSlug({ type: list.type, name: listName(list) }) ?? "");
  const address = slug === "" ? addressOf(key) : `${addressOf(key)}/${slug}`;
  if (context.url.pathname !== address) return redirect(301, address + context.url.search);
  const authors = await readNames(database, seeds.flatMap(authorKeysOf));
  return listSeedsPage({ list, seeds, authors, number, size: LIST_PAGE_SEEDS, address });
}
