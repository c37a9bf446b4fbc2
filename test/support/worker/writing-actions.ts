import { pngImage } from "../covers/real-images.ts";
import { formOf, jsonOf } from "./accounts.ts";
import { putTerms } from "./lending.ts";
import { type LoggedIn, loggedIn } from "./logged-in.ts";
import type { Random } from "./random.ts";
import { author, authorKey, edition, editionKey, work, workKey } from "./records.ts";
import type { TestService } from "./service.ts";
import { emptyStores } from "./stored.ts";
import { uploadLibrary } from "./upload-library.ts";

const WORKS = 6;
const AUTHORS = 3;
/** Editions of work 1: with that many, its first reader does not change its popularity band. */
const MANY = 10;
/** Of books that are imported. */
const ISBNS = ["9780141439518", "9780140328721"];

type Action = (random: Random) => Promise<Response>;

/**
 * Empties the stores, loads a small catalog, and returns actions of writers by name. Some are refused, as with real clients:
 * a deleted work cannot be merged.
 */
export async function writingActions(service: TestService): Promise<Readonly<Record<string, Action>>> {
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
  const chief = await loggedIn(service, "chief", { groups: ["super-librarians", "admin"] });
  const reader = await loggedIn(service, "reader");
  return actionsOf({ service, chief, reader });
}

interface Change {
  readonly id: number;
  readonly timestamp: string;
}

interface Writers {
  readonly service: TestService;
  readonly chief: LoggedIn;
  readonly reader: LoggedIn;
}

function actionsOf({ service, chief, reader }: Writers): Readonly<Record<string, Action>> {
  const shelve = (random: Random, shelf: string): Promise<Response> =>
    random
      .pick([chief, reader])
      .fetch(`${anyWork(random)}/bookshelves.json`, formOf({ bookshelf_id: shelf }));
  const merge = (path: string, master: string, ...duplicates: string[]): Promise<Response> =>
    chief.fetch(path, jsonOf({ master, duplicates }));
  const save = async (key: string, members: object): Promise<Response> => {
    const stored = Object(await service.json(`${key}.json`));
    return chief.fetch(`${key}.json`, { ...jsonOf({ ...stored, ...members }), method: "PUT" });
  };
  return {
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
    mergeAuthors: (random) =>
      merge("/authors/merge.json", authorKey(random.below(AUTHORS) + 1), authorKey(1)),
    delete: (random) =>
      save(random.pick([anyWork(random), anyEdition(random)]), { type: { key: "/type/delete" } }),
    undo: async (random) => {
      const changes = (await service.json("/recentchanges.json?limit=5")) as Change[];
      const { id, timestamp } = random.pick(changes);
      const day = timestamp.slice(0, "YYYY-MM-DD".length).replaceAll("-", "/");
      return chief.fetch(`/recentchanges/${day}/update/${id}.json`, { method: "POST" });
    },
    import: (random) => chief.fetch("/api/import", jsonOf(book(random))),
    cover: (random) => {
      const body = new FormData();
      body.set("file", new Blob([pngImage(30, 40)]), "cover.png");
      return chief.fetch(`${anyWork(random)}/-/add-cover`, { method: "POST", body });
    },
    observe: (random) =>
      reader.fetch(
        `${anyWork(random)}/observations.json`,
        jsonOf({ action: random.pick(["add", "delete"]), observation: { Mood: "Dark" } }),
      ),
    like: (random) =>
      reader.fetch("/api/like.json", jsonOf({ key: anyWork(random), value: random.pick([1, -1]) })),
    follow: (random) =>
      reader.fetch(
        "/people/reader/follows.json",
        formOf({ publisher: "chief", state: random.pick(["0", "1"]) }),
      ),
    hide: (random) =>
      chief.fetch("/account/preferences.json", jsonOf({ public_readlog: random.pick(["yes", "no"]) })),
    importLog: (random) => uploadLibrary(random.pick([chief, reader]), "/account/import", readingLog(random)),
    importBatch: (random) =>
      chief.fetch("/import/batch/new.json", formOf({ batchImportText: JSON.stringify(book(random)) })),
    loan: (random) => {
      const id = random.below(WORKS) + 1;
      const action = random.pick(["borrow", "return"]);
      return reader.fetch(`/books/OL${id}M/x/borrow`, formOf({ action }));
    },
  };
}

const anyWork = (random: Random): string => workKey(random.below(WORKS) + 1);
const anyEdition = (random: Random): string => editionKey(random.below(WORKS + MANY) + 1);

const book = (random: Random) => ({
  title: `Imported ${random.below(3)}`,
  authors: [{ name: `Author ${random.below(4)}` }],
  publishers: ["Press"],
  publish_date: "2001",
  source_records: [`ia:imported${random.below(5)}`],
  isbn_13: [random.pick(ISBNS)],
});

/** Books of a reading log, some of which the catalog has. */
const readingLog = (random: Random): string =>
  [
    "Title,Author,ISBN13,My Rating,Exclusive Shelf",
    ...ISBNS.map((isbn) => `A book,A. Writer,${isbn},${random.below(6)},${random.pick(["read", "to-read"])}`),
  ].join("\n");
