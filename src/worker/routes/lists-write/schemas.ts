import * as z from "zod";
import type { ListType } from "../../../catalog/lists/list-form.ts";
import type { Json } from "../../../catalog/record.ts";
import type { ListFolder } from "../../lists/list-path.ts";

export const username = z.string().describe("Username of the patron");
export const slug = z.string().describe("Anything: the readable part of the address");
export const listId = z.string().describe("Number of the list, such as OL1L");

/** The parameters in the path of a list's form. */
export function formPath(folder: ListFolder, hasSlug: boolean): Record<string, z.ZodString> {
  return {
    ...(folder === "people" ? { username } : {}),
    list_id: listId,
    ...(hasSlug ? { slug } : {}),
  };
}

/** What lies in a folder of lists or series. */
export function typeIn(folder: ListFolder): ListType {
  return folder === "series" ? "/type/series" : "/type/list";
}

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
