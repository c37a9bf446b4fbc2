import { joinBytes } from "../../catalog/bytes.ts";
import { bodyBytes } from "../http/bytes.ts";
import { tooLarge } from "../http/errors.ts";
import { formType } from "../http/request-body.ts";

/** Maximum bytes of a form besides its image. */
export const UPLOAD_FORM_BYTES = 65_536;

/** Bytes of a form from which its content type is detected. */
const START_BYTES = 256;

/** Reads a form of either content type; an unreadable form has no fields. Throws 413. */
export async function readFormData(request: Request, limit: number): Promise<FormData> {
  const bytes = await bodyBytes(request, limit);
  const type = formType(request, new TextDecoder("latin1").decode(bytes.subarray(0, START_BYTES)));
  try {
    const form = await new Response(bytes, { headers: { "Content-Type": type } }).formData();
    // Q524: clients may send the address as a file.
    const url = form.get("url");
    if (url instanceof File) form.set("url", await url.text());
    return form;
  } catch (error) {
    if (error instanceof TypeError) return new FormData();
    throw error;
  }
}

const URL_PLACEHOLDERS: ReadonlySet<string> = new Set(["http://", "https://"]);

export function formUrl(form: FormData): string {
  const url = formText(form, "url");
  return URL_PLACEHOLDERS.has(url) ? "" : url;
}

export function formText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
}

const [PERCENT, AMPERSAND, EQUALS, PLUS, BLANK] = [0x25, 0x26, 0x3d, 0x2b, 0x20];
export const BYTE_FIELDS_MAX = 100;

/**
 * Reads the fields of a urlencoded form as bytes, the last one of each name: clients send images this way
 * (`requests.post(data=…)`), and their bytes are not text. Decodes the chunks as they arrive, because the encoding can
 * triple the size. `limit` is that of the body, in bytes; throws 413 beyond it.
 */
export async function readByteFields(
  body: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>>> {
  const reader = new FieldReader();
  let rest = new Uint8Array();
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > limit) throw tooLarge(limit);
    const bytes = joinBytes([rest, chunk]);
    // An escape has three bytes, and a chunk may end within one.
    const cut = bytes.subarray(-2).indexOf(PERCENT);
    const end = cut < 0 ? bytes.length : Math.max(0, bytes.length - 2) + cut;
    reader.read(bytes.subarray(0, end));
    rest = bytes.slice(end);
  }
  reader.read(rest);
  return reader.end();
}

/** Parses a form piece by piece; no piece ends within an escape. */
class FieldReader {
  readonly #fields = new Map<string, Uint8Array<ArrayBuffer>>();
  #count = 0;
  #name: string | undefined;
  #parts: Uint8Array[] = [];

  read(bytes: Uint8Array): void {
    let start = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const isNameEnd = bytes[at] === EQUALS && this.#name === undefined;
      if (bytes[at] !== AMPERSAND && !isNameEnd) continue;
      this.#parts.push(unescape(bytes.subarray(start, at)));
      // Within a value, `=` is an ordinary character.
      if (isNameEnd) {
        this.#name = new TextDecoder().decode(joinBytes(this.#parts));
        this.#parts = [];
      } else this.#endField();
      start = at + 1;
    }
    this.#parts.push(unescape(bytes.subarray(start)));
  }

  end(): ReadonlyMap<string, Uint8Array<ArrayBuffer>> {
    this.#endField();
    return this.#fields;
  }

  #endField(): void {
    const value = joinBytes(this.#parts);
    const name = this.#name ?? new TextDecoder().decode(value);
    this.#count += 1;
    if (this.#count <= BYTE_FIELDS_MAX) {
      this.#fields.set(name, this.#name === undefined ? new Uint8Array() : value);
    }
    this.#name = undefined;
    this.#parts = [];
  }
}

function unescape(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    const high = byte === PERCENT ? hexDigit(bytes[at + 1]) : undefined;
    const low = high === undefined ? undefined : hexDigit(bytes[at + 2]);
    if (high === undefined || low === undefined) out[length] = byte === PLUS ? BLANK : byte;
    else {
      out[length] = high * 16 + low;
      at += 2;
    }
    length += 1;
  }
  return out.slice(0, length);
}

function hexDigit(byte = 0): number | undefined {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : undefined;
}
