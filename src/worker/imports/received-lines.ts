import { bodyText } from "../http/bytes.ts";
import { badData, tooLarge } from "../http/errors.ts";

/** Largest batch that is uploaded by a form, in bytes. */
export const BATCH_BYTES = 10 * 1024 * 1024;
/** What the form puts around it, at most, in bytes. */
const AROUND_BYTES = 64 * 1024;
/** How much longer text becomes in a urlencoded form, at most. */
const ENCODED = 3;

/**
 * The bytes that a form brings: those of the file, else of the text (import.md 7); undefined when it brings neither. Throws
 * 413 beyond `BATCH_BYTES`.
 */
export async function receivedLines(request: Request): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const type = (request.headers.get("Content-Type") ?? "").toLowerCase();
  const bytes = type.startsWith("multipart/form-data") ? await fromParts(request) : await fromFields(request);
  if (bytes !== undefined && bytes.byteLength > BATCH_BYTES) throw tooLarge(BATCH_BYTES);
  return bytes;
}

async function fromParts(request: Request): Promise<Uint8Array<ArrayBuffer> | undefined> {
  // Without a declared length the runtime would read without end.
  const declared = request.headers.get("Content-Length");
  if (declared === null) throw badData("The request has no Content-Length.");
  if (Number(declared) > BATCH_BYTES + AROUND_BYTES) throw tooLarge(BATCH_BYTES);
  const form = await request.formData().catch(() => new FormData());
  for (const name of ["batchImportFile", "batchImportText"]) {
    const value = form.get(name);
    if (value === null) continue;
    const bytes = typeof value === "string" ? encoded(value) : new Uint8Array(await value.arrayBuffer());
    // A form in which no file was chosen has an empty one.
    if (bytes.byteLength > 0) return bytes;
  }
  return undefined;
}

async function fromFields(request: Request): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const text = await bodyText(request, BATCH_BYTES * ENCODED + AROUND_BYTES);
  const fields = new URLSearchParams(text);
  const value = ["batchImportFile", "batchImportText"].map((name) => fields.get(name)).find(Boolean);
  return typeof value === "string" ? encoded(value) : undefined;
}

function encoded(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(text));
}
