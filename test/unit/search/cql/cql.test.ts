import { describe, expect, test } from "vitest";
import { Diagnostic } from "../../../../src/search/cql/diagnostic.ts";
import { FIELDS } from "../../../../src/search/fields.ts";
import { parseCqlSearch, parseSortKeys, parseWordsSearch } from "../../../../src/search/cql/cql-search.ts";
import { show } from "../query/show.ts";

const options = { prefix: "OL" };

function asked(text: string): string {
  const { query, sort } = parseCqlSearch(text, options);
  const keys = sort.map(({ field, descending }) => `${field}${descending ? " desc" : ""}`);
  return [show(query), ...keys].join(" | ");
}

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof Diagnostic) return [error.number, error.details].join(" ").trim();
    throw error;
  }
  return "taken";
}

function indexSorts(name: string): boolean {
  return refusal(() => parseSortKeys(name)) === "taken";
}

describe("queries of the grammar of CQL 1.2", () => {
  test.each([
    // Terms.
    ["cat", "cat"],
    ['"cat"', "cat"],
    ['"cat dog"', "and(cat, dog)"],
    ["'apostrophe'", "'apostrophe'"],
    ['"say \\"hello\\""', 'and(say, "hello")'],
    ['"back\\\\slash"', "back\\slash"],
    ["and", "and"],
    // Masks.
    ["cat*", "cat*"],
    ["*cat", "*cat"],
    ["c\\*t", "c*t"],
    ["title = *", "alternative_title:*"],
    ['title = "pride and prej*"', "alternative_title:pride and prej*"],
    ["title =/unmasked c*t?", "alternative_title:c*t?"],
    // Relations.
    ["title = fish", "alternative_title:fish"],
    ["dc.title = fish", "alternative_title:fish"],
    ['title = "fish and chips"', 'alternative_title:"fish and chips"'],
    ['title adj "fish chips"', 'alternative_title:"fish chips"'],
    ['title any "fish chips"', "or(alternative_title:fish, alternative_title:chips)"],
    ['title all "fish chips"', "and(alternative_title:fish, alternative_title:chips)"],
    ["title = any", "alternative_title:any"],
    ["title scr fish", "alternative_title:fish"],
    ["creator = austen", "or(author_name:austen, author_alternative_name:austen)"],
    [
      'author all "jane austen"',
      "and(or(author_name:jane, author_alternative_name:jane), or(author_name:austen, author_alternative_name:austen))",
    ],
    [
      'subject == "Love stories"',
      'or(subject_facet:"Love stories", place_facet:"Love stories", person_facet:"Love stories", time_facet:"Love stories")',
    ],
    ["publisher <> Penguin", "not(publisher:Penguin)"],
    ["date = 1813", 'or(publish_year:"1813", first_publish_year:"1813")'],
    ["dc.date > 1813", "or(publish_year:{1813 TO *}, first_publish_year:{1813 TO *})"],
    ["date<1813", "or(publish_year:{* TO 1813}, first_publish_year:{* TO 1813})"],
    ["date <> 1813", 'not(or(publish_year:"1813", first_publish_year:"1813"))'],
    ['date within "1800 1900"', "or(publish_year:[1800 TO 1900], first_publish_year:[1800 TO 1900])"],
    ["lcc > PR", "lcc:{PR-0000.00000000 TO *}"],
    ["carrel.ebook_access = public", "ebook_access:public"],
    ["bath.isbn = 0-14-143951-3", "isbn:0141439513"],
    [
      "identifier = 0141439513",
      "or(isbn:0141439513, id_issn:0141439513, lccn:0141439513, oclc:0141439513, ia:0141439513)",
    ],
    ["bath.issn = 0028-083x", "id_issn:0028-083X"],
    ["bath.issn = 00280836", "id_issn:0028-0836"],
    ["dc.author = austen", "or(author_name:austen, author_alternative_name:austen)"],
    ["bath.personalName = austen", "or(author_name:austen, author_alternative_name:austen)"],
    ["bath.any = fish", "fish"],
    ["rec.id = OL1W", "or(key:/works/OL1W, edition_key:OL1W)"],
    ["rec.identifier = ol1m", "or(edition_key:OL1M, edition_key:ol1m)"],
    [
      'rec.identifier == "http://host/works/OL1W/Emma"',
      'or(key:"/works/OL1W", edition_key:"http://host/works/OL1W/Emma")',
    ],
    ['rec.identifier = "/works/OL1W"', "or(key:/works/OL1W, edition_key:/works/OL1W)"],
    ['rec.identifier = "/books/OL1M"', "or(edition_key:OL1M, edition_key:OL1M)"],
    ["cql.anywhere = fish", "fish"],
    ["cql.allRecords = 1", "all"],
    ["cql.allRecords = 1 not title = fish", "not(alternative_title:fish)"],
    // Modifiers of relations.
    ["title =/relevant fish", "alternative_title:fish"],
    [
      'subject =/string "Love stories"',
      'or(subject_facet:"Love stories", place_facet:"Love stories", person_facet:"Love stories", time_facet:"Love stories")',
    ],
    ["date >/number 1813", "or(publish_year:{1813 TO *}, first_publish_year:{1813 TO *})"],
    // Booleans.
    ["cat and dog", "and(cat, dog)"],
    ["cat or dog", "or(cat, dog)"],
    ["cat not dog", "and(cat, not(dog))"],
    ["cat and dog or fish", "or(and(cat, dog), fish)"],
    ["cat or dog and fish", "and(or(cat, dog), fish)"],
    ["cat and (dog or fish)", "and(cat, or(dog, fish))"],
    ["cat not dog not fish", "and(cat, not(dog), not(fish))"],
    [
      "title = cat and author = dog",
      "and(alternative_title:cat, or(author_name:dog, author_alternative_name:dog))",
    ],
    ["cat or or", "or(cat, or)"],
    ["title = and and title = or", "and(alternative_title:and, alternative_title:or)"],
    // Proximity.
    ["cat prox hat", 'or("cat hat", "hat cat")'],
    ["cat prox/ordered hat", '"cat hat"'],
    ["cat prox/distance=1/unit=word/ordered hat", '"cat hat"'],
    ["title = cat prox/distance<2/ordered title = hat", 'alternative_title:"cat hat"'],
    [
      "subject = cat prox/ordered subject = hat",
      'or(subject:"cat hat", place:"cat hat", person:"cat hat", time:"cat hat")',
    ],
    // Prefixes.
    ['> dc = "info:srw/cql-context-set/1/dc-v1.1" dc.title = fish', "alternative_title:fish"],
    ['> foo = "info:srw/cql-context-set/1/dc-v1.1" foo.title = fish', "alternative_title:fish"],
    ['> "info:srw/cql-context-set/1/dc-v1.1" title = fish', "alternative_title:fish"],
    [
      'cat and (> x = "http://zing.z3950.org/cql/bath/2.0/" x.author = austen)',
      "and(cat, or(author_name:austen, author_alternative_name:austen))",
    ],
    [
      '> a = "tag:carrel,2026:cql" > b = "http://purl.org/dc/elements/1.1/" a.place = x or b.title = y',
      "or(place:x, alternative_title:y)",
    ],
    // Sorting.
    ["cat sortBy title", "cat | title_sort"],
    ["cat sortby dc.title/sort.descending", "cat | title_sort desc"],
    [
      "cat sortBy title/ascending date/sort.descending edition_count",
      "cat | title_sort | first_publish_year desc | edition_count",
    ],
    ["sortBy", "sortBy"],
  ])("%s", (text, expected) => {
    expect(asked(text)).toBe(expected);
  });
});

