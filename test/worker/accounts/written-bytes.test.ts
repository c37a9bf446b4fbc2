import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { formOf, jsonOf } from "../../support/worker/accounts.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { onBehalfOf, raw, testStore } from "../../support/worker/record-store.ts";
import { author, work } from "../../support/worker/records.ts";
import { type TestService, testService } from "../../support/worker/service.ts";

const MIB = 1024 * 1024;
const SAID = "has saved too much data";
const LONG = "long ".repeat(20_000);
const service = testService({ LIBRARIAN_MIB_PER_HOUR: "1" });
const store = testStore(service);
let patrons = 0;
let joe: LoggedIn;

beforeAll(() => service.load(work(1), work(2), author(1)));

beforeEach(async () => {
  // Ahead of the real clock, whose alarms would delete the budgets.
  service.now = Math.max(service.now, Date.now()) + 3 * 86_400_000;
  joe = await loggedIn(service, `writer${(patrons += 1)}`);
});

/** Spends an hourly budget except for some bytes. */
async function leave(who: LoggedIn, bytes: number, { hour = 20 * MIB, day = 100 * MIB } = {}) {
  const throttle = env.THROTTLE.getByName(`bytes of ${who.key}`);
  const limits = [
    { limit: hour, seconds: 3600 },
    { limit: day, seconds: 86_400 },
  ];
  expect(await throttle.spend(service.now, hour - bytes, limits)).toBe(0);
}

let texts = 0;
/** Saves a work with a new text of 100 kB through the record store. */
const saveLong = (who: LoggedIn): Promise<Response> => {
  const description = `${(texts += 1)} ${LONG}`;
  const document = { type: { key: "/type/work" }, title: "Long", description };
  return store.call("/save/works/OL1W", raw("POST", document, onBehalfOf(who)));
};
const makeList = (who: LoggedIn, description: string): Promise<Response> =>
  who.fetch(`${who.key}/lists.json`, jsonOf({ name: "A list", description, tags: [], seeds: [] }));

describe("byte budgets of an account", () => {
  it("refuse large changes with a 429 that says why, and still accept small edits", async () => {
    await leave(joe, 150_000);
    expect((await saveLong(joe)).status).toBe(200);
    const refused = await saveLong(joe);
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "3600"]);
    expect(await refused.text()).toContain(SAID);
    expect((await makeList(joe, "short")).status).toBe(200);
    service.now += 3_600_000;
    expect((await saveLong(joe)).status).toBe(200);
  });

  it("include a daily one", async () => {
    for (let hour = 0; hour < 5; hour += 1) {
      await leave(joe, 0);
      service.now += 3_600_000;
    }
    const refused = await saveLong(joe);
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, String(19 * 3600)]);
    service.now += 19 * 3_600_000;
    joe = await loggedIn(service, joe.username);
    expect((await saveLong(joe)).status).toBe(200);
  });

  it("count small changes together", async () => {
    await leave(joe, 0);
    const statuses = new Set<number>();
    for (let index = 0; index < 8; index += 1) {
      statuses.add((await makeList(joe, "words ".repeat(2000))).status);
    }
    expect(statuses).toEqual(new Set([200, 429]));
  });

  it("count the whole list when a seed is added", async () => {
    const { key } = await (await makeList(joe, "words ".repeat(10_000))).json<{ key: string }>();
    await leave(joe, 150_000);
    const statuses: number[] = [];
    for (const seed of ["/works/OL1W", "/works/OL2W", "/authors/OL1A"]) {
      statuses.push((await joe.fetch(`${key}/seeds.json`, jsonOf({ add: [{ key: seed }] }))).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });

  it("count forms and imports", async () => {
    await leave(joe, 0);
    const fields = { "work--title": "Long", "work--description": LONG, v: "1" };
    const edited = await joe.fetch("/works/OL2W/edit", formOf(fields));
    expect([edited.status, await edited.text()]).toEqual([429, expect.stringContaining(SAID)]);
    const program = await loggedIn(service, `program${patrons}`, { groups: ["api"] });
    await leave(program, 0, { hour: MIB, day: 5 * MIB });
    const book = {
      title: "A long book",
      source_records: ["test:1"],
      authors: [{ name: "Somebody" }],
      publishers: ["Them"],
      publish_date: "2020",
      description: LONG,
    };
    const imported = await program.fetch("/api/import", jsonOf(book));
    expect([imported.status, await imported.text()]).toEqual([429, expect.stringContaining(SAID)]);
  });

  it("come from a setting for librarians, which turns them off with 0", async () => {
    const free = testService({ LIBRARIAN_MIB_PER_HOUR: "0" });
    free.now = service.now;
    const statusesOf = async (of: TestService, name: string): Promise<number[]> => {
      const librarian = await loggedIn(of, name, { groups: ["librarians"] });
      await leave(librarian, 0, { hour: MIB, day: 5 * MIB });
      const list = "words ".repeat(10_000);
      return [(await makeList(librarian, list)).status, (await makeList(librarian, list)).status];
    };
    expect(await statusesOf(service, "limited")).toEqual([200, 429]);
    expect(await statusesOf(free, "free")).toEqual([200, 200]);
  });
});
