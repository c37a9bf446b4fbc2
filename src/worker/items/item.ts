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
