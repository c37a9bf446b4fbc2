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
