import { describe, expect, it } from "vitest";
import { MARC_LENGTH_MAX } from "../../../../src/import/marc/record.ts";
import { type RecordPiece, splitMarcRecords } from "../../../../src/import/marc/stream.ts";
import { bytewise, joined, marcBytes } from "../../../support/marc/build-marc.ts";

const RECORDS = ["One", "Two, a longer one", "Three"].map((title) =>
  marcBytes({ fields: [`245 10‡a${title}`] }),
);
const [ONE, TWO, THREE] = RECORDS.map((bytes) => String.fromCharCode(...bytes));

async function* chunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function pieces(text: string, size = 10): Promise<[offset: number, length: number, text: string][]> {
  const found: RecordPiece[] = await Array.fromAsync(splitMarcRecords(chunks(bytewise(text), size)));
  return found.map(({ offset, length, bytes }) => [offset, length, String.fromCharCode(...bytes)]);
}

/** Returns the positions of consecutive texts. */
function placed(texts: readonly string[]): [number, number, string][] {
  let at = 0;
  return texts.map((text) => {
    at += text.length;
    return [at - text.length, text.length, text];
  });
}

describe("splitMarcRecords", () => {
  it.each([1, 7, 100, 10_000])("cuts sound records out of chunks of %i bytes", async (size) => {
    expect(await pieces(`${ONE}${TWO}${THREE}`, size)).toEqual(placed([`${ONE}`, `${TWO}`, `${THREE}`]));
  });

  it("cuts at the terminator if a length is wrong, and recovers at the next record", async () => {
    for (const length of ["00001", "00030", "99999", "abcde", "     "]) {
      const wrong = length + `${TWO}`.slice(5);
      expect(await pieces(`${ONE}${wrong}${THREE}`)).toEqual(placed([`${ONE}`, wrong, `${THREE}`]));
    }
  });

  it("begins a record where the one before ends without a terminator", async () => {
    const open = `${TWO}`.slice(0, -1);
    const shorter = String(open.length).padStart(5, "0") + open.slice(5);
    for (const size of [1, 10_000]) {
      expect(await pieces(`${ONE}${open}${THREE}`, size)).toEqual(placed([`${ONE}`, open, `${THREE}`]));
      expect(await pieces(`${shorter}${THREE}`, size)).toEqual(placed([shorter, `${THREE}`]));
      expect(await pieces(`${ONE}${open}`, size)).toEqual(placed([`${ONE}`, open]));
    }
  });

  it("trusts a length that ends on a terminator after an earlier one", async () => {
    const inside = `${TWO}`.replace(",", "\u001D");
    expect(await pieces(`${ONE}${inside}${THREE}`)).toEqual(placed([`${ONE}`, inside, `${THREE}`]));
  });

  it("skips line ends and padding between records", async () => {
    expect(await pieces(`\n${ONE}\r\n${THREE}\u0000\u001A   \n`)).toEqual([
      [1, `${ONE}`.length, ONE],
      [`${ONE}`.length + 3, `${THREE}`.length, THREE],
    ]);
  });

  it("returns the rest at the end", async () => {
    const half = `${TWO}`.slice(0, 40);
    expect(await pieces(ONE + half)).toEqual(placed([`${ONE}`, half]));
    expect(await pieces(`${ONE}12`)).toEqual(placed([`${ONE}`, "12"]));
    expect(await pieces("")).toEqual([]);
  });

  it("returns the start and whole length of a record that is too long", async () => {
    const long = `${"x".repeat(3 * MARC_LENGTH_MAX)}\u001D`;
    const found = await pieces(`${ONE}${long}${THREE}`, 30_000);
    expect(found.map(([offset, length, { length: kept }]) => [offset, length, kept])).toEqual([
      [0, `${ONE}`.length, `${ONE}`.length],
      [`${ONE}`.length, long.length, MARC_LENGTH_MAX + 1],
      [`${ONE}`.length + long.length, `${THREE}`.length, `${THREE}`.length],
    ]);
    const atEnd = await pieces(long.slice(0, -1), 30_000);
    expect(atEnd.map(([offset, length]) => [offset, length])).toEqual([[0, long.length - 1]]);
  });

  it("goes on at an offset", async () => {
    const file = joined(RECORDS);
    const start = `${ONE}`.length;
    const found = await Array.fromAsync(splitMarcRecords(chunks(file.subarray(start), 9), { offset: start }));
    expect(found.map(({ offset }) => offset)).toEqual([start, start + `${TWO}`.length]);
  });
});
