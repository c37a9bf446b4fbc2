/** Part of a file: first byte, and how many. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

const SINGLE = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i;

/**
 * What a `Range` header asks for of so many bytes: a part of them, "unsatisfiable" when it lies beyond them, or undefined:
 * everything, as for several parts or what is no range (RFC 9110, 14.2).
 */
export function byteRange(header: string | null, size: number): ByteRange | "unsatisfiable" | undefined {
  const [, first, last] = SINGLE.exec(header ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return undefined;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { offset: size - length, length };
  }
  const offset = Number(first);
  const end = last === "" ? size - 1 : Number(last);
  if (end < offset && last !== "") return undefined;
  return offset >= size ? "unsatisfiable" : { offset, length: Math.min(end, size - 1) - offset + 1 };
}
