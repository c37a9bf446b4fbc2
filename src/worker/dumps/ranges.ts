import type { PlacedMember } from "../../db/dumps/read-files.ts";
import { DumpProblem } from "./step.ts";

/** Ranges of objects that are read side by side: an invocation of a worker may wait for six answers. */
const RANGES_AT_ONCE = 6;

/** Bytes of an object. */
export interface ObjectRange {
  readonly object: string;
  readonly offset: number;
  readonly length: number;
}

/** Where bytes of a file lie, in order. Ranges that follow one another in an object are one. */
export function joined(
  members: readonly PlacedMember[],
  { from, to }: { from: number; to: number },
): ObjectRange[] {
  const ranges: ObjectRange[] = [];
  for (const { object, place, bytes, offset } of members) {
    const start = Math.max(offset, from);
    const length = Math.min(offset + bytes, to) - start;
    const begin = place + start - offset;
    const last = ranges.at(-1);
    if (last?.object === object && last.offset + last.length === begin)
      ranges[ranges.length - 1] = { ...last, length: last.length + length };
    else ranges.push({ object, offset: begin, length });
  }
  return ranges;
}

/** The bytes of ranges, one after the other; a problem of the dump when they are not as many as they should be. */
export async function bytesOf(
  archive: R2Bucket,
  ranges: readonly ObjectRange[],
  size: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const found = ranges.reduce((sum, { length }) => sum + length, 0);
  if (found !== size) throw new DumpProblem(`${size - found} bytes of a file are missing.`);
  const whole = new Uint8Array(size);
  let at = 0;
  const placed = ranges.map((range) => ({ range, at: (at += range.length) - range.length }));
  const waiting = placed.values();
  const readers = Array.from({ length: RANGES_AT_ONCE }, async () => {
    for (const { range, at: place } of waiting) {
      const { object, offset, length } = range;
      const stored = await archive.get(object, { range: { offset, length } });
      if (stored === null) throw new DumpProblem(`${object} is gone.`);
      whole.set(new Uint8Array(await stored.arrayBuffer()), place);
    }
  });
  await Promise.all(readers);
  return whole;
}
