import { beforeAll, describe, expect, it } from "vitest";
import { list } from "../../support/worker/lists.ts";
import { deleted, edition, redirected, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();

beforeAll(async () => {
  await service.load(
    work(1, { series: [{ series: { key: "/series/OL5L" } }] }),
    edition(11, { work: 1 }),
    edition(12),
    list("/lists/OL2L", [{ key: "/books/OL11M" }, { key: "/works/OL1W" }, { key: "/b/OL12M" }]),
    list("/lists/OL3L", [{ key: "/books/OL11M" }]),
    list("/lists/OL4L", [{ key: "/works/OL1W" }, "subject:love"]),
    list("/series/OL5L", [], { name: "The Cycle" }),
    { key: "/books/ia:lone", type: "/type/edition", title: "Without a number" },
    redirected("/books/OL13M", "/books/OL11M", 1),
    // The number beyond the highest is not that of a work; that with a zero is not that of an edition.
    list(
      "/lists/OL6L",
      ["ia:lone", "OL13M", "OL14M", "OL11M", `OL${2 ** 40 + 1}M`, "OL011M", "OL12M"].map((name) => ({
        key: `/books/${name}`,
      })),
    ),
  );
  await service.load(deleted("/lists/OL3L", 2), deleted("/books/OL14M", 1));
});

describe("GET <list>/editions.json", () => {
  it("returns the member editions", async () => {
    expect(await service.json("/lists/OL2L/editions.json?x=1&limit=1")).toMatchObject({
      size: 2,
      start: 0,
      end: 1,
      entries: [{ key: "/books/OL11M", type: { key: "/type/edition" }, works: [{ key: "/works/OL1W" }] }],
      links: {
        self: "/lists/OL2L/editions.json?x=1&limit=1",
        next: "/lists/OL2L/editions.json?x=1&limit=1&offset=1",
        prev: null,
        list: "/lists/OL2L",
      },
    });
    expect(await service.json("/lists/OL2L/editions.json?offset=1")).toMatchObject({
      start: 1,
      end: 51,
      entries: [{ key: "/books/OL12M" }],
      links: { next: null, prev: "/lists/OL2L/editions.json?offset=0&limit=50" },
    });
  });

  // Q249
  it("clips the limit, and returns nothing for 0", async () => {
    expect(await service.json("/lists/OL2L/editions.json?limit=5000")).toMatchObject({ end: 1000 });
    expect(await service.json("/lists/OL2L/editions.json?limit=0")).toMatchObject({
      size: 2,
      entries: [],
      links: { next: null },
    });
    // Q242
    expect(await service.json("/lists/OL2L/editions.json?limit=0&offset=1")).toMatchObject({
      links: { next: null, prev: null },
    });
  });

  it("counts current editions with any key", async () => {
    expect(await service.json("/lists/OL6L/editions.json")).toMatchObject({
      size: 3,
      entries: [{ key: "/books/ia:lone" }, { key: "/books/OL11M" }, { key: "/books/OL12M" }],
    });
    expect(await service.json("/lists/OL6L/editions.json?limit=1&offset=1")).toMatchObject({
      size: 3,
      entries: [{ key: "/books/OL11M" }],
    });
  });

  it("is empty for series and other members", async () => {
    expect(await service.json("/series/OL5L/editions.json")).toMatchObject({ size: 0, entries: [] });
    expect(await service.json("/lists/OL4L/editions.json")).toMatchObject({
      size: 0,
      entries: [],
    });
  });

  it("answers 404 with its own message", async () => {
    for (const key of ["/lists/OL404L", "/lists/OL3L"]) {
      const response = await service.fetch(`${key}/editions.json`);
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ detail: "Editions not found" });
    }
    expect((await service.fetch("/lists/OL2L/editions.json?limit=-1")).status).toBe(422);
  });
});
