import { describe, expect, it } from "vitest";
import { normalizeLccn } from "../../../src/catalog/identifiers/edition-identifiers.ts";
import { toCanonicalIsbn } from "../../../src/catalog/identifiers/isbn.ts";
import {
  toMatchText,
  editionTitleKeyOf,
  normalizeTitle,
  workTitleKeyOf,
} from "../../../src/catalog/matching/match-keys.ts";
import type { CatalogRecord, Json } from "../../../src/catalog/record.ts";
import { toComparable, titleVariantsOf } from "../../../src/import/records/comparable.ts";
import { areDatesCompatible } from "../../../src/import/records/resolve-authors.ts";
import { decodeText, splitSubtitle } from "../../../src/import/records/normalize.ts";
import { LEVEL_2, isSameBook, scoreLevelOne } from "../../../src/import/records/score.ts";
import { toNaturalOrder, withoutHonorific } from "../../../src/import/records/author-lookups.ts";
import { parseAuthorDates } from "../../../src/import/marc/edition/authors.ts";
import {
  isbnTextOf,
  parseLccn,
  parseOclcNumber,
  tidyIsbn,
} from "../../../src/import/marc/edition/numbers-and-codes.ts";
import { tidyPlace, tidySubject } from "../../../src/import/marc/edition/subjects.ts";
import { flipName, withoutFinalDot, withoutNumberDot } from "../../../src/import/marc/edition/text.ts";
import { withoutMnemonics } from "../../../src/import/marc/marc8.ts";
import { publicationYear } from "../../../src/import/record.ts";
import { HAS_FIXTURES, fixtureBytes, vectors } from "./shared-fixtures.ts";

/** Functions by group of vectors. Inputs have the type that the function takes. */
const FUNCTIONS: Readonly<Record<string, (input: never) => unknown>> = {
  remove_trailing_dot: withoutFinalDot,
  remove_trailing_number_dot: withoutNumberDot,
  flip_name: flipName,
  marc_dates: parseAuthorDates,
  tidy_subject: tidySubject,
  flip_place: tidyPlace,
  // Values of a field are trimmed before.
  marc_010a: (text: string) => parseLccn(text.trim()) ?? null,
  marc_035a: (text: string) => parseOclcNumber(text.trim()) ?? null,
  marc_020: (text: string) => isbnTextOf(text) ?? null,
  tidy_isbn_list: (texts: string[]) => texts.flatMap(tidyIsbn),
  publication_year: (date: Json) => publicationYear(date) ?? null,
  isbn_canonical: (text: string) => toCanonicalIsbn(text) ?? "",
  lccn_normalize: (text: string) => normalizeLccn(text) ?? null,
  split_subtitle: (title: string) => splitSubtitle(title).map((part) => part ?? null),
  html_unescape: decodeText,
  match_normalize_title: toMatchText,
  work_title_key: workTitleKeyOf,
  remove_honorific: withoutHonorific,
  author_name_flip: (author: CatalogRecord) => toNaturalOrder(author, undefined)["name"],
  author_dates_match: ([a, b]: [CatalogRecord, CatalogRecord]) => areDatesCompatible(a, b),
};

interface Scores {
  readonly level1: number;
  readonly level2: number;
  readonly match_at_875: boolean;
}

describe.skipIf(!HAS_FIXTURES)("recorded results of small functions", () => {
  it.each(Object.entries(FUNCTIONS))("%s", (group, run) => {
    const rows = vectors<never, unknown>(group);
    expect(rows.length).toBeGreaterThan(1);
    for (const [input, expected] of rows) expect([input, run(input)]).toEqual([input, expected]);
  });

  it.each([
    ["normalized_title_25_import", editionTitleKeyOf],
    ["normalized_title_25_index", normalizeTitle],
  ])("%s, cut at 25 characters", (group, run) => {
    for (const [title, expected] of vectors<string, string>(group)) {
      expect([title, run(title)]).toEqual([title, expected.slice(0, 25)]);
    }
  });

  it("title_variants, in any order", () => {
    for (const [title, expected] of vectors<string, string[]>("title_variants")) {
      expect(titleVariantsOf(title).toSorted()).toEqual(expected.toSorted());
    }
  });

  it("threshold_match", () => {
    // Rows of three: both records and their scores.
    const rows = vectors("threshold_match") as unknown as [CatalogRecord, CatalogRecord, Scores][];
    for (const [one, other, expected] of rows) {
      const sides = [toComparable(one), toComparable(other)] as const;
      const level2 = LEVEL_2.reduce((sum, { score }) => sum + (score(...sides) ?? 0), 0);
      expect({ level1: scoreLevelOne(...sides), level2, match_at_875: isSameBook(...sides) }).toEqual({
        level1: expected.level1,
        level2: expected.level2,
        match_at_875: expected.match_at_875,
      });
    }
  });

  it("mnemonics of MARC-8", () => {
    const names: Record<string, string> = JSON.parse(
      new TextDecoder().decode(fixtureBytes("marc/tables/mnemonics.json")),
    );
    for (const [name, bytes] of Object.entries(names)) {
      const read = [...withoutMnemonics(new TextEncoder().encode(name))];
      expect([name, read.map((byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join("")]).toEqual([
        name,
        bytes,
      ]);
    }
  });
});
