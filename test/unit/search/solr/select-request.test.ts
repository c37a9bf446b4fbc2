import { describe, expect, it } from "vitest";
import { type Query, ALL, equals } from "../../../../src/search/query/query.ts";
import { SolrRequestError } from "../../../../src/search/solr/parameters.ts";
import {
  type QueryOptions,
  checkFields,
  kindsOf,
  queryFor,
  parseRawQuery,
} from "../../../../src/search/solr/queries.ts";
import { parseSelectRequest } from "../../../../src/search/solr/select-request.ts";

const word = (field: string | null, text: string): Query => ({
  op: "match",
  field,
  value: { kind: "word", text },
  boost: 1,
});

describe("parseRawQuery", () => {
  it.each<[string, Query | undefined]>([
    ["", undefined],
    ["*:*", ALL],
    ["type:work", word("type", "work")],
    ["key:/works/OL1W", word("key", "/works/OL1W")],
    ['key:"/works/OL1W"', equals("key", "/works/OL1W")],
    [
      "{!terms f=key}/works/OL1W,/works/OL2W",
      { op: "or", of: [equals("key", "/works/OL1W"), equals("key", "/works/OL2W")] },
    ],
    ["{!terms f=key}", { op: "none" }],
    ["{!edismax q.op=AND}tolkien", word(null, "tolkien")],
    ["-type:author", { op: "not", of: word("type", "author") }],
    ["*:* -type:author", { op: "not", of: word("type", "author") }],
    ["{!term f=language}eng", equals("language", "eng")],
    ["{!field f='title'}a b", equals("title", "a b")],
    ["{!edismax v='tolkien' qf=title}", word(null, "tolkien")],
    ["{!prefix f=key}/works", { ...equals("key", ""), value: { kind: "pattern", parts: ["/works", ""] } }],
    ["{!terms f=key separator=' '}a b", { op: "or", of: [equals("key", "a"), equals("key", "b")] }],
    ["author_key:OL1A OR title:x", { op: "or", of: [word("author_key", "OL1A"), word("title", "x")] }],
  ])("%j", (text, query) => {
    expect(parseRawQuery(text)).toEqual(query);
  });

  it.each([
    "title:",
    "(a",
    '"a',
    "{!join from=a to=b}x",
    "{!term}x",
    "{!edismax v=$qq}",
    "{!edismax q.op=NEAR}x",
    "{!lucene sideways=1}x",
    "{!collapse field=type}",
  ])("%j is refused", (text) => {
    expect(() => parseRawQuery(text)).toThrow(SolrRequestError);
  });

  /** Returns which sets of the words a, b, c, d a query matches. */
  const finds = (text: string, options: QueryOptions) => {
    const query = parseRawQuery(text, options) ?? ALL;
    const holds = (part: Query, words: string): boolean => {
      if (part.op === "and") return part.of.every((one) => holds(one, words));
      if (part.op === "or") return part.of.some((one) => holds(one, words));
      if (part.op === "not") return !holds(part.of, words);
      return part.op === "match" && "text" in part.value && words.includes(part.value.text);
    };
    return ["a", "b", "ab", "abc", "abd", "abcd", "cd"].filter((words) => holds(query, words));
  };
  it.each<[string, QueryOptions, string[]]>([
    ["a b", {}, ["ab", "abc", "abd", "abcd"]],
    ["a b", { "q.op": "OR" }, ["a", "b", "ab", "abc", "abd", "abcd"]],
    ["a b", { "q.op": "or", mm: "2" }, ["ab", "abc", "abd", "abcd"]],
    ["+a b", { "q.op": "OR" }, ["a", "ab", "abc", "abd", "abcd"]],
    ["a c -b", { "q.op": "OR" }, ["a", "cd"]],
    ["a AND b c", { "q.op": "OR" }, ["ab", "abc", "abd", "abcd", "cd"]],
    ["a b c d", { mm: "3" }, ["abc", "abd", "abcd"]],
    ["a b c d", { mm: "-1" }, ["abc", "abd", "abcd"]],
    ["a b c d", { mm: "75%" }, ["abc", "abd", "abcd"]],
    ["a b c d", { mm: "-50%" }, ["ab", "abc", "abd", "abcd", "cd"]],
    ["a b c d", { mm: "100%" }, ["abcd"]],
    ["a b", { mm: "0" }, ["a", "b", "ab", "abc", "abd", "abcd"]],
    ["{!edismax mm=1}a b", { mm: "2" }, ["a", "b", "ab", "abc", "abd", "abcd"]],
    ["(a b)", { "q.op": "OR" }, ["a", "b", "ab", "abc", "abd", "abcd"]],
  ])("%s with %j", (text, options, expected) => {
    expect(finds(text, options)).toEqual(expected);
  });

  it("searches default fields without a field, and refuses too many choices", () => {
    expect(parseRawQuery("x name:y", { df: "title" })).toMatchObject({
      of: [{ field: "title" }, { field: "name" }],
    });
    const words = Array.from({ length: 40 }, (_, at) => `w${at}`).join(" ");
    for (const mm of ["20", "50%", "2<75%", "x"])
      expect(() => parseRawQuery(words, { mm }), mm).toThrow(SolrRequestError);
  });
});

