import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AVAILABILITY_IDS_MAX } from "../../../src/worker/lending/availability.ts";
import { jsonOf } from "../../support/worker/accounts.ts";
import { addItem } from "../../support/worker/holdings.ts";
import { lender } from "../../support/worker/lending.ts";
import { edition, redirected, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { countedDatabase, roundTrips } from "../../support/worker/statements.ts";

const catalog = countedDatabase(env.CATALOG);
const patrons = countedDatabase(env.PATRONS);
const service = testService({ CATALOG: catalog.database, PATRONS: patrons.database });

type Found = Record<string, Record<string, unknown>>;
const v2 = async (type: string, ids: string): Promise<Found> =>
  Object(await service.json(`/availability/v2?type=${type}&ids=${ids}`));
const status = (found: Found) =>
  Object.fromEntries(Object.entries(found).map(([id, one]) => [id, one["status"]]));

beforeAll(async () => {
  await addItem("foo00bar", ["inlibrary"]);
  await addItem("open1", ["opensource"]);
  await addItem("opengoog", ["opensource"]);
  await addItem("blind1", ["printdisabled"]);
  await addItem("shut1", [], true);
  await addItem("lent1", ["inlibrary"]);
  await service.load(
    work(1, { title: "Foo" }),
    work(2),
    work(3),
    work(4, { subjects: ["In library"] }),
    work(5),
    edition(1, { work: 1, ocaid: "foo00bar", isbn_10: ["0140328726"], oclc_numbers: ["12345"] }),
    edition(2, { work: 1, ocaid: "lent1", isbn_13: ["9780140328721"] }),
    edition(3, { work: 2, ocaid: "opengoog" }),
    edition(4, { work: 2, ocaid: "open1" }),
    edition(5, { work: 2, ocaid: "foo00bar" }),
    edition(6, { work: 3, ocaid: "blind1" }),
    edition(7, { work: 3 }),
    edition(8, { work: 4, ocaid: "derived1" }),
    edition(9, { work: 5, ocaid: "unknown1", source_records: ["ia:source1"] }),
    redirected("/works/OL90W", "/works/OL1W"),
    redirected("/books/OL91M", "/books/OL4M"),
  );
  expect(await lender().borrower("reader").open("lent1", "borrow")).toMatchObject({ ok: true });
});

describe("GET /availability/v2 for works with many scans", () => {
  it("finds every work beyond the row limit of one statement", async () => {
    const scans = Array.from({ length: 11 }, (_, index) =>
      edition(700 + index, { work: 70, ocaid: `s${index}` }),
    );
    await service.load(work(70), ...scans);
    const ids = [...Array.from({ length: AVAILABILITY_IDS_MAX - 1 }, () => "OL70W"), "OL2W"];
    const found = await service.json("/availability/v2?type=openlibrary_work", jsonOf({ ids }));
    expect(Object(found)["OL2W"]).toMatchObject({ status: "open" });
  });
});

describe("GET /availability/v2", () => {
  it("has an entry for every id", async () => {
    expect(status(await v2("identifier", "foo00bar,nope,open1,blind1,lent1,derived1,shut1"))).toEqual({
      foo00bar: "borrow_available",
      nope: "error",
      open1: "open",
      blind1: "borrow_unavailable",
      lent1: "borrow_unavailable",
      derived1: "borrow_available",
      shut1: "error",
    });
  });

  it("returns every member of a scan's availability", async () => {
    const { foo00bar, nope } = await v2("identifier", "foo00bar,nope");
    expect(foo00bar).toEqual({
      status: "borrow_available",
      available_to_browse: false,
      available_to_borrow: true,
      available_to_waitlist: false,
      is_printdisabled: true,
      is_readable: false,
      is_lendable: true,
      is_previewable: true,
      is_restricted: true,
      is_browseable: false,
      identifier: "foo00bar",
      isbn: "0140328726",
      oclc: "12345",
      openlibrary_work: "OL1W",
      openlibrary_edition: "OL1M",
      last_loan_date: null,
      last_waitlist_date: null,
      num_waitlist: "0",
      __src__: "lending",
    });
    expect(Object.keys(nope ?? {}).toSorted()).toEqual(Object.keys(foo00bar ?? {}).toSorted());
    expect(nope).toMatchObject({ identifier: "nope", is_restricted: true, is_readable: false });
  });

  it("picks the best scan of a work, and scans without holdings last", async () => {
    const found = await v2("openlibrary_work", "OL1W,OL2W,OL3W,OL4W,OL5W,OL404W");
    expect(status(found)).toEqual({
      OL1W: "borrow_available",
      OL2W: "open",
      OL3W: "borrow_unavailable",
      OL4W: "borrow_available",
      OL5W: "error",
      OL404W: "error",
    });
    expect(found["OL2W"]).toMatchObject({ identifier: "open1", openlibrary_edition: "OL4M" });
    expect(found["OL5W"]).toMatchObject({ identifier: "unknown1", openlibrary_work: "OL5W" });
    expect(found["OL404W"]).toMatchObject({ identifier: null, openlibrary_work: "OL404W" });
  });

  it("accepts whole keys, follows redirects, and answers under the ids as sent", async () => {
    const works = await v2("openlibrary_work", "/works/OL1W,ol2w,OL90W");
    expect(status(works)).toEqual({
      "/works/OL1W": "borrow_available",
      ol2w: "open",
      OL90W: "borrow_available",
    });
    expect(works["OL90W"]).toMatchObject({ openlibrary_work: "OL1W" });
    expect(status(await v2("openlibrary_edition", "/books/OL91M,OL1W"))).toEqual({
      "/books/OL91M": "open",
      OL1W: "error",
    });
  });

  it("finds the edition of a scan by its source record", async () => {
    const found = await v2("identifier", "source1");
    expect(found["source1"]).toMatchObject({ identifier: "source1", status: "error" });
  });

  it("accepts repeated and blank ids, and answers each id once", async () => {
    const found = await v2("identifier", "open1,%20foo00bar&ids=open1,,blind1");
    expect(Object.keys(found)).toEqual(["open1", "foo00bar", "blind1"]);
  });

  it.each([
    ["type=isbn&ids=1", "literal_error", ["query", "type"]],
    ["ids=1", "missing", ["query", "type"]],
    ["type=identifier", "missing", ["query", "ids"]],
    ["type=identifier&ids=", "too_short", ["query", "ids"]],
    ["type=identifier&ids=,%20,", "too_short", ["query", "ids"]],
  ])("%s: 422", async (query, type, loc) => {
    for (const path of ["/availability/v2", "/availability"]) {
      const response = await service.fetch(`${path}?${query}`);
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({ detail: [{ type, loc }] });
    }
  });
});

describe("POST /availability", () => {
  it("answers v2 for the maximum number of ids and refuses more", async () => {
    const ids = Array.from({ length: AVAILABILITY_IDS_MAX }, (_, index) => `scan${index}`);
    ids[7] = "foo00bar";
    const post = (body: unknown) => service.fetch("/availability/v2?type=identifier", jsonOf(body));
    const found = Object(await (await post({ ids })).json());
    expect(Object.keys(found)).toEqual(ids);
    expect(found["foo00bar"]).toEqual((await v2("identifier", "foo00bar"))["foo00bar"]);
    const many = await post({ ids: [...ids, "one"] });
    expect([many.status, await many.json()]).toMatchObject([422, { detail: [{ type: "too_long" }] }]);
  });

  it.each([
    [{ ids: [] }, "too_short"],
    [{}, "missing"],
    [{ ids: "open1" }, "list_type"],
    [{ ids: [1] }, "string_type"],
  ])("/availability/v2 refuses %j", async (body, type) => {
    const response = await service.fetch("/availability/v2?type=identifier", jsonOf(body));
    expect([response.status, await response.json()]).toMatchObject([422, { detail: [{ type }] }]);
  });

  it("takes scans as ids or ocaids, and other ids with their type", async () => {
    const post = async (path: string, body: unknown) =>
      status(Object(await (await service.fetch(path, jsonOf(body))).json()));
    expect(await post("/availability", { ocaids: ["open1"] })).toEqual({ open1: "open" });
    expect(await post("/availability", { ids: ["open1"] })).toEqual({ open1: "open" });
    expect(await post("/availability?type=openlibrary_work", { ids: ["OL2W"] })).toEqual({ OL2W: "open" });
    const response = await service.fetch("/availability", jsonOf({}));
    expect([response.status, await response.json()]).toMatchObject([
      422,
      { detail: [{ type: "missing", loc: ["body", "ids"] }] },
    ]);
  });
});

describe("availability queries", () => {
  beforeEach(() => {
    for (const { statements, batches } of [catalog, patrons]) {
      statements.length = 0;
      batches.length = 0;
    }
  });

  it.each([
    ["identifier", "foo00bar", "scan"],
    ["openlibrary_work", "OL1W", "OL"],
    ["openlibrary_edition", "OL1M", "OL"],
  ])("take no more round trips for 200 ids of type %s than for one", async (type, id, prefix) => {
    await v2(type, id);
    const once = [roundTrips(catalog), roundTrips(patrons)];
    expect(once).toEqual([2, 1]);
    const ids = Array.from({ length: 200 }, (_, index) => `${prefix}${index}${id.slice(-1)}`).join();
    catalog.statements.length = 0;
    patrons.statements.length = 0;
    await v2(type, ids);
    expect(roundTrips(catalog)).toBe(once[0]);
    expect(roundTrips(patrons)).toBeLessThanOrEqual(1);
  });
});
