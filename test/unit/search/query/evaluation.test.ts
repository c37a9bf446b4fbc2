import { describe, expect, test } from "vitest";
import { shortTitlesOf } from "../../../../src/catalog/matching/match-keys.ts";
import { parsePlainQuery, parseWorkQuery } from "../../../../src/search/query/parse-query.ts";
import { show } from "./show.ts";

const parse = (text: string) => parseWorkQuery(text, { prefix: "OL" });

const TREES: [text: string, tree: string][] = [
  ["", "all"],
  ["*:*", "all"],
  ["foo *:*", "foo"],
  ["*:*^2 -foo", "not(foo)"],
  ["foo bar", "and(foo, bar)"],
  ["foo AND bar OR baz", "or(and(foo, bar), baz)"],
  ["a OR b AND c", "or(a, and(b, c))"],
  ["NOT a OR b", "or(not(a), b)"],
  ["+x y", "and(x, y)"],
  ["+x OR y", "or(x, y)"],
  ["foo NOT bar", "and(foo, not(bar))"],
  ["foo - bar", "and(foo, not(bar))"],
  ["a -- b", "and(a, b)"],
  ["NOT foo", "not(foo)"],
  ["-*:*", "none"],
  ["NOT -*", "all"],
  ["-key:*", "not(key:*)"],
  ["title:*", "alternative_title:*"],
  [
    "title:(foo OR bar) AND NOT author:baz",
    "and(or(alternative_title:foo, alternative_title:bar), not(or(author_name:baz, author_alternative_name:baz)))",
  ],
  ["title:foo OR bar baz", "or(alternative_title:foo, and(alternative_title:bar, alternative_title:baz))"],
  ["title:author:b", "or(author_name:b, author_alternative_name:b)"],
  ["title:-foo", "not(alternative_title:foo)"],
  ["foo^2", "foo^2"],
  ["(foo bar)^2 baz", "and(foo^2, bar^2, baz)"],
  ["foo^9999999", "foo^1000"],
  ["foo^", "foo^"],
  ["wild* card", "and(wild*, card)"],
  ["*B2813*", "*B2813*"],
  ["foo\\*", "foo*"],
  ["[A TO B]", "and(A, B)"],
  ["rating:[4 TO *]", "and(rating:, 4)"],
  ["[* TO *]", "all"],
  ["publish_year:[1990 TO 2000}", "publish_year:[1990 TO 2000}"],
  ["publish_year:[* TO *]", "publish_year:*"],
  ["trending:[-5 TO 5]", "trending_z_score:[-5 TO 5]"],
  ['lcc:["A1" TO "B2 .C3"]', "lcc:[A--0001.00000000 TO B--0002.00000000.C3]"],
  ["foo TO bar", "and(foo, TO, bar)"],
  ["2001-01-01T10:20:30Z x", "and(2001-01-01T10:20:30Z, x)"],
  ["fuzzy~2", "fuzzy~2"],
  ["a\\ b", "a b"],
  ['"a \\" b"', '"a " b"'],
  ["&& || !x", "and(&&, ||, !x)"],
  ["first_publish_year:>1990", "first_publish_year:>1990"],
  // Broken grammar: plain words.
  ["rock 'n' roll OR x", "and(rock, 'n', roll, or, x)"],
  ["title:foo AND", "and(title:foo, and)"],
  ["()", "()"],
  ["BRAND OR", "and(BRand, or)"],
];

