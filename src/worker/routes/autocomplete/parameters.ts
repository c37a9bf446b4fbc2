import * as z from "zod";
import type { Completion, Document } from "../../../search/engine.ts";
import type { RequestContext } from "../../context.ts";
import { type Reply, json } from "../../reply.ts";
import { searchCacheControl } from "../../search/cache-control.ts";
import { engineOf } from "../../search/engine-of.ts";
import { guarded } from "../../search/guarded.ts";
import { lenientInteger } from "../../validation/parameters.ts";
import { AUTOCOMPLETE_LIMIT } from "../languages/autocomplete.ts";

/** Parameters of all autocomplete routes (lookup.md 10). */
export const completionParameters = {
  q: z.string().default("").describe("What was typed so far"),
  limit: lenientInteger(AUTOCOMPLETE_LIMIT.default, { min: 0, max: AUTOCOMPLETE_LIMIT.max }),
};

/** Documents by the beginning of their names. */
export function completed(
  completion: Omit<Completion, "filters"> & Pick<Partial<Completion>, "filters">,
  context: RequestContext,
): Promise<readonly Document[]> {
  return guarded(
    async () => (await engineOf(context)).complete({ filters: [], ...completion }),
    completion.text,
  );
}

/** The document of one key; undefined when the index has none yet. */
export async function indexed(key: string, context: RequestContext): Promise<Document | undefined> {
  const [document] = await guarded(async () => (await engineOf(context)).getMany([key]), key);
  return document;
}

/** The list of rows as it is answered. */
export function rowsReply(rows: readonly Document[], context: RequestContext): Reply {
  return json(rows, { cacheControl: searchCacheControl(context, { sort: [] }) });
}

/** Members of a document that have a value, in the order of the names. */
export function picked(document: Document, names: readonly string[]): Document {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = document[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Record number in a text, also in a URL and in any case; `letter` is that of the kind of record. */
export function olidIn(text: string, letter: "W" | "A" | "L", prefix: string): string | undefined {
  const expression = new RegExp(`(?<![a-z0-9])${prefix}(\\d{1,15})${letter}(?![a-z0-9])`, "i");
  const [, digits] = expression.exec(text) ?? [];
  return digits === undefined ? undefined : `${prefix}${digits}${letter}`;
}
