import { boundedBytes } from "./bounded-bytes.ts";
import { tooLarge } from "./errors.ts";

/** Reads a request body as text, at most `limit` bytes of it; more is a 413. */
export async function bodyText(request: Request, limit: number): Promise<string> {
  const declared = Number(request.headers.get("Content-Length") ?? 0);
  if (declared > limit) throw tooLarge(limit);
  if (request.body === null) return "";
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = "";
  for await (const chunk of request.body) {
    bytes += chunk.byteLength;
    if (bytes > limit) throw tooLarge(limit);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Reads a request body as it is, at most `limit` bytes of it; more is a 413. */
export async function bodyBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const declared = Number(request.headers.get("Content-Length") ?? 0);
  if (declared > limit) throw tooLarge(limit);
  const bytes = await boundedBytes(request.body, { limit });
  if (bytes === undefined) throw tooLarge(limit);
  return bytes;
}
