import { describe, expect, test } from "vitest";
import {
  type WorkParameters,
  clausesOf,
  filtersOf,
  readQueryDictionary,
} from "../../../../src/search/query/work-parameters.ts";
import { replaceWords } from "../../../../src/search/query/query.ts";
import { parseWorkQuery } from "../../../../src/search/query/parse-query.ts";
import { show } from "./show.ts";

const CLAUSES: [parameters: WorkParameters, clauses: string[], editionClauses: string[]][] = [
  [{}, [], []],
  [{ title: " " }, [], []],
  [{ title: "foo" }, ["title:foo"], ["title:foo"]],
  [{ title: "foo bar" }, ["and(title:foo, title:bar)"], ["and(title:foo, title:bar)"]],
  [
    { title: "foo ? to escape" },
    ["and(title:foo, title:?, title:to, title:escape)"],
    ["and(title:foo, title:?, title:to, title:escape)"],
  ],
  [{ title: "YES AND" }, ["and(title:YES, title:and)"], ["and(title:YES, title:and)"]],
  [{ title: "foo*" }, ["title:foo*"], ["title:foo*"]],
  [{ title: 'a:(b) "c' }, ['and(title:a:(b), title:"c)'], ['and(title:a:(b), title:"c)']],
  [{ author: "Tolkien" }, ["or(author_name:Tolkien, author_alternative_name:Tolkien)"], []],
  [
    { author: "J.R.R. Tolkien" },
    [
      "or(and(author_name:J.R.R., author_name:Tolkien), and(author_alternative_name:J.R.R., author_alternative_name:Tolkien))",
    ],
    [],
  ],
  [{ author: "/authors/OL26320A/x OL1A" }, ["author_key:OL26320A"], []],
  [{ author: "OL26320W" }, ["or(author_name:OL26320W, author_alternative_name:OL26320W)"], []],
  [{ isbn: "978-0-06-093546-7" }, ["isbn:9780060935467"], ["isbn:9780060935467"]],
  [{ isbn: "978 0 06 093546 7" }, ["isbn:9780060935467"], ["isbn:9780060935467"]],
  [{ isbn: "none" }, ["isbn:none"], ["isbn:none"]],
  [{ oclc: "123", lccn: "45" }, ["oclc:123", "lccn:45"], []],
  [{ publisher: "Penguin", subject: "Love" }, ["publisher:Penguin", "subject:Love"], ["publisher:Penguin"]],
  [
    { contributor: "a", place: "b", person: "c", time: "d" },
    ["contributor:a", "place:b", "person:c", "time:d"],
    [],
  ],
];

const FILTERS: [parameters: WorkParameters, filters: string[], editionFilters: string[]][] = [
  [{}, [], []],
  [{ public_scan: "true" }, ['ebook_access:"public"'], ['ebook_access:"public"']],
  [{ public_scan: "false" }, ['not(ebook_access:"public")'], ['not(ebook_access:"public")']],
  [{ print_disabled: "true" }, ['ebook_access:"printdisabled"'], ['ebook_access:"printdisabled"']],
  [{ has_fulltext: "true" }, ["ebook_access:[borrowable TO *]"], ["ebook_access:[borrowable TO *]"]],
  // A8
  [
    { has_fulltext: "false" },
    ["not(ebook_access:[borrowable TO *])"],
    ["not(ebook_access:[borrowable TO *])"],
  ],
  [{ has_fulltext: "maybe" }, [], []],
  [{ language: ["eng"] }, ['language:"eng"'], ['language:"eng"']],
  [
    { language: ["eng", "fre", "eng"] },
    ['or(language:"eng", language:"fre")'],
    ['or(language:"eng", language:"fre")'],
  ],
  // A7
  [{ publisher_facet: ['"A" B'] }, ['publisher_facet:""A" B"'], ['publisher_facet:""A" B"']],
  [
    { publisher_facet: ["Running Press"] },
    ['publisher_facet:"Running Press"'],
    ['publisher_facet:"Running Press"'],
  ],
  [{ public_scan_b: ["true"] }, ['public_scan_b:"true"'], ['public_scan_b:"true"']],
  [
    { subject_facet: ["a", "b"], place_facet: ["c"] },
    ['subject_facet:"a"', 'subject_facet:"b"', 'place_facet:"c"'],
    [],
  ],
  [{ person_facet: ["a"], time_facet: ["b"] }, ['person_facet:"a"', 'time_facet:"b"'], []],
  // A5
  [
    { author_key: ["OL1A"], author_facet: ["/authors/OL2A", "OL1A"] },
    ['author_key:"OL1A"', 'author_key:"OL2A"'],
    [],
  ],
  [
    { first_publish_year: ["1990", " 01991"] },
    ['first_publish_year:"1990"', 'first_publish_year:"1991"'],
    [],
  ],
  [{ first_publish_year: ["about 1990"] }, ["none"], []],
];

