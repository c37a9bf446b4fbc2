import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { readPlacesOf } from "../../../src/db/lending/read-loans.ts";
import { addItem, addScanFile } from "../../support/worker/holdings.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { measured } from "../../support/worker/measured.ts";
import { edition, work } from "../../support/worker/records.ts";
import { type TestService, testService } from "../../support/worker/service.ts";
import { countedDatabase, countedWaves } from "../../support/worker/statements.ts";

/** A service whose clock is far from the real one, by which the alarms of desks run. */
function laterService(settings: Partial<Cloudflare.Env> = {}): TestService {
  const later = testService({ BASE_URL: "http://carrel.example", ...settings });
  later.now = Date.parse("2100-01-01T12:00:00Z");
  return later;
}

const service = laterService();
const HTML = { Accept: "text/html" };
const PAGES = ["/books/OL1M/Dune", "/works/OL1W/Dune"];

let holder: LoggedIn;
let first: LoggedIn;
let second: LoggedIn;

beforeAll(async () => {
  await addItem("lentscan", ["inlibrary"]);
  await addItem("otherscan", ["inlibrary"]);
  for (const scan of ["lentscan", "otherscan"]) await addScanFile(scan);
  await service.load(
    work(1, { title: "Dune" }),
    edition(1, { work: 1, title: "Dune", ocaid: "lentscan" }),
    work(2, { title: "Emma" }),
    edition(2, { work: 2, title: "Emma", ocaid: "otherscan" }),
  );
  holder = await loggedIn(service, "ownholder");
  first = await loggedIn(service, "ownfirst");
  second = await loggedIn(service, "ownsecond");
});

async function act(patron: LoggedIn, action: string): Promise<void> {
  const headers = { Accept: "application/json", Origin: "http://carrel.example" };
  const response = await patron.fetch(`/books/OL1M/x/borrow?action=${action}`, { method: "POST", headers });
  expect(response.status, action).toBe(200);
}

/** Reading access as shown to a patron; undefined for clients without a session. */
async function shown(path: string, patron?: LoggedIn): Promise<string> {
  const response = await (patron ?? service).fetch(path, { headers: HTML });
  expect(response.status).toBe(200);
  return response.text();
}

