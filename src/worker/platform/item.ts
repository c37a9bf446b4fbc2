import { parsedJson } from "../../catalog/parsed-json.ts";
import * as z from "zod";
import type { CatalogRecord } from "../../catalog/record.ts";

/** What is known of a scanned item. */
export interface ItemDescription {
  /** Members as the archive tells them: texts, or lists of texts. */
  readonly metadata: CatalogRecord;
  /** Names of the item's files. */
  readonly files: readonly string[];
}

/** A part of a file, in bytes. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/**
 * Where scanned items are described and their files lie. What does not exist is undefined; `ItemsFailure` says that the
 * place where it would be does not answer, or is not configured.
 */
export interface ItemSource {
  metadata(id: string): Promise<ItemDescription | undefined>;
  /** A whole file of a record's size. */
  file(id: string, name: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** A part of a file of any size; shorter where the file ends. */
  range(id: string, name: string, part: ByteRange): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Address of an image of the item's cover. */
  cover(id: string): Promise<string | undefined>;
}

/** The source of items does not answer; `isConfigured` is false when there is none. */
export class ItemsFailure extends Error {
  readonly isConfigured: boolean;

  constructor(message: string, isConfigured = true) {
    super(message);
    this.name = "ItemsFailure";
    this.isConfigured = isConfigured;
  }
}

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
  const parsed = item.safeParse(parsedJson(new TextDecoder().decode(bytes)));
  if (!parsed.success) throw new ItemsFailure(`the description of ${id} cannot be read`);
  const { metadata, files } = parsed.data;
  if (!metadata || Object.keys(metadata).length === 0) return undefined;
  // What zod calls JSON is what records are made of.
  return { metadata: metadata as CatalogRecord, files: files.map(({ name }) => name) };
}

/** The same out of a cache; undefined when it is not what was put there. */
export function readKeptItem(text: string): ItemDescription | undefined {
  const parsed = description.safeParse(parsedJson(text));
  return parsed.success ? (parsed.data as ItemDescription) : undefined;
}