test.each(CLAUSES)("clauses of %j", (parameters, clauses, editionClauses) => {
  const found = clausesOf(parameters, { prefix: "OL" });
  expect(found.clauses.map(show)).toEqual(clauses);
  expect(found.editionClauses.map(show)).toEqual(editionClauses);
  expect(found.tooComplex).toBe(false);
});

test("correct only words of title and author", () => {
  const freeWords = (parameters: WorkParameters) => clausesOf(parameters, { prefix: "OL" }).freeWords;
  expect(freeWords({ title: "the hobit", author: "tolkein the", subject: "x" })).toEqual([
    "the",
    "hobit",
    "tolkein",
  ]);
  expect(freeWords({ author: "OL1A" })).toEqual([]);
});

test("refuses a value longer than a query", () => {
  expect(clausesOf({ title: "a".repeat(16_385) }, { prefix: "OL" })).toMatchObject({
    clauses: [],
    tooComplex: true,
  });
});

test.each(FILTERS)("filters of %j", (parameters, filters, editionFilters) => {
  const found = filtersOf(parameters, { prefix: "OL", printDisabled: false });
  expect(found.filters.map(show)).toEqual(filters);
  expect(found.editionFilters.map(show)).toEqual(editionFilters);
});

test("include more full texts for print-disabled readers", () => {
  const { filters } = filtersOf({ has_fulltext: "true" }, { prefix: "OL", printDisabled: true });
  expect(filters.map(show)).toEqual(["ebook_access:[printdisabled TO *]"]);
});

describe("the JSON of `query`", () => {
  test("is a dictionary of the parameters, with scalars as texts", () => {
    const dictionary = {
      q: "foo",
      title: ["a", "b"],
      has_fulltext: true,
      author_facet: "OL1A",
      first_publish_year: [1990, null],
      subject_facet: { no: 1 },
      "editions.sort": "new",
      wt: "json",
      limit: 3,
    };
    expect(readQueryDictionary(dictionary)).toEqual({
      q: "foo",
      parameters: {
        title: "a b",
        has_fulltext: "true",
        author_facet: ["OL1A"],
        first_publish_year: ["1990"],
      },
      editionsSort: "new",
    });
    expect(readQueryDictionary({})).toEqual({ parameters: {} });
  });
});

test("words are replaced by their correction", () => {
  const { query: works } = parseWorkQuery(
    'hobit "lord of teh rings" davinci ri ngs title:"hobit" subject:"hobit" hob*',
    {
      prefix: "OL",
    },
  );
  const replaced = replaceWords(
    works,
    new Map([
      ["hobit", "hobbit"],
      ["lord of teh rings", "lord of the rings"],
      ["davinci", "da vinci"],
      ["ri", "rings"],
      ["ngs", ""],
    ]),
  );
  expect(show(replaced)).toBe(
    'and(hobbit, "lord of the rings", and(da, vinci), rings, all, alternative_title:"hobbit", subject:"hobit", hob*)',
  );
});
