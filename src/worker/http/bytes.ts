import { AsyncLocalStorage } from "node:async_hooks";
import { joinBytes, toWellFormedJson } from "../../catalog/bytes.ts";
import { takeBodyRoom } from "./body-room.ts";
import { tooLarge } from "./errors.ts";
import { isJsonType } from "./reply.ts";
import { failure } from "./failure.ts";

/** Reads at most `limit` bytes of a body. Returns a longer one cut with `cut`, else undefined. */
export async function boundedBytes(
  body: AsyncIterable<Uint8Array> | null,
  { limit, cut = false }: { limit: number; cut?: boolean },
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop cancels the stream.
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    length += chunk.byteLength;
    if (cut && length >= limit) return joinBytes(chunks, limit);
    if (length > limit) return undefined;
  }
  return joinBytes(chunks, length);
}

/** Reads a request body as text. Throws 413 if it has more than `limit` bytes. */
export async function bodyText(request: Request, limit: number): Promise<string> {
  const declared = Number(request.headers.get("Content-Length") ?? 0);
  if (declared > limit) throw tooLarge(limit);
  if (request.body === null) return "";
  await takeBodyRoom(request, limit);
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

/** Reads a request body as bytes. Throws 413 if it has more than `limit`. */
export async function bodyBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const declared = Number(request.headers.get("Content-Length") ?? 0);
  if (declared > limit) throw tooLarge(limit);
  await takeBodyRoom(request, limit);
  const bytes = await boundedBytes(bodyChunks(request.body), { limit });
  if (bytes === undefined) throw tooLarge(limit);
  return bytes;
}

/** Reads a request body chunk by chunk. Throws 400, not 500, if it breaks off (Q500). */
export async function* bodyChunks(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await chunks.next().catch(() => {
        throw failure("bad_data.body_cut");
      });
      if (done === true) return;
      yield value;
    }
  } finally {
    // A consumer that has read enough cancels the rest.
    await chunks.return?.().catch(() => {});
  }
}

/**
 * Returns a body that produces each piece of its text when the client has taken the one before. No piece may end within
 * an escape.
 */
export function textStream(pieces: AsyncGenerator<string>, contentType?: string): ReadableStream<Uint8Array> {
  const isJson = isJsonType(contentType);
  const encoder = new TextEncoder();
  // Pieces that are made later belong to the same client.
  const next = AsyncLocalStorage.bind(() => pieces.next());
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // A stream stops when a pull enqueues nothing.
        for (;;) {
          const { value, done } = await next();
          if (done === true) return controller.close();
          if (value !== "")
            return controller.enqueue(encoder.encode(isJson ? toWellFormedJson(value) : value));
        }
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
