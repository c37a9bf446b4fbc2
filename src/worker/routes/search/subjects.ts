import * as z from "zod";
import type { Document } from "../../../search/engine.ts";
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
    const query = plainQuery(asked.q, "subject");
    const hits =
      query === undefined
        ? NOTHING_FOUND
        : await guarded(
            async () =>
              (await engineOf(context)).subjects({ query, filters: [], sort: MOST_WORKS, start, rows }),
            asked.q,
          );
    const { numFound, numFoundExact } = hits;
    const docs = hits.documents.map(subjectRow);
    const cacheControl = searchCacheControl(context, { sort: [] });
    return json({ numFound, start, numFoundExact, docs }, { cacheControl });
  },
});

/** Q73: `type` is the kind of subject, and `count` the number of works once more. */
function subjectRow(document: Document): Document {
  return { ...document, type: document["subject_type"] ?? "subject", count: document["work_count"] ?? 0 };
}
