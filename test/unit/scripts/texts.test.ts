import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { bookText, itemOfFile, putText } from "../../../scripts/lib/texts.ts";

const folder = mkdtempSync(path.join(tmpdir(), "carrel-texts-"));
function file(name: string, content: string | Buffer): string {
  writeFileSync(path.join(folder, name), content);
  return path.join(folder, name);
}

describe("bookText", () => {
  it("reads one file unchanged, plain or compressed", async () => {
    expect(await bookText([file("one.txt", "a\fb")])).toBe("a\fb");
    expect(await bookText([file("one.txt.gz", gzipSync("Łódź\fb"))])).toBe("Łódź\fb");
  });

  it("makes a page of each of several files", async () => {
    expect(await bookText([file("1.txt", "a\f"), file("2.txt", "b")])).toBe("a\n\fb");
  });

  it("refuses text other than UTF-8", async () => {
    await expect(bookText([file("bad.txt", Buffer.from([0xe9, 0x20]))])).rejects.toThrow("not UTF-8");
  });
});

describe("itemOfFile", () => {
  it.each([
    ["a/prideprejudice00aust_djvu.txt.gz", "prideprejudice00aust"],
    ["item.v1.txt", "item.v1"],
    ["plain", "plain"],
  ])("%s", (name, item) => expect(itemOfFile(name)).toBe(item));
});

describe("putText", () => {
  it("sends the text with its metadata, and retries a 503", async () => {
    const calls: string[] = [];
    const fetch = async (url: string | URL | Request) => {
      calls.push(String(url));
      if (calls.length === 1) return new Response("busy", { status: 503 });
      return Response.json({ identifier: "x", pages: 1, title: null });
    };
    const metadata = { title: "A & B", year: undefined, creator: ["One", "Two"] };
    const target = { url: "http://carrel.test", token: "t", fetch, sleep: async () => undefined };
    expect(await putText({ item: "x", text: "text", metadata }, target)).toMatchObject({ pages: 1 });
    expect(calls[1]).toBe("http://carrel.test/system/text/x?title=A+%26+B&creator=One&creator=Two");
  });
});
