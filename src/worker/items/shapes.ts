import * as z from "zod";
import type { CatalogRecord } from "../../catalog/record.ts";
import { ItemsFailure, type ItemDescription } from "./item.ts";

/** Largest description of an item, in bytes: it names all its files. */
export const ITEM_METADATA_BYTES = 8 * 1024 * 1024;
/** Largest file that is read as a whole, in bytes. */
export const ITEM_FILE_BYTES = 5 * 1024 * 1024;

/** An item as the archive describes it. Of one that does not exist it says `{}`. */
const item = z.object({
  metadata: z.record(z.string(), z.json()).nullish(),
  files: z.array(z.looseObject({ name: z.string() })).catch([]),
});
const description = z.object({
  metadata: z.record(z.string(), z.json()),
  files: z.array(z.string()),
});

/** Reads the archive's description of an item; undefined where it says that there is none. */
export function readItem(bytes: Uint8Array, id: string): ItemDescription | undefined {
  const parsed = item.safeParse(jsonOf(bytes));
  if (!parsed.success) throw new ItemsFailure(`the description of ${id} cannot be read`);
  const { metadata, files } = parsed.data;
  if (!metadata || Object.keys(metadata).length === 0) return undefined;
  // What zod calls JSON is what records are made of.
  return { metadata: metadata as CatalogRecord, files: files.map(({ name }) => name) };
}

/** The same out of a cache; undefined when it is not what was put there. */
export function readKeptItem(text: string): ItemDescription | undefined {
  const parsed = description.safeParse(jsonOf(new TextEncoder().encode(text)));
  return parsed.success ? (parsed.data as ItemDescription) : undefined;
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
