import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { download, published } from "../../../scripts/lib/dump-client.ts";

const BYTES = gzipSync("one\ntwo\nthree\n");
const FILE = {
  name: "ol_dump_2026-11-01.txt.gz",
  bytes: BYTES.length,
  lines: 3,
  sha256: createHash("sha256").update(BYTES).digest("hex"),
};

async function brokenOff(): Promise<Error> {
  await new Promise((resolve) => setTimeout(resolve, 20));
  return new Error("broken off");
}

/** A service that sends a file in parts, and breaks off after so many bytes. */
function service({ breaksAfter = Number.POSITIVE_INFINITY, bytes = BYTES as Uint8Array<ArrayBuffer> } = {}) {
  const ranges: (string | null)[] = [];
  const send: typeof fetch = async (_url, init) => {
    const headers = new Headers(init?.headers);
    const range = headers.get("Range");
    ranges.push(range);
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
    const part = bytes.slice(from, from + breaksAfter);
    let isSent = false;
    const body = new ReadableStream({
      async pull(controller) {
        if (!isSent) controller.enqueue(part);
        // `brokenOff` waits until the part has arrived.
        else if (from + part.length < bytes.length) controller.error(await brokenOff());
        else controller.close();
        isSent = true;
      },
    });
    return new Response(body, { status: range === null ? 200 : 206 });
  };
  return {
    ranges,
    target: { url: "http://nowhere.test", token: "none", fetch: send, sleep: async () => undefined },
  };
}

const folder = (): string => mkdtempSync(path.join(tmpdir(), "carrel-dumps-"));

describe("a downloaded file", () => {
  it("is checked, and not downloaded again", async () => {
    const { ranges, target } = service();
    const to = folder();
    const place = await download(FILE, to, target);
    expect(readFileSync(place)).toEqual(BYTES);
    await download(FILE, to, target);
    expect(ranges).toEqual([null]);
    expect(existsSync(`${place}.part`)).toBe(false);
  });

  it("is continued after an interruption", async () => {
    const { ranges, target } = service();
    const to = folder();
    writeFileSync(path.join(to, `${FILE.name}.part`), BYTES.subarray(0, 10));
    expect(readFileSync(await download(FILE, to, target))).toEqual(BYTES);
    expect(ranges).toEqual(["bytes=10-"]);
  });

  it("is continued until it is complete", async () => {
    const { ranges, target } = service({ breaksAfter: Math.ceil(BYTES.length / 2) });
    expect(readFileSync(await download(FILE, folder(), target))).toEqual(BYTES);
    expect(ranges.length).toBeGreaterThanOrEqual(2);
  });

  it.each([
    ["other bytes", new Uint8Array(BYTES).fill(0), FILE],
    ["another number of lines", new Uint8Array(BYTES), { ...FILE, lines: 4 }],
  ])("is abandoned if it has %s than the service says", async (_what, bytes, file) => {
    const to = folder();
    await expect(download(file, to, service({ bytes }).target)).rejects.toThrow(/not what the service says/);
    expect(existsSync(path.join(to, file.name))).toBe(false);
    expect(existsSync(path.join(to, `${file.name}.part`))).toBe(false);
  });
});

describe("a dump in progress", () => {
  const dump = {
    id: 3,
    kind: "full" as const,
    date: "2026-11-01",
    state: "open",
    stage: "records",
    step: 1,
    failures: 0,
  };
  const answering = (state: string) => ({
    url: "http://nowhere.test",
    token: "none",
    fetch: (async () => Response.json({ dumps: [{ ...dump, state, problem: "no room" }] })) as typeof fetch,
  });

  it("is there, has failed, or is gone", async () => {
    const wanted = { ...dump, problem: null };
    await expect(published(wanted, answering("published"), () => undefined)).resolves.toBeUndefined();
    await expect(published(wanted, answering("failed"), () => undefined)).rejects.toThrow(
      /has failed: no room/,
    );
    const other = { ...wanted, id: 4 };
    await expect(published(other, answering("open"), () => undefined)).rejects.toThrow(/is gone/);
  });
});
