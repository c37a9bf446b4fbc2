import { beforeEach, describe, expect, it } from "vitest";
import { catalogFaults } from "../../support/worker/catalog-audit.ts";
import { emptyCatalog, stored } from "../../support/worker/desk.ts";
import { HAS_LIBRARY_FILES, libraryBytes } from "../../support/worker/library-files.ts";
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

/** Imports the file as that of a scan. */
async function importedScan(id: string, file = `marc/extra/load/${id}_meta.mrc`): Promise<Answer> {
  await putItem(id);
  await putItemFile(id, `${id}_meta.mrc`, await libraryBytes(file));
  return imported({ identifier: id });
}

/** Imports the file as one record of a library's file. */
async function importedFromFile(name: string): Promise<Answer> {
  const bytes = await libraryBytes(`marc/extra/load/${name}.mrc`);
  await putItemFile("library00records", `${name}.mrc`, bytes);
  return imported({ identifier: `library00records/${name}.mrc:0:${bytes.length}`, bulk_marc: "true" });
}

const statuses = ({ edition: { status }, work: { status: ofWork } }: Answer) => [status, ofWork];
const role = (id: number) => ({ type: { key: "/type/author_role" }, author: { key: authorKey(id) } });
const text = (value: unknown) => ({ type: "/type/text", value });

describe.skipIf(!HAS_LIBRARY_FILES)("MARC records of libraries, as they are imported", () => {
  it("of one book from two files are one edition (24)", async () => {
    const files = ["v38.i37.records.utf8--16478504-1254", "v39.i28.records.utf8--5362776-1764"];
    const [first = "", second = ""] = files;
    const answers = [first, first, second].map((name) => () => importedFromFile(name));
    const all: Answer[] = [];
    for (const answer of answers) all.push(await answer());
    expect(all.map(({ edition: one }) => [one.key, one.status])).toEqual([
      [editionKey(1), "created"],
      [editionKey(1), "matched"],
      [editionKey(1), "modified"],
    ]);
    expect(await stored(editionKey(1))).toMatchObject({
      source_records: files.map((name) => `marc:library00records/${name}.mrc:0:${name.split("-").at(-1)}`),
    });
    expect(await catalogFaults()).toEqual([]);
  });

  it("name no authors of a book that has some (25)", async () => {
    await service.loadUnindexed(
      author(1, { name: "Paul Michael Boothe" }),
      work(1, { authors: [1] }),
      edition(1, { isbn_13: ["9780888643513"], authors: [{ key: authorKey(1) }], work: 1 }),
    );
    const answer = await importedFromFile("v39.i34.records.utf8--186503-1413");
    expect(statuses(answer)).toEqual(["modified", "modified"]);
    expect(answer).not.toHaveProperty("authors");
    expect(await stored(editionKey(1))).toMatchObject({ authors: [{ key: authorKey(1) }] });
    expect(await stored(workKey(1))).toMatchObject({ authors: [role(1)] });
  });

  it("give all that they say to edition and work (26)", async () => {
    const answer = await importedScan("isbn_9781419594069");
    expect(answer.authors).toEqual([{ key: authorKey(1), name: "Adam Weiner", status: "created" }]);
    const made = await stored(answer.edition.key);
    expect(made).toMatchObject({
      ocaid: "isbn_9781419594069",
      source_records: ["ia:isbn_9781419594069"],
      publishers: ["Kaplan Publishing"],
      publish_date: "2007",
      publish_places: ["New York"],
      number_of_pages: 264,
      description: text(expect.stringContaining("laws of physics")),
      authors: [{ key: authorKey(1) }],
      works: [{ key: answer.work.key }],
    });
    expect(made?.["subjects"]).toHaveLength(8);
    expect(await stored(answer.work.key)).toMatchObject({ description: made?.["description"] });
    expect(await catalogFaults()).toEqual([]);
  });

  it("have authors among those who contributed (27)", async () => {
    const answer = await importedScan("sexuallytransmit00egen");
    expect(answer.authors).toEqual([{ key: authorKey(1), name: "Laura K. Egendorf", status: "created" }]);
    expect(await stored(authorKey(1))).toMatchObject({ birth_date: "1973", entity_type: "person" });
  });

  it("name authors in their order, and their roles in the work (28)", async () => {
    const id = "ithaca_college_75002321";
    const answer = await importedScan(id, `marc/bin/${id}.mrc`);
    const panel = "Brookings Institution, Washington, D.C. Panel on Social Experimentation";
    const names = ["Joseph A. Pechman", "P. Michael Timpane", panel];
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

  it("find authors by dates that are written in another way (29)", async () => {
    const known = { name: "Hubert Howe Bancroft", birth_date: "1832", death_date: "1918." };
    await service.loadUnindexed(
      author(1, known),
      work(1, { title: "The Works of Hubert Howe Bancroft", authors: [1] }),
    );
    const first = await importedScan("workshuberthowe00racegoog");
    expect(first).toMatchObject({
      authors: [{ key: authorKey(1), name: known.name, status: "matched" }],
      edition: { status: "created" },
      work: { key: workKey(1) },
    });
    const second = await imported({ identifier: "workshuberthowe00racegoog" });
    expect(second).toMatchObject({
      edition: { key: first.edition.key, status: "matched" },
      work: { key: workKey(1), status: "matched" },
    });
    expect(await stored(workKey(1))).toMatchObject({ authors: [role(1)] });
  });

  it("give sources to an edition that has none (30)", async () => {
    await service.loadUnindexed(
      work(1, { title: "The Nuremberg war crimes trial" }),
      edition(1, { title: "The Nuremberg war crimes trial, 1945-46", isbn_10: ["031216386X"], work: 1 }),
    );
    const answer = await importedScan("nurembergwarcrim1997marr");
    expect(answer.edition).toEqual({ key: editionKey(1), status: "modified" });
    expect(await stored(editionKey(1))).toMatchObject({ source_records: ["ia:nurembergwarcrim1997marr"] });
  });
});
