import { beforeEach, describe, expect, it } from "vitest";
import type { CatalogRecord } from "../../../src/catalog/record.ts";
import { emptyCatalog } from "../../support/worker/desk.ts";
import { imported } from "../../support/worker/importing.ts";
import { author, authorKey, work, workKey } from "../../support/worker/records.ts";
import { type TestRecord, testService } from "../../support/worker/service.ts";

const service = testService();
beforeEach(emptyCatalog);

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
  const VIAF = [author(3, { name: "Somebody", remote_ids: { viaf: "12345678" } })];

  it("is found by an identifier", async () => {
    const searched = { name: "Another name", remote_ids: { viaf: "12345678" } };
    expect(await foundFor(searched, ...VIAF)).toBe(authorKey(3));
  });

  it.each([
    { name: "Fyodor Dostoevsky" },
    { name: "Somebody else", alternate_names: ["Dostoevsky, Fyodor"] },
  ])("is found by alternate names and years: %j", async (searched) => {
    const there = [
      author(4, { name: "Фёдор", alternate_names: ["Fyodor Dostoevsky"] }),
      author(5, { name: "Фёдор Д.", alternate_names: ["Fyodor Dostoevsky"], ...years("1821", "1881") }),
    ];
    expect(await foundFor({ ...searched, ...years("1821", "1881") }, ...there)).toBe(authorKey(5));
  });

  it("is found by last name and years", async () => {
    const known = author(3, { name: "William Brewer", ...years("September 14th, 1829", "11/2/1910") });
    const searched = { name: "Mr. William H. brewer", ...years("1829-09-14", "November 1910") };
    expect(await foundFor(searched, known)).toBe(authorKey(3));
  });

  it("is found by a name longer than the index's titles", async () => {
    const name = "Committee on the History of Very Long Names, Subcommittee";
    const there = [author(3, { name: `${name} on Titles` }), author(4, { name: `${name} on Authors` })];
    expect(await foundFor({ name: `${name} on Authors`, entity_type: "org" }, ...there)).toBe(authorKey(4));
  });

  it("is found in works with old keys", async () => {
    await service.loadUnindexed(author(3, { name: "John Smith" }), {
      ...work(1, { title: "A book" }),
      authors: [{ author: { key: "/a/OL3A" } }],
    });
    expect(await imported(recordOf({ name: "John Smith" }))).toMatchObject({
      work: { key: workKey(1), status: "matched" },
    });
  });
});
