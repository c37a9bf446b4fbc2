import { Buffer } from "node:buffer";
import { fitJson, DOCUMENT_LENGTH_MAX } from "./columns.ts";
import type { TrendingSlots, StoredWork } from "../documents/types.ts";
import { type ShelfCount, mapShelves } from "../../catalog/patrons/shelves.ts";
import { opennessOf } from "../documents/scans.ts";
import type { StoredWorkMembers } from "./work-rows.ts";
export interface WorkRow extends PackedDocument {
  readonly id: number;
}

export interface StoredWorkRow extends WorkRow, Readonly<Record<`${ShelfCount}_count`, number>> {
  readonly ratings: string | null;
  readonly trending_score_hourly_sum: number;
  readonly trending_z_score: number;
  readonly trending: string | null;
}

export function toStoredWork(members: StoredWorkMembers): StoredWork {
  // Counts and trends are not part of documents.
  return { ...members, ...opennessOf(members.ebook_access), type: "work" } as StoredWork;
}

/** Restores the work of a row with all its stored data. */
export async function restoreWork(row: StoredWorkRow): Promise<StoredWork> {
  return {
    ...toStoredWork(await unpackDocument(row)),
    counts: {
      // The columns hold values of `toWorkRows` and `readerValuesOf`.
      ratings: row.ratings === null ? [0, 0, 0, 0, 0] : (JSON.parse(row.ratings) as Ratings),
      ...mapShelves("member", ({ count }) => row[`${count}_count`]),
    },
    trending: {
      hourlySum: row.trending_score_hourly_sum,
      zScore: row.trending_z_score,
      slots: row.trending === null ? undefined : (JSON.parse(row.trending) as TrendingSlots),
    },
  };
}

type Ratings = StoredWork["counts"]["ratings"];

/** Document in the two columns of `work_document`. */
export interface PackedDocument {
  /** JSON; for a very large document only the part that fits. */
  readonly document: string;
  /** Base64 of the gzip of the whole document; null if `document` is complete. */
  readonly packed: string | null;
}

/** Maximum length of a packed document, in base64 characters. */
const PACKED_LENGTH_MAX = 1_800_000;

/**
 * Packs the members of a work. The document of a work with thousands of editions exceeds the size limit of D1 values.
 */
export async function packDocument(members: StoredWorkMembers): Promise<PackedDocument> {
  const json = JSON.stringify(members);
  if (json.length <= DOCUMENT_LENGTH_MAX) return { document: json, packed: null };
  const document = fitJson(members);
  let whole = json;
  let packed = await compress(whole);
  while (packed.length > PACKED_LENGTH_MAX) {
    whole = fitJson(members, Math.floor(whole.length / 2));
    packed = await compress(whole);
  }
  return { document, packed };
}

export async function unpackDocument({ document, packed }: PackedDocument): Promise<StoredWorkMembers> {
  const json = packed === null ? document : await decompress(packed);
  // The text was built, and possibly cut, by `packDocument`.
  return JSON.parse(json) as StoredWorkMembers;
}

async function compress(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return Buffer.from(await new Response(stream).arrayBuffer()).toString("base64");
}

async function decompress(base64: string): Promise<string> {
  const stream = new Blob([Buffer.from(base64, "base64")])
    .stream()
    .pipeThrough(new DecompressionStream("gzip"));
  return await new Response(stream).text();
}
