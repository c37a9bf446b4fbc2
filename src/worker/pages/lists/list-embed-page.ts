import { raw } from "hono/html";
import { authorKeysOf, seedTitle } from "../../../catalog/lists/seed-entry.ts";
import type { Reply } from "../../reply.ts";
import { addressOf } from "../address.ts";
import { PAGE_CSP } from "../layout.ts";
import { type Markup, markup } from "../markup.ts";
import { type SeedsPage, listTitle, seedAddress } from "./list-seeds-page.ts";

/** The one page that others may show inside theirs: it has no forms and nothing that belongs to a session. */
const EMBED_CSP = PAGE_CSP.replace("frame-ancestors 'none'", "frame-ancestors *");

const STYLE = `
:root { color-scheme: light dark; }
body { font: 0.9rem/1.4 system-ui, sans-serif; margin: 0.5rem; overflow-wrap: anywhere; }
a { color: light-dark(#0a4f8f, #8cc4ff); }
:focus-visible { outline: 3px solid; outline-offset: 2px; }
h1 { font-size: 1.1rem; }
`;

/** A list as a small page. Its links leave the frame. */
export function listEmbedPage(what: SeedsPage): Reply {
  const { list, seeds, number, size, address } = what;
  const title = listTitle(list);
  const document = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<main>
<h1><a href="${address}" target="_top">${title}</a></h1>
<ol start="${(number - 1) * size + 1}">
${seeds.map((seed) => markup`<li><a href="${seedAddress(seed)}" target="_top">${seedTitle(seed)}</a>${by(authorKeysOf(seed), what)}</li>`)}
</ol>
${turn(what)}
</main>
</body>
</html>
`;
  return {
    status: 200,
    body: String(document),
    contentType: "text/html; charset=utf-8",
    cacheControl: "public, max-age=60",
    headers: { "Content-Security-Policy": EMBED_CSP, "Referrer-Policy": "same-origin" },
  };
}

function by(keys: readonly string[], { authors }: SeedsPage): Markup | undefined {
  const names = keys.flatMap((key) => authors.get(key) ?? []);
  return names.length === 0 ? undefined : markup` by ${names.join(", ")}`;
}

/** These stay inside the frame. */
function turn({ list, number, size }: SeedsPage): Markup | undefined {
  const to = (page: number): string => `${addressOf(list.key)}/embed?page=${page}`;
  const isMore = number * size < list.seedCount;
  if (number === 1 && !isMore) return undefined;
  return markup`<nav aria-label="Pages">${number > 1 && markup`<a rel="prev" href="${to(number - 1)}">Before</a>`}
${isMore && markup`<a rel="next" href="${to(number + 1)}">Further</a>`}</nav>`;
}
