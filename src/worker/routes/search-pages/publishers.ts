import * as z from "zod";
import { operation } from "../../operation.ts";
import { countsPage } from "../../pages/search/counts-page.ts";
import { nameAddress } from "../../pages/search/parts.ts";
import { searchCacheControl } from "../../search/cache-control.ts";
import { programAnswer } from "../../search-pages/program-answer.ts";
import { wantsHtml } from "../../wants-html.ts";
import {
  PUBLISHERS_LIMIT,
  findPublishers,
  publishersSchema,
  searchPublishers,
} from "../search/publishers.ts";

const asJson = programAnswer(searchPublishers);

/** `GET /search/publishers`: publishers for people, and for programs the same as with `.json`. */
export const searchPublishersPage = operation({
  id: "searchPublishersPage",
  summary: "Publishers by their names, as a page",
  tag: "search",
  query: { q: z.string().default("").describe("Words of a name") },
  responses: {
    200: { description: "A page, or JSON for programs", schema: publishersSchema, also: ["text/html"] },
  },
  async handle({ query }, context) {
    if (!wantsHtml(context.request)) return asJson(context);
    const q = query.q.trim();
    const { docs } = await findPublishers(q, context);
    return countsPage({
      path: "/search/publishers",
      q,
      title: q === "" ? "Search publishers" : `Publishers: ${q}`,
      label: "A part of a publisher’s name",
      summary:
        docs.length === 0 ? "No publisher found." : `The ${PUBLISHERS_LIMIT} with most works, at most.`,
      caption: "Publishers, those with most works first",
      rows: docs.map(({ name, key, count }) => ({ name, address: nameAddress(key), count })),
      cacheControl: searchCacheControl(context, { sort: [] }),
    });
  },
});
