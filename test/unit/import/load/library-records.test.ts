import { describe, expect, it } from "vitest";
import { keysOf } from "../../../../src/catalog/record.ts";
import { readMarc } from "../../../../src/import/marc/binary.ts";
import { editionOfMarc } from "../../../../src/import/marc/edition.ts";
import type { ImportRecord } from "../../../../src/import/record.ts";
import { author, authors, edition, roles, work } from "../../../support/import/records.ts";
import { SmallCatalog } from "../../../support/import/small-catalog.ts";
import { marcBytes } from "../../../support/marc/build-marc.ts";
import { BOOKS } from "../../../support/marc/library-records.ts";

/** Reads the record of a library, out of a file of many. */
async function recordOf(name: keyof typeof BOOKS): Promise<ImportRecord> {
  const read = editionOfMarc(await readMarc(marcBytes({ fields: BOOKS[name] })));
  return { ...read, source_records: [`marc:${name}`] };
}

/** Reads the record of a scanned book. */
async function scanOf(name: keyof typeof BOOKS): Promise<ImportRecord> {
  return { ...(await recordOf(name)), ocaid: name, source_records: [`ia:${name}`] };
}

const MARC = { fromMarc: true };

describe("importing MARC records of libraries", () => {
  it("adds the record of a second library to the edition of the first", async () => {
    const catalog = new SmallCatalog();
    const first = await recordOf("saltRoads");
    const replies = [first, first, await recordOf("saltRoadsElsewhere")].map((one) => catalog.load(one));
    expect(replies.map(({ edition: { status } }) => status)).toEqual(["created", "matched", "modified"]);
    expect(catalog.all("work")).toHaveLength(1);
    expect(catalog.all("edition")).toMatchObject([
      { source_records: ["marc:saltRoads", "marc:saltRoadsElsewhere"], oclc_numbers: ["654321"] },
    ]);
  });

  it("leaves the authors of a known edition alone", async () => {
    const catalog = new SmallCatalog(
      author(1, "Ruth Tarn"),
      work(1, { title: "Lakes", authors: roles(1) }),
      edition(1, {
        title: "Lakes",
        isbn_13: ["9780714840147"],
        authors: authors(1),
        source_records: ["x:1"],
      }),
    );
    const reply = catalog.load(await recordOf("deepLakes"));
    expect(reply).toMatchObject({
      edition: { key: "/books/OL1M", status: "modified" },
      work: { status: "modified" },
    });
    expect(reply.authors).toBeUndefined();
    expect(catalog.get("/books/OL1M")["authors"]).toEqual(authors(1));
    expect(catalog.get("/works/OL1W")["authors"]).toEqual(roles(1));
    expect(catalog.all("author")).toHaveLength(1);
  });

  it("stores all members of a new edition", async () => {
    const catalog = new SmallCatalog();
    const reply = catalog.load(await scanOf("bridges"), MARC);
    expect(reply.authors).toMatchObject([{ name: "Celia Arch", status: "created" }]);
    const stored = catalog.get(reply.edition.key);
    expect(stored).toMatchObject({
      publishers: ["Span & Co."],
      publish_date: "2011",
      publish_places: ["New York"],
      number_of_pages: 264,
      description: { type: "/type/text", value: "Why arches stand." },
      subjects: ["Bridges", "Design and construction", "Buildings"],
      subject_places: ["New York (State)"],
    });
    expect(catalog.get(reply.work.key)["description"]).toEqual(stored["description"]);
  });

  it("takes contributors for the authors when there is no main entry", async () => {
    const catalog = new SmallCatalog();
    const reply = catalog.load(await scanOf("orchards"), MARC);
    expect(reply.authors).toMatchObject([{ name: "Laura Pomeroy" }]);
    expect(catalog.get(reply.authors?.[0]?.key ?? "")["birth_date"]).toBe("1953");
  });

  it("finds an author whose dates are punctuated differently", async () => {
    const catalog = new SmallCatalog(
      author(1, "Hugo Firn", { birth_date: "1832", death_date: "1918." }),
      work(1, { title: "The Glaciers of Hugo Firn", authors: roles(1) }),
    );
    const record = await scanOf("glaciers");
    const [first, second] = [1, 2].map(() => catalog.load(record, MARC));
    expect(first?.work).toMatchObject({ key: "/works/OL1W" });
    expect(second).toMatchObject({ edition: { key: first?.edition.key, status: "matched" } });
    expect(catalog.get("/works/OL1W")["authors"]).toEqual(roles(1));
    expect(catalog.all("author")).toHaveLength(1);
  });

  it("adds the source to an edition without one", async () => {
    const catalog = new SmallCatalog(
      work(1, { title: "The harbour trial" }),
      edition(1, { title: "The harbour trial, 1845-46", isbn_10: ["0131103628"] }),
    );
    expect(catalog.load(await scanOf("harbourTrial"), MARC).edition).toEqual({
      key: "/books/OL1M",
      status: "modified",
    });
    expect(catalog.get("/books/OL1M")["source_records"]).toEqual(["ia:harbourTrial"]);
  });

  it("stores authors in the order of the record, with their roles in the work", async () => {
    const catalog = new SmallCatalog();
    const reply = catalog.load(await recordOf("experiments"));
    expect(reply.authors?.map(({ name }) => name)).toEqual([
      "Jonas A. Keel",
      "Mary Draught",
      "Hull Institute, Washington. Panel on Models",
    ]);
    const keys = reply.authors?.map(({ key }) => key) ?? [];
    expect(keysOf(catalog.get(reply.edition.key)["authors"])).toEqual(keys);
    const type = { key: "/type/author_role" };
    expect(catalog.get(reply.work.key)["authors"]).toEqual([
      { type, author: { key: keys[0] }, role: "Editor" },
      { type, author: { key: keys[1] }, role: "Editor" },
      { type, author: { key: keys[2] } },
    ]);
  });
});
