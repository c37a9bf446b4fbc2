import * as z from "zod";
import { type RecordPart, PARTS } from "../../catalog/lookup/expand.ts";
import { splitBibKeys } from "../../catalog/lookup/bibkey.ts";

/** Parameter of answers that show records, or only name them (Q810). */
export const expandParameter = {
  expand: z
    .array(z.string())
    .default([])
    .transform(splitBibKeys)
    .pipe(z.array(z.enum(PARTS)))
    .describe(`Comma-separated parts to put into the answer: ${PARTS.join(", ")}`),
};

export const partParameters = {
  ...expandParameter,
  fields: z
    .array(z.string())
    .default([])
    .transform(splitBibKeys)
    .pipe(z.array(z.string()))
    .describe("Comma-separated members to show, such as `title,covers`; the key always is"),
};

export interface PartSelection {
  readonly expand?: readonly RecordPart[];
  readonly fields?: readonly string[];
}

export function hasParts({ expand = [], fields = [] }: PartSelection): boolean {
  return expand.length + fields.length > 0;
}
