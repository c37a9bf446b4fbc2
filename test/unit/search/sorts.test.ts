import { describe, expect, it } from "vitest";
import type { Sort } from "../../../src/search/engine.ts";
import { type ParsedSort, parseEditionSort, parseWorkSort } from "../../../src/search/sorts.ts";
import { english } from "../../../src/catalog/texts.ts";

const NOW = Date.parse("2026-11-21T12:34:56Z");
const printed = ({ sorts, refusal }: ParsedSort): string =>
  refusal === undefined ? printSorts(sorts) : `invalid ${refusal.values?.["name"]}`;

/** Orders as the index writes them: `edition_count desc,random_1 asc`. */
function printSorts(sorts: readonly Sort[]): string {
  return sorts
    .map(({ field, descending, seed }) => {
      const name = seed === undefined ? field : `${field}_${seed}`;
      return `${name} ${descending ? "desc" : "asc"}`;
    })
    .join(",");
}

describe("parseWorkSort", () => {
  it.each([
    ["", ""],
    ["editions", "edition_count desc"],
    ["editions, new", "edition_count desc,first_publish_year desc"],
    ["editions,,old", "edition_count desc,first_publish_year asc"],
    ["random", "random_1 asc"],
    ["random desc", "random_1 desc"],
    ["random_custom_seed", "random_1_custom_seed asc"],
    ["random.hourly", "random_20261121T12 asc"],
    ["random.daily", "random_20261121 asc"],
    ["random.daily_x desc", "random_20261121_x desc"],
    ["trending", "trending_z_score desc"],
    ["rating asc", "ratings_sortable asc"],
    ["rating", "ratings_sortable desc"],
    ["readinglog", "readinglog_count desc"],
    ["stopped_reading", "stopped_reading_count desc"],
    ["title", "title_sort asc"],
    ["scans", "ebook_count_i desc"],
    ["key", "key asc"],
    ["old", "first_publish_year asc"],
    ["nonsense", "invalid nonsense"],
    ["editions asc", "invalid editions asc"],
    ["editions,Random", "invalid Random"],
    ["random.hourly desc", "invalid random.hourly desc"],
    ["random_", "invalid random_"],
    ["score", "invalid score"],
  ])("%j is %j", (text, expected) => {
    expect(printed(parseWorkSort(text, NOW))).toBe(expected);
  });

  it("lists all orders", () => {
    const { refusal } = parseWorkSort("x", NOW);
    const message = refusal && english(refusal);
    expect(message).toMatch(/^Invalid sort option: 'x'\. Valid options are: editions, old, new, /);
    expect(message).toMatch(/, random_, random\.hourly_, random\.daily_$/);
  });
});

describe("parseEditionSort", () => {
  it.each([
    ["old", "publish_year asc"],
    ["new", "publish_year desc"],
    ["access_score", "access_score desc"],
    ["usefulness_score asc", "usefulness_score asc"],
    ["random", "random_1 asc"],
    ["lang:de", "language_ger desc"],
    ["lang:nonsense", "invalid lang:nonsense"],
    ["editions", "invalid editions"],
  ])("%j is %j", (text, expected) => {
    expect(printed(parseEditionSort(text, NOW))).toBe(expected);
  });
});
