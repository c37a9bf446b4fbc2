/** Joins byte arrays, up to `length` bytes. */
export function joinedBytes(
  parts: readonly Uint8Array[],
  length = parts.reduce((sum, part) => sum + part.length, 0),
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let position = 0;
  for (const part of parts) {
    bytes.set(part.subarray(0, length - position), position);
    position += part.length;
  }
  return bytes;
}
