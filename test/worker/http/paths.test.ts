import { beforeAll, describe, expect, it } from "vitest";
import { author, edition, work } from "../../support/worker/records.ts";
import { ORIGIN, testService } from "../../support/worker/service.ts";

const service = testService();

beforeAll(async () => {
  await service.load(
    author(1),
    work(1, { title: "A tale", authors: [1] }),
    edition(1, { lccn: ["sa 64009056"] }),
  );
});

const leads = async (path: string, init?: RequestInit): Promise<string> => {
  const response = await service.fetch(path, init);
  const location = response.headers.get("Location");
  return location === null ? String(response.status) : `${response.status} ${location}`;
};

describe("unusual spellings of a path", () => {
  it.each([
    ["/works/OL1W.json/", "307 /works/OL1W.json"],
    ["/works/OL1W.json/?a=1&b=%20", "307 /works/OL1W.json?a=1&b=%20"],
    ["/health/", "307 /health"],
    ["//works/OL1W.json", "308 /works/OL1W.json"],
    ["//works//OL1W.json//", "308 /works/OL1W.json"],
    ["/works///OL1W.json?x=//", "308 /works/OL1W.json?x=//"],
    ["/works/OL1W/A%20tale", "308 /works/OL1W/A_tale"],
    ["/works/OL1W/A%0D%0atale", "308 /works/OL1W/A__tale"],
    ["/lccn/sa%2064009056", "308 /lccn/sa_64009056"],
    ["/Isbn/9780140328721.json?x=1", "308 /isbn/9780140328721.json?x=1"],
    ["/Lccn/sa%2064009056/", "308 /lccn/sa_64009056"],
    ["/Ia/Foo", "308 /ia/Foo"],
    ["/LCCN/sa_64009056", "302 /books/OL1M"],
    ["//", "308 /"],
    ["////?x=1", "308 /?x=1"],
    ["/%20", "308 /_"],
  ])("answer %s with %s", async (path, expected) => {
    expect(await leads(path)).toBe(expected);
  });

  it.each(["/works/./OL1W.json", "/works/x/../OL1W.json", "/works/%2e%2e/works/OL1W.json"])(
    "are resolved by the client: %s",
    async (path) => {
      expect(await leads(path)).toBe("200");
    },
  );

  it.each([
    "/query%2Ejson?key=/works/OL1W",
    "/%68ealth",
    "/works/OL1W%2ejson",
    "/api%2Dx",
    "/authors/OL1A/works%2Ejson",
  ])("are decoded: %s", async (path) => {
    const [odd, usual] = [await service.fetch(path), await service.fetch(decodeURIComponent(path))];
    expect(odd.status).toBe(usual.status);
    // Links repeat the address as it was sent.
    const [{ links: _own, ...shown }, { links: _usual, ...expected }] = [
      Object(await odd.json()),
      Object(await usual.json()),
    ];
    expect(shown).toEqual(expected);
  });

  it("keep blanks in identifiers below /api/", async () => {
    expect(await leads("/api/volumes/brief/lccn/sa%2064009056.json")).toBe("200");
    const found = await service.json("/api/volumes/brief/json/LCCN:%20sa%2064009056.json");
    expect(Object.keys(Object(found))).toEqual(["LCCN: sa 64009056"]);
  });

  it("redirect other methods, and keep the method", async () => {
    expect(await leads("/system/load/", { method: "POST", body: "" })).toBe("307 /system/load");
    expect(await leads("//system/load", { method: "POST", body: "" })).toBe("308 /system/load");
  });
});

describe("redirects of hostile paths", () => {
  it.each([
    "//evil.example",
    "//evil.example/",
    "//evil.example/%2e%2e",
    "///evil.example/works/OL1W",
    "/\\evil.example",
    "/\\/evil.example/",
    "\\\\evil.example/",
    "/.//evil.example/",
    "/works/..//evil.example",
    "//works/..",
    "/%2F/evil.example/",
    "/%2f%2fevil.example/",
    "/%5Cevil.example/",
    "//evil.example/..%2f",
    "/%0A//evil.example",
    "/%20//evil.example/",
    "/%09//evil.example/",
    "/books/OL1M//evil.example",
    "/books//evil.example/OL1M",
    "/a//evil.example",
    "//evil.example?m=x",
    "/.//evil.example?m=x",
    "/isbn//evil.example/0140328726",
    "/http://evil.example/",
    "/http:%2f%2fevil.example/",
    "//user:pass@evil.example/",
    "/?next=//evil.example",
  ])("stay within the service: %s", async (path) => {
    for (const method of ["GET", "HEAD"]) {
      let location: string | null = path;
      for (let hop = 0; location !== null && hop < 5; hop += 1) {
        // A client resolves the target against the address it asked for.
        const response: Response = await service.fetch(location, { method });
        location = response.headers.get("Location");
        if (location !== null) {
          expect(new URL(location, `${ORIGIN}/`).origin).toBe(ORIGIN);
          expect(location).toMatch(/^\/(?![/\\])/);
        }
      }
      expect(location).toBeNull();
    }
  });
});
