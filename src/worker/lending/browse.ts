import * as z from "zod";
import { olidOfKey } from "../../catalog/keys.ts";
import { ocaidOf } from "../../catalog/lookup/bundle.ts";
import { type JsonObject, keyOf, stringsOf } from "../../catalog/record.ts";
import { readRecordMap } from "../../db/records/records.ts";
import { accessAvailabilityOf, lendingAvailabilityOf } from "../../search/present/availability.ts";
import { equals } from "../../search/query/query.ts";
import { parseWorkSort } from "../../search/sorts.ts";
import { lendingStates } from "./service/lending-states.ts";
import { catalogReader, operation } from "../http/operation.ts";
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
      withEditions: false,
      fields: ["key", "lending_edition_s", "lending_identifier_s"],
    };
    const { documents } = await askIndex(context, q, (engine) => engine.works(search));
    const scans = documents.flatMap(({ lending_identifier_s: scan }) => stringsOf(scan));
    const hits = documents.flatMap(({ key: work, lending_edition_s: olids }) => {
      const [olid] = stringsOf(olids);
      return olid === undefined ? [] : [{ work, key: `/books/${olid}` }];
    });
    const [editions, states] = await Promise.all([
      readRecordMap(
        catalogReader(context),
        hits.map(({ key }) => key),
      ),
      lendingStates(context, scans),
    ]);
    // Q292: works without a free copy are left out, so a page may have fewer works than requested.
    const available = hits.flatMap(({ work, key }): JsonObject[] => {
      const edition = editions.get(key);
      const scan = edition === undefined ? undefined : ocaidOf(edition);
      if (edition === undefined || scan === undefined) return [];
      const ids = {
        scan,
        work: olidOfKey(stringsOf(work)[0] ?? ""),
        edition: olidOfKey(keyOf(edition) ?? ""),
      };
      const status = states?.get(scan);
      if (status === undefined) {
        return [{ ...edition, availability: accessAvailabilityOf({ ebook_access: "borrowable" }, ids) }];
      }
      const isFree = status.isLendable && status.free > 0;
      return isFree ? [{ ...edition, availability: lendingAvailabilityOf(status, ids) }] : [];
    });
    const { pathname, search: query } = context.url;
    return json({ query: pathname + query, works: available }, { cacheControl: NO_STORE });
  },
});
