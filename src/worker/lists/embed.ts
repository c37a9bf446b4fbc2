import { type ListHead, listName, listUrl } from "../../catalog/lists/list-view.ts";
import { authorKeysOf, seedTitle } from "../../catalog/lists/seed-entry.ts";
import { readNames } from "../../db/records/titles.ts";
import { readListSeeds } from "../../db/lists/list-seeds.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { listPage, listPageText } from "../http/parameters.ts";
import { smallPage } from "../ui/layout.ts";
import { type Markup, addressOf, markup, shortText } from "../ui/markup.ts";
import { listTitle, seedAddress } from "./list-page.ts";
import { LIST_PATH, listNotFound, listOperations } from "./operation.ts";
import { PAGE_TURNS } from "../ui/pager.ts";
import { say } from "../ui/words.ts";

/** Members on a page that others put into theirs. */
const EMBED_SEEDS = 10;

/** `GET <list>/embed`: a list as a small page for the pages of others. */
export const embedList = listOperations({
  ids: { people: "embedPeopleList", lists: "embedList", series: "embedSeries" },
  summary: "A list as a small page for the pages of others",
  path: LIST_PATH,
  query: { page: listPageText() },
  responses: {
    200: { description: "A page with ten members", contentType: "text/html" },
    404: { description: "No such list or series" },
  },
  handle: ({ key }, { query }, context) => embedPage(key, listPage(query.page), context),
});

/** These stay inside the frame. */
function turn({ key, seedCount }: ListHead, number: number): Markup | undefined {
  const to = (page: number): string => `${addressOf(key)}/embed?page=${page}`;
  const isMore = number * EMBED_SEEDS < seedCount;
  if (number === 1 && !isMore) return undefined;
  return markup`<nav aria-label="${say("pager.pages")}">${number > 1 && markup`<a rel="prev" href="${to(number - 1)}">${PAGE_TURNS.newer}</a>`}
${isMore && markup`<a rel="next" href="${to(number + 1)}">${PAGE_TURNS.older}</a>`}</nav>`;
}

/** The small page of a list, whose links leave the frame; 404 for what is none. */
async function embedPage(key: string, number: number, context: RequestContext): Promise<Reply> {
  const database = catalogReader(context);
  const window = { start: (number - 1) * EMBED_SEEDS, count: EMBED_SEEDS };
  const found = await readListSeeds(database, key, window);
  if (found === undefined) throw listNotFound();
  const { list, seeds } = found;
  const authors = await readNames(database, seeds.flatMap(authorKeysOf));
  const items = seeds.map((seed) => {
    const names = authorKeysOf(seed).flatMap((author) => authors.get(author) ?? []);
    const by = names.length > 0 && markup` ${say("book.by", { authors: shortText(names.join(", ")) })}`;
    return markup`<li><a href="${seedAddress(seed)}" target="_top"><bdi>${shortText(seedTitle(seed))}</bdi></a>${by}</li>`;
  });
  const title = shortText(listTitle(list));
  return smallPage({
    title,
    body: markup`<h1><a href="${addressOf(listUrl(key, listName(list)))}" target="_top">${title}</a></h1>
<ol start="${window.start + 1}">
${items}
</ol>
${turn(list, number)}`,
  });
}
