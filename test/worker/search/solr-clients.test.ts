import { exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { indexAll } from "../../support/worker/indexing.ts";
import { author, edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const call = (asked: string, handler = "select"): Promise<Response> =>
  exports.SearchEngine.fetch(`http://search.test/solr/openlibrary/${handler}?${asked}`);
const json = async (asked: string, handler?: string) => Object(await (await call(asked, handler)).json());
const message = async (asked: string, handler?: string): Promise<string> => {
  const response = await call(asked, handler);
  return `${response.status} ${Object(await response.json()).error?.msg}`;
};

const YEARS = [1990, 1850, 2001, 1990, 1777];
/** Keys in the order of their numbers, which is not that of their texts. */
const WORKS = [1, 2, 3, 10, 100].map((id) => `/works/OL${id}W`);

beforeAll(async () => {
  await service.load(
    author(1, { name: "Ada" }),
    author(2, { name: "Bo" }),
    ...[1, 2, 3, 10, 100].flatMap((id, at) => [
      work(id, {
        title: `Thing ${id}`,
        authors: [(at % 2) + 1],
        subjects: at < 3 ? ["Fiction", "fiction", "Fish, fried"] : ["fiction"],
      }),
      edition(id, { work: id, publish_date: String(YEARS[at]), languages: [{ key: "/languages/eng" }] }),
    ]),
    edition(200, { work: 3, title: "Second", languages: [{ key: "/languages/fre" }] }),
    { key: "/series/OL1L", type: "/type/series", name: "Things" },
  );
  await indexAll();
});

/** All keys that a cursor leads to. */
async function walked(asked: string, rows: number): Promise<string[]> {
  const keys: string[] = [];
  let mark = "*";
  for (let page = 0; page < 100; page += 1) {
    const answer = await json(`${asked}&fl=key&rows=${rows}&cursorMark=${encodeURIComponent(mark)}`);
    keys.push(...answer.response.docs.map(({ key }: { key: string }) => key));
    if (answer.nextCursorMark === mark) return keys;
    mark = answer.nextCursorMark;
  }
  throw new Error("the walk has no end");
}

describe("cursorMark", () => {
  it.each([2, 100])("walks through everything once, by %s", async (rows) => {
    expect(await walked("q=type:work&sort=key asc", rows)).toEqual(WORKS);
    expect(await walked("q=type:work&sort=key desc", rows)).toEqual(WORKS.toReversed());
    const all = await walked("q=*:*&sort=key asc", rows);
    expect(all.toSorted()).toEqual(
      (await json("q=*:*&rows=100&fl=key")).response.docs.map(({ key }: { key: string }) => key).toSorted(),
    );
    expect(all.slice(0, 5)).toEqual(WORKS);
    const editions = await walked("q=type:edition&sort=key asc", rows);
    expect(new Set(editions).size).toBe(6);
    expect(editions).toHaveLength(6);
    expect(await walked("q=type:edition&sort=key desc", rows)).toEqual(editions.toReversed());
  });

  it("follows the sort with equal and missing values", async () => {
    await service.load(work(5, { title: "Thing without a year" }));
    await indexAll();
    const by = (sort: string, rows: number) => walked(`q=thing&fq=type:work&sort=${sort}`, rows);
    for (const rows of [1, 4]) {
      const [one, two, three, ten, hundred] = WORKS;
      const none = "/works/OL5W";
      expect(await by("first_publish_year asc,key asc", rows)).toEqual([hundred, two, one, ten, three, none]);
      expect(await by("first_publish_year desc,key desc", rows)).toEqual([
        three,
        ten,
        one,
        two,
        hundred,
        none,
      ]);
      for (const sort of ["score desc,key asc", "random_7 asc,key asc", "ratings_sortable desc,key asc"])
        expect((await by(sort, rows)).toSorted()).toEqual([...WORKS, none].toSorted());
      expect(await walked("q=type:author&sort=name desc,key asc", rows)).toEqual([
        "/authors/OL2A",
        "/authors/OL1A",
      ]);
    }
  });

  it("repeats the total, and the mark at the end", async () => {
    const first = await json("q=type:edition&rows=4&sort=key asc&cursorMark=*");
    expect(first.response).toMatchObject({ numFound: 6, docs: { length: 4 } });
    const second = await json(`q=type:edition&rows=4&sort=key asc&cursorMark=${first.nextCursorMark}`);
    expect(second.response).toMatchObject({ numFound: 6, docs: { length: 2 } });
    const third = await json(`q=type:edition&rows=4&sort=key asc&cursorMark=${second.nextCursorMark}`);
    expect(third).toMatchObject({
      response: { numFound: 6, docs: [] },
      nextCursorMark: second.nextCursorMark,
    });
    expect((await json("q=title:nothing&sort=key asc&cursorMark=*")).nextCursorMark).toBe("*");
  });

  it("refuses marks of other sorts and invalid marks", async () => {
    const { nextCursorMark: mark } = await json("q=type:work&rows=1&sort=key asc&cursorMark=*");
    for (const asked of [
      `sort=key desc&cursorMark=${mark}`,
      "sort=key asc&cursorMark=x",
      "sort=key asc&cursorMark=",
    ])
      expect(await message(`q=type:work&${asked}`)).toContain("400 Unable to parse 'cursorMark'");
    expect(await message("q=x&sort=title_sort asc&cursorMark=*")).toContain("uniqueKey");
    expect(await message("q=x&start=10000")).toContain("cursorMark");
  });
});

describe("editions", () => {
  it("are returned by /select and /get", async () => {
    const { docs } = (await json("q=type:edition AND title:second&fl=key,title,author_name,language"))
      .response;
    expect(docs).toEqual([
      { key: "/books/OL200M", title: "Second", author_name: ["Ada"], language: ["fre"] },
    ]);
    expect((await json("ids=/books/OL200M,/works/OL1W,/books/OL999M&fl=key", "get")).response.docs).toEqual([
      { key: "/books/OL200M" },
      { key: "/works/OL1W" },
    ]);
  });
});

describe("facets", () => {
  const counts = async (asked: string) => (await json(`rows=0&facet=true&${asked}`)).facet_counts;

  it("count subject keys, each work once", async () => {
    const keyed = "facet.field=subject_key&json.nl=map";
    for (const q of ["q=title:thing", "q=type:work"]) {
      expect((await counts(`${q}&${keyed}`)).facet_fields.subject_key).toEqual({ fiction: 5, fish_fried: 3 });
      expect((await counts(`${q}&${keyed}&facet.prefix=fis`)).facet_fields.subject_key).toEqual({
        fish_fried: 3,
      });
    }
    const names = await counts("q=title:thing&facet.field=subject_facet&facet.prefix=F&json.nl=map");
    expect(names.facet_fields.subject_facet).toEqual({ Fiction: 3, "Fish, fried": 3 });
  });

  it("count types and queries", async () => {
    const { facet_fields: fields, facet_queries: queries } = await counts(
      "q=*:*&facet.field=type&facet.query=title:thing&facet.query=type:author&facet.query=title:nothing",
    );
    expect(fields).toEqual({ type: ["work", 6, "author", 2, "subject", 2, "series", 1] });
    expect(queries).toEqual({ "title:thing": 6, "type:author": 2, "title:nothing": 0 });
    const editions = await counts("q=type:(edition OR author)&facet.field=type&json.nl=map");
    expect(editions.facet_fields.type).toEqual({ edition: 6, author: 2 });
    expect(await message("q=type:edition&facet=true&facet.field=language")).toContain("400 facet.field");
  });
});

describe("formats and handlers", () => {
  it("rename fields", async () => {
    const { docs } = (await json("q=key:%22/works/OL2W%22&fl=id:key,title")).response;
    expect(docs[0]).toEqual({ id: "/works/OL2W", title: "Thing 2" });
    const scored = (await json("q=thing&fq=type:work&fl=points:score&rows=1")).response;
    expect(scored.docs).toEqual([{ points: expect.any(Number) }]);
  });

  it("write XML and CSV", async () => {
    const asked = "q=key:%22/works/OL1W%22&fl=key,title,subject,edition_count";
    const xml = await call(`${asked}&wt=xml&facet=true&facet.field=language`);
    expect(xml.headers.get("Content-Type")).toBe("application/xml; charset=UTF-8");
    const text = await xml.text();
    expect(text).toContain('<result name="response" numFound="1" start="0" numFoundExact="true"><doc>');
    expect(text).toContain('<str name="key">/works/OL1W</str>');
    expect(text).toContain('<int name="edition_count">1</int>');
    expect(text).toContain('<lst name="language"><int name="eng">1</int></lst>');
    const csv = await call(`${asked}&wt=csv`);
    expect(await csv.text()).toBe(
      'edition_count,key,subject,title\n1,/works/OL1W,"Fiction,fiction,Fish\\, fried",Thing 1\n',
    );
    for (const wt of ["python", "javabin", ""]) expect(await message(`q=x&wt=${wt}`)).toContain("400 wt");
    expect(await message("q=x&wt=csv", "export")).toContain("400 wt");
  });

  it("include /terms, /schema and /admin/cores", async () => {
    expect((await json("terms.fl=subject_key&terms.prefix=fi", "terms")).terms).toEqual({
      subject_key: ["fiction", 5, "fish_fried", 3],
    });
    expect(await message("terms.fl=title", "terms")).toContain("400 terms.fl");
    expect(await message("terms.fl=language&terms.regex=x", "terms")).toContain("'terms.regex'");
    const { schema } = await json("", "schema");
    expect(schema.uniqueKey).toBe("key");
    expect(schema.fields).toContainEqual({
      name: "subject_key",
      type: "string",
      indexed: true,
      stored: true,
      multiValued: true,
    });
    expect(await json("", "schema/uniquekey")).toMatchObject({ uniqueKey: "key" });
    expect((await json("", "schema/fields")).fields).toEqual(schema.fields);
    expect((await call("", "schema/nothing")).status).toBe(404);
    const cores = await json("action=STATUS&core=books", "admin/cores");
    expect(cores.status.books.index.numDocs).toBeGreaterThan(5);
    expect(await message("action=RELOAD", "admin/cores")).toContain("400 action");
  });
});

describe("parameters", () => {
  it.each([
    ["f.language.facet.matches", "facet=true&facet.field=language&f.language.facet.matches=e"],
    ["stats", "stats=true&stats.field=edition_count"],
    ["group", "group=true&group.field=type"],
    ["hl", "hl=true&hl.fl=title"],
    ["json.facet", "json.facet={}"],
    ["mm", "mm=1<2"],
    ["q.op", "q.op=NEAR"],
  ])("%s is refused by name", async (name, asked) => {
    const answer = await message(`q=x&${asked}`);
    expect(answer).toContain("400 ");
    expect(answer).toContain(name);
  });

  it("without an effect are accepted", async () => {
    const asked =
      "_=1&omitHeader=true&echoParams=all&indent=on&hl=false&hl.fl=title&group=false&debugQuery=false";
    const more = "defType=edismax&qf=title^2&timeAllowed=5&spellcheck=true&facet.method=enum&mine=1&mm=&df=";
    expect((await call(`q=thing&${asked}&${more}`)).status).toBe(200);
  });

  it("of a body are refused by name", async () => {
    const post = (body: unknown) =>
      exports.SearchEngine.fetch("http://search.test/solr/x/query", {
        method: "POST",
        body: JSON.stringify(body),
      });
    for (const body of [
      { query: "x", queries: {} },
      { query: "x", params: { hl: true } },
      { query: "x", facet: { f: { type: "terms", field: "language", facet: {} } } },
      { query: "x", facet: { f: { type: "range", field: "edition_count" } } },
    ])
      expect((await post(body)).status, JSON.stringify(body)).toBe(400);
    const facet = { f: { type: "terms", field: "type" }, n: "sum(edition_count)" };
    const answer = Object(await (await post({ query: "title:thing", facet })).json());
    expect(answer.facets).toMatchObject({ count: 6, f: { buckets: [{ val: "work", count: 6 }] }, n: 6 });
  });
});
