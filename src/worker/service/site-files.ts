import * as z from "zod";
import { element, xmlDocument } from "../../catalog/xml.ts";
import { baseUrl, operation } from "../http/operation.ts";
import { plain, redirect } from "../http/reply.ts";
import { NAME } from "../http/settings.ts";
import { staticFile } from "../http/static-files.ts";

/** `GET /images/<path>`: the files of `/static/images/` under their shorter address. */
export const siteImage = operation({
  id: "siteImage",
  summary: "A picture of the site's pages",
  tag: "service",
  path: { path: z.string().describe("As below /static/images/") },
  responses: {
    200: {
      description: "The picture",
      contentType: "image/svg+xml",
      also: ["image/png", "image/gif", "image/jpeg"],
    },
    404: { description: "There is none" },
  },
  handle: (_input, context) => staticFile(context, `/static${context.url.pathname}`),
});

/** `GET /favicon.ico`: the icon is a static file. */
export const favicon = operation({
  id: "favicon",
  summary: "Icon",
  tag: "service",
  responses: { 301: { description: "Where the icon stands" } },
  handle: () => redirect(301, "/static/favicon.ico"),
});

const DAY = "public, max-age=86400";
const CLOSED = "User-agent: *\nDisallow: /\n";
const RULES = `Disallow: /api
Disallow: /edit
Disallow: /account
Disallow: /merges
Disallow: /search
Disallow: /advancedsearch
Disallow: /publishers
Disallow: /books/add
Disallow: /qrcode
Disallow: /*/edit$
Disallow: /*borrow*
Disallow: /*.rdf$
`;
/** Crawlers that ask too often unless they are told how long to wait, and that do as they are told. */
const HASTY = ["AhrefsBot", "bingbot", "SemrushBot", "YandexBot"];
/** Seconds between two requests of theirs. */
const CRAWL_DELAY = 10;
// A crawler goes by the one group that names it, so its rules stand there again.
const OPEN = `User-agent: *
${RULES}
${HASTY.map((name) => `User-agent: ${name}\n`).join("")}Crawl-delay: ${CRAWL_DELAY}
${RULES}`;

/** `GET /robots.txt`: crawlers are welcome on the canonical host only. */
export const robots = operation({
  id: "robots",
  summary: "What crawlers may read",
  tag: "service",
  responses: { 200: { description: "Rules", contentType: "text/plain" } },
  handle(_input, { settings, url }) {
    // Q46: open on the canonical host only.
    const isCanonical = settings.BASE_URL !== "" && new URL(settings.BASE_URL).host === url.host;
    return plain(
      isCanonical ? `${OPEN}Sitemap: ${new URL("/sitemap.xml", settings.BASE_URL).href}\n` : CLOSED,
      { cacheControl: DAY },
    );
  },
});

const TYPE = "application/opensearchdescription+xml";

/** `GET /opensearch.xml`: how browsers and other programs search here (OpenSearch 1.1). */
export const openSearch = operation({
  id: "openSearch",
  summary: "OpenSearch description: how browsers search here",
  tag: "service",
  responses: { 200: { description: "The description", contentType: TYPE } },
  handle: (_input, context) => ({
    status: 200,
    body: description(baseUrl(context)),
    contentType: `${TYPE}; charset=utf-8`,
    cacheControl: "public, max-age=86400",
  }),
});

function description(base: string): string {
  const search = (type: string, template: string) =>
    element("Url", [], { type, template: `${base}/${template}` });
  const icon = { width: "16", height: "16", type: "image/x-icon" };
  return xmlDocument(
    element(
      "OpenSearchDescription",
      [
        element("ShortName", NAME),
        element("Description", "Search the library catalog"),
        element("InputEncoding", "UTF-8"),
        element("Image", `${base}/static/favicon.ico`, icon),
        search("text/html", "search?q={searchTerms}"),
        search("application/json", "search.json?q={searchTerms}&page={startPage?}"),
      ],
      { xmlns: "http://a9.com/-/spec/opensearch/1.1/" },
    ),
  );
}
