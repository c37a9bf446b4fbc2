import { COVER_SIZES } from "../../catalog/cover-sizes.ts";
import { VARY_LANGUAGE } from "../http/accept.ts";
import type { Reader } from "../http/pages/reader.ts";
import { type Reply, REVALIDATE } from "../http/reply.ts";
import { factList } from "../ui/facts.ts";
import { PAGE_CSP, documentOf, page } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { commas, siteName } from "../ui/parts.ts";
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
 * Renders the page about the cover store. On the cover store's own listener, for `reader`, it has neither the style nor
 * the links of the site.
 */
export function coversPage(reader: Reader | undefined): Reply {
  const title = t("covers_home.title");
  const body = markup`<p>${t("covers_home.what", { name: siteName, sizes: commas(COVER_SIZES.map((size) => code(`-${size}`))) })}</p>
${factList(EXAMPLES.map(([address, description]) => [code(address), t(description)]))}
<p>${t("covers_home.missing", { none: code("?default=false"), json: code(".json"), jpg: code(".jpg") })}</p>`;
  if (reader === undefined) return page({ title, body, cacheControl: REVALIDATE });
  const content = markup`<main>
<h1>${title}</h1>
${body}
</main>`;
  return {
    status: 200,
    body: documentOf(markup`${title} – ${siteName}`, undefined, content).textFor(reader),
    contentType: "text/html; charset=utf-8",
    cacheControl: REVALIDATE,
    headers: { "Content-Security-Policy": PAGE_CSP, Vary: `Accept, ${VARY_LANGUAGE}` },
  };
}
