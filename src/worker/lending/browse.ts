import * as z from "zod";
import { olidOfKey } from "../../catalog/keys.ts";
import { ocaidOf } from "../../catalog/lookup/bundle.ts";
import { type JsonObject, keyOf, stringsOf } from "../../catalog/record.ts";
import { readRecordMap } from "../../db/records/records.ts";
import type { Document, SearchRequest } from "../../search/engine.ts";
import { accessAvailabilityOf, lendingAvailabilityOf } from "../../search/present/availability.ts";
import { equals } from "../../search/query/query.ts";
import { parseWorkSort } from "../../search/sorts.ts";
import { lendingStates } from "./service/lending-states.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { askIndex } from "../search/guarded.ts";
import {
  pagingParameters,
  parseSelection,
  selectionParameters,
  windowOf,
  workSort,
} from "../search/parameters.ts";

export const browse = operation({
  id: "browse",
  summary: "List books available to borrow now, one edition per work",
  tag: "lending",
  query: {
    q: selectionParameters.q,
    subject: z.string().default("").describe("Words of a subject, as a filter"),
    sorts: workSort.default(""),
    ...pagingParameters,
  },
  responses: {
    200: {
      description: "Edition records with their availability",
      schema: z.object({ query: z.string(), works: z.array(z.looseObject({ key: z.string() })) }),
    },
    503: { description: "Search index unavailable" },
  },
  async handle({ query: { q, subject, sorts, ...paging } }, context) {
    const { works } = parseSelection({ q, parameters: { subject } }, context);
    const search = {
      ...works,
      filters: [...works.filters, equals("ebook_access", "borrowable")],
      // The parameter's schema has rejected unknown orders.
      sort: parseWorkSort(sorts, context.now).sorts,
      ...windowOf(paging),
    };
    const { pathname, search: query } = context.url;
    // Q292: works without a free copy are left out, so a page may have fewer works than requested.
    const editions = await findBorrowableEditions(context, search, q);
    return json({ query: pathname + query, works: editions }, { cacheControl: NO_STORE });
  },
});

const FIELDS = ["key", "lending_edition_s", "lending_identifier_s"];

async function findBorrowableEditions(
  context: RequestContext,
  search: Omit<SearchRequest, "fields" | "withEditions">,
  text: string,
): Promise<JsonObject[]> {
  const workSearch = { ...search, withEditions: false, fields: FIELDS };
  const hits = await askIndex(context, text, (engine) => engine.works(workSearch));
  const scans = hits.documents.flatMap(({ lending_identifier_s: scan }) => stringsOf(scan));
  const [editions, states] = await Promise.all([
    readRecordMap(catalogReader(context), hits.documents.flatMap(lentEdition)),
    lendingStates(context, scans),
  ]);
  return hits.documents.flatMap((document) => {
    const edition = editions.get(lentEdition(document)[0] ?? "");
    const scan = edition === undefined ? undefined : ocaidOf(edition);
    if (edition === undefined || scan === undefined) return [];
    const work = olidOfKey(stringsOf(document["key"])[0] ?? "");
    const ids = { scan, work, edition: olidOfKey(keyOf(edition) ?? "") };
    const status = states?.get(scan);
    if (status === undefined) {
      return [{ ...edition, availability: accessAvailabilityOf({ ebook_access: "borrowable" }, ids) }];
    }
    const isFree = status.isLendable && status.free > 0;
    return isFree ? [{ ...edition, availability: lendingAvailabilityOf(status, ids) }] : [];
  });
}

function lentEdition({ lending_edition_s: edition }: Document): string[] {
  return stringsOf(edition)
    .slice(0, 1)
    .map((olid) => `/books/${olid}`);
}
