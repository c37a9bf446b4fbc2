import * as z from "zod";
import type { Json } from "../../../catalog/record.ts";

export const username = z.string().describe("Username of the patron");
export const slug = z.string().describe("Anything: the readable part of the address");
export const listId = z.string().describe("Number of the list, such as OL1L");

/** A seed in any form; a value that is neither text nor object fails as both (patrons.md 0.2). */
const textOrObject = z.unknown().superRefine((value, context) => {
  if (typeof value === "string" || isDictionary(value)) return;
  const refuse = (branch: string, type: string, message: string): void =>
    void context.issues.push({ code: "custom", input: value, path: [branch], params: { type }, message });
  refuse("dict[str,any]", "dict_type", "Input should be a valid dictionary");
  refuse("str", "string_type", "Input should be a valid string");
});

function isDictionary(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Seeds of a new list. */
export const typedSeeds = z.array(textOrObject);
/** Seeds in any form; what is none is refused by its own words (patrons.md 14.7). */
export const anySeeds = z.array(z.unknown());

/** Elements of a JSON body. */
export function asJson(values: readonly unknown[]): Json[] {
  // What was parsed from JSON is JSON.
  return values as Json[];
}

/** What a change of seeds answers. */
export const seedsSaved = z.object({ key: z.string(), revision: z.int() });
