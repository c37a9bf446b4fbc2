import { beforeEach, describe, expect, it } from "vitest";
import { marcBytes } from "../../support/marc/build-marc.ts";
import { BOOKS } from "../../support/marc/library-records.ts";
import { catalogFaults } from "../../support/worker/catalog-audit.ts";
import { emptyCatalog, stored } from "../../support/worker/desk.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { putItem, putItemFile } from "../../support/worker/marc.ts";
import {
  author,
  authorKey,
  edition,
  editionKey,
  language,
  work,
  workKey,
} from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
let bot: LoggedIn;

beforeEach(async () => {
  await emptyCatalog();
  await service.loadUnindexed(language("eng", "English"));
  bot = await loggedIn(service, "library_records_bot", { bot: true });
});

interface Answer {
  readonly edition: { readonly key: string; readonly status: string };
  readonly work: { readonly key: string; readonly status: string };
  readonly authors?: readonly { readonly key: string; readonly name: string; readonly status: string }[];
}

async function imported(fields: Record<string, string>): Promise<Answer> {
  const response = await bot.fetch("/api/import/ia", { method: "POST", body: new URLSearchParams(fields) });
  const answer = await response.json();
  expect([response.status, answer]).toEqual([200, expect.objectContaining({ success: true })]);
  return Object(answer);
}

type BookName = keyof typeof BOOKS;

/** Imports a record as that of a scan. */
async function importedScan(id: BookName): Promise<Answer> {
  await putItem(id);
  await putItemFile(id, `${id}_meta.mrc`, marcBytes({ fields: BOOKS[id] }));
  return imported({ identifier: id });
}

/** Where a record stands in an item with the files of a library. */
const placeOf = (name: BookName) =>
  `library00records/${name}.mrc:0:${marcBytes({ fields: BOOKS[name] }).length}`;

/** Imports a record out of a library's file. */
async function importedFromFile(name: BookName): Promise<Answer> {
  await putItemFile("library00records", `${name}.mrc`, marcBytes({ fields: BOOKS[name] }));
  return imported({ identifier: placeOf(name), bulk_marc: "true" });
}

const statuses = ({ edition: { status }, work: { status: ofWork } }: Answer) => [status, ofWork];
const role = (id: number) => ({ type: { key: "/type/author_role" }, author: { key: authorKey(id) } });
const text = (value: unknown) => ({ type: "/type/text", value });

describe("importing MARC records of libraries", () => {
  it("adds the record of a second library to the edition of the first", async () => {
    const names = ["saltRoads", "saltRoads", "saltRoadsElsewhere"] as const;
    const all: Answer[] = [];
    for (const name of names) all.push(await importedFromFile(name));
    expect(all.map(({ edition: one }) => [one.key, one.status])).toEqual([
      [editionKey(1), "created"],
      [editionKey(1), "matched"],
      [editionKey(1), "modified"],
    ]);
    expect(await stored(editionKey(1))).toMatchObject({
      source_records: [`marc:${placeOf("saltRoads")}`, `marc:${placeOf("saltRoadsElsewhere")}`],
    });
    expect(await catalogFaults()).toEqual([]);
  });

  it("leaves the authors of a known edition alone", async () => {
    await service.loadUnindexed(
      author(1, { name: "Ruth Tarn" }),
      work(1, { authors: [1] }),
      edition(1, { isbn_13: ["9780714840147"], authors: [{ key: authorKey(1) }], work: 1 }),
    );
    const answer = await importedFromFile("deepLakes");
    expect(statuses(answer)).toEqual(["modified", "modified"]);
    expect(answer).not.toHaveProperty("authors");
    expect(await stored(editionKey(1))).toMatchObject({ authors: [{ key: authorKey(1) }] });
    expect(await stored(workKey(1))).toMatchObject({ authors: [role(1)] });
  });

  it("stores all members of a new edition, and those of its work", async () => {
    const answer = await importedScan("bridges");
    expect(answer.authors).toEqual([{ key: authorKey(1), name: "Celia Arch", status: "created" }]);
    const made = await stored(answer.edition.key);
    expect(made).toMatchObject({
      ocaid: "bridges",
      source_records: ["ia:bridges"],
      publishers: ["Span & Co."],
      publish_date: "2011",
      publish_places: ["New York"],
      number_of_pages: 264,
      description: text("Why arches stand."),
      authors: [{ key: authorKey(1) }],
      works: [{ key: answer.work.key }],
      subjects: ["Bridges", "Design and construction", "Buildings"],
    });
    expect(await stored(answer.work.key)).toMatchObject({ description: made?.["description"] });
    expect(await catalogFaults()).toEqual([]);
  });

  it("takes contributors for the authors when there is no main entry", async () => {
    const answer = await importedScan("orchards");
    expect(answer.authors).toEqual([{ key: authorKey(1), name: "Laura Pomeroy", status: "created" }]);
    expect(await stored(authorKey(1))).toMatchObject({ birth_date: "1953", entity_type: "person" });
  });

  it("stores authors in the order of the record, with their roles in the work", async () => {
    const answer = await importedScan("experiments");
    const names = ["Jonas A. Keel", "Mary Draught", "Hull Institute, Washington. Panel on Models"];
    expect(answer.authors?.map(({ name, status }) => [name, status])).toEqual(
      names.map((name) => [name, "created"]),
    );
    const keys = answer.authors?.map(({ key }) => ({ key }));
    expect(await stored(answer.edition.key)).toMatchObject({ authors: keys });
    expect((await stored(answer.work.key))?.["authors"]).toEqual(
      ["Editor", "Editor", undefined].map((what, index) => ({
        type: { key: "/type/author_role" },
        author: keys?.[index],
        ...(what === undefined ? {} : { role: what }),
      })),
    );
  });

  it("finds an author whose dates are punctuated differently", async () => {
    const known = { name: "Hugo Firn", birth_date: "1832", death_date: "1918." };
    await service.loadUnindexed(
      author(1, known),
      work(1, { title: "The Glaciers of Hugo Firn", authors: [1] }),
    );
    const first = await importedScan("glaciers");
    expect(first).toMatchObject({
      authors: [{ key: authorKey(1), name: known.name, status: "matched" }],
      edition: { status: "created" },
      work: { key: workKey(1) },
    });
    const second = await imported({ identifier: "glaciers" });
    expect(second).toMatchObject({
      edition: { key: first.edition.key, status: "matched" },
      work: { key: workKey(1), status: "matched" },
    });
    expect(await stored(workKey(1))).toMatchObject({ authors: [role(1)] });
  });

  it("adds the source to an edition without one", async () => {
    await service.loadUnindexed(
      work(1, { title: "The harbour trial" }),
      edition(1, { title: "The harbour trial, 1845-46", isbn_10: ["0131103628"], work: 1 }),
    );
    const answer = await importedScan("harbourTrial");
    expect(answer.edition).toEqual({ key: editionKey(1), status: "modified" });
    expect(await stored(editionKey(1))).toMatchObject({ source_records: ["ia:harbourTrial"] });
  });
});