const ISBNS: [text: string, isbn: string][] = [
  ["978-0-06-093546-7", "9780060935467"],
  ["978 0 06 093546 7", "9780060935467"],
  ["ISBN 0-06-093546-4", "0060935464"],
  ["isbn:0060935464", "0060935464"],
  ["isbn 9780060935467", "9780060935467"],
  ["isbn: 978 0 06 093546 7", "9780060935467"],
  ["isbn:(978-0-06-093546-7)", "9780060935467"],
  ["123456789X", "123456789X"],
  ["123456789x", "123456789X"],
  ["979 1 23456 789 6", "9791234567896"],
  ["urn:isbn:9780060935467", "9780060935467"],
  ["ISBN-13: 978‐0–06-093546-7.", "9780060935467"],
  ["ISBN: ９７８００６０９３５４６７", "9780060935467"],
];
const NO_ISBNS = [
  "the 39 steps 1915 2000",
  "2001 2010 10",
  "20 000 leagues 00000",
  "978-0-06-093546-7 potter",
  "978 0 06 093546 8",
  "0000000000",
  "12345",
  "X234567890",
];

const CLASSES: [text: string, leaf: string][] = [
  ["ddc:23.4", "ddc:023.4"],
  ['ddc:"813.54 P38 1995"', 'ddc:"813.54"'],
  ["ddc:23*", "ddc:23*"],
  ["ddc:23.2*", "ddc:023.2*"],
  ["ddc:[23.23 TO *]", "ddc:[023.23 TO *]"],
  ["ddc:[0 TO 3]", "ddc:[000 TO 003]"],
  ["ddc:[500 TO noise]", "ddc:[500 TO noise]"],
  ["lcc:pz73", "lcc:PZ-0073.00000000"],
  ["lcc:noise", "lcc:noise"],
  ["lcc:(pz73 OR A1)", "or(lcc:PZ-0073.00000000, lcc:A--0001.00000000)"],
  ["lcc:[A1 TO B1.13.C89]", "lcc:[A--0001.00000000 TO B--0001.13000000.C89]"],
  ["lcc:[A TO B]", "lcc:[A--0000.00000000 TO B--0000.00000000]"],
  ["lcc:[A1 TO A100]", "lcc:[A--0001.00000000 TO A--0100.00000000]"],
  ["lcc:[A1 TO *]", "lcc:[A--0001.00000000 TO *]"],
  ["lcc:[A1 TO noise]", "lcc:[A1 TO noise]"],
  ["lcc:[blah TO blah]", "lcc:[blah TO blah]"],
  ["lcc_sort:{QA1 TO QA99}", "lcc_sort:{QA-0001.00000000 TO QA-0099.00000000}"],
];

test.each(TREES)("%s is %s", (text, tree) => expect(show(parse(text).query)).toBe(tree));

describe("ISBN", () => {
  test.each(ISBNS)("%s", (text, isbn) => {
    expect(show(parse(text).query)).toBe(`isbn:${isbn}`);
    expect(parse(text).freeWords).toEqual([]);
  });

  test.each(NO_ISBNS)("%s is not an ISBN", (text) => expect(show(parse(text).query)).not.toContain("isbn"));
});

// Q651
test.each([
  ["2001627090", 'or(isbn:2001627090, lccn:"2001627090", 2001627090)'],
  ["2001-627090", 'or(isbn:2001627090, lccn:"2001-627090", 2001-627090)'],
  ["140328726", "or(isbn:0140328726, 140328726)"],
  ["(OCoLC)12345", 'or(oclc:"(OCoLC)12345", and(OCoLC, 12345))'],
  ["lccn:2001627090", "lccn:2001627090"],
])("%s may be several numbers", (text, tree) => expect(show(parse(text).query)).toBe(tree));

// Q650, Q652, Q653
test.each([
  ["language:deu", "language:ger"],
  ["language:(German OR fr)", "or(language:ger, language:fre)"],
  ["language:Haitian Creole", "language:hat"],
  ["language:*", "language:*"],
  ['author_name:"Austen, Jane, 1775-1817."', 'or(author_name:"Austen, Jane", author_name:"Jane Austen")'],
  ["author_name:Austen, Jane, 1775-1817.", "and(author_name:Austen,, author_name:Jane)"],
  ["author:austen", "or(author_name:austen, author_alternative_name:austen)"],
  ["work.author:austen", "author_name:austen"],
])("%s is normalised", (text, tree) => expect(show(parse(text).query)).toBe(tree));

