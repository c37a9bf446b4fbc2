import * as z from "zod";
import type { Document, Hits, PlainSearch } from "../../../search/engine.ts";
import type { RequestContext } from "../../context.ts";
import { operation } from "../../operation.ts";
import { json } from "../../reply.ts";
import { searchCacheControl } from "../../search/cache-control.ts";
import { engineOf } from "../../search/engine-of.ts";
import { guarded } from "../../search/guarded.ts";
import { pagingParameters, windowOf } from "../../search/parameters.ts";
import { plainQuery } from "../../search/plain-parameters.ts";
import { NOTHING_FOUND, hitsSchema } from "./hits.ts";

const MOST_WORKS = [{ field: "work_count", descending: true }];

/** `GET /search/subjects.json`: subjects by name, those with most works first (search.md 7.2). */
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
export function findSubjects(
  q: string,
  part: Pick<PlainSearch, "start" | "rows">,
  context: RequestContext,
): Promise<Hits> {
  const query = plainQuery(q, "subject");
  if (query === undefined) return Promise.resolve(NOTHING_FOUND);
  const search = { query, filters: [], sort: MOST_WORKS, ...part };
  return guarded(async () => (await engineOf(context)).subjects(search), q);
}

/** Q73: `type` is the kind of subject, and `count` the number of works once more. */
function subjectRow(document: Document): Document {
  return { ...document, type: document["subject_type"] ?? "subject", count: document["work_count"] ?? 0 };
}
