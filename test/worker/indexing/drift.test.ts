import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { pngImage } from "../../support/covers/real-images.ts";
import { formOf, jsonOf } from "../../support/worker/accounts.ts";
import { indexAll, snapshot } from "../../support/worker/indexing.ts";
import { putTerms } from "../../support/worker/lending.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { settleActivity, settleImports } from "../../support/worker/queues.ts";
import { type Random, randomFrom } from "../../support/worker/random.ts";
import { author, authorKey, edition, editionKey, work, workKey } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { emptyStores } from "../../support/worker/stored.ts";

const service = testService();
const TOKEN = { Authorization: `Bearer ${env.LOAD_TOKEN}` };
const WORKS = 6;
const AUTHORS = 3;
const ACTIONS = 40;
/** Editions of work 1: with that many, its first reader does not change its popularity band. */
const MANY = 10;

let chief: LoggedIn;
let reader: LoggedIn;
beforeEach(async () => {
  await emptyStores();
  const works = Array.from({ length: WORKS }, (_, at) => at + 1);
  for (const id of works) await putTerms(`item${id}drift`, {});
  await service.load(
    ...Array.from({ length: AUTHORS }, (_, at) => author(at + 1)),
    ...works.map((id) => work(id, { authors: [(id % AUTHORS) + 1], subjects: [`subject ${id % 2}`] })),
    ...works.map((id) => edition(id, { work: id, ocaid: `item${id}drift` })),
    ...Array.from({ length: MANY }, (_, at) => edition(WORKS + at + 1, { work: 1 })),
    edition(90, { authors: [{ key: authorKey(1) }] }),
  );
  chief = await loggedIn(service, "chief", { groups: ["super-librarians", "admin"] });
  reader = await loggedIn(service, "reader");
});

/** Calls of one action each. Some are refused, as with real clients: a deleted work cannot be merged. */
const CALLS: Readonly<Record<string, (random: Random) => Promise<Response>>> = {
  rate: (random) =>
    random
      .pick([chief, reader])
      .fetch(`${anyWork(random)}/ratings.json`, formOf({ rating: `${random.below(5) + 1}` })),
  unrate: (random) => reader.fetch(`${anyWork(random)}/ratings.json`, formOf({})),
  shelve: (random) => shelve(random, `${random.below(3) + 1}`),
  unshelve: (random) => shelve(random, "-1"),
  checkIn: (random) =>
    reader.fetch(`${anyWork(random)}/check-ins.json`, jsonOf({ event_type: 3, year: 2026 })),
  list: (random) =>
    reader.fetch("/people/reader/lists.json", jsonOf({ name: "Mine", seeds: [{ key: anyWork(random) }] })),
  seeds: (random) =>
    reader.fetch(
      "/people/reader/lists/OL1L/seeds.json",
      jsonOf({ [random.pick(["add", "remove"])]: [{ key: anyWork(random) }] }),
    ),
  edit: (random) =>
    save(anyWork(random), { title: `Title ${random.below(9)}`, subjects: [`subject ${random.below(3)}`] }),
  move: (random) => save(anyEdition(random), { works: [{ key: anyWork(random) }] }),
  rename: (random) => save(authorKey(random.below(AUTHORS) + 1), { name: `Name ${random.below(9)}` }),
  merge: (random) => merge("/works/merge.json", anyWork(random), anyWork(random)),
  mergeAuthors: (random) => merge("/authors/merge.json", authorKey(random.below(AUTHORS) + 1), authorKey(1)),
  delete: (random) =>
    save(random.pick([anyWork(random), anyEdition(random)]), { type: { key: "/type/delete" } }),
  undo: async (random) => {
    const changes = (await service.json("/recentchanges.json?limit=5")) as { id: number }[];
    return chief.fetch(`/recentchanges/2026/11/21/update/${random.pick(changes).id}.json`, {
      method: "POST",
    });
  },
  import: (random) =>
    chief.fetch(
      "/api/import",
      jsonOf({
        title: `Imported ${random.below(3)}`,
        authors: [{ name: `Author ${random.below(4)}` }],
        publishers: ["Press"],
        publish_date: "2001",
        source_records: [`ia:imported${random.below(5)}`],
        isbn_13: [random.pick(["9780141439518", "9780140328721"])],
      }),
    ),
  cover: (random) => {
    const body = new FormData();
    body.set("file", new Blob([pngImage(30, 40)]), "cover.png");
    return chief.fetch(`${anyWork(random)}/-/add-cover`, { method: "POST", body });
  },
  loan: (random) => {
    const id = random.below(WORKS) + 1;
    const action = random.pick(["borrow", "return"]);
    return reader.fetch(`/books/OL${id}M/x/borrow`, formOf({ action }));
  },
};

const anyWork = (random: Random): string => workKey(random.below(WORKS) + 1);
const anyEdition = (random: Random): string => editionKey(random.below(WORKS + MANY) + 1);
const shelve = (random: Random, shelf: string): Promise<Response> =>
  random.pick([chief, reader]).fetch(`${anyWork(random)}/bookshelves.json`, formOf({ bookshelf_id: shelf }));
const merge = (path: string, master: string, ...duplicates: string[]): Promise<Response> =>
  chief.fetch(path, jsonOf({ master, duplicates }));

async function save(key: string, members: object): Promise<Response> {
  const stored = Object(await service.json(`${key}.json`));
  return chief.fetch(`${key}.json`, { ...jsonOf({ ...stored, ...members }), method: "PUT" });
}

const init = { method: "POST", headers: TOKEN, body: "{}" };

/** Waits for all consumers, then compares all works with their records; the keys of those that the index had otherwise. */
async function mended(): Promise<string[]> {
  await settleActivity();
  await settleImports();
  await indexAll();
  const { repaired, stray } = Object(await service.json("/system/index-check", init));
  return [...repaired, ...stray];
}

it.each([1, 2, 4, 5])("leaves an index that neither audit nor rebuild changes (seed %i)", async (seed) => {
  const random = randomFrom(seed);
  const names = Object.keys(CALLS);
  let done: string[] = [];
  for (const name of [
    ...random.shuffled(names),
    ...Array.from({ length: ACTIONS }, () => random.pick(names)),
  ]) {
    const response = await CALLS[name]?.(random);
    done.push(`${name} ${response?.status}`);
    expect(response?.status).toBeLessThan(500);
    if (!random.chance(0.3)) continue;
    expect(await mended(), done.join(", ")).toEqual([]);
    done = [];
  }
  expect(await mended(), done.join(", ")).toEqual([]);
  const followed = await snapshot();
  const start = { ...init, body: JSON.stringify({ start: true }) };
  while (Object(await service.json("/system/reindex", start)).finished !== true);
  expect(followed).toEqual(await snapshot());
});
