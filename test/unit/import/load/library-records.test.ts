import { describe, expect, it } from "vitest";
import type { CatalogRecord } from "../../../../src/catalog/record.ts";
import { author, authors, edition, roles, work } from "../../../support/import/records.ts";
import { SmallCatalog } from "../../../support/import/small-catalog.ts";
import { HAS_FIXTURES, fixtureBytes } from "../shared-fixtures.ts";

/** A record of a library, as its file gives it. */
function record(name: string): CatalogRecord {
  const bytes = fixtureBytes(`marc/extra/load/${name}.expect.json`);
  const read: CatalogRecord = JSON.parse(new TextDecoder().decode(bytes));
  return { ...read, source_records: [`marc:${name}`] };
}

const scan = (name: string): CatalogRecord => ({
  ...record(`${name}_meta`),
  ocaid: name,
  source_records: [`ia:${name}`],
});
const MARC = { fromMarc: true };

describe.skipIf(!HAS_FIXTURES)("records of libraries", () => {
  it("of one book are one edition", () => {
    const catalog = new SmallCatalog();
    const first = record("v38.i37.records.utf8--16478504-1254");
    const replies = [first, first, record("v39.i28.records.utf8--5362776-1764")].map((one) =>
      catalog.load(one),
    );
    expect(replies.map(({ edition: { status } }) => status)).toEqual(["created", "matched", "modified"]);
    expect(catalog.all("edition")).toHaveLength(1);
    expect(catalog.all("work")).toHaveLength(1);
  });

  it("add to edition and work, and to no author", () => {
    const catalog = new SmallCatalog(
      author(1, "Paul Michael Boothe"),
      work(1, { title: "Finance", authors: roles(1) }),
      edition(1, {
        title: "Finance",
        isbn_13: ["9780888643513"],
        authors: authors(1),
        source_records: ["x:1"],
      }),
    );
    const reply = catalog.load(record("v39.i34.records.utf8--186503-1413"));
    expect(reply).toMatchObject({
      edition: { key: "/books/OL1M", status: "modified" },
      work: { status: "modified" },
    });
    expect(reply.authors).toBeUndefined();
    expect(catalog.get("/books/OL1M")["authors"]).toEqual(authors(1));
    expect(catalog.get("/works/OL1W")["authors"]).toEqual(roles(1));
  });

  it("give all that they say to a new edition", () => {
    const catalog = new SmallCatalog();
    const reply = catalog.load(scan("isbn_9781419594069"), MARC);
    expect(reply.authors).toMatchObject([{ name: "Adam Weiner", status: "created" }]);
    const made = catalog.get(reply.edition.key);
    expect(made).toMatchObject({
      publishers: ["Kaplan Publishing"],
      publish_date: "2007",
      publish_places: ["New York"],
      number_of_pages: 264,
      description: { type: "/type/text" },
    });
    expect(made["subjects"]).toHaveLength(8);
    expect(catalog.get(reply.work.key)["description"]).toEqual(made["description"]);
  });

  it("have authors among those who contributed", () => {
    const catalog = new SmallCatalog();
    const reply = catalog.load(scan("sexuallytransmit00egen"), MARC);
    expect(reply.authors).toMatchObject([{ name: "Laura K. Egendorf" }]);
    expect(catalog.get(reply.authors?.[0]?.key ?? "")["birth_date"]).toBe("1973");
  });

  it("find authors by dates that are written in another way", () => {
    const catalog = new SmallCatalog(
      author(1, "Hubert Howe Bancroft", { birth_date: "1832", death_date: "1918." }),
      work(1, { title: "The Works of Hubert Howe Bancroft", authors: roles(1) }),
    );
    const [first, second] = [1, 2].map(() => catalog.load(scan("workshuberthowe00racegoog"), MARC));
    expect(first?.work).toMatchObject({ key: "/works/OL1W" });
    expect(second).toMatchObject({ edition: { key: first?.edition.key, status: "matched" } });
    expect(catalog.get("/works/OL1W")["authors"]).toEqual(roles(1));
    expect(catalog.all("author")).toHaveLength(1);
  });

  it("give sources to an edition that has none", () => {
    const catalog = new SmallCatalog(
      work(1, { title: "The Nuremberg war crimes trial" }),
      edition(1, { title: "The Nuremberg war crimes trial, 1945-46", isbn_10: ["031216386X"] }),
    );
    expect(catalog.load(scan("nurembergwarcrim1997marr"), MARC).edition).toEqual({
      key: "/books/OL1M",
      status: "modified",
    });
    expect(catalog.get("/books/OL1M")["source_records"]).toEqual(["ia:nurembergwarcrim1997marr"]);
  });

  it("name authors in their order, and their roles in the work", () => {
    const bytes = fixtureBytes("marc/bin/ithaca_college_75002321.expect.json");
    const read: CatalogRecord = JSON.parse(new TextDecoder().decode(bytes));
    const decision = new SmallCatalog().decide({ ...read, source_records: ["x:1"] });
    expect(decision.reply.authors?.map(({ name }) => name)).toEqual([
      "Joseph A. Pechman",
      "P. Michael Timpane",
      "Brookings Institution, Washington, D.C. Panel on Social Experimentation",
    ]);
    const made = decision.created.find((one) => JSON.stringify(one["type"]) === '{"key":"/type/work"}');
    expect(made?.["authors"]).toMatchObject([{ role: "Editor" }, { role: "Editor" }, {}]);
    expect(Object.keys(Object(Array.isArray(made?.["authors"]) ? made["authors"][2] : {}))).toEqual([
      "type",
      "author",
    ]);
  });
});
