import * as z from "zod";
import { COVER_SIZES } from "../../catalog/cover-sizes.ts";
import { VARY_LANGUAGE, wantsHtml } from "../http/accept.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { readerPreferring } from "../http/pages/write-page.ts";
import { type Reply, REVALIDATE, json, plain } from "../http/reply.ts";
import { NAME } from "../http/settings.ts";
import { factList } from "../ui/facts.ts";
import { PAGE_CSP, documentOf, page } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { commas } from "../ui/parts.ts";
import { type Words, t } from "../ui/words.ts";

const EXAMPLES: readonly (readonly [address: string, description: Words])[] = [
  ["/b/id/7-M.jpg", "covers_home.id"],
  ["/b/olid/OL1M-M.jpg", "covers_home.olid"],
  ["/b/isbn/9780140328721-M.jpg", "covers_home.isbn"],
  ["/b/lccn/64009056-M.jpg", "covers_home.lccn"],
  ["/b/oclc/12345-M.jpg", "covers_home.oclc"],
  ["/b/ia/foo00bar-M.jpg", "covers_home.ia"],
  ["/b/goodreads/6383507-M.jpg", "covers_home.other"],
];

const code = (text: string): Markup => markup`<code>${text}</code>`;

/**
 * Renders the page about the cover store for people. On the cover store's own listener it has neither the style nor the
 * links of the site.
 */
async function coversPage({ request, url }: RequestContext): Promise<Reply> {
  const title = t("covers_home.title");
  const body = markup`<p>${t("covers_home.what", { name: NAME, sizes: commas(COVER_SIZES.map((size) => code(`-${size}`))) })}</p>
${factList(EXAMPLES.map(([address, description]) => [code(address), t(description)]))}
<p>${t("covers_home.missing", { none: code("?default=false"), json: code(".json"), jpg: code(".jpg") })}</p>`;
  if (url.pathname !== "/") return page({ title, body, cacheControl: REVALIDATE });
  const content = markup`<main>
<h1>${title}</h1>
${body}
</main>`;
  return {
    status: 200,
    body: documentOf(markup`${title} – ${NAME}`, undefined, content).textFor(await readerPreferring(request)),
    contentType: "text/html; charset=utf-8",
    cacheControl: REVALIDATE,
    headers: { "Content-Security-Policy": PAGE_CSP, Vary: `Accept, ${VARY_LANGUAGE}` },
  };
}

export const coversHome = operation({
  id: "coversHome",
  summary: "Get the name of the cover store",
  tag: "covers",
  responses: {
    200: {
      description: "Name of the service; HTML page for browsers",
      schema: z.object({ service: z.literal("cover store") }),
      also: ["text/html"],
    },
  },
  handle: (_input, context) =>
    wantsHtml(context.request)
      ? coversPage(context)
      : json({ service: "cover store" }, { cacheControl: REVALIDATE, headers: { Vary: "Accept" } }),
});

export const coverRobots = operation({
  id: "coverRobots",
  summary: "Get the rules for crawlers",
  tag: "covers",
  responses: { 200: { description: "robots.txt", contentType: "text/plain" } },
  handle: () => plain("User-agent: *\nCrawl-delay: 5\n", { cacheControl: REVALIDATE }),
});
