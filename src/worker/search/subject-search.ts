import * as z from "zod";
import { textOf } from "../../catalog/record.ts";
import type { Document, Hits, PlainSearch } from "../../search/engine.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { pageNumber } from "../http/parameters.ts";
import { json } from "../http/reply.ts";
import { shortText } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { NOTHING_FOUND, hitsSchema, searchCacheControl } from "./answers.ts";
import { namesLinks } from "./author-search.ts";
import { namesPage } from "./names-page.ts";
import { askIndex } from "./guarded.ts";
import { SEARCH_PAGE_NAMES } from "./page-address.ts";
import { pagingParameters, plainQuery, windowOf } from "./parameters.ts";
import { nameAddress } from "./result-parts.ts";
import { type Words, say } from "../ui/words.ts";

const MOST_WORKS = [{ field: "work_count", descending: true }];

/** `GET /search/subjects.json`: subjects by name, those with most works first. */
export const searchSubjects = operation({
  id: "searchSubjects",
  summary: "Subjects by their names",
  tag: "search",
  query: { q: z.string().default("").describe("Words of a name, or field:value"), ...pagingParameters },
  responses: { 200: { description: "A page of subjects", schema: hitsSchema } },
  async handle({ query: asked }, context) {
    const { start, rows } = windowOf(asked);
    const hits = await findSubjects(asked.q, { start, rows }, context);
    const { numFound, numFoundExact } = hits;
    const docs = hits.documents.map(subjectRow);
    const cacheControl = searchCacheControl(context, { sort: [] });
    return json({ numFound, start, numFoundExact, docs }, { cacheControl });
  },
});

/** Subjects by a query, those with most works first; none without one. One round trip. */
function findSubjects(
  q: string,
  part: Pick<PlainSearch, "start" | "rows">,
  context: RequestContext,
): Promise<Hits> {
  const query = plainQuery(q, "subject");
  if (query === undefined) return Promise.resolve(NOTHING_FOUND);
  const search = { query, filters: [], sort: MOST_WORKS, ...part };
  return askIndex(context, q, (engine) => engine.subjects(search));
}

/** Q73: `type` is the kind of subject, and `count` the number of works once more. */
function subjectRow(document: Document): Document {
  return { ...document, type: document["subject_type"] ?? "subject", count: document["work_count"] ?? 0 };
}

const PATH = "/search/subjects";
const TYPES: ReadonlyMap<string, Words> = new Map([
  ["subject", "search.subject"],
  ["person", "search.person"],
  ["place", "search.place"],
  ["time", "search.time"],
]);

/** `GET /search/subjects`: subjects for people, and for programs the same as with `.json`. */
export const searchSubjectsPage = operation({
  id: "searchSubjectsPage",
  summary: "Subjects by their names, as a page",
  tag: "search",
  query: { q: z.string().default("").describe("Words of a name, or field:value"), page: pageNumber() },
  responses: {
    200: { description: "A page, or JSON for programs", schema: hitsSchema, also: ["text/html"] },
  },
  programs: searchSubjects,
  async handle({ query }, context) {
    const [q, start] = [query.q.trim(), (query.page - 1) * SEARCH_PAGE_NAMES];
    const { numFound, documents } = await findSubjects(q, { start, rows: SEARCH_PAGE_NAMES }, context);
    return namesPage({
      path: PATH,
      kind: "nav.subjects",
      q,
      label: "search.subject_words",
      summary: say("search.subjects", { count: numFound }),
      found: {
        caption: say("nav.subjects"),
        columns: [say("search.name"), say("search.kind"), say("author.works_column")],
        rows: documents.map((subject) => [
          link(nameAddress(textOf(subject["key"]) ?? ""), shortText(textOf(subject["name"]) ?? "")),
          say(TYPES.get(textOf(subject["subject_type"]) ?? "") ?? "search.subject"),
          typeof subject["work_count"] === "number" ? subject["work_count"] : 0,
        ]),
      },
      links: namesLinks(PATH, [["q", q]], { page: query.page, numFound }),
      cacheControl: searchCacheControl(context, { sort: [] }),
    });
  },
});
