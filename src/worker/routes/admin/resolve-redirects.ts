import * as z from "zod";
import { privateJson } from "../../accounts/private.ts";
import { redirectChain } from "../../admin/redirect-chain.ts";
import { operation } from "../../operation.ts";

/** Rows of patrons about a work, by where they stand. */
const counts = z.object({
  readinglog: z.int(),
  ratings: z.int(),
  booknotes: z.int(),
  bestbooks: z.int(),
  observations: z.int(),
});
const NONE = { readinglog: 0, ratings: 0, booknotes: 0, bestbooks: 0, observations: 0 };

/** `GET /admin/resolve_redirects`: where redirects lead from a key (records.md 5.3, Q167). */
export const adminResolveRedirects = operation({
  id: "adminResolveRedirects",
  summary: "Where redirects lead from a key",
  tag: "administration",
  query: {
    key: z.string().describe("Such as `/works/OL1W`"),
    test: z.string().optional().describe("Nothing is changed with it or without it"),
  },
  responses: {
    200: {
      description: "The records from the first to the last",
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
    const chain = await redirectChain(context, key);
    return privateJson({
      key,
      redirect_chain: chain.map((one) => ({ key: one, occurrences: NONE, updates: {} })),
      resolved_key: chain.at(-1) ?? key,
      modified: false,
    });
  },
});
