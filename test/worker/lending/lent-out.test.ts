import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { breakingDatabase } from "../../support/worker/breaking.ts";
import { addItem } from "../../support/worker/holdings.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { lender } from "../../support/worker/lending.ts";
import { edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { countedWaves } from "../../support/worker/statements.ts";

const service = testService();
const { borrower } = lender();
const ann = borrower("ann");
const ben = borrower("ben");

beforeAll(async () => {
  await addItem("foo00bar", ["inlibrary"]);
  await addItem("open1", ["opensource"]);
  await service.load(
    work(1, { title: "Foo", subjects: ["Lent things"] }),
    work(2, { title: "Bar", subjects: ["Lent things"] }),
    edition(1, { work: 1, ocaid: "foo00bar", isbn_10: ["0140328726"] }),
    edition(2, { work: 1, publish_date: "1990" }),
    edition(3, { work: 2, ocaid: "open1" }),
    work(3, { title: "Baz", subjects: ["Open things"] }),
    edition(4, { work: 3, ocaid: "closed1" }),
    edition(5, { work: 3 }),
  );
  await indexAll();
});

const ebook = async (from = service) =>
  Object(await from.json("/api/books.json?bibkeys=OL1M&jscmd=data"))["OL1M"].ebooks[0];
const items = async (search = "") =>
  Object(await service.json(`/api/volumes/brief/olid/OL2M.json${search}`)).items;
const found = async (fields: string, from = service) =>
  Object(await from.json(`/search.json?q=foo&fields=${fields}`)).docs[0];
const onSubject = async (from = service) =>
  Object(await from.json("/subjects/lent_things.json?sort=key")).works.map(
    (one: { availability: { status: string } }) => one.availability.status,
  );

async function everywhere() {
  const { availability: ofWork } = await found("key,availability");
  const { editions } = await found("key,editions,availability");
  const shown = editions.docs.find(({ availability }: { availability?: object }) => availability);
  return {
    books: (await ebook()).checkedout,
    volumes: (await items()).map(({ status }: { status: string }) => status),
    allVolumes: (await items("?show_all_items=true")).map(({ status }: { status: string }) => status),
    search: ofWork.status,
    editions: shown?.availability.status ?? "other edition",
    subject: (await onSubject())[0],
    borrowStatus: Object(await service.json("/books/OL1M/_borrow_status")).loan_available,
    iaLoanStatus: Object(await service.json("/ia_loan_status/foo00bar")).checkedout,
  };
}

const FREE = {
  books: false,
  volumes: ["lendable"],
  allVolumes: ["lendable"],
  search: "borrow_available",
  editions: "borrow_available",
  subject: "borrow_available",
  borrowStatus: true,
  iaLoanStatus: false,
};
const LENT = {
  books: true,
  volumes: [],
  allVolumes: ["checked out"],
  search: "borrow_unavailable",
  editions: "borrow_unavailable",
  subject: "borrow_unavailable",
  borrowStatus: false,
  iaLoanStatus: true,
};

describe("availability in lookups, searches and subjects", () => {
  it("changes with a loan and its return at once", async () => {
    expect(await everywhere()).toEqual(FREE);
    const tag = (await service.fetch("/api/books.json?bibkeys=OL1M&jscmd=data")).headers.get("ETag") ?? "";
    expect(await ann.open("foo00bar", "borrow")).toMatchObject({ ok: true });
    expect(await everywhere()).toEqual(LENT);
    const conditional = { headers: { "If-None-Match": tag } };
    const again = await service.fetch("/api/books.json?bibkeys=OL1M&jscmd=data", conditional);
    expect(again.status).toBe(200);
    expect(await ann.close("foo00bar")).toMatchObject({ ok: true });
    expect(await everywhere()).toEqual(FREE);
    const back = await service.fetch("/api/books.json?bibkeys=OL1M&jscmd=data", conditional);
    expect(back.status).toBe(304);
  });

  it("stays unavailable while a copy is reserved for the waiting list", async () => {
    await ann.open("foo00bar", "borrow");
    expect(await ben.join("foo00bar")).toMatchObject({ ok: true });
    await ann.close("foo00bar");
    const found1 = Object(await service.json("/availability/v2?type=openlibrary_work&ids=OL1W"))["OL1W"];
    expect(found1).toMatchObject({
      status: "borrow_unavailable",
      available_to_waitlist: true,
      num_waitlist: "1",
      last_loan_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
    expect(await service.json("/ia_loan_status/foo00bar")).toEqual({
      identifier: "foo00bar",
      checkedout: true,
      has_loan: false,
      has_waitinglist: true,
    });
    await ben.leave("foo00bar");
    expect(await everywhere()).toEqual(FREE);
  });
});

describe("changed holdings", () => {
  it.each([
    "/api/books.json?bibkeys=OL4M",
    "/api/books.json?bibkeys=OL4M&jscmd=data",
    "/api/volumes/full/olid/OL5M.json?show_all_items=true",
  ])("change the entity tag of %s", async (path) => {
    await addItem("closed1", ["printdisabled"]);
    const shut = await service.fetch(path);
    const tag = shut.headers.get("ETag") ?? "";
    await env.CATALOG.prepare("DELETE FROM item WHERE ocaid = 'closed1'").run();
    await addItem("closed1", ["opensource"]);
    service.now += 60_000;
    const open = await service.fetch(path, { headers: { "If-None-Match": tag } });
    expect(open.status).toBe(200);
    expect(await open.text()).not.toBe(await shut.text());
    await env.CATALOG.prepare("DELETE FROM item WHERE ocaid = 'closed1'").run();
  });
});

describe("round trips of lookups", () => {
  const waves = countedWaves();
  const counted = testService({ CATALOG: waves.of(env.CATALOG), PATRONS: waves.of(env.PATRONS) });
  const depth = async (path: string): Promise<number> => {
    const before = waves.count;
    expect((await counted.fetch(path)).status).toBe(200);
    return waves.count - before;
  };

  it.each([
    ["/api/books.json?bibkeys=OL1M,OL3M", 2],
    ["/api/books.json?bibkeys=OL1M,OL3M&jscmd=data", 2],
    ["/api/volumes/full/olid/OL3M.json", 2],
    // The scans are known only after the work's editions are read.
    ["/api/volumes/full/olid/OL1M.json", 3],
    ["/availability/v2?type=identifier&ids=foo00bar,open1", 1],
    ["/availability/v2?type=openlibrary_work&ids=OL1W,OL2W", 2],
  ])("%s: %i", async (path, most) => {
    expect(await depth(path)).toBe(most);
  });
});

describe("when the lending tables fail", () => {
  const broken = breakingDatabase(env.PATRONS);
  const withSessions: D1Database = new Proxy(broken.database, {
    get: (of, name) => (name === "withSession" ? () => of : Reflect.get(of, name, of)),
  });
  const service2 = testService({ PATRONS: withSessions });
  broken.poison = "lending_item";

  it("searches, subjects and lookups still answer", async () => {
    const { availability } = await found("key,availability", service2);
    expect(availability).toEqual({
      status: "error",
      identifier: "foo00bar",
      is_restricted: true,
      is_browseable: false,
    });
    expect(await onSubject(service2)).toEqual(["error", "open"]);
    expect((await ebook(service2)).checkedout).toBe(false);
  });

  it("/availability/v2 reports an error for every id, and the cause in a header", async () => {
    const response = await service2.fetch("/availability/v2?type=identifier&ids=foo00bar,open1");
    expect(response.status).toBe(200);
    expect(response.headers.get("X-Lending-Error")).not.toBeNull();
    const answer = Object.values(Object(await response.json())).map((one) => Object(one).status);
    expect(answer).toEqual(["error", "error"]);
  });
});
