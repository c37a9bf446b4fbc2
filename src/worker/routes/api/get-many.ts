import * as z from "zod";
import { catalogReader } from "../../context.ts";
import { badData } from "../../errors.ts";
import { queryJson } from "../../records-query.ts";
import { recordsByKey } from "../../records-by-key.ts";
import { readHook } from "./hook.ts";

/** Keys in one request (records.md 13.1), and characters of the JSON text that holds them. */
export const GET_MANY_KEYS = 1000;
export const GET_MANY_TEXT_LENGTH = 65_536;

/** `GET /api/get_many`: records by their keys; missing ones are left out. */
export const getManyHook = readHook({
  name: "get_many",
  summary: "Records by their keys",
  query: { keys: z.string().optional().describe("JSON array of keys") },
  run: async ({ keys }, context) => recordsByKey(catalogReader(context), wantedKeys(keys)),
});

/** The keys in the JSON text of a `keys` parameter. */
export function wantedKeys(text: string | undefined): string[] {
  if (text === undefined) throw badData("Missing argument: 'keys'");
  const parsed = z.array(z.string()).max(GET_MANY_KEYS).safeParse(queryJson(text, GET_MANY_TEXT_LENGTH));
  if (!parsed.success) throw badData(`Bad keys: expected a JSON array of at most ${GET_MANY_KEYS} keys`);
  return parsed.data;
}
