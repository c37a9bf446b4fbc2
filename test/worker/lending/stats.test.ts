import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { storeReport } from "../../../src/db/lending/write-loans.ts";
import { lender, putTerms } from "../../support/worker/lending.ts";
import { edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const DAY_MS = 86_400_000;
const TODAY = Math.floor(service.now / DAY_MS) * DAY_MS;
let loans = 0;

/** Reports a loan on a day, as the desk of the item does. */
async function told(ocaid: string, daysAgo: number): Promise<void> {
  loans += 1;
  const loanedAt = TODAY - daysAgo * DAY_MS + 5000;
  const loan = {
    uuid: loans.toString(16).padStart(32, "0"),
    ocaid,
    patron: "ann",
    book: "/books/OL1M",
    kind: "borrow" as const,
    loanedAt,
    expiry: loanedAt + DAY_MS,
    returnedAt: loanedAt + 1,
  };
  await storeReport(env.PATRONS, {
    ocaid,
    sequence: loans,
    borrows: 0,
    browses: 0,
    waiting: 0,
    reserved: 0,
    lastLoan: loanedAt,
    lastWaiting: null,
    nextExpiry: null,
    loans: [loan],
    places: [],
  });
}

beforeAll(async () => {
  await putTerms("scan1", { collections: ["inlibrary", "china"] });
  await putTerms("scan2", {});
  await service.load(
    work(1, { subjects: ["Science Fiction"] }),
    work(2, { subjects: ["Cooking", "Écologie marine"] }),
    edition(1, { work: 1, ocaid: "scan1" }),
    edition(2, { work: 2, ocaid: "scan2" }),
  );
  await told("scan1", 0);
  await told("scan1", 2);
  await told("scan2", 2);
  await told("scan2", 40);
});

const stats = async (path: string) => Object(await service.json(`/stats/lending${path}`));
const day = (daysAgo: number) => new Date(TODAY - daysAgo * DAY_MS).toISOString().slice(0, 10);

describe("GET /stats/lending.json", () => {
  it("counts loans a day", async () => {
    const answer = await stats(".json?t=3days");
    expect(answer).toEqual({
      kind: null,
      value: null,
      period: { from: day(2), to: day(0) },
      total_loans: 3,
      loans_per_day: [
        [day(2), 2],
        [day(1), 0],
        [day(0), 1],
      ],
    });
    expect((await stats(".json")).total_loans).toBe(3);
    expect((await stats(".json?t=60days")).total_loans).toBe(4);
    const [one] = day(40).split(" ");
    const text = String(one).replaceAll("-", "");
    expect((await stats(`.json?t=${text}-${text}`)).total_loans).toBe(1);
  });

  it.each([
    ["libraries/internet_archive", 3],
    ["libraries/other", 0],
    ["format/bookreader", 3],
    ["format/pdf", 0],
    ["collections/china", 2],
    ["collections/inlibrary", 3],
    ["collections/none", 0],
    ["subjects/science_fiction", 2],
    ["subjects/Cooking", 1],
    ["subjects/écologie_marine", 1],
    ["regions/europe", 0],
    ["countries/nl", 0],
  ])("/%s: %i", async (path, total) => {
    const [kind, value] = path.split("/");
    expect(await stats(`/${path}.json`)).toMatchObject({ kind, value, total_loans: total });
  });

  it("answers CSV", async () => {
    const response = await service.fetch("/stats/lending/format/bookreader.json?t=2days&download=csv");
    expect(response.headers.get("Content-Type")).toBe("application/csv");
    expect(response.headers.get("Content-Disposition")).toBe("attachment; filename=format-bookreader.csv");
    expect(await response.text()).toBe(
      `Date,Total Loans,PDF Loans,ePub Loans,Bookreader Loans\r\n${day(1)},0,0,0,0\r\n${day(0)},1,0,0,1\r\n`,
    );
  });

  it.each([".json?t=0days", ".json?t=x", ".json?t=400days", "/planets/mars.json", ".json?download=pdf"])(
    "answers 422 for %s",
    async (path) => {
      expect((await service.fetch(`/stats/lending${path}`)).status).toBe(422);
    },
  );

  it.each(["/stats/lending", "/stats/lending/subjects/love"])("redirects %s home", async (path) => {
    const response = await service.fetch(path);
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/"]);
  });
});

it("GET /stats/waitinglists.json counts items and places", async () => {
  expect(await service.json("/stats/waitinglists.json")).toEqual({ items: 0, waiting: 0, available: 0 });
  const { item, borrower } = lender();
  const [one, two] = [await item(), await item()];
  const [ann, ben, cat] = [borrower("ann"), borrower("ben"), borrower("cat")];
  await ann.open(one, "borrow");
  await ann.open(two, "borrow");
  await ben.join(one);
  await cat.join(one);
  await ben.join(two);
  expect(await service.json("/stats/waitinglists.json")).toEqual({ items: 2, waiting: 3, available: 0 });
  await ann.close(one);
  expect(await service.json("/stats/waitinglists.json")).toEqual({ items: 2, waiting: 2, available: 1 });
});
