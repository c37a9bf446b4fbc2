import { beforeEach, describe, expect, it } from "vitest";
import type { CatalogRecord } from "../../../src/catalog/record.ts";
import { emptyCatalog, stored } from "../../support/worker/desk.ts";
import { imported, refused } from "../../support/worker/importing.ts";
import { author, authorKey, redirected, work, workKey } from "../../support/worker/records.ts";
import { type TestRecord, testService } from "../../support/worker/service.ts";

const service = testService();
beforeEach(emptyCatalog);

const NAME = "William H. Brewer";
const recordOf = (searched: CatalogRecord) => ({
  title: "A book",
  authors: [searched],
  source_records: ["marc:file:0:100"],
});
const years = (birth: string, death: string) => ({ birth_date: birth, death_date: death });

/** Key of the author that a record with this one gets; those that were there have numbers up to 9. */
async function foundFor(searched: CatalogRecord, ...there: TestRecord[]): Promise<string | undefined> {
  await service.loadUnindexed(author(9, { name: "The last one" }), ...there);
  const { authors } = await imported(recordOf(searched));
  const [first] = authors ?? [];
  return first?.status === "created" ? "new" : first?.key;
}

describe("the author of an imported book", () => {
  const VIAF = [
    author(3, { name: "Somebody", remote_ids: { viaf: "12345678" } }),
    author(4, { name: "Another", remote_ids: { viaf: "87654321" } }),
  ];

  it("is the one with the key", async () => {
    expect(await foundFor({ name: "Whoever", key: authorKey(4) }, ...VIAF)).toBe(authorKey(4));
  });

  it("is none when key and identifier say different ones", async () => {
    await service.loadUnindexed(...VIAF);
    const searched = { name: "Whoever", key: authorKey(4), remote_ids: { viaf: "12345678" } };
    expect(await refused(recordOf(searched))).toMatch(/^author-id-conflict: /);
  });

  it("is the one with the identifier, whatever the name", async () => {
    const searched = { name: "Whoever", remote_ids: { viaf: "12345678" } };
    expect(await foundFor(searched, ...VIAF)).toBe(authorKey(3));
  });

  it("is the one with name and years before others of the name", async () => {
    const there = [
      author(3, { name: NAME }),
      author(4, { name: "Someone", alternate_names: [NAME] }),
      author(5, { name: NAME, ...years("1829", "1910") }),
    ];
    expect(await foundFor({ name: NAME, ...years("1829", "1910") }, ...there)).toBe(authorKey(5));
  });

  it("is another one when the years differ", async () => {
    const there = author(3, { name: NAME, ...years("1829", "1910") });
    expect(await foundFor({ name: NAME, ...years("1829", "1911") }, there)).toBe("new");
  });

  it.each([
    { name: "Fyodor Dostoevsky" },
    { name: "Somebody else", alternate_names: ["Dostoevsky, Fyodor"] },
  ])("is the one who is also called so and has the years, %j", async (searched) => {
    const there = [
      author(4, { name: "Фёдор", alternate_names: ["Fyodor Dostoevsky"] }),
      author(5, { name: "Фёдор Д.", alternate_names: ["Fyodor Dostoevsky"], ...years("1821", "1881") }),
    ];
    expect(await foundFor({ ...searched, ...years("1821", "1881") }, ...there)).toBe(authorKey(5));
  });

  it.each<[string, CatalogRecord, CatalogRecord, string]>([
    ["1829-1910", years("1829", "1910"), years("1829", "1910"), authorKey(3)],
    ["another year of death", years("1829", "1910"), years("1829", "1911"), "new"],
    ["no years", {}, {}, "new"],
    [
      "the same days in other words",
      years("September 14th, 1829", "11/2/1910"),
      years("1829-09-14", "November 1910"),
      authorKey(3),
    ],
  ])("is found by last name and years: %s", async (_what, there, searched, key) => {
    const known = author(3, { name: "William Brewer", ...there });
    expect(await foundFor({ name: "Mr. William H. brewer", ...searched }, known)).toBe(key);
  });

  it("is found whatever the case", async () => {
    expect(await foundFor({ name: "JoHN SmITh" }, author(3, { name: "John Smith" }))).toBe(authorKey(3));
  });

  it("is not found by an asterisk, which stays in the name", async () => {
    expect(await foundFor({ name: "John*" }, author(3, { name: "John Smith" }))).toBe("new");
    expect(await stored(authorKey(10))).toMatchObject({ name: "John*" });
  });

  it("is one who is found by two names once", async () => {
    const known = author(3, { name: "John Smith", alternate_names: ["Johnny Smith"] });
    expect(await foundFor({ name: "John Smith", alternate_names: ["Johnny Smith"] }, known)).toBe(
      authorKey(3),
    );
  });

  it("is what a redirected one has become", async () => {
    const there = [author(3, { name: "John Smith" }), redirected(authorKey(4), authorKey(3), 1)];
    expect(await foundFor({ name: "Whoever", key: authorKey(4) }, ...there)).toBe(authorKey(3));
  });

  it("has a name longer than what the index holds of titles", async () => {
    const name = "Committee on the History of Very Long Names, Subcommittee";
    const there = [author(3, { name: `${name} on Titles` }), author(4, { name: `${name} on Authors` })];
    expect(await foundFor({ name: `${name} on Authors`, entity_type: "org" }, ...there)).toBe(authorKey(4));
  });

  it("of the early years is found through the keys of those", async () => {
    await service.loadUnindexed(author(3, { name: "John Smith" }), {
      ...work(1, { title: "A book" }),
      authors: [{ author: { key: "/a/OL3A" } }],
    });
    expect(await imported(recordOf({ name: "John Smith" }))).toMatchObject({
      work: { key: workKey(1), status: "matched" },
    });
  });
});
