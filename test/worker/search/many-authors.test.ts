import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { searchPlain } from "../../../src/db/search/plain.ts";
import { FIRST_ROW } from "../../../src/db/search/text-rows.ts";
import type { Query } from "../../../src/search/query/query.ts";
import { applyTo, at, matches, searchRows, testWork } from "../../support/worker/index-documents.ts";

const AUTHORS = 1400;
const index = { database: env.SEARCH, generation: "a", prefix: "OL" } as const;
const numbers = Array.from({ length: AUTHORS }, (_empty, place) => 1 + place);

/** Every fifth author has the name in the other order, the others have it whole; every seventh of these has another word too. */
const nameOf = (number: number): string =>
  number % 5 === 0 ? "Night River" : number % 7 === 0 ? "River Night Smith" : "River Night";
const worksOf = (number: number): number => (number % 11 === 0 ? number % 9 : 0);

const author = (number: number, name: string, version = 1) =>
  at(version, { key: `/authors/OL${number}A`, type: "author" as const, name });

const word = (text: string): Query => ({ op: "match", field: null, value: { kind: "word", text }, boost: 1 });
const BOTH: Query = { op: "and", of: [word("river"), word("night")] };

async function find(query: Query, start: number, rows: number) {
  const { numFound, documents } = await searchPlain(index, "author", {
    query,
    filters: [],
    sort: [],
    start,
    rows,
  });
  return { numFound, found: documents.map(({ key }) => Number(String(key).replace(/\D/g, ""))) };
}

async function readAll(query: Query): Promise<number[]> {
  const pages: number[][] = [];
  for (let start = 0; start < AUTHORS; start += 140) {
    const { numFound, found } = await find(query, start, 140);
    expect(numFound).toBe(AUTHORS);
    pages.push(found);
  }
  return pages.flat();
}

beforeAll(async () => {
  const authors = numbers.map((number) => author(number, nameOf(number)));
  const works = numbers.flatMap((number) =>
    Array.from({ length: worksOf(number) }, (_empty, place) =>
      at(1, testWork({ number: 10 * number + place, authors: [number] })),
    ),
  );
  for (let start = 0; start < AUTHORS; start += 100) {
    await applyTo("a", { authors: authors.slice(start, start + 100) });
  }
  for (let start = 0; start < works.length; start += 50) {
    await applyTo("a", { works: works.slice(start, start + 50) });
  }
});

describe("a search that many authors match", () => {
  it("puts namesakes first, those with most works before others, on pages that partition the result", async () => {
    const found = await readAll(BOTH);
    expect(found.toSorted((a, b) => a - b)).toEqual(numbers);
    const namesakes = numbers.filter((number) => nameOf(number) === "River Night");
    const best = namesakes.toSorted((a, b) => worksOf(b) - worksOf(a) || a - b);
    expect(found.slice(0, 100)).toEqual(best.slice(0, 100));
  });

  it("finds them by one word too", async () => {
    const found = await readAll(word("night"));
    expect(found.toSorted((a, b) => a - b)).toEqual(numbers);
    expect(worksOf(found[0] ?? 0)).toBe(8);
  });

  it("moves the texts of an author whose number of works changes much", async () => {
    expect(await matches("author_text_a", "smith")).toContain(7);
    const rowsOf = () => searchRows<{ text_row: number }>("SELECT text_row FROM author_a WHERE id = 7");
    const before = await rowsOf();
    await applyTo("a", { works: [at(2, testWork({ number: 9999, authors: [7] }))] });
    expect(await rowsOf()).not.toEqual(before);
    expect((await matches("author_text_a", "smith")).filter((number) => number === 7)).toEqual([7]);
  });

  it("ranks authors that were written before rows depended on popularity", async () => {
    await applyTo("a", { authors: [author(9801, "River Night")] });
    await env.SEARCH.batch([
      env.SEARCH.prepare(
        "DELETE FROM author_text_a WHERE rowid = (SELECT text_row FROM author_a WHERE id = 9801)",
      ),
      env.SEARCH.prepare("INSERT INTO author_text_a (rowid, name) VALUES (9801, 'river night')"),
      env.SEARCH.prepare("UPDATE author_a SET text_row = NULL WHERE id = 9801"),
    ]);
    expect(FIRST_ROW).toBeGreaterThan(9801);
    const { numFound, found } = await find(BOTH, 0, 300);
    expect(numFound).toBe(AUTHORS + 1);
    expect(found).toContain(9801);
    await applyTo("a", { authors: [author(9801, "River Night", 2)] });
    expect((await matches("author_text_a", "river")).filter((number) => number === 9801)).toEqual([9801]);
  });
});
