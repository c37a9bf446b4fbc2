import { beforeAll, describe, expect, it } from "vitest";
import { addItem } from "../../support/worker/holdings.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { lender } from "../../support/worker/lending.ts";
import { edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const ann = lender().borrower("ann");

beforeAll(async () => {
  for (const ocaid of ["scan1", "scan2", "scan3"]) await addItem(ocaid, ["inlibrary"]);
  await addItem("open4", ["opensource"]);
  await service.load(
    work(1, { title: "Rivers of the north", subjects: ["Rivers"] }),
    work(2, { title: "Rivers of the south", subjects: ["Rivers", "Boats"] }),
    work(3, { title: "Mountains", subjects: ["Boats"] }),
    work(4, { title: "Open rivers", subjects: ["Rivers"] }),
    edition(1, { work: 1, ocaid: "scan1", title: "Rivers" }),
    edition(2, { work: 2, ocaid: "scan2" }),
    edition(22, { work: 2 }),
    edition(3, { work: 3, ocaid: "scan3" }),
    edition(4, { work: 4, ocaid: "open4" }),
  );
  await indexAll();
});

const browse = async (query: string) => Object(await service.json(`/browse.json${query}`));
const keys = async (query: string): Promise<string[]> =>
  (await browse(query)).works.map(({ key }: { key: string }) => key);

describe("GET /browse.json", () => {
  it("returns one edition of each lent work with its availability", async () => {
    const { query, works } = await browse("?q=rivers&sorts=key");
    expect(query).toBe("/browse.json?q=rivers&sorts=key");
    expect(works).toMatchObject([
      {
        key: "/books/OL1M",
        title: "Rivers",
        ocaid: "scan1",
        availability: { status: "borrow_available", identifier: "scan1", openlibrary_work: "OL1W" },
      },
      { key: "/books/OL2M" },
    ]);
  });

  it("filters by subject, sorts and pages", async () => {
    expect(await keys("?sorts=key")).toEqual(["/books/OL1M", "/books/OL2M", "/books/OL3M"]);
    expect(await keys("?subject=boats&sorts=key%20desc")).toEqual(["/books/OL3M", "/books/OL2M"]);
    expect(await keys("?sorts=key&limit=1&page=2")).toEqual(["/books/OL2M"]);
    expect(await keys("?sorts=key&limit=1&offset=2")).toEqual(["/books/OL3M"]);
  });

  it("leaves out scans that are on loan", async () => {
    expect(await ann.open("scan2", "borrow")).toMatchObject({ ok: true });
    expect(await keys("?q=rivers&sorts=key")).toEqual(["/books/OL1M"]);
    await ann.close("scan2");
    expect(await keys("?q=rivers&sorts=key")).toEqual(["/books/OL1M", "/books/OL2M"]);
  });

  it.each(["?sorts=zzz", "?limit=-1", "?page=0"])("answers 422 for %s", async (query) => {
    expect((await service.fetch(`/browse.json${query}`)).status).toBe(422);
  });
});