describe("refusals", () => {
  test.each([
    ['""', "27"],
    ["", "10 the query ends too early"],
    ["<xml.element>", "10 <"],
    ["rec.identifier = /works/OL1W", "10 the query ends too early"],
    ["= fish", "10 ="],
    ["title = = fish", "10 ="],
    ["cat dog", "10 the query ends too early"],
    ["cat dog fish bird", "10 bird"],
    ["and cat", "10 the query ends too early"],
    ["not cat", "10 the query ends too early"],
    ["()", "10 )"],
    ["(cat", "13"],
    ["cat)", "13 )"],
    ["(title = ) fish", "10 )"],
    ['"cat', '14 "cat'],
    ["title =/ fish", "10 the query ends too early"],
    ["> dc", "10 the query ends too early"],
    ["cat sortBy", "10 the query ends too early"],
    ["(cat sortBy title)", "10 sortBy"],
    ["cat sortBy title and dog", "16 and"],
    ["foo.title = fish", "15 foo"],
    ['> foo = "http://example.com/" foo.title = fish', "15 foo.title"],
    ["fnord = fish", "16 fnord"],
    ["carrel.author_facet.x = fish", "16 carrel.author_facet.x"],
    ["cql.resultSetId = 7", "50 cql.resultSetId"],
    ["title fnord fish", "19 fnord"],
    ["title =/fuzzy fish", "20 fuzzy"],
    ["title =/masked/unmasked fish", "21 masked unmasked"],
    ["title == fish", "22 title =="],
    ['date encloses "1800 1900"', "22 date encloses"],
    ["date within 1800", "36 1800"],
    ["date = soon", "36 soon"],
    ["c?t", "28 ?"],
    ["^cat", "31 ^"],
    ["c\\at", "26 \\a"],
    ['title = "fish* and chips"', "33"],
    ["cat and/relevance.combine=sum dog", "15 relevance"],
    ["cat prox/distance=3 hat", "41 =3"],
    ["cat prox/distance>1 hat", "40 >"],
    ["cat prox/unit=sentence hat", "42 sentence"],
    ["title = cat prox author = hat", "39 different indexes"],
    ["cat prox (hat and fish)", "39 and"],
    ["cat prox title any hat", "39 any"],
    ["cat prox c*t", "33 c*t"],
    ["cat sortBy subject", "82 subject"],
    ["cat sortBy title/respectCase", "91 dc.title"],
    ["cat sortBy title/missingOmit", "92 missingOmit"],
    ["cat sortBy title/fnord", "82 fnord"],
  ])("%s", (text, expected) => {
    expect(refusal(() => asked(text))).toBe(expected);
  });
});

