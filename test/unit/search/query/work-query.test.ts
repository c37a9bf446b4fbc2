import { describe, expect, test } from "vitest";
import { parsePlainQuery, parseWorkQuery } from "../../../../src/search/query/parse-query.ts";
import { CHANGED, UNCHANGED } from "./measured.ts";
import { show } from "./show.ts";

const parse = (text: string) => parseWorkQuery(text, { prefix: "OL" });
const works = (text: string) => show(parse(text).query);
/** The query of a text that is understood already: the names in it are those of the index. */
const understood = (text: string) => show(parsePlainQuery(text, "raw").query);
/** Replaces every `author_name:` of an expected tree by what `author:` stands for. */
const withAuthors = (text: string) =>
  understood(
    text.replaceAll(
      /author_name:(\([^()]*\)|"[^"]*"|[^\s()]+)/g,
      "(author_name:$1 OR author_alternative_name:$1)",
    ),
  );
const editions = (text: string) => parse(text).editionClauses.map(show);

const NORMALISED: [text: string, printed: string][] = [
  ["query here", "query here"],
  [
    "title:(Holidays are Hell) authors:(Kim Harrison) OR authors:(Lynsay Sands)",
    "alternative_title:(Holidays are Hell) author_name:(Kim Harrison) OR author_name:(Lynsay Sands)",
  ],
  ["food rules author:pollan", "food rules author_name:pollan"],
  ["foo foo bar -", "foo foo bar \\-"],
  ["title:food rules by:pollan", "alternative_title:(food rules) author_name:pollan"],
  ["food rules By:pollan", "food rules author_name:pollan"],
  ['title: "Harry Potter"', 'alternative_title:"Harry Potter"'],
  ['title:"food rules" author:pollan', 'alternative_title:"food rules" author_name:pollan'],
  [
    'title:Compilation Group for the "History of Modern China',
    'title\\:Compilation Group for the \\"History of Modern China',
  ],
  [
    "query here title:food rules author:pollan",
    "query here alternative_title:(food rules) author_name:pollan",
  ],
  ["flatland:a romance of many dimensions", "flatland\\:a romance of many dimensions"],
  ["flatland : a romance of many dimensions", "flatland\\: a romance of many dimensions"],
  [
    "title:flatland:a romance of many dimensions",
    "alternative_title:(flatland\\:a romance of many dimensions)",
  ],
  [
    "authors:Kim Harrison OR authors:Lynsay Sands",
    "author_name:(Kim Harrison) OR author_name:(Lynsay Sands)",
  ],
  ["978-0-06-093546-7", "isbn:(9780060935467)"],
  ["isbn:978-0-06-093546-7", "isbn:9780060935467"],
  ["isbn:979*", "isbn:979*"],
  ["lcc:NC760 .B2813 2004", 'lcc:"NC-0760.00000000.B2813 2004"'],
  ["lcc:NC760 .B2813", "lcc:NC-0760.00000000.B2813*"],
  ["lcc:good evening", "lcc:(good evening)"],
  ["lcc:[NC1 TO NC1000]", "lcc:[NC-0001.00000000 TO NC-1000.00000000]"],
  ["lcc:NC76.B2813*", "lcc:NC-0076.00000000.B2813*"],
  ["lcc:*B2813", "lcc:*B2813"],
  ["lcc:*B2813*", "lcc:*B2813*"],
  ["lcc:NC76*B2813*", "lcc:NC-0076*B2813*"],
  ['lcc:"NC760 .B2813"', 'lcc:"NC-0760.00000000.B2813"'],
];

