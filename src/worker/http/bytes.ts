import { joinedBytes } from "../../catalog/bytes.ts";
import { badData, tooLarge } from "./errors.ts";

/** How much of a body is read. */
interface Bound {
  /** In bytes. */
  readonly limit: number;
  /** True: what comes after `limit` is left out. Otherwise a body that has more is not taken. */
  readonly cut?: boolean;
}

/** The bytes of a body; undefined when there are more than `limit`, which are not read then. */
export async function boundedBytes(
  body: AsyncIterable<Uint8Array> | null,
  { limit, cut = false }: Bound,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop cancels the stream.
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    length += chunk.byteLength;
    if (cut && length >= limit) return joinedBytes(chunks, limit);
    if (length > limit) return undefined;
  }
  return joinedBytes(chunks, length);
}

/** Reads a request body as text, at most `limit` bytes of it; more is a 413. */
export async function bodyText(request: Request, limit: number): Promise<string> {
  const declared = Number(request.headers.get("Content-Length") ?? 0);
  if (declared > limit) throw tooLarge(limit);
  if (request.body === null) return "";
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = "";
  for await (const chunk of bodyChunks(request.body)) {
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
  const bytes = await boundedBytes(bodyChunks(request.body), { limit });
  if (bytes === undefined) throw tooLarge(limit);
  return bytes;
}

/** A request body piece by piece; one that breaks off, or is chunked wrongly, is a 400 and no failure (Q500). */
export async function* bodyChunks(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await chunks.next().catch(brokenOff);
      if (done === true) return;
      yield value;
    }
  } finally {
    // Who has read enough cancels the rest.
    await chunks.return?.().catch(() => {});
  }
}

function brokenOff(): never {
  throw badData("The request body broke off.");
}

/** Pieces of text as a body that is made as fast as it is read. */
export function textStream(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      // A stream stops when it is given nothing.
      for (;;) {
        const { value, done } = await pieces.next();
        if (done === true) return controller.close();
        if (value !== "") return controller.enqueue(encoder.encode(value));
      }
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}
