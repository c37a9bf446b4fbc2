import * as z from "zod";
import { equals } from "../../../search/query/query.ts";
import { parseWorkSort } from "../../../search/sort/work-sorts.ts";
import { borrowableEditions } from "../../availability/browse.ts";
import { operation } from "../../operation.ts";
import { NO_STORE, json } from "../../reply.ts";
import { pagingParameters, selectionParameters, windowOf, workSort } from "../../search/parameters.ts";
import { parseSelection } from "../../search/selection.ts";

/** `GET /browse.json`: books that can be borrowed now (lookup.md 17.5). */
export const browse = operation({
  id: "browse",
  summary: "Books that can be borrowed now, one edition of each work",
  tag: "lending",
  query: {
    q: selectionParameters.q,
    subject: z.string().default("").describe("Words of a subject"),
    sorts: workSort.default(""),
    ...pagingParameters,
  },
  responses: {
    200: {
      description: "Records of editions with their availability",
      schema: z.object({ query: z.string(), works: z.array(z.looseObject({ key: z.string() })) }),
    },
    503: { description: "The index does not answer" },
  },
  async handle({ query: { q, subject, sorts, ...paging } }, context) {
    const { works } = parseSelection({ q, parameters: { subject } }, context);
    const parsed = parseWorkSort(sorts, context.now);
    const search = {
      ...works,
      filters: [...works.filters, equals("ebook_access", "borrowable")],
      // The parameter's schema has refused what is no order.
      sort: "sorts" in parsed ? parsed.sorts : [],
      ...windowOf(paging),
    };
    const { pathname, search: asked } = context.url;
    // Q292: works are left out whose copies are all lent out, so a page may have fewer than asked for.
    const found = await borrowableEditions(context, search, q);
    return json({ query: pathname + asked, works: found }, { cacheControl: NO_STORE });
  },
});
