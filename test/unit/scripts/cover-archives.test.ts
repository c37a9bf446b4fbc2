// Covers as the archives that other services read, with a service that is a function.
import { mkdtemp, readFile, readdir } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { crc32 } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { exportCovers } from "../../../scripts/lib/cover-archives.ts";
import { StoredZip } from "../../../scripts/lib/stored-zip.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "carrel-covers-"));
});

/** Members of a ZIP file as its directory tells them, read without the code under test. */
async function members(file: string): Promise<Record<string, string>> {
  const bytes = await readFile(file);
  let end = bytes.length - 22;
  let [count, start] = [bytes.readUInt16LE(end + 10), bytes.readUInt32LE(end + 16)];
  if (start === 0xffffffff) {
    expect(bytes.readUInt32LE(end - 20)).toBe(0x07064b50);
    end = Number(bytes.readBigUInt64LE(end - 12));
    expect(bytes.readUInt32LE(end)).toBe(0x06064b50);
    [count, start] = [Number(bytes.readBigUInt64LE(end + 32)), Number(bytes.readBigUInt64LE(end + 48))];
  }
  const found: Record<string, string> = {};
  for (let at = start; count > 0; count -= 1) {
    expect(bytes.readUInt32LE(at)).toBe(0x02014b50);
    const [size, name, extra] = [
      bytes.readUInt32LE(at + 24),
      bytes.readUInt16LE(at + 28),
      bytes.readUInt16LE(at + 30),
    ];
    const far = bytes.readUInt32LE(at + 42) === 0xffffffff;
    const offset = far ? Number(bytes.readBigUInt64LE(at + 46 + name + 4)) : bytes.readUInt32LE(at + 42);
    expect(bytes.readUInt32LE(offset)).toBe(0x04034b50);
    const data = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
    const contents = bytes.subarray(data, data + size);
    expect(bytes.readUInt32LE(at + 16)).toBe(crc32(contents));
    found[bytes.toString("utf8", at + 46, at + 46 + name)] = contents.toString();
    at += 46 + name + extra;
  }
  return found;
}

describe("StoredZip", () => {
  it.each([[undefined], [20]])("is a valid ZIP file, also with large numbers (%s)", async (fieldMax) => {
    const file = path.join(folder, `deep/${fieldMax}.zip`);
    const zip = await StoredZip.create(file, fieldMax === undefined ? {} : { fieldMax });
    await zip.add("a.jpg", Buffer.from("one"));
    await zip.add("ü.jpg", Buffer.from("two"));
    await zip.add("empty", Buffer.alloc(0));
    expect(await readdir(path.dirname(file))).toContain(`${fieldMax}.zip.part`);
    await zip.close();
    expect(await members(file)).toEqual({ "a.jpg": "one", "ü.jpg": "two", empty: "" });
    expect(await readdir(path.dirname(file))).not.toContain(`${fieldMax}.zip.part`);
  });
});

describe("exportCovers", () => {
  const ids = [100000001, 100000002, 100009999, 100010000];
  const missing = new Set(["/b/id/100000002.jpg", "/b/id/100000002-S.jpg"]);
  let failures = 1;
  const service = async (input: unknown, init?: RequestInit): Promise<Response> => {
    const { pathname, searchParams } = new URL(String(input));
    if (pathname === "/system/covers.json") {
      expect(new Headers(init?.headers).get("Authorization")).toBe("Bearer token");
      const after = Number(searchParams.get("after"));
      const covers = ids.filter((id) => id > after).slice(0, 2);
      const next = covers.length < 2 ? null : (covers.at(-1) ?? null);
      return Response.json({ covers: covers.map((id) => ({ id })), next });
    }
    if (failures > 0) return new Response("busy", { status: (failures -= 1) === 0 ? 429 : 503 });
    if (missing.has(pathname)) return new Response(null, { status: 404 });
    return new Response(pathname);
  };
  const target = {
    url: "http://carrel.test",
    token: "token",
    fetch: service as typeof fetch,
    sleep: async () => undefined,
  };

  it("writes a file for each ten thousand covers and size", async () => {
    const to = path.join(folder, "all");
    const totals = await exportCovers(target, { to, after: 0, onCover: () => undefined });
    expect(totals).toEqual({ covers: 4, images: 14, files: 8 });
    expect((await readdir(to)).toSorted()).toEqual([
      "covers_0100",
      "l_covers_0100",
      "m_covers_0100",
      "s_covers_0100",
    ]);
    expect(await members(path.join(to, "covers_0100/covers_0100_00.zip"))).toEqual({
      "0100000001.jpg": "/b/id/100000001.jpg",
      "0100009999.jpg": "/b/id/100009999.jpg",
    });
    expect(Object.keys(await members(path.join(to, "l_covers_0100/l_covers_0100_00.zip")))).toEqual([
      "0100000001-L.jpg",
      "0100000002-L.jpg",
      "0100009999-L.jpg",
    ]);
    expect(await members(path.join(to, "s_covers_0100/s_covers_0100_01.zip"))).toEqual({
      "0100010000-S.jpg": "/b/id/100010000-S.jpg",
    });
  });

  it("starts at the given number, with the same result every time", async () => {
    const to = path.join(folder, "some");
    const file = path.join(to, "covers_0100/covers_0100_01.zip");
    await exportCovers(target, { to, after: 100009999, onCover: () => undefined });
    expect(await readdir(path.join(to, "covers_0100"))).toEqual(["covers_0100_01.zip"]);
    const first = await readFile(file);
    await exportCovers(target, { to, after: 100009999, onCover: () => undefined });
    expect(await readFile(file)).toEqual(first);
  });
});
