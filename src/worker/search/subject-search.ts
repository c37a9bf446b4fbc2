import * as z from "zod";
import { textOf } from "../../catalog/record.ts";
import type { Document, Hits, PlainSearch } from "../../search/engine.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { pageNumber } from "../http/parameters.ts";
import { type Reply, json } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { type Markup, markup, shortText } from "../ui/markup.ts";
import { link, table } from "../ui/parts.ts";
import { NOTHING_FOUND, hitsSchema, searchCacheControl } from "./answers.ts";
import { type NamesView, namesLinks } from "./author-search.ts";
import { askIndex } from "./guarded.ts";
import { SEARCH_PAGE_NAMES } from "./page-address.ts";
import { pagingParameters, plainQuery, windowOf } from "./parameters.ts";
import { counted, nameAddress, searchKinds } from "./result-parts.ts";

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
const TYPES = new Map([
  ["subject", "Subject"],
  ["person", "Person"],
  ["place", "Place"],
  ["time", "Time"],
]);

/** Subjects by their names, those with most works first. */
function subjectsPage({ q, page: number, hits, cacheControl }: Omit<NamesView, "sort">): Reply {
  const { numFound, documents } = hits;
  return page({
    title: q === "" ? "Search subjects" : `Subjects: ${q}`,
    body: markup`${searchKinds(PATH, q)}
<form method="get" action="${PATH}"><label for="q">Words of a subject, person, place or time</label>
<input id="q" name="q" type="search" maxlength="1000" value="${q}"><p><button type="submit">Search</button></p></form>
${
  q !== "" &&
  markup`<p role="status">${counted(numFound, "subject", "subjects")} found.</p>
${documents.length > 0 && subjectTable(documents)}
${namesLinks({ path: PATH, parameters: [["q", q]], page: number, numFound })}`
}`,
    cacheControl,
    headers: { Vary: "Accept, Cookie" },
  });
}

function subjectTable(subjects: readonly Document[]): Markup {
  return table({
    caption: "Subjects, those with most works first",
    columns: ["Name", "Kind", "Works"],
    rows: subjects.map((subject) => [
      link(nameAddress(textOf(subject["key"]) ?? ""), shortText(textOf(subject["name"]) ?? "")),
      TYPES.get(textOf(subject["subject_type"]) ?? "subject"),
      typeof subject["work_count"] === "number" ? subject["work_count"] : 0,
    ]),
  });
}

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
    const hits = await findSubjects(q, { start, rows: SEARCH_PAGE_NAMES }, context);
    const cacheControl = searchCacheControl(context, { sort: [] });
    return subjectsPage({ q, page: query.page, hits, cacheControl });
  },
});