describe("queryFor", () => {
  const of = (text: string) => parseRawQuery(text) ?? ALL;
  it.each<[string, string, string, string, string]>([
    ["*:*", "all", "all", "all", "all"],
    ["type:work", "all", "none", "none", "none"],
    ["type:author", "none", "all", "none", "none"],
    ["type:(author OR subject)", "none", "all", "all", "none"],
    ["-type:work", "none", "all", "all", "all"],
    ["type:list", "none", "none", "none", "not"],
    ["type:series", "none", "none", "none", "match"],
    ['key:"/works/OL1W"', "match", "none", "none", "none"],
    ['key:"/authors/OL1A"', "none", "match", "none", "none"],
    ["name:x", "none", "match", "match", "match"],
    ["title:x", "match", "none", "none", "none"],
    ["type:work AND title:x", "match", "none", "none", "none"],
    ["text:x", "match", "match", "match", "match"],
    ["x", "match", "match", "match", "match"],
    ["type:edition", "none", "none", "none", "none"],
  ])("%s", (text, work, author, subject, list) => {
    const query = of(text);
    expect(queryFor("work", query).op).toBe(work);
    expect(queryFor("author", query).op).toBe(author);
    expect(queryFor("subject", query).op).toBe(subject);
    expect(queryFor("list", query).op).toBe(list);
  });

  it("finds editions by their fields", () => {
    for (const text of ["type:edition", "type:(work OR edition)", 'key:"/books/OL1M"']) {
      expect(kindsOf(of(text)), text).toContain("edition");
      expect(queryFor("edition", of(text)).op).not.toBe("none");
    }
    expect(kindsOf(of("*:* title:x"))).not.toContain("edition");
    expect(queryFor("edition", of("type:edition AND author_name:x")).op).toBe("none");
    expect(queryFor("edition", of("-type:edition")).op).toBe("none");
  });

  it("refuses unknown fields", () => {
    expect(() => checkFields(of("nonsense:x OR title:y"))).toThrow("undefined field nonsense");
    expect(() => checkFields(of("subject_facet:x -name:y seed_count:[2 TO *]"))).not.toThrow();
  });
});

describe("parseSelectRequest", () => {
  const read = (text: string) => parseSelectRequest(new URLSearchParams(text));
  it("has the defaults of Solr", () => {
    expect(read("q=x")).toEqual({
      q: "x",
      fq: [],
      options: {},
      returned: { fields: ["*"], aliases: new Map(), read: ["*"] },
      start: 0,
      rows: 10,
      sort: [],
      facets: [],
      facetQueries: [],
      namedList: "flat",
    });
  });

  it("reads fields, orders and filters", () => {
    expect(
      read(
        "q=x&fq=a:b&fq=c:d&fl=key,title author_name&fl=score&start=5&rows=7&sort=edition_count desc, key asc",
      ),
    ).toMatchObject({
      fq: ["a:b", "c:d"],
      returned: { fields: ["key", "title", "author_name", "score"] },
      start: 5,
      rows: 7,
      sort: [
        { field: "edition_count", descending: true },
        { field: "key", descending: false },
      ],
    });
    expect(read("q=x&fl=id:key,key,name:title").returned).toEqual({
      fields: ["key"],
      aliases: new Map([
        ["id", "key"],
        ["name", "title"],
      ]),
      read: ["key", "key", "title"],
    });
    expect(read("q=x&sort=random_7 desc").sort).toEqual([{ field: "random", descending: true, seed: "7" }]);
  });

  it("reads facets with field parameters first", () => {
    const { facets, namedList } = read(
      "q=x&facet=true&facet.field=language&facet.field=subject_facet&facet.limit=5&facet.mincount=1" +
        "&f.subject_facet.facet.limit=-1&facet.contains=lo&json.nl=arrarr",
    );
    expect(facets).toEqual([
      { field: "language", limit: 5, sort: "count", offset: 0, mincount: 1, contains: "lo" },
      { field: "subject_facet", limit: -1, sort: "index", offset: 0, mincount: 1, contains: "lo" },
    ]);
    expect(namedList).toBe("arrarr");
    expect(read("q=x&facet.field=language").facets).toEqual([]);
  });

  it("counts queries and prefixes of values", () => {
    const facets = "q=x&facet=true&facet.field=subject_key&facet.prefix=fi&facet.query=a&facet.query=b";
    expect(read(facets)).toMatchObject({
      facets: [{ field: "subject_key", prefix: "fi" }],
      facetQueries: ["a", "b"],
    });
    expect(read("q=x&facet.query=a").facetQueries).toEqual([]);
  });

  it.each([
    "rows=-1",
    "start=x",
    "sort=key",
    "sort=nonsense asc",
    "sort=key up",
    "fl=key,sum(a)",
    "fl=editions:[subquery]",
    "json.nl=arrntv",
    "cursorMark=*",
    "cursorMark=*&sort=title_sort asc",
    "cursorMark=*&sort=key asc&start=1",
    "facet=true&facet.field=title",
    "facet=true&facet.field={!ex=a}language",
    `facet=true&${"facet.query=a&".repeat(31)}`,
    "fq=a&".repeat(101),
  ])("%s is refused", (text) => {
    expect(() => read(`q=x&${text}`)).toThrow(SolrRequestError);
  });
});
