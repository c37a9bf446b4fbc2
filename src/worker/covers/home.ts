import * as z from "zod";
import { COVER_SIZES } from "../../catalog/cover-sizes.ts";
import { wantsHtml } from "../http/accept.ts";
import { operation } from "../http/operation.ts";
import { type Reply, REVALIDATE, json, plain } from "../http/reply.ts";
import { NAME } from "../http/settings.ts";
import { PAGE_CSP } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";
import { table } from "../ui/table.ts";

/** Keys by which covers are asked for, and an example of each. */
const KEYS: readonly (readonly [key: string, what: string, example: string])[] = [
  ["id", "Number of the cover, as records have it", "/b/id/7-M.jpg"],
  ["olid", "An edition; a work or an author with /w or /a", "/b/olid/OL1M-M.jpg"],
  ["isbn", "ISBN of either length, with or without hyphens", "/b/isbn/9780140328721-M.jpg"],
  ["lccn", "Number of the Library of Congress", "/b/lccn/64009056-M.jpg"],
  ["oclc", "Number of WorldCat", "/b/oclc/12345-M.jpg"],
  ["ia", "Name of a scanned item", "/b/ia/foo00bar-M.jpg"],
  ["goodreads, librarything, …", "Any other identifier of editions", "/b/goodreads/6383507-M.jpg"],
];

const SIZES = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(
  COVER_SIZES.map((size) => `-${size}`),
);

/** What the cover store is, for people. It has no links to the rest of the site, which may be at another address. */
function coversPage(): Reply {
  const document = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Covers – ${NAME}</title>
</head>
<body>
<main>
<h1>Covers</h1>
<p>This is the cover store of ${NAME}. An address is made of a category (b for editions, w for works, a for authors), a
key, a value, and a size: ${SIZES}, or none for the image as it was sent.</p>
${table({
  caption: "Keys",
  columns: ["Key", "What it is", "Example"],
  rows: KEYS.map(([key, what, example]) => [key, what, markup`<code>${example}</code>`]),
})}
<p>Where there is no cover, the answer is a transparent pixel; with <code>?default=false</code> it is 404, and with the
address of another image, that one. With <code>.json</code> in place of <code>.jpg</code> and the size comes what is known of
the image.</p>
</main>
</body>
</html>
`;
  return {
    status: 200,
    body: String(document),
    contentType: "text/html; charset=utf-8",
    cacheControl: REVALIDATE,
    headers: { "Content-Security-Policy": PAGE_CSP, Vary: "Accept" },
  };
}

/** `GET /` of the cover store, `GET /covers` of the main site: that it is there, and for people how covers are asked for. */
export const coversHome = operation({
  id: "coversHome",
  summary: "How covers are asked for",
  tag: "covers",
  responses: {
    200: {
      description: "Its name; for browsers a page",
      schema: z.object({ service: z.literal("cover store") }),
      also: ["text/html"],
    },
  },
  handle: (_input, { request }) =>
    wantsHtml(request)
      ? coversPage()
      : json({ service: "cover store" }, { cacheControl: REVALIDATE, headers: { Vary: "Accept" } }),
});

/** `GET /robots.txt` of the cover store: crawlers take their time. */
export const coverRobots = operation({
  id: "coverRobots",
  summary: "Rules for crawlers",
  tag: "covers",
  responses: { 200: { description: "The rules", contentType: "text/plain" } },
  handle: () => plain("User-agent: *\nCrawl-delay: 5\n", { cacheControl: REVALIDATE }),
});
