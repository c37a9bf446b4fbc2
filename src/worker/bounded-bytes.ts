/** How much of a body is read. */
export interface Bound {
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
    if (cut && length >= limit) return joined(chunks, limit);
    if (length > limit) return undefined;
  }
  return joined(chunks, length);
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let position = 0;
  for (const chunk of chunks) {
    bytes.set(chunk.subarray(0, length - position), position);
    position += chunk.byteLength;
  }
  return bytes;
}
