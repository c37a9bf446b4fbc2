import * as z from "zod";
import { parseDocument } from "../../catalog/document.ts";
import { REDIRECT_HOPS_MAX, keyOf, typeKeyOf } from "../../catalog/record.ts";
import { readRecord } from "../../db/records/records.ts";
import { recordNotFound } from "../http/errors.ts";
import { operation } from "../http/operation.ts";
import { privateJson } from "../http/reply.ts";

const counts = z.object({
  readinglog: z.int(),
  ratings: z.int(),
  booknotes: z.int(),
  bestbooks: z.int(),
  observations: z.int(),
});
const NO_ROWS = { readinglog: 0, ratings: 0, booknotes: 0, bestbooks: 0, observations: 0 };

/** `GET /admin/resolve_redirects`: the chain of redirects from a key (Q167). */
export const adminResolveRedirects = operation({
  id: "adminResolveRedirects",
  summary: "Resolve the redirects of a record",
  tag: "administration",
  query: {
    key: z.string().describe("Key of the record, for example `/works/OL1W`"),
    test: z.string().optional().describe("Ignored: nothing is ever changed"),
  },
  responses: {
    200: {
      description: "Records from the first to the last",
      schema: z.object({
        key: z.string(),
        redirect_chain: z.array(
          z.object({ key: z.string(), occurrences: counts, updates: z.record(z.string(), z.unknown()) }),
        ),
        resolved_key: z.string(),
        modified: z.boolean(),
      }),
    },
    404: { description: "No such record" },
  },
  async handle({ query: { key } }, context) {
    const chain: string[] = [];
    for (let next: string | undefined = key; next !== undefined && chain.length <= REDIRECT_HOPS_MAX;) {
      const row = await readRecord(context.stores.catalog, next);
      if (row === undefined) break;
      chain.push(row.key);
      const record = parseDocument(row.document);
      const location: string | undefined =
        typeKeyOf(record) === "/type/redirect" ? keyOf(record["location"]) : undefined;
      next = location === undefined || chain.includes(location) ? undefined : location;
    }
    if (chain.length === 0) throw recordNotFound(key);
    return privateJson({
      key,
      redirect_chain: chain.map((record) => ({ key: record, occurrences: NO_ROWS, updates: {} })),
      resolved_key: chain.at(-1) ?? key,
      modified: false,
    });
  },
});
