import * as z from "zod";
import { parsePlainQuery } from "../../search/query/parse-plain-query.ts";
import type { PlainScheme } from "../../search/plain/scheme.ts";
import { TooBroadError, checkBreadth } from "../../search/plan/too-broad.ts";
import type { Query } from "../../search/query/query.ts";
import type { ParsedSort } from "../../search/sort/sort-names.ts";
import { VALUE_ERROR } from "./parameters.ts";
import { queryRefused } from "./refused.ts";

/** Names of orders that `parse` knows; an unknown one is a 422 (search.md 4.5). */
export function sortParameter(parse: (text: string, now: number) => ParsedSort) {
  return z
    .string()
    .superRefine((value, context) => {
      // Which names there are does not depend on the time.
      const parsed = parse(value, 0);
      if ("sorts" in parsed) return;
      context.addIssue({ code: "custom", params: VALUE_ERROR, message: `Value error, ${parsed.message}` });
    })
    .default("")
    .describe("Names of orders, separated by commas");
}

/** The query of a text; undefined for an empty one, which finds nothing. Throws 422 for one that is too complex. */
export function plainQuery(text: string, scheme: PlainScheme): Query | undefined {
  if (text.trim() === "") return undefined;
  const { query, tooComplex } = parsePlainQuery(text, scheme);
  if (tooComplex) throw queryRefused(text, "Query too complex");
  try {
    checkBreadth([query]);
  } catch (error) {
    throw error instanceof TooBroadError ? queryRefused(text, error.message) : error;
  }
  return query;
}