// With names that are fields.
const WITHOUT_EDITION_FIELDS: [text: string, printed: string][] = [
  ["edition.title:Bob", "*:*"],
  ["title:Joe", "alternative_title:Joe"],
  ["edition.title:Bob edition.title:OL5M", "*:*"],
  ["edition_key:Joe OR edition.title:Bob", "edition_key:Joe"],
  ["edition.title:Joe OR work.title:Bob", "title:Bob"],
  ["(edition.title:Bob)", "*:*"],
  ["(edition.title:Bob OR edition.title:OL5M)", "*:*"],
  ["(edition.title:Bob OR work.title:OL5M)", "(title:OL5M)"],
  ["edition.title:Bob OR (work.title:OL5M)", "(title:OL5M)"],
  ["edition.title: foo bar bar author: blah", "author_name:blah"],
  ["work.title:Bob work.title:OL5M", "title:Bob title:OL5M"],
  ["edition_key:Joe OR work.title:Bob", "edition_key:Joe OR title:Bob"],
  ["NOT edition.title:foo", "*:*"],
  ["edition.title:a AND b", "*:*"],
  ['edition.title:"a" AND b OR c', "b OR c"],
];

const EDITION_KEYS: [text: string, clause: string][] = [
  ["edition_key:OL123M", "key:/books/OL123M"],
  ['edition_key:"OL123M"', 'key:"/books/OL123M"'],
  ['edition_key:"/books/OL123M"', 'key:"/books/OL123M"'],
  ["edition_key:(OL123M)", "key:/books/OL123M"],
  ["edition_key:(OL123M OR OL456M)", "or(key:/books/OL123M, key:/books/OL456M)"],
  ["edition_key:/books/OL123M/A_Title", "key:/books/OL123M"],
  ["edition_key:OL12*", "key:/books/OL12*"],
  ["edition.key:/books/OL1M", "key:/books/OL1M"],
  ["edition.key:*5M", "key:*5M"],
  ["edition.key:*", "key:*"],
];

describe("parseWorkQuery", () => {
  test.each(NORMALISED)("%s", (text, printed) => expect(works(text)).toBe(withAuthors(printed)));

  test.each(UNCHANGED)("%s stays", (text) => {
    expect(works(text)).toBe(understood(text));
    expect(editions(text)).toEqual([]);
  });

  test.each(CHANGED)("%s is %s", (text, printed, ...clauses) => {
    expect(works(text)).toBe(withAuthors(printed));
    expect(editions(text)).toEqual(clauses);
  });
});

describe("fields of editions and works", () => {
  test.each(WITHOUT_EDITION_FIELDS)("%s asks of works %s", (text, printed) => {
    expect(works(text)).toBe(withAuthors(printed));
  });

  test.each(EDITION_KEYS)("%s asks of editions %s", (text, clause) =>
    expect(editions(text)).toEqual([clause]),
  );

  test.each([
    // A15: what need not hold does not restrict.
    ["language:eng OR language:fre"],
    ["NOT language:eng"],
    ["-language:eng"],
    ["language:(-eng)"],
    ["(language:eng tolkien) OR ring"],
    ["work.language:eng"],
    ["author:tolkien subject:fantasy"],
    ["edition.author:tolkien"],
    // A14
    ["spanish tolkien"],
  ])("%s asks nothing of editions", (text) => expect(editions(text)).toEqual([]));

  test.each([
    ["+language:eng ring", ["language:eng"]],
    ["(language:eng AND publisher:penguin) ring", ["language:eng", "publisher:penguin"]],
    ["language:(eng OR fre)", ["or(language:eng, language:fre)"]],
    ["title:(foo -bar) ring", ["alternative_title:foo"]],
    ["edition.oclc:123", ["oclc:123"]],
    ["title:foo^2", ["alternative_title:foo^2"]],
    ["edition.language:eng tolkien", ["and(language:eng, language:tolkien)"]],
  ])("%s asks of editions %j", (text, clauses) => expect(editions(text)).toEqual(clauses));

  test("authors of editions are searched in the work", () => {
    expect(works("edition.author:tolkien")).toBe("author_name:tolkien");
    expect(works("work.author:tolkien")).toBe("author_name:tolkien");
  });
});