// Q655
test.each([
  ["Emma: a novel", ["Emma"]],
  ["Emma (Book 1): A Novel", ["Emma"]],
  ["Emma: a novel (Penguin) [paperback]", ["Emma: a novel", "Emma"]],
  ["Emma — a novel", ["Emma"]],
  ["1984; a novel", ["1984"]],
])("%s has shorter titles", (text, forms) => expect(shortTitlesOf(text)).toEqual(forms));

test.each(CLASSES)("%s", (text, leaf) => {
  expect(show(parse(text).query)).toBe(leaf);
});

describe("free words", () => {
  test.each([
    ["harry potter harry", ["harry", "potter"]],
    ['"harry potter" OR ring', ["harry potter", "ring"]],
    ["ring -tolkien NOT (a b)", ["ring"]],
    ["-(-a b)", ["a"]],
    ["title:ring lord wild* author:tolkien", []],
    ["foo\\*bar by:x", ["foo*bar"]],
  ])("of %s are %j", (text, words) => expect(parse(text).freeWords).toEqual(words));
});

describe("limits", () => {
  test.each([
    ["conditions", Array.from({ length: 257 }, (_, index) => `a${index}`).join(" ")],
    ["levels", `${"(a OR (b AND ".repeat(9)}c${"))".repeat(9)}`],
    ["parentheses", `${"(".repeat(5_000)}a${")".repeat(5_000)}`],
    ["signs", `${"-".repeat(5_000)}a`],
    ["fields", `${"title:".repeat(2_000)}a`],
    ["characters", "a".repeat(16_385)],
  ])("too many %s", (_, text) => {
    expect(parse(text)).toMatchObject({ tooComplex: true, query: { op: "none" }, editionClauses: [] });
    if (!text.includes("title")) expect(parsePlainQuery(text, "author").tooComplex).toBe(true);
  });

  test.each([
    ["conditions", Array.from({ length: 256 }, (_, index) => `a${index}`).join(" ")],
    ["scans", `ia:(${Array.from({ length: 256 }, (_, index) => `a${index}`).join(" OR ")})`],
    ["levels", `${"(a OR (b AND ".repeat(7)}c${"))".repeat(7)}`],
    ["parentheses around nothing else", `${"(".repeat(90)}a${")".repeat(90)}`],
    ["characters", "a".repeat(16_384)],
  ])("many %s", (_, text) => expect(parse(text).tooComplex).toBe(false));
});

describe("other schemes", () => {
  test.each([
    ["author", "name:tolkien alternate_names:ronald", "and(name:tolkien, alternate_names:ronald)"],
    // The title of an author is no field.
    ["author", "title:ring", "title:ring"],
    ["author", "Name:j. r. r. tolkien", "and(name:j., name:r., name:r., name:tolkien)"],
    ["author", "key:/authors/OL1A", "key:/authors/OL1A"],
    ["author", "4079163-4", 'or(4079163-4, remote_ids:"4079163-4")'],
    ["author", "http://viaf.org/viaf/1", 'or(http://viaf.org/viaf/1, remote_ids:"1")'],
    ["author", "Louis 14", "and(Louis, 14)"],
    ["subject", "subject_type:person work_count:[5 TO *]", "and(subject_type:person, work_count:[5 TO *])"],
    ["list", 'list_type:series seed:"/works/OL1W"', 'and(list_type:series, seed:"/works/OL1W")'],
    ["raw", "type:work AND -title:foo bar", "and(type:work, not(title:foo), bar)"],
    ["raw", 'author_key:"OL1A" subject_facet:x*', 'and(author_key:"OL1A", subject_facet:x*)'],
    ["raw", "*:* -type:edition", "not(type:edition)"],
  ] as const)("%s: %s", (scheme, text, tree) => {
    expect(show(parsePlainQuery(text, scheme).query)).toBe(tree);
  });

  test("broken grammar is reported", () => {
    expect(parsePlainQuery("(", "raw").isLiteral).toBe(true);
  });
});
