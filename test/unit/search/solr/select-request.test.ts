import { describe, expect, it } from "vitest";
import { type Query, ALL, equals } from "../../../../src/search/query/query.ts";
import { SolrRequestError, checkFields, queryFor, rawQuery } from "../../../../src/search/solr/queries.ts";
import { selectRequest } from "../../../../src/search/solr/select-request.ts";

const word = (field: string | null, text: string): Query => ({
  op: "match",
  field,
  value: { kind: "word", text },
  boost: 1,
});

describe("rawQuery", () => {
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
    ["author_key:OL1A OR title:x", { op: "or", of: [word("author_key", "OL1A"), word("title", "x")] }],
  ])("%j", (text, query) => {
    expect(rawQuery(text)).toEqual(query);
  });

  it.each(["title:", "(a", '"a', "{!join from=a to=b}x"])("%j is refused", (text) => {
    expect(() => rawQuery(text)).toThrow(SolrRequestError);
  });
});

describe("queryFor", () => {
  const of = (text: string) => rawQuery(text) ?? ALL;
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

  it("refuses fields that nothing has", () => {
    expect(() => checkFields(of("nonsense:x OR title:y"))).toThrow("undefined field nonsense");
    expect(() => checkFields(of("subject_facet:x -name:y seed_count:[2 TO *]"))).not.toThrow();
  });
});

describe("selectRequest", () => {
  const read = (text: string) => selectRequest(new URLSearchParams(text));
  it("has the defaults of such engines", () => {
    expect(read("q=x")).toEqual({
      q: "x",
      fq: [],
      fields: ["*"],
      start: 0,
      rows: 10,
      sort: [],
      facets: [],
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
      fields: ["key", "title", "author_name", "score"],
      start: 5,
      rows: 7,
      sort: [
        { field: "edition_count", descending: true },
        { field: "key", descending: false },
      ],
    });
    expect(read("q=x&sort=random_7 desc").sort).toEqual([{ field: "random", descending: true, seed: "7" }]);
  });

  it("reads facets, those of one field before those of all", () => {
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

  it.each(["rows=-1", "start=x", "sort=key", "sort=nonsense asc", "sort=key up"])("%s is refused", (text) => {
    expect(() => read(`q=x&${text}`)).toThrow(SolrRequestError);
  });
});
