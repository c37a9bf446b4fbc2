import * as z from "zod";
import { listName, listUrl } from "../../catalog/lists/view.ts";
import { authorKeysOf, seedTitle } from "../../catalog/lists/seed-entry.ts";
import { readNames } from "../../db/lists/read.ts";
import { readListSeeds } from "../../db/lists/seeds.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { listPage } from "../http/parameters.ts";
import { smallPage } from "../ui/layout.ts";
import { type Markup, addressOf, markup, shortText } from "../ui/markup.ts";
import { PAGE_TURNS } from "../ui/parts.ts";
import { type SeedsPage, listTitle, seedAddress } from "./list-page.ts";
import { LIST_PATH, listNotFound, listOperations } from "./operation.ts";

/** Members on a page that others put into theirs. */
const EMBED_SEEDS = 10;

/** `GET <list>/embed`: a list as a small page for the pages of others; there is none of series. */
export const embedList = listOperations({
  ids: { people: "embedPeopleList", lists: "embedList", series: "embedSeries" },
  summary: "A list as a small page for the pages of others",
  path: LIST_PATH,
  query: { page: z.string().optional().describe("From 1") },
  responses: {
    200: { description: "A page with ten members", contentType: "text/html" },
    404: { description: "No such list" },
  },
  handle: ({ key }, { query }, context) => embedPage(key, listPage(query.page), context),
});

/** A list as a small page. Its links leave the frame. */
function listEmbedPage(what: SeedsPage): Reply {
  const { list, seeds, number, size, address } = what;
  const title = shortText(listTitle(list));
  return smallPage({
    title,
    body: markup`<h1><a href="${address}" target="_top">${title}</a></h1>
<ol start="${(number - 1) * size + 1}">
${seeds.map((seed) => markup`<li><a href="${seedAddress(seed)}" target="_top">${shortText(seedTitle(seed))}</a>${by(authorKeysOf(seed), what)}</li>`)}
</ol>
${turn(what)}`,
  });
}

function by(keys: readonly string[], { authors }: SeedsPage): Markup | undefined {
  const names = keys.flatMap((key) => authors.get(key) ?? []);
  return names.length === 0 ? undefined : markup` by ${shortText(names.join(", "))}`;
}

/** These stay inside the frame. */
function turn({ list, number, size }: SeedsPage): Markup | undefined {
  const to = (page: number): string => `${addressOf(list.key)}/embed?page=${page}`;
  const isMore = number * size < list.seedCount;
  if (number === 1 && !isMore) return undefined;
  return markup`<nav aria-label="Pages">${number > 1 && markup`<a rel="prev" href="${to(number - 1)}">${PAGE_TURNS.newer}</a>`}
${isMore && markup`<a rel="next" href="${to(number + 1)}">${PAGE_TURNS.older}</a>`}</nav>`;
}

/** The small page of a list; 404 for series and for what is no list. */
async function embedPage(key: string, number: number, context: RequestContext): Promise<Reply> {
  const database = catalogReader(context);
  const window = { start: (number - 1) * EMBED_SEEDS, count: EMBED_SEEDS };
  const found = await readListSeeds(database, key, window);
  if (found?.list.type !== "/type/list") throw listNotFound();
  const { list, seeds } = found;
  const authors = await readNames(database, seeds.flatMap(authorKeysOf));
  const address = addressOf(listUrl(key, listName(list)));
  return listEmbedPage({ list, seeds, authors, number, size: EMBED_SEEDS, address });
}
