import { describe, expect, it } from "vitest";
import { ORIGIN, testService } from "../../support/worker/service.ts";
import { fieldsOf, leads } from "../../support/worker/writing.ts";

const service = testService();
const scanner = (query: Readonly<Record<string, string>> = {}) =>
  service.fetch(`/barcodescanner?${new URLSearchParams(query)}`);

describe("GET /barcodescanner", () => {
  it("is a page that works without scripts, with a script of its own", async () => {
    const response = await scanner();
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Security-Policy")).toContain("script-src 'self'");
    const html = await response.text();
    expect(html).toContain("<h1>Scan a barcode</h1>");
    expect(html).toContain('<label for="isbn">ISBN</label>');
    expect(fieldsOf(html)).toMatchObject({ returnTo: "/isbn/$$$", isbn: "" });
    const [, script = ""] = /<script type="module" src="(\/static\/scanner[^"]+)">/.exec(html) ?? [];
    const file = await service.fetch(script);
    expect(file.status).toBe(200);
    expect(file.headers.get("Content-Type")).toContain("javascript");
    expect(await file.text()).toContain("BarcodeDetector");
  });

  it.each([
    [{ isbn: "978-0-14-032872-1" }, "/isbn/9780140328721"],
    [{ isbn: " 014032872x " }, "/isbn/014032872X"],
    [
      { isbn: "9780140328721", returnTo: "/search?q=isbn:$$$&again=$$$" },
      "/search?q=isbn:9780140328721&again=9780140328721",
    ],
    [
      { isbn: "9780140328721", returnTo: `${ORIGIN}/books/add?isbn=$$$#form` },
      "/books/add?isbn=9780140328721#form",
    ],
    [{ isbn: "9780140328721", returnTo: "/a/../isbn/$$$" }, "/isbn/9780140328721"],
  ])("redirects for %j", async (query, place) => {
    expect(await leads(scanner(query))).toBe(`303 ${place}`);
  });

  it.each([
    "https://evil.test/$$$",
    "//evil.test/$$$",
    "/\\evil.test/$$$",
    "/.//evil.test/$$$",
    "/%2e//evil.test",
    "\t//evil.test",
    "javascript:alert($$$)",
    "http://user:secret@carrel.test/$$$",
  ])("refuses to redirect to %j", async (returnTo) => {
    const queries: Record<string, string>[] = [{ returnTo }, { returnTo, isbn: "9780140328721" }];
    for (const query of queries) {
      const response = await scanner(query);
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({ detail: [{ loc: ["query", "returnTo"] }] });
    }
  });

  it("shows the page again for an invalid ISBN, escaped", async () => {
    const response = await scanner({ isbn: "<b>123</b>", returnTo: "/isbn/$$$?x=<b>" });
    expect(response.status).toBe(422);
    const html = await response.text();
    expect(html).toContain('value="&lt;b&gt;123&lt;/b&gt;"');
    expect(html).toContain('role="alert"');
    expect(html).not.toContain("<b>");
    expect(fieldsOf(html)["returnTo"]).toContain("/isbn/$$$");
    expect((await scanner({ isbn: "1".repeat(101) })).status).toBe(422);
  });
});
