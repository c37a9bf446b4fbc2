import { describe, expect, test } from "vitest";
import { escapeText } from "../../../../src/search/query/syntax.ts";
import { type NameScheme, isWorkField } from "../../../../src/search/query/field-names.ts";
import { parseSyntax } from "../../../../src/search/query/parser.ts";
import { toQuery } from "../../../../src/search/query/parse-query.ts";
import { show } from "./show.ts";

function schemeOf(names: readonly string[], isGreedy: boolean): NameScheme {
  return { resolve: (name) => (names.includes(name) ? { name, scope: "any" } : undefined), isGreedy };
}

function queryOf(text: string, scheme: NameScheme): string | undefined {
  const tree = parseSyntax(text, scheme);
  const query = typeof tree === "string" ? undefined : toQuery(tree, ({ name }) => name);
  return query === undefined ? undefined : show(query);
}

describe("greedy binding", () => {
  test.each([
    ["title:foo", "title:foo"],
    ["title:foo bar", "title:(foo bar)"],
    ["title:foo AND bar", "title:(foo AND bar)"],
    ["title:foo AND bar AND by:boo", "title:(foo AND bar) AND by:boo"],
    ["title:foo AND bar AND by:boo blah blah", "title:(foo AND bar) AND by:(boo blah blah)"],
    ["title:foo AND bar AND NOT by:boo", "title:(foo AND bar) AND NOT by:boo"],
    ["title:(foo bar) AND NOT title:blue", "title:(foo bar) AND NOT title:blue"],
    ["no fields here!", "no fields here!"],
    ["NOT title:foo bar", "NOT title:foo bar"],
    // A12
    ["title:foo OR bar baz", "title:(foo OR bar baz)"],
  ])("%s is %s", (text, expected) => {
    const names = ["title", "by"];
    expect(queryOf(text, schemeOf(names, true))).toBe(queryOf(expected, schemeOf(names, false)) ?? "none");
  });
});

describe("unknown field names", () => {
  test.each([
    [[], "title:foo", "title\\:foo"],
    [[], "title:foo bar   blah:bar baz:boo", "title\\:foo bar blah\\:bar baz\\:boo"],
    [["title"], "title:foo bar", "title:foo bar"],
    [["title"], "title:foo bar baz:boo", "title:foo bar baz\\:boo"],
    [["TITLE"], "title:foo bar baz:boo", "title\\:foo bar baz\\:boo"],
    [["title"], "hi", "hi"],
    [["title"], "(title:foo) OR (blah:bah)", "(title:foo) OR (blah\\:bah)"],
  ])("%j: %s is %s", (names, text, expected) => {
    const scheme = schemeOf(names, false);
    expect(queryOf(text, scheme)).toBe(queryOf(expected, scheme) ?? "none");
  });
});

describe("full escape", () => {
  test.each([
    ["title:foo", "title\\:foo"],
    ["title:foo bar", "title\\:foo bar"],
    ["title:foo (bar baz:boo)", "title\\:foo \\(bar baz\\:boo\\)"],
    ["x:[A TO Z}", "x\\:\\[A TO Z\\}"],
    ["foo AND bar", "foo and bar"],
    ["foo's bar", "foo\\'s bar"],
  ])("%s is %s", (text, expected) => expect(escapeText(text)).toBe(expected));
});

test.each([
  "foo AND OR bar",
  "AND",
  "foo)",
  "(foo",
  "[1 TO",
  "[1 2]",
  "'a",
  ",a",
  "a ^b",
  "foo\\",
  '"a',
  ":a",
  "a {b}",
])("%s breaks the grammar", (text) => expect(parseSyntax(text, schemeOf([], false))).toBe("grammar"));

test("work fields", () => {
  const names = ["title", "id_goodreads", "author", "name", "type", "id_", "public_scan_b", "title_suggest"];
  expect(names.filter(isWorkField)).toEqual(["title", "id_goodreads", "title_suggest"]);
});