/** Actions on the page, without repeats: the page of a work has them beside the cover too. */
const actions = (body: string): string[] => [
  ...new Set([...body.matchAll(/name="action" value="([^"]+)"/g)].map(([, action]) => action ?? "")),
];

describe("the page of a lendable book", () => {
  it("offers a loan only of a scan that opens here, and says what is lent", async () => {
    await addItem("emptyscan", ["inlibrary"]);
    await service.load(work(75), edition(75, { work: 75, ocaid: "emptyscan" }));
    await addScanFile("emptyscan", "metadata.json");
    await addScanFile("emptyscan", "emptyscan_meta.mrc");
    const paths = ["/works/OL75W/Work_75", "/books/OL75M/Edition_75"];
    for (const path of paths) expect(await shown(path)).not.toContain('value="borrow"');
    for (const file of ["book.pdf", "book.epub"]) await addScanFile("emptyscan", file);
    // The isolate remembers the scans for five seconds.
    service.now += 6000;
    for (const path of paths) {
      const body = await shown(path);
      expect(body).toContain('value="borrow"');
      expect(body).toContain("For two weeks · EPUB, PDF · opens in your browser");
    }
    const elsewhere = testService({
      READER_URL: "https://reader.example/",
      READER_SECRET: "secret-of-the-other-reader",
    });
    const there = await (await elsewhere.fetch("/books/OL75M/Edition_75", { headers: HTML })).text();
    expect(there).toContain("For two weeks · opens at reader.example");
  });

  it("offers reading and returning to the holder only", async () => {
    await act(holder, "borrow");
    for (const path of PAGES) {
      const own = await shown(path, holder);
      expect(own).toMatch(/On loan to you · due <time[^>]*>\d+ \w+ \d{4}/);
      expect(own).toContain('<a href="/books/OL1M/x/borrow?action=read">Read<span');
      expect(actions(own)).toEqual(["return"]);
      for (const body of [await shown(path, first), await shown(path)]) {
        expect(body).not.toContain("On loan to you");
        expect(actions(body)).toEqual(["join-waitinglist"]);
      }
    }
    expect(actions(await shown("/books/OL2M/Emma", holder))).toEqual(["borrow"]);
  });

  it("shows the place in the queue and the reserved copy", async () => {
    await act(first, "join-waitinglist");
    await act(second, "join-waitinglist");
    for (const path of PAGES) {
      const waits = await shown(path, second);
      expect(waits).toContain("You’re number 2 of 2 in line.");
      expect(actions(waits)).toEqual(["leave-waitinglist"]);
    }
    await act(holder, "return");
    for (const path of PAGES) {
      const turn = await shown(path, first);
      expect(turn).toMatch(/It’s your turn! A copy is on hold for you until <time/);
      expect(actions(turn)).toEqual(["borrow", "leave-waitinglist"]);
      expect(actions(await shown(path, second))).toEqual(["leave-waitinglist"]);
      expect(actions(await shown(path, holder))).toEqual(["join-waitinglist"]);
    }
    await act(first, "borrow");
    expect(actions(await shown(PAGES[0] ?? "", first))).toEqual(["return"]);
  });

  it.each(PAGES)("%s is not shared through caches", async (path) => {
    const isolate = laterService({ EDGE_CACHE: "on" });
    const seen = async (patron?: LoggedIn): Promise<[string | null, string[]]> => {
      const headers = { ...HTML, ...patron?.headers };
      const response = await isolate.fetch(path, { headers });
      return [response.headers.get("Cache-Control"), actions(await response.text())];
    };
    const everybody = ["public, max-age=0, must-revalidate", ["join-waitinglist"]];
    for (const _again of [1, 2]) {
      expect(await seen(first)).toEqual(["private, no-store", ["return"]]);
      expect(await seen()).toEqual(everybody);
      expect(await seen(second)).toEqual(["private, no-store", ["leave-waitinglist"]]);
    }
  });

  it.each(PAGES)("%s takes two waves of queries without a session", async (path) => {
    const waves = countedWaves();
    const counted = laterService({
      CATALOG: waves.of(env.CATALOG),
      PATRONS: waves.of(env.PATRONS),
    });
    expect((await counted.fetch(path, { headers: HTML })).status).toBe(200);
    expect(waves.count).toBe(2);
  });

  it("reads only the queues of its own scans", async () => {
    const insert = env.PATRONS.prepare(
      `INSERT INTO waiting_loan (ocaid, number, patron, book, since, updated)
       VALUES ('longqueue', ?, ?, '/books/OL9M', 1, 1)`,
    );
    const waiters = Array.from({ length: 200 }, (_, at) => (at === 99 ? second.username : `waiter${at}`));
    await env.PATRONS.batch(waiters.map((patron, at) => insert.bind(at + 1, patron)));
    const [all, everywhere] = measured(env.PATRONS);
    const both = await readPlacesOf(everywhere, second.username);
    expect(both.map(({ ocaid, position }) => [ocaid, position])).toContainEqual(["longqueue", 100]);
    const [own, here] = measured(env.PATRONS);
    const places = await readPlacesOf(here, second.username, ["lentscan"]);
    expect(places.map(({ ocaid }) => ocaid)).toEqual(["lentscan"]);
    expect(own.rowsRead).toBeLessThan(all.rowsRead / 10);
    // The pages ask no more than that.
    const asked = countedDatabase(env.PATRONS);
    const counted = laterService({ PATRONS: asked.database });
    for (const path of PAGES) {
      const response = await counted.fetch(path, { headers: { ...HTML, ...second.headers } });
      expect(await response.text()).toContain("in line.");
    }
    const questions = asked.statements.filter((sql) => /FROM waiting_loan w/.test(sql));
    expect(questions.map((sql) => /ocaid IN \(/.test(sql))).toEqual([true, true]);
  });

  it.each(PAGES)("%s is shown while the lending service is down", async (path) => {
    const alone = laterService({ LENDING: "http" });
    const response = await alone.fetch(path, { headers: { ...HTML, ...first.headers } });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("Availability can’t be checked right now.");
  });
});
