import { authorKeysOf } from "../../catalog/lists/seed-entry.ts";
import { listName, listUrl } from "../../catalog/lists/list-view.ts";
import { readNames } from "../../db/lists/read-names.ts";
import { readListSeeds } from "../../db/lists/read-seeds.ts";
import { type RequestContext, catalogReader } from "../context.ts";
import { listEmbedPage } from "../pages/lists/list-embed-page.ts";
import { addressOf } from "../pages/address.ts";
import type { Reply } from "../reply.ts";
import { pageNumber } from "../routes/recentchanges/changes-page.ts";
import { listNotFound } from "./list-path.ts";

/** Members on a page that others put into theirs (patrons.md 14.12). */
export const EMBED_SEEDS = 10;

/** The small page of a list; 404 for series and for what is no list. */
export async function embedPage(
  key: string,
  pageText: string | undefined,
  context: RequestContext,
): Promise<Reply> {
  const number = pageNumber(pageText);
  const database = catalogReader(context);
  const window = { start: (number - 1) * EMBED_SEEDS, count: EMBED_SEEDS };
  const found = await readListSeeds(database, key, window);
  if (found?.list.type !== "/type/list") throw listNotFound();
  const { list, seeds } = found;
  const authors = await readNames(database, seeds.flatMap(authorKeysOf));
  const address = addressOf(listUrl(key, listName(list)));
  return listEmbedPage({ list, seeds, authors, number, size: EMBED_SEEDS, address });
}
