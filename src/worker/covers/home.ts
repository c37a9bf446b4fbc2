import * as z from "zod";
import { operation } from "../http/operation.ts";
import { readerPreferring } from "../http/pages/write-page.ts";
import { REVALIDATE, json, plain } from "../http/reply.ts";
import { resource } from "../http/views.ts";
import { coversPage } from "./covers-home-page.ts";

export const coversHome = resource({
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
  read: () => ({ service: "cover store" }),
  asJson: (service) => json(service, { cacheControl: REVALIDATE }),
  page: async (_service, _input, context) =>
    coversPage(context.url.pathname === "/" ? await readerPreferring(context) : undefined),
});

export const coverRobots = operation({
  id: "coverRobots",
  summary: "Get the rules for crawlers",
  tag: "covers",
  responses: { 200: { description: "robots.txt", contentType: "text/plain" } },
  handle: () => plain("User-agent: *\nCrawl-delay: 5\n", { cacheControl: REVALIDATE }),
});
