import { Buffer } from "node:buffer";
import { DOCUMENT_LENGTH_MAX, fittedJson } from "../../search/indexing/fitted-json.ts";
import type { StoredWorkMembers } from "../../search/indexing/work-rows.ts";

/** A document as the two columns of `work_document` hold it. */
export interface PackedDocument {
  /** JSON; of a very large document, what fits. */
  readonly document: string;
  /** Base64 of the gzip of the whole; null when `document` has all of it. */
  readonly packed: string | null;
}

/** Longest packed document, in characters of base64. */
const PACKED_LENGTH_MAX = 1_800_000;

/** Packs the members of a work: a work with thousands of editions does not fit into a value of D1. */
export async function packDocument(members: StoredWorkMembers): Promise<PackedDocument> {
  const json = JSON.stringify(members);
  if (json.length <= DOCUMENT_LENGTH_MAX) return { document: json, packed: null };
  const document = fittedJson(members);
  let whole = json;
  let packed = await compressed(whole);
  while (packed.length > PACKED_LENGTH_MAX) {
    whole = fittedJson(members, Math.floor(whole.length / 2));
    packed = await compressed(whole);
  }
  return { document, packed };
}

/** The members of a work as they were packed. */
export async function unpackDocument({ document, packed }: PackedDocument): Promise<StoredWorkMembers> {
  const json = packed === null ? document : await decompressed(packed);
  // The text is what `packDocument` made, or cut.
  return JSON.parse(json) as StoredWorkMembers;
}

async function compressed(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return Buffer.from(await new Response(stream).arrayBuffer()).toString("base64");
}

async function decompressed(base64: string): Promise<string> {
  const stream = new Blob([Buffer.from(base64, "base64")])
    .stream()
    .pipeThrough(new DecompressionStream("gzip"));
  return await new Response(stream).text();
}
