import { describe, expect, it } from "vitest";
import type { CatalogRecord } from "../../../../src/catalog/record.ts";
import { decide } from "../../../../src/import/records/decide.ts";
import { lookupsOf } from "../../../../src/import/records/record-lookups.ts";
import { foundIn } from "../../../support/import/found.ts";
import { author, authors, edition, roles, work } from "../../../support/import/records.ts";

const OPTIONS = { prefix: "OL", now: 0, fromMarc: false, coverHosts: [] };
const CANDIDATES = 100;

/** Returns the outcome for the edition of a record. */
function outcome(record: CatalogRecord, stored: readonly CatalogRecord[]): string {
  return decide(record, foundIn(stored, lookupsOf(record)), OPTIONS).reply.edition.status;
}

function candidates(members: CatalogRecord, names: readonly string[]): CatalogRecord[] {
  const numbers = names.map((_, index) => index + 1);
  return [
    ...names.map((name, index) => author(index + 1, name)),
    ...Array.from({ length: CANDIDATES }, (_, index) => [
      edition(index + 1, { ...members, authors: authors(...numbers) }),
      work(index + 1, { title: "W", authors: roles(...numbers) }),
    ]).flat(),
  ];
}

describe("a decision over a hundred candidates", () => {
  it("finds no match among different books", () => {
    const members = {
      title: "Annual report",
      publishers: ["Department of Agriculture"],
      publish_date: "1999",
    };
    const record = {
      ...members,
      publishers: ["Ministry of Health"],
      source_records: ["x:1"],
      authors: [{ name: "Somebody Else" }],
      isbn_10: ["0140328726"],
    };
    expect(outcome(record, candidates(members, ["United States. Department of Agriculture"]))).toBe(
      "created",
    );
  });

  it("compares long titles and many names", () => {
    const words = (word: string): string =>
      Array.from({ length: 20_000 }, (_, index) => `${word}${index % 97}`).join(" ");
    const start = "A title that is long enough to be cut";
    const names = (word: string): string[] =>
      Array.from({ length: 100 }, (_, index) => `${word} Name Number ${index}`);
    const members = {
      title: `${start} ${words("a")} (${words("b")})`,
      subtitle: words("c"),
      publishers: names("P"),
      publish_date: "1999",
      publish_country: "nyu",
    };
    const record = {
      ...members,
      title: `${start} ${words("d")} (${words("b")})`,
      publishers: names("Q"),
      source_records: ["x:1"],
      authors: names("R").map((name) => ({ name })),
    };
    expect(outcome(record, candidates(members, names("S").slice(0, 20)))).toBe("created");
  });
});
