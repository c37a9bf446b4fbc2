import { expect, it } from "vitest";
import { parseWorkQuery } from "../../../src/search/query/parse-query.ts";
import { rankedTermsOf, makeScorer, titleWordsOf } from "../../../src/search/rank.ts";
import { toIndexText } from "../../../src/search/text/analysis.ts";

interface Book {
  readonly titles?: readonly string[];
  readonly authors?: readonly string[];
  readonly series?: readonly string[];
  readonly boost?: number;
}

function scoreOf(text: string, { titles = [], authors = [], series = [], boost = 10 }: Book): number {
  const { query: works } = parseWorkQuery(text, { prefix: "OL" });
  const texts = [
    toIndexText(titles, { stemmed: true }),
    toIndexText(authors, { stemmed: false }),
    toIndexText(series, { stemmed: true }),
  ];
  return makeScorer({ terms: rankedTermsOf(works), words: titleWordsOf(works) })({ boost, texts });
}

it.each<[string, string, Book, Book]>([
  ["a title before other fields", "dune", { titles: ["Dune road"] }, { titles: ["x"] }],
  ["a series before other fields", "dune", { series: ["Dune"] }, { titles: ["x"] }],
  [
    "the whole title before a part",
    "the hobbit",
    { titles: ["The Hobbit"] },
    { titles: ["The Hobbit companion"] },
  ],
  ["a title without its article", "hobbit", { titles: ["The Hobbit"] }, { titles: ["Hobbit tales"] }],
  [
    "a short title before a long one",
    "dune",
    { titles: ["Dune tales"] },
    { titles: ["Tales of the dune and other places"] },
  ],
  [
    "words in a row",
    "art of war",
    { titles: ["New art of war now"] },
    { titles: ["War and its new art of"] },
  ],
  [
    "title and author before a title with both",
    "hobbit tolkien",
    { titles: ["The Hobbit"], authors: ["J. R. R. Tolkien"] },
    { titles: ["The Hobbit by Tolkien explained"], authors: ["Someone"] },
  ],
  [
    "a title of its own before that of an edition",
    "the firm grisham",
    { titles: ["The Firm"], authors: ["John Grisham"] },
    { titles: ["The Firm (Penguin Readers, Level 5)", "The Firm"], authors: ["John Grisham"] },
  ],
  [
    "title by author before a title that has it all",
    "jane eyre by charlotte bronte",
    { titles: ["Jane Eyre"], authors: ["Charlotte Brontë"] },
    { titles: ["Study guide: Jane Eyre by Charlotte Brontë"] },
  ],
  [
    "a whole title with the word that may lead to an author",
    "bird by bird",
    { titles: ["Bird by Bird"], authors: ["Anne Lamott"] },
    { titles: ["Bird"], authors: ["Anne Lamott"] },
  ],
  ["the popular one of two alike", "dune", { titles: ["Dune"], boost: 20 }, { titles: ["Dune"] }],
  ["a stem", "libraries", { titles: ["Library"] }, { titles: ["x"] }],
  ["initials", "jrr tolkien", { authors: ["J.R.R. Tolkien"] }, { authors: ["Tolkien"] }],
  ["a boosted word", "dune^5 sand", { titles: ["Dune x"] }, { titles: ["Sand x"] }],
  ["a rare word before a common one", "the road", { titles: ["Road x y"] }, { titles: ["The x y"] }],
])("prefers %s", (_name, text, better, worse) => {
  expect(scoreOf(text, better)).toBeGreaterThan(scoreOf(text, worse));
});

it("ignores negated clauses", () => {
  const { query: works } = parseWorkQuery("dune NOT messiah", { prefix: "OL" });
  expect(rankedTermsOf(works).map(({ tokens }) => tokens)).toEqual([["dune"]]);
  expect(titleWordsOf(works)).toEqual(["dune"]);
});

it("compares fielded words only with their field", () => {
  const title = scoreOf("title:dune", { titles: ["Dune"] });
  expect(title).toBeGreaterThan(scoreOf("title:dune", { authors: ["Dune"] }));
});
