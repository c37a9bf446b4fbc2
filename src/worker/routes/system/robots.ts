import { operation } from "../../operation.ts";
import { plain } from "../../reply.ts";

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

/** `GET /robots.txt`: crawlers are welcome on the canonical host only (records.md 11.2). */
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
