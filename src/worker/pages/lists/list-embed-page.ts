import { authorKeysOf, seedTitle } from "../../../catalog/lists/seed-entry.ts";
import type { Reply } from "../../reply.ts";
import { addressOf } from "../address.ts";
import { PAGE_TURNS } from "../parts.ts";
import { shortText } from "../short-text.ts";
import { smallPage } from "../small-page.ts";
import { type Markup, markup } from "../markup.ts";
import { type SeedsPage, listTitle, seedAddress } from "./list-seeds-page.ts";

/** A list as a small page. Its links leave the frame. */
export function listEmbedPage(what: SeedsPage): Reply {
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
