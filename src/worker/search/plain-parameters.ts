import * as z from "zod";
import { parsePlainQuery } from "../../search/query/parse-plain-query.ts";
import type { PlainScheme } from "../../search/plain/scheme.ts";
import { TooBroadError, checkBreadth } from "../../search/plan/too-broad.ts";
import type { Query } from "../../search/query/query.ts";
import type { ParsedSort } from "../../search/sort/sort-names.ts";
import { validationFailed } from "../errors.ts";
import { VALUE_ERROR } from "./parameters.ts";

/** Characters of a refused query that the answer repeats. */
const INPUT_LENGTH = 200;

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
  if (tooComplex) throw refused(text, "Query too complex");
  try {
    checkBreadth([query]);
  } catch (error) {
    throw error instanceof TooBroadError ? refused(text, error.message) : error;
  }
  return query;
}

function refused(text: string, message: string) {
  const msg = `Value error, ${message}`;
  return validationFailed([{ ...VALUE_ERROR, loc: ["query", "q"], msg, input: text.slice(0, INPUT_LENGTH) }]);
}
