import { Buffer } from "node:buffer";
import { DOCUMENT_LENGTH_MAX, fittedJson } from "../../search/indexing/columns.ts";
import type { StoredWorkMembers } from "../../search/indexing/work-rows.ts";

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
  const document = fittedJson(members);
  let whole = json;
  let packed = await compressed(whole);
  while (packed.length > PACKED_LENGTH_MAX) {
    whole = fittedJson(members, Math.floor(whole.length / 2));
    packed = await compressed(whole);
  }
  return { document, packed };
}

/** Unpacks the members of a work. */
export async function unpackDocument({ document, packed }: PackedDocument): Promise<StoredWorkMembers> {
  const json = packed === null ? document : await decompressed(packed);
  // The text was built, and possibly cut, by `packDocument`.
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