describe("other rules", () => {
  test("accept words without any grammar", () => {
    expect(show(parseWordsSearch("cat and (dog", options).query)).toBe("and(cat, and, (dog)");
    expect(refusal(() => parseWordsSearch(" ", options))).toBe("27");
  });

  test("sort by keys of SRU 1.1 and 2.0 like keys in queries", () => {
    expect(parseSortKeys("title,,1 dc.date,,0 edition_count")).toEqual([
      { field: "title_sort", descending: false },
      { field: "first_publish_year", descending: true },
      { field: "edition_count", descending: false },
    ]);
    expect(refusal(() => parseSortKeys("subject"))).toBe("82 subject");
    expect(refusal(() => parseSortKeys("title,,1,1"))).toBe("91 title");
    expect(refusal(() => parseSortKeys("title,,1,0,abort"))).toBe("92 abort");
  });

  test("sort by the first key of each index, and by at most ten", () => {
    expect(parseSortKeys(Array.from({ length: 100 }, () => "title,,0 dc.date").join(" "))).toEqual([
      { field: "title_sort", descending: true },
      { field: "first_publish_year", descending: false },
    ]);
    const sorted = [...FIELDS].flatMap(([name, { sorted: is, namedBy }]) =>
      is !== undefined && namedBy === "all" && indexSorts(name) ? [name] : [],
    );
    expect(sorted.length).toBeGreaterThan(10);
    expect(refusal(() => parseSortKeys(sorted.join(" ")))).toBe("82 more than 10 indexes");
  });

  test("refuse more than 20 declared prefixes", () => {
    const declared = (count: number) =>
      `${Array.from({ length: count }, (_, n) => `>p${n}="info:srw/cql-context-set/1/dc-v1.1"`).join(" ")} cat`;
    expect(refusal(() => asked(declared(20)))).toBe("taken");
    expect(refusal(() => asked(declared(21)))).toBe("15 more than 20 prefixes");
  });

  test("refuse long, deep and large queries", () => {
    expect(refusal(() => asked("a".repeat(16_385)))).toBe("12 16384");
    expect(refusal(() => asked(`${"(".repeat(101)}a${")".repeat(101)}`))).toBe(
      "13 more than 100 in each other",
    );
    const many = (count: number, operator: string) => Array(count).fill("a").join(` ${operator} `);
    expect(refusal(() => asked(many(256, "or")))).toBe("taken");
    expect(refusal(() => asked(many(257, "or")))).toBe("38 255");
    expect(refusal(() => asked(many(20, "prox")))).toBe("38 prox");
    expect(refusal(() => asked(`${"a and (b or (".repeat(20)}c${"))".repeat(20)}`))).toBe("38");
  });
});
