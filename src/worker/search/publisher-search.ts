import * as z from "zod";
import { mostFrequent } from "../../search/facets.ts";
import { publisherPageKey } from "../../search/present/subjects.ts";
import { clausesOf } from "../../search/query/work-clauses.ts";
import { allOf } from "../../search/query/query.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { json } from "../http/reply.ts";
import { link } from "../ui/parts.ts";
import { searchCacheControl } from "./answers.ts";
import { namesPage } from "./names-page.ts";
import { askIndex } from "./guarded.ts";
import { nameAddress } from "./result-parts.ts";
import { say } from "../ui/words.ts";

/** Publishers in an answer. */
const PUBLISHERS_LIMIT = 25;

/** Answer of a search for publishers. */
const publishersSchema = z.object({
  numFound: z.int(),
  docs: z.array(z.object({ name: z.string(), key: z.string(), count: z.int() })),
});

/** `GET /search/publishers.json`: publishers by a part of their name. */
export const searchPublishers = operation({
  id: "searchPublishers",
  summary: "Publishers by their names, those of most works first",
  tag: "search",
  query: { q: z.string().default("").describe("Words of a name") },
  responses: {
    200: {
      description: "Publishers whose name contains q; numFound counts the works of all of them",
      schema: publishersSchema,
    },
  },
  async handle({ query: { q } }, context) {
    return json(await findPublishers(q, context), {
      cacheControl: searchCacheControl(context, { sort: [] }),
    });
  },
});

/** Publishers by words of their names, those of most works first; `numFound` counts the works of all of them. */
export async function findPublishers(
  q: string,
  context: RequestContext,
): Promise<z.infer<typeof publishersSchema>> {
  const name = q.trim();
  if (name === "") return { numFound: 0, docs: [] };
  const { clauses } = clausesOf({ publisher: name }, { prefix: context.settings.RECORD_PREFIX });
  const facet = { ...mostFrequent("publisher_facet", PUBLISHERS_LIMIT), contains: name };
  const search = { query: allOf(clauses), filters: [], editionClauses: [], facets: [facet] };
  const { numFound, fields } = await askIndex(context, name, (engine) => engine.facets(search));
  const docs = (fields["publisher_facet"] ?? []).map(({ value, count }) => ({
    name: value,
    key: publisherPageKey(value),
    count,
  }));
  return { numFound, docs };
}

/** `GET /search/publishers`: publishers for people, and for programs the same as with `.json`. */
export const searchPublishersPage = operation({
  id: "searchPublishersPage",
  summary: "Publishers by their names, as a page",
  tag: "search",
  query: { q: z.string().default("").describe("Words of a name") },
  responses: {
    200: { description: "A page, or JSON for programs", schema: publishersSchema, also: ["text/html"] },
  },
  programs: searchPublishers,
  async handle({ query }, context) {
    const q = query.q.trim();
    const { docs } = await findPublishers(q, context);
    return namesPage({
      path: "/search/publishers",
      q,
      kind: "nav.publishers",
      label: "search.publisher_words",
      summary:
        docs.length === 0
          ? say("search.no_publisher")
          : say("search.most_works", { count: PUBLISHERS_LIMIT }),
      found: {
        caption: say("nav.publishers"),
        columns: [say("search.name"), say("author.works_column")],
        rows: docs.map(({ name, key, count }) => [link(nameAddress(key), name), count]),
      },
      cacheControl: searchCacheControl(context, { sort: [] }),
    });
  },
});
