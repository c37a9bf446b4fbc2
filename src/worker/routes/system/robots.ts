import { operation } from "../../operation.ts";
import { plain } from "../../reply.ts";

const DAY = "public, max-age=86400";
const CLOSED = "User-agent: *\nDisallow: /\n";
const OPEN = `User-agent: *
Disallow: /api
Disallow: /account
Disallow: /merges
Disallow: /search
Disallow: /books/add
Disallow: /*/edit$
Disallow: /*borrow*
Disallow: /*.rdf$
`;

/** `GET /robots.txt`: crawlers are welcome on the canonical host only (records.md 11.2). */
export const robots = operation({
  id: "robots",
  summary: "What crawlers may read",
  tag: "service",
  responses: { 200: { description: "Rules", contentType: "text/plain" } },
  handle(_input, { settings, url }) {
    // Q46: open on the canonical host only.
    const isCanonical = settings.BASE_URL !== "" && new URL(settings.BASE_URL).host === url.host;
    return plain(isCanonical ? OPEN : CLOSED, { cacheControl: DAY });
  },
});
