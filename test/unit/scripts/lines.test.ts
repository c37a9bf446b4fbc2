import { mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { LINE_BYTES, openDump, splitLines } from "../../../scripts/lib/lines.ts";

async function linesOf(...chunks: (string | Buffer)[]): Promise<[number, string | undefined][]> {
  async function* stream() {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  const lines: [number, string | undefined][] = [];
  for await (const { number, text } of splitLines(stream())) lines.push([number, text?.toString()]);
  return lines;
}

describe("splitLines", () => {
  it("finds lines across chunks", async () => {
    expect(await linesOf("a", "b\nc", "\n", "d")).toEqual([
      [1, "ab"],
      [2, "c"],
      [3, "d"],
    ]);
  });

  it("counts empty lines and omits them", async () => {
    expect(await linesOf("a\n\n\nb\n")).toEqual([
      [1, "a"],
      [4, "b"],
    ]);
  });

  it("keeps letters across chunks whole", async () => {
    const bytes = Buffer.from("é\n");
    expect(await linesOf(bytes.subarray(0, 1), bytes.subarray(1))).toEqual([[1, "é"]]);
  });

  it("reports a line that is too long, and continues", async () => {
    const long = Array.from({ length: 5 }, () => Buffer.alloc(LINE_BYTES / 4, "x"));
    expect(await linesOf("a\n", ...long, "\nb")).toEqual([
      [1, "a"],
      [2, undefined],
      [3, "b"],
    ]);
  });

  it("finds no lines in an empty file", async () => expect(await linesOf()).toEqual([]));
});

describe("openDump", () => {
  const packed = gzipSync(Array.from({ length: 20_000 }, (_, index) => `line ${index + 1}\n`).join(""));
  const damaged = Buffer.concat([packed.subarray(0, packed.length - 4000), Buffer.alloc(4000, 0xff)]);

  it.each([
    ["cut", packed.subarray(0, packed.length - 2000)],
    ["damaged", damaged],
    ["empty", Buffer.alloc(0)],
  ])("reads a %s file up to its last whole line, and names both", async (kind, bytes) => {
    const file = path.join(mkdtempSync(path.join(os.tmpdir(), "carrel-lines-test-")), `${kind}.gz`);
    writeFileSync(file, bytes);
    const dump = openDump(file);
    let last = 0;
    for await (const { number } of dump.lines) last = number;
    expect(last > 0).toBe(kind !== "empty");
    expect(dump.problem).toMatch(`${file} is damaged after line ${last}: `);
  });
});
