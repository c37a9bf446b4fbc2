import { beforeAll, describe, expect, it } from "vitest";
import { author, edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const MODIFIED = "Tue, 03 Nov 2026 10:00:00 GMT";

beforeAll(async () => {
  await service.load(
    work(1, { revision: 1, authors: [1], modified: "2026-11-02T10:00:00.000000" }),
    work(1, { revision: 2, authors: [1], modified: "2026-11-03T10:00:00.999999" }),
    author(1),
    edition(1, { work: 1 }),
  );
  // Reads before or during the write are not cached.
  service.now += 1;
});

const status = async (path: string, headers: Record<string, string>): Promise<number> =>
  (await service.fetch(path, { headers })).status;

describe("validators of records", () => {
  it("are revision and time of the latest revision", async () => {
    const { headers } = await service.fetch("/works/OL1W.json");
    expect(headers.get("ETag")).toBe('"2"');
    expect(headers.get("Last-Modified")).toBe(MODIFIED);
    expect(headers.get("Cache-Control")).toBe("public, max-age=0, must-revalidate");
  });

  it("of an older revision are immutable", async () => {
    const { headers } = await service.fetch("/works/OL1W.json?v=1");
    expect(headers.get("ETag")).toBe('"1"');
    expect(headers.get("Last-Modified")).toBe("Mon, 02 Nov 2026 10:00:00 GMT");
    expect(headers.get("Cache-Control")).toBe("public, max-age=86400, immutable");
  });

  it("are revalidated when the latest revision is requested by number", async () => {
    const { headers } = await service.fetch("/works/OL1W.json?v=2");
    expect(headers.get("Cache-Control")).toBe("public, max-age=0, must-revalidate");
  });

  it("differ between formats", async () => {
    const tags = [];
    for (const suffix of [".json", ".yml", ".rdf"]) {
      tags.push((await service.fetch(`/works/OL1W${suffix}`)).headers.get("ETag"));
    }
    expect(new Set(tags).size).toBe(3);
    expect(tags).not.toContain(null);
  });

  it("are absent from errors", async () => {
    const { headers } = await service.fetch("/works/OL9W.json");
    expect(headers.get("ETag")).toBeNull();
    expect(headers.get("Cache-Control")).toBe("no-store");
  });
});

describe.each(["fresh", "kept"])("conditional requests, %s", () => {
  it.each([
    [{ "If-None-Match": '"2"' }, 304],
    [{ "If-None-Match": '"1", "2"' }, 304],
    [{ "If-None-Match": "*" }, 304],
    [{ "If-None-Match": '"1"' }, 200],
    [{ "If-None-Match": "2" }, 200],
    [{ "If-Modified-Since": MODIFIED }, 304],
    [{ "If-Modified-Since": "Tue, 03 Nov 2026 09:59:59 GMT" }, 200],
    [{ "If-None-Match": '"1"', "If-Modified-Since": MODIFIED }, 200],
    [{ "If-None-Match": '"2"', "If-Modified-Since": "Mon, 02 Nov 2026 10:00:00 GMT" }, 304],
  ])("%j", async (headers, expected) => {
    expect(await status("/works/OL1W.json", headers)).toBe(expected);
  });

  it.each([
    "/works/OL1W.json",
    "/works/OL1W.rdf",
    "/works/OL1W.json?v=1",
    "/authors/OL1A/works.json",
    "/works/OL1W/editions.json",
    "/api/books.json?bibkeys=OL1M",
    "/api/volumes/brief/olid/OL1M.json",
  ])("%s answers 304 to its own tag, for GET and HEAD", async (path) => {
    const tag = (await service.fetch(path)).headers.get("ETag") ?? "none";
    for (const method of ["GET", "HEAD"]) {
      const response = await service.fetch(path, { method, headers: { "If-None-Match": tag } });
      expect(response.status).toBe(304);
      expect(await response.text()).toBe("");
      expect(response.headers.get("ETag")).toBe(tag);
      expect(response.headers.get("Cache-Control")).not.toBeNull();
      expect(response.headers.get("Content-Type")).toBeNull();
    }
  });
});

it("a superseded entity tag no longer matches", async () => {
  const headers = { "If-None-Match": '"2"' };
  expect(await status("/works/OL1W.json", headers)).toBe(304);
  await service.load(work(1, { revision: 3, title: "Third", modified: "2026-11-04T10:00:00.000000" }));
  const response = await service.fetch("/works/OL1W.json", { headers });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ title: "Third" });
  expect(response.headers.get("ETag")).toBe('"3"');
});
