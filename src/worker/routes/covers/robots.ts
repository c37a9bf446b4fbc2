import { operation } from "../../http/operation.ts";
import { REVALIDATE, plain } from "../../http/reply.ts";

/** `GET /robots.txt` of the cover store: crawlers take their time. */
export const coverRobots = operation({
  id: "coverRobots",
  summary: "Rules for crawlers",
  tag: "covers",
  responses: { 200: { description: "The rules", contentType: "text/plain" } },
  handle: () => plain("User-agent: *\nCrawl-delay: 5\n", { cacheControl: REVALIDATE }),
});
