import { describe, expect, it } from "vitest";
import { renderPlaceLinks, renderPlace } from "../../../src/worker/search/result-parts.ts";
import { FACET_VALUE_MAX, facetGroupsOf } from "../../../src/worker/search/find-page.ts";
import { partLinks, partText } from "../../../src/worker/ui/pager.ts";

/** Links of a page by their text. */
const linksOf = (html: unknown): Record<string, string> =>
  Object.fromEntries(
    [...String(html).matchAll(/href="([^"]*)">([^<]*)</g)].map(([, to, text]) => [text, to]),
  );

describe("parts of what belongs to a record", () => {
  const place = { address: "/authors/OL1A/Ann", anchor: "works" };

  it.each([
    [1, { "Next page": "/authors/OL1A/Ann?page=2#works" }],
    [2, { "Previous page": "/authors/OL1A/Ann#works", "Next page": "/authors/OL1A/Ann?page=3#works" }],
    [3, { "Previous page": "/authors/OL1A/Ann?page=2#works" }],
    [9, { "Previous page": "/authors/OL1A/Ann?page=3#works" }],
  ])("page %i links to its neighbours", (number, expected) => {
    expect(linksOf(partLinks({ number, size: 50, total: 101 }, place))).toEqual(expected);
  });

  it("end at the offset limit and say so", () => {
    const part = { size: 50, total: 10_120, window: 10_000 };
    expect(linksOf(partLinks({ number: 199, ...part }, place))).toHaveProperty("Next page");
    expect(String(partLinks({ number: 199, ...part }, place))).not.toContain("Only the first");
    const last = partLinks({ number: 200, ...part }, place);
    expect(linksOf(last)).toEqual({ "Previous page": "/authors/OL1A/Ann?page=199#works" });
    expect(String(last)).toContain("Only the first 10,000 results can be shown. Add a filter.");
    expect(String(partText({ number: 200, ...part }, "author.works"))).toBe("10,120 works, 9,951 to 10,000");
  });

  it("keep other parameters", () => {
    const links = partLinks({ number: 2, size: 50, total: 150 }, { ...place, parameters: { v: "3" } });
    expect(linksOf(links)).toEqual({
      "Previous page": "/authors/OL1A/Ann?v=3#works",
      "Next page": "/authors/OL1A/Ann?v=3&amp;page=3#works",
    });
  });
});

describe("pages of a search", () => {
  const place = (page: number, numFound: number) => ({
    page,
    numFound,
    size: 20,
    window: 10_000,
    addressOf: (to: number) => `/p${to}`,
  });

  it("show their number if it is known", () => {
    expect(renderPlace(place(1, 20))).toBeUndefined();
    expect(String(renderPlace(place(2, 21)))).toBe(", page 2 of 2");
    expect(renderPlace(place(3, 21))).toBeUndefined();
    expect(String(renderPlace(place(500, 30_000)))).toBe(", page 500 of 500");
  });

  it("lead back from beyond the end", () => {
    expect(linksOf(renderPlaceLinks(place(3, 21)))).toEqual({ "Only 2 pages. Go to the last page": "/p2" });
    expect(linksOf(renderPlaceLinks(place(3, 20)))).toEqual({ "Only 1 page. Go to it": "/p1" });
    expect(linksOf(renderPlaceLinks(place(500, 30_000)))).toEqual({ "Previous page": "/p499" });
  });
});

it("long values are not offered in addresses", () => {
  const values = ["a".repeat(FACET_VALUE_MAX), "b".repeat(FACET_VALUE_MAX + 1)];
  const counted = values.map((value) => ({ value, count: 1 }));
  const narrowed = { hasEditionClauses: false, chosen: () => [] };
  const groups = facetGroupsOf({ fields: { subject_facet: counted } }, new Map(), narrowed);
  expect(groups.flatMap(({ rows }) => rows.map(({ value }) => value))).toEqual([values[0]]);
});
