import * as z from "zod";
import { COVER_SIZES } from "../../catalog/cover-sizes.ts";
import { VARY_LANGUAGE, wantsHtml } from "../http/accept.ts";
import { operation } from "../http/operation.ts";
import { pageLanguage } from "../http/pages/language.ts";
import { ANYBODY } from "../http/pages/reader.ts";
import { type Reply, REVALIDATE, json, plain } from "../http/reply.ts";
import { NAME } from "../http/settings.ts";
import { PAGE_CSP, documentOf } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { commas } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { type Words, say } from "../ui/words.ts";

/** Keys by which covers are asked for, and an example of each. */
const KEYS: readonly (readonly [key: string, what: Words, example: string])[] = [
  ["id", "covers_home.id", "/b/id/7-M.jpg"],
  ["olid", "covers_home.olid", "/b/olid/OL1M-M.jpg"],
  ["isbn", "covers_home.isbn", "/b/isbn/9780140328721-M.jpg"],
  ["lccn", "covers_home.lccn", "/b/lccn/64009056-M.jpg"],
  ["oclc", "covers_home.oclc", "/b/oclc/12345-M.jpg"],
  ["ia", "covers_home.ia", "/b/ia/foo00bar-M.jpg"],
  ["goodreads, librarything, …", "covers_home.other", "/b/goodreads/6383507-M.jpg"],
];

const code = (text: string): Markup => markup`<code>${text}</code>`;

/** What the cover store is, for people. It has no links to the rest of the site, which may be at another address. */
function coversPage(request: Request): Reply {
  const content = markup`<main>
<h1>${say("covers_home.title")}</h1>
<p>${say("covers_home.what", { name: NAME, sizes: commas(COVER_SIZES.map((size) => code(`-${size}`))) })}</p>
${table({
  caption: say("covers_home.keys"),
  columns: [say("covers_home.key"), say("covers_home.meaning"), say("covers_home.example")],
  rows: KEYS.map(([key, what, example]) => [key, say(what), code(example)]),
})}
<p>${say("covers_home.missing", { none: code("?default=false"), json: code(".json"), jpg: code(".jpg") })}</p>
</main>`;
  const document = documentOf(markup`${say("covers_home.title")} – ${NAME}`, undefined, content);
  return {
    status: 200,
    body: document.textFor({ ...ANYBODY, language: pageLanguage(request) }),
    contentType: "text/html; charset=utf-8",
    cacheControl: REVALIDATE,
    headers: { "Content-Security-Policy": PAGE_CSP, Vary: `Accept, ${VARY_LANGUAGE}` },
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
      ? coversPage(request)
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
