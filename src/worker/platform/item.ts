import { MIB } from "../../catalog/units.ts";
import * as z from "zod";
import { type CatalogRecord, tryParseJson } from "../../catalog/record.ts";
import { TextError } from "../../catalog/texts.ts";

export interface ItemDescription {
  /** Members as the archive sends them: texts, or lists of texts. */
  readonly metadata: CatalogRecord;
  readonly files: readonly string[];
}

export type ByteRange = { offset: number; length: number };

/**
 * Source of scanned items and their files. Missing items and files are undefined; `ItemsFailure` is thrown if the
 * source does not answer or is not configured.
 */
export interface ItemSource {
  metadata(id: string): Promise<ItemDescription | undefined>;
  file(id: string, name: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  range(id: string, name: string, part: ByteRange): Promise<Uint8Array<ArrayBuffer> | undefined>;
  cover(id: string): Promise<string | undefined>;
}

/** Error of an item source that does not answer; `isConfigured` is false if there is no source. */
export class ItemsFailure extends TextError {
  readonly isConfigured = this.text.key !== "archive.not_configured";
}

export const ITEM_METADATA_BYTES = 8 * MIB;
/** Largest file that is read whole, in bytes. */
export const ITEM_FILE_BYTES = 5 * MIB;

/** Description of an item by the archive, which sends `{}` for a missing item. */
const item = z.object({
  metadata: z.record(z.string(), z.json()).nullish(),
  files: z.array(z.looseObject({ name: z.string() })).catch([]),
});
const description = z.object({ metadata: z.record(z.string(), z.json()), files: z.array(z.string()) });

/** Reads the description of an item; undefined if there is none. Throws `ItemsFailure` if it is unreadable. */
export function readItem(bytes: Uint8Array, id: string): ItemDescription | undefined {
  const parsed = item.safeParse(tryParseJson(new TextDecoder().decode(bytes)));
  if (!parsed.success) throw new ItemsFailure("archive.unreadable", { id });
  const { metadata, files } = parsed.data;
  if (!metadata || Object.keys(metadata).length === 0) return undefined;
  // zod's JSON type and a record's values are the same set.
  return { metadata: metadata as CatalogRecord, files: files.map(({ name }) => name) };
}

export function readCachedItem(text: string): ItemDescription | undefined {
  const parsed = description.safeParse(tryParseJson(text));
  return parsed.success ? (parsed.data as ItemDescription) : undefined;
}
