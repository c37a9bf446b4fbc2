import { beforeAll, describe, expect, it } from "vitest";
import { fakeNetwork } from "../../support/worker/outbound.ts";
import { edition } from "../../support/worker/records.ts";
import { ORIGIN, testService } from "../../support/worker/service.ts";
import { leads } from "../../support/worker/writing.ts";

const service = testService();

describe("GET /details", () => {
  it("redirects to the reader", async () => {
    expect(await leads(service.fetch("/details/foo00bar"))).toBe(`303 ${ORIGIN}/stream/foo00bar`);
    expect(await leads(service.fetch("/details/foo-00_Bar/leaf007"))).toBe(
      `303 ${ORIGIN}/stream/foo-00_Bar#page/n7`,
    );
    const elsewhere = testService({ READER_URL: "https://reader.example/" });
    expect(await leads(elsewhere.fetch("/details/foo00bar/leaf12"))).toBe(
      "303 https://reader.example/stream/foo00bar#page/n12",
    );
  });

  it.each(["/details/a.b", "/details/a%2Fb", "/details/a/leafx", "/details/a/leaf1234567890"])(
    "answers 404 for %s",
    async (path) => {
      expect((await service.fetch(path)).status).toBe(404);
    },
  );
});

describe("GET /prices.json", () => {
  beforeAll(async () => {
    await service.load(
      edition(1, { isbn_10: ["0140328726"], ocaid: "foo00bar" }),
      edition(2, { isbn_13: ["9781234567897"], identifiers: { amazon: ["B000000001"] } }),
    );
  });
  const none = { amazon: {}, betterworldbooks: {} };

  it.each([
    ["isbn=978-0-14-032872-1", { ...none, key: "/books/OL1M", ocaid: "foo00bar" }],
    ["isbn=0140328726", { ...none, key: "/books/OL1M", ocaid: "foo00bar" }],
    ["asin=B000000001", { ...none, key: "/books/OL2M" }],
    ["asin=0140328726", { ...none, key: "/books/OL1M", ocaid: "foo00bar" }],
    ["isbn=9999999999", none],
  ])("%s", async (query, answer) => {
    const response = await service.fetch(`/prices.json?${query}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(answer);
  });

  it("explains missing and invalid parameters", async () => {
    const nothing = await service.fetch("/prices.json");
    expect([nothing.status, await nothing.json()]).toEqual([422, { detail: "isbn or asin required" }]);
    for (const query of ["isbn=123", "asin=B1"]) {
      const response = await service.fetch(`/prices.json?${query}`);
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({ detail: [{ loc: ["query", query.split("=")[0]] }] });
    }
  });
});

describe("GET /tags/-/<type>:<name>", () => {
  beforeAll(async () => {
    await service.load(
      { key: "/tags/OL1T", type: "/type/tag", name: "Science fiction", tag_type: "subject" },
      { key: "/tags/OL2T", type: "/type/tag", name: "Sci-fi", tag_type: "genre", slugs: ["science_fiction"] },
      { key: "/tags/OL3T", type: "/type/tag", name: "London", tag_type: "place", slugs: ["a:b", "london"] },
      { key: "/tags/OL4T", type: "/type/tag", name: "Old", tag_type: "subject", slugs: ["science_fiction"] },
    );
  });

  it.each([
    ["genre:science_fiction", "/tags/OL2T"],
    ["subject:science_fiction", "/tags/OL4T"],
    ["subject:SCIENCE_fiction", "/tags/OL1T"],
    ["place:London", "/tags/OL3T"],
    ["place:a:b", "/tags/OL3T"],
  ])("%s is %s", async (name, key) => {
    expect(await leads(service.fetch(`/tags/-/${name}`))).toBe(`303 ${key}`);
  });

  it.each(["place:science_fiction", "science_fiction", "genre:", ":x", "genre:%25", "person:london"])(
    "answers 404 for %s",
    async (name) => {
      expect((await service.fetch(`/tags/-/${name}`)).status).toBe(404);
    },
  );
});

describe("GET /cdn/<host>/<script>", () => {
  const network = fakeNetwork();
  const ADDRESS = "https://archive.org/includes/donate.js";

  it("answers an empty script without CDN_FOLDER", async () => {
    network.answer({});
    const response = await service.fetch("/cdn/archive.org/donate.js");
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(network.asked).toEqual([]);
  });

  it("forwards the remote script once", async () => {
    const remote = testService({ CDN_FOLDER: "/includes/" });
    const headers = { "Content-Type": "application/javascript" };
    network.answer({ [ADDRESS]: () => new Response("count();", { headers }) });
    for (let time = 0; time < 2; time += 1) {
      const response = await remote.fetch("/cdn/archive.org/donate.js");
      expect([response.status, await response.text()]).toEqual([200, "count();"]);
      expect(response.headers.get("Content-Type")).toBe("text/javascript; charset=utf-8");
      expect(response.headers.get("Cache-Control")).toBe("public, max-age=86400");
    }
    expect(network.asked).toEqual([ADDRESS]);
  });

  it.each([
    ["a failure", () => new Response("no", { status: 500 })],
    ["nothing there", () => new Response("no", { status: 404 })],
    ["another site", () => new Response(null, { status: 302, headers: { Location: "http://127.0.0.1/" } })],
    ["too much", () => new Response(new Uint8Array(1024 * 1024 + 1))],
  ])("answers 502 for %s", async (_name, answer) => {
    const remote = testService({ CDN_FOLDER: "/includes/", CDN_SCRIPTS: "archive.org/athena.js" });
    network.answer({ "https://archive.org/includes/athena.js": answer });
    const response = await remote.fetch("/cdn/archive.org/athena.js");
    expect([response.status, await response.json()]).toEqual([502, { detail: "Upstream fetch failed" }]);
    expect(network.asked).toEqual(["https://archive.org/includes/athena.js"]);
  });

  it.each([
    "/cdn/archive.org/other.js",
    "/cdn/evil.test/donate.js",
    "/cdn/archive.org/..%2Fdonate.js",
    "/cdn/archive.org%2Fdonate.js/x",
    "/cdn/127.0.0.1/donate.js",
  ])("answers 404 for %s", async (path) => {
    network.answer({});
    const remote = testService({ CDN_FOLDER: "/includes/" });
    const response = await remote.fetch(path);
    expect([response.status, await response.json()]).toEqual([404, { detail: "Not Found" }]);
    expect(network.asked).toEqual([]);
  });
});
